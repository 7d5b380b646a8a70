"""carry-reads: vectors along a row are put together of those that a loop has read before."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import affine
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block
from xdsl.passes import ModulePass

from polyopt.passes.loops.transfers.carried_loop import CarriedLoop
from polyopt.passes.loops.transfers.carry_model import choose_chains
from polyopt.passes.loops.transfers.places import blocks_with_transfers
from polyopt.passes.loops.transfers.read_rows import rows_of
from polyopt.support.record import record
from polyopt.support.target import Target


@record
class CarryReadsPass(ModulePass):
    """Read each element of a row once in a loop over whole vectors, where the loop reads several
    vectors that overlap: what lies between two of them is put together in registers, and the last
    ones are carried to the next step (predictive commoning; A. Eichenberger, P. Wu, K. O'Brien,
    Vectorization for SIMD architectures with alignment constraints, PLDI 2004).

    Requires: nothing; a loop that writes to the row, or may, is left as it is.
    Ensures: only elements are read that the loop reads. Where a model of loads that go across
    lines of the cache says that it pays (`carry_model.py`): for vectors as wide as a line.

        affine.for %v step 8 {                      %a = pvec.read %A[%low - 7] of the last 2 lanes
          %x = pvec.read %A[%v - 1]                 affine.for %v step 8 iter_args(%p = %a) {
          %y = pvec.read %A[%v]               =>      %z = pvec.read %A[%v + 1]
          %z = pvec.read %A[%v + 1] }                 %x = shuffle %p, %z   %y = shuffle %p, %z
                                                      affine.yield %z }
    """

    name = "carry-reads"

    march: str = "native"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = Target.named(self.march)
        for block in blocks_with_transfers(op):
            self._carry(block, target)

    def _carry(self, block: Block, target: Target) -> None:
        loop = block.parent_op()
        reads = rows_of(loop) if isinstance(loop, affine.ForOp) else None
        if reads is None:
            return
        chains = choose_chains(reads, target)
        if chains:
            CarriedLoop(reads, chains).write()
