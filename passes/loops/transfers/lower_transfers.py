"""lower-transfers: vectors are loaded and stored the way that the machine has for it."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.passes.loops.transfers.lowering import lower_block
from polyopt.passes.loops.transfers.places import blocks_with_transfers
from polyopt.passes.loops.transfers.spread_elements import keep_rows_in_loops
from polyopt.passes.loops.transfers.written_back import write_back
from polyopt.support.record import record
from polyopt.support.target import Target


@record
class LowerTransfersPass(ModulePass):
    """Replace each transfer (`dialects/pvec_transfers.py`) by operations that say how it is done
    (`lowering.py`): a load, masked where the transfer is; a few loads side by side and shuffles of
    them, for elements that are read `within` what lies around them (of bytes one load, where the
    machine looks them up in all of a register), or that run backward; one
    that gathers or scatters; rows that are transposed in registers; non-temporal stores. Loops
    over elements that are spread from what vectors have been stored to stay loops
    (`spread_elements.py`).

    Without registers for masks, a write of lanes that data choose is one of a whole vector, where
    that has been read (`written_back.py`).

    Requires: nothing.
    Ensures: no transfer is left; nothing is touched that the transfers may not touch.

        %x = pvec.read %A[%v * 2] by [2]                 %a = affine.vector_load %A[%v * 2]
               within [0, 1] …                           %b = affine.vector_load %A[%v * 2 + 4]
        %y = pvec.read %A[%v * 2 + 1] by [2]       =>    %x = vector.shuffle %a, %b [0, 2, 4, 6]
               within [-1, 0] …                          %y = vector.shuffle %a, %b [1, 3, 5, 7]
    """

    name = "lower-transfers"

    march: str = "native"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = Target.named(self.march)
        if not target.has_mask_registers:
            for block in blocks_with_transfers(op):
                write_back(block)
        for block in blocks_with_transfers(op):
            lower_block(block, target)
        keep_rows_in_loops(op)
