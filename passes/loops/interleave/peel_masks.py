"""affine-peel-masks: loops over masked vectors run whole vectors without masks."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import affine
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block
from xdsl.passes import ModulePass

from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.interleave.halved_rest import called_in_loops
from polyopt.passes.loops.interleave.mask_peeler import MaskPeeler
from polyopt.passes.loops.interleave.masked_loop import MaskedLoop, masked_loops
from polyopt.passes.loops.replacement import replace_op
from polyopt.support.record import record
from polyopt.support.target import Target


@record
class AffinePeelMasksPass(ModulePass):
    """Take the vectors of loops marked `interleave = n` whose lanes are all wanted apart from
    those at the ends: they have no masks, and `n` of them run in one step, each with an accumulator
    of its own where the loop carries such (`mask_peeler.py`).

    Requires: what the mark says, that the lanes of a step are iterations which may run in any order
    (`masked_loop.py`); a loop whose masks are not of that form is left as it is.
    Ensures: each iteration is in one lane that is set, once. Vectors begin at lines of the cache
    where the arrays show these, and where one goes past it. What is carried is taken apart only if
    its order is free. Where the machine of `march` has no masks for elements of one or two bytes,
    the last vector is whole, and goes over iterations that have run.

        affine.for %v = 0 to %n step 4 {            affine.for %v = 0 to %whole step 4 { S }
          %m = vector.create_mask %n - %v      =>   affine.for %v = %whole to %n step 4 {
          S under %m }                                S under vector.create_mask %n - %v }
    """

    name = "affine-peel-masks"

    march: str = "native"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = Target.named(self.march)
        loops = masked_loops(op)
        called = called_in_loops(op) if loops else frozenset[str]()
        for loop in loops:
            _peel(loop, target, called)


def _peel(source: MaskedLoop, target: Target, called: frozenset[str]) -> None:
    op: affine.ForOp = source.loop.op
    builder = AffineBuilder(Block(), op)
    results = MaskPeeler(builder, source, target, called).write()
    for old, new in zip(op.results, results, strict=True):
        old.replace_all_uses_with(new)
    replace_op(op, builder.block)
