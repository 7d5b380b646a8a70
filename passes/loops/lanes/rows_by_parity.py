"""Two rows of one table that take turns by the number of the iteration.

    for i from 1 { t[i % 2][j] = f(t[(i - 1) % 2][j], …) }

is, two iterations at a time, rows of different numbers,

    for k { i = 2k + 1: t[1][j] = f(t[0][j], …)
            if (2k + 2 < n) { i = 2k + 2: t[0][j] = f(t[1][j], …) } }

as of a loop whose pointers change places (`find_turns.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine
from xdsl.ir import Block, Operation, SSAValue

from polyopt.dialects.loop_facts import NO_FACTS, set_facts
from polyopt.ir.affine.affine_nest import AffineLoop, ElementAccess
from polyopt.ir.affine.linear import Linear, ceiling
from polyopt.ir.affine.subscripts import subscripts_of
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.support.record import record


def in_pairs(op: affine.ForOp) -> affine.ForOp | None:
    """A copy, next to the loop and in front of it, that does two iterations at a time; None, and
    nothing changes, where that makes no numbers of subscripts that divide."""
    loop = AffineLoop(op)
    if op.inits or loop.step != 1 or loop.uppers is None or loop.lowers is None:
        return None
    (low, *others), uppers = loop.lowers, loop.uppers
    if others or low.terms or not _has_quotients(loop):
        return None
    b = AffineBuilder(Block(), op)
    with b.loop([Linear()], [ceiling(upper - low, 2) for upper in uppers]) as pairs:
        pairs.iv.name_hint = loop.iv.name_hint
        first = pairs.index * 2 + low
        is_copied = _Copy(b, loop, first).write()
        branch = b.branch([upper - first - 2 for upper in uppers])
        with branch.then():
            is_copied = is_copied and _Copy(b, loop, first + 1).write()
        branch.close()
    (made,) = b.block.ops
    assert isinstance(made, affine.ForOp)
    made.detach()
    if not is_copied:
        made.erase()
        return None
    assert op.parent is not None
    op.parent.insert_op_before(made, op)
    return made


def _has_quotients(loop: AffineLoop) -> bool:
    """Is there an access that depends on the iterator, and not linearly?"""
    return any(
        isinstance(op, (affine.LoadOp, affine.StoreOp))
        and loop.iv in op.indices
        and subscripts_of(op) is None
        for op in loop.op.walk()
    )


@record
class _Copy:
    """One iteration, where the iterator is `place`."""

    builder: AffineBuilder
    loop: AffineLoop
    place: Linear

    def write(self) -> bool:
        """False where a subscript is none of numbers and iterators there."""
        b = self.builder
        place = b.value(self.place)
        values: dict[SSAValue, SSAValue] = {self.loop.iv: place}
        copies = [
            b.insert(op.clone(values))
            for op in self.loop.block.ops
            if not isinstance(op, affine.YieldOp)
        ]
        for copy in copies:
            for op in list(copy.walk()):
                if isinstance(op, affine.ForOp):
                    set_facts(op, NO_FACTS)
                if place in op.operands and not self._replace(op, place):
                    return False
        owner = place.owner
        assert isinstance(owner, Operation)
        if not any(True for _ in place.uses):
            owner.detach()
            owner.erase()
        return True

    def _replace(self, op: Operation, place: SSAValue) -> bool:
        """`op` by the new iterator: with subscripts of it, or with a value of its own."""
        if isinstance(op, (affine.ForOp, affine.IfOp)):
            return False
        outside, self.builder.block = self.builder.block, Block()
        if isinstance(op, (affine.LoadOp, affine.StoreOp)):
            forms = subscripts_of(op)
            if forms is not None:
                self._access(op, forms)
        else:
            here = self.builder.value(self.place)
            self.builder.insert(op.clone({place: here}))
        made, self.builder.block = list(self.builder.block.ops), outside
        if not made:
            return False
        for one in made:
            one.detach()
        assert op.parent is not None
        op.parent.insert_ops_before(made, op)
        for old, new in zip(op.results, made[-1].results, strict=True):
            new.name_hint = old.name_hint
            old.replace_all_uses_with(new)
        op.detach()
        op.erase()
        return True

    def _access(self, op: ElementAccess, forms: Sequence[Linear]) -> None:
        if isinstance(op, affine.LoadOp):
            self.builder.load(op.memref, forms)
        else:
            self.builder.store(op.value, op.memref, forms)
