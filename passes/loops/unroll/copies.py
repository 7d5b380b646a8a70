"""Copies of loop bodies at each of their iterations."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import affine
from xdsl.ir import Operation, SSAValue

from polyopt.passes.loops.copies import Copier, CopyScope
from polyopt.passes.loops.unroll.full_tiles import FullRange
from polyopt.support.record import entity


def unroll(loop: affine.ForOp, ranges: Mapping[affine.ForOp, FullRange]) -> None:
    """Put a copy of the body for each iteration in the place of `loop`, whose range, like those
    of the loops in it that `ranges` names, is as given."""
    unrolling = _Unrolling(loop, ranges)
    results = unrolling.loop(loop, CopyScope())
    for old, new in zip(loop.results, results, strict=True):
        old.replace_all_uses_with(new)
    block = loop.parent
    assert block is not None
    block.erase_op(loop)


@entity
class _Unrolling:
    """Everything is inserted before `anchor`."""

    anchor: affine.ForOp
    ranges: Mapping[affine.ForOp, FullRange]

    def insert(self, op: Operation) -> None:
        assert self.anchor.parent is not None
        self.anchor.parent.insert_op_before(op, self.anchor)

    def loop(self, loop: affine.ForOp, scope: CopyScope) -> list[SSAValue]:
        """The copies of all iterations; what the last one yields."""
        copier, full = Copier(self.insert, self.anchor), self.ranges[loop]
        iterator, *arguments = loop.body.block.args
        carried = [copier.value(value, scope) for value in loop.inits]
        for iteration in range(full.count):
            here = scope.inner()
            here.forms[iterator] = scope.form(full.at(iteration))
            here.values.update(zip(arguments, carried, strict=True))
            carried = self.body(loop, here, copier)
        return carried

    def body(self, loop: affine.ForOp, scope: CopyScope, copier: Copier) -> list[SSAValue]:
        for op in loop.body.block.ops:
            if isinstance(op, affine.YieldOp):
                return [copier.value(value, scope) for value in op.arguments]
            if isinstance(op, affine.ForOp) and op in self.ranges:
                scope.values.update(zip(op.results, self.loop(op, scope), strict=True))
            else:
                copier.copy(op, scope)
        return []
