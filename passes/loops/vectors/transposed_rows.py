"""Pairs of loops whose instances may run in any order, with accesses along the rows of arrays and
accesses down their columns: transposed copies, rotations, images mirrored on a diagonal.

As many rows as columns make a square. Its elements come row by row from what is walked along, are
transposed in registers where they come from columns or go to columns, and every line of memory is
touched once for all of them.

    along        A[…, ±j + …] and nothing else moves with j: one vector for each row of the square
    transposed   A[…, ±i + …] and nothing else moves with i, the last one not with j, or in steps as
                 long as the rows are many, as in A[8 j + i], i < 8: one vector for each column of
                 the square

Iterations are independent, so all loads of a square may come before all its stores, if that is so
in each iteration: no iteration loads what it has stored before. Stores of one iteration keep their
order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

from xdsl.dialects import affine
from xdsl.ir import Operation

from polyopt.dialects.cmem import memref_type
from polyopt.ir.affine.affine_dependence import meet_at_once
from polyopt.ir.affine.affine_nest import (
    Access,
    AffineLoop,
    ElementAccess,
    access_of,
    only_child_loop,
)
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import is_known, stride_of, subscripts_of
from polyopt.ir.elementwise import has_lanes
from polyopt.ir.expressions.shapes import element_bytes
from polyopt.ir.objects.alias import may_overlap
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.target import Target


@record
class TransposedRows:
    """`rows` around `loop`, nothing else; `transposed` are the accesses down columns."""

    rows: AffineLoop
    loop: AffineLoop
    operations: tuple[Operation, ...]
    transposed: frozenset[Operation]

    @property
    def touches(self) -> list[ElementAccess]:
        return [op for op in self.operations if isinstance(op, (affine.LoadOp, affine.StoreOp))]

    @property
    def loads(self) -> list[affine.LoadOp]:
        return [op for op in self.operations if isinstance(op, affine.LoadOp)]

    @property
    def stores(self) -> list[affine.StoreOp]:
        return [op for op in self.operations if isinstance(op, affine.StoreOp)]

    @property
    def element_bytes(self) -> int:
        """Of what goes down columns."""
        return max(_size(op) for op in self.transposed)

    @property
    def is_box(self) -> bool:
        """Is each row as long as the others?"""
        bounds = (*(self.loop.lowers or ()), *(self.loop.uppers or ()))
        return not any(form.uses([self.rows.iv]) for form in bounds)

    @property
    def may_run_twice(self) -> bool:
        """Does an iteration that runs again store the same again?"""
        return not any(
            may_overlap(load.memref, store.memref) for load in self.loads for store in self.stores
        )

    def is_slice_within(self, most: int) -> bool:
        """Are the two loops in another one, and what they load in all no more than so many bytes,
        as the arrays' shapes say?"""
        if not isinstance(self.rows.op.parent_op(), affine.ForOp):
            return False
        sizes = [self._slice_bytes(load) for load in self.loads]
        return all(size is not None for size in sizes) and sum(filter(None, sizes)) <= most

    def _slice_bytes(self, load: affine.LoadOp) -> int | None:
        shape, moving = memref_type(load.memref).get_shape(), (self.rows.iv, self.loop.iv)
        extents = [
            extent
            for extent, form in zip(shape, subscripts_of(load) or (), strict=True)
            if form.uses(moving)
        ]
        return None if min(extents, default=1) < 0 else prod(extents) * _size(load)

    def side(self, target: Target) -> int:
        """How many rows and columns a square has; 0: none that pays."""
        size = self.element_bytes
        whole = max(1, CORE.rows.narrow_square_bytes // size) if size < 4 else target.lanes(size)
        values = [
            *(op.value for op in self.stores),
            *(v for op in self.operations for v in op.results),
        ]
        widest = max(element_bytes(value.type) or 1 for value in values)
        side = whole
        while side > 1 and (
            side * len(self.transposed) > CORE.rows.spilled_squares * target.vector_registers
            or side * widest * 8 > 2 * target.vector_bits
            or any(extent < side for extent in self._known_extents())
        ):
            side //= 2
        return side if side >= min(CORE.rows.least_square, whole) and side > 1 else 0

    def _known_extents(self) -> Iterable[int]:
        for loop in (self.rows, self.loop):
            for lower in loop.lowers or ():
                for upper in loop.uppers or ():
                    if not (upper - lower).terms:
                        yield (upper - lower).constant


def find_transposed_rows(op: affine.ForOp) -> TransposedRows | None:
    """The loop and the one in it as rows and columns, if they are such a pair."""
    inner = only_child_loop(op)
    if inner is None or op.inits:
        return None
    rows, loop = AffineLoop(op), AffineLoop(inner)
    if not all(one.step == 1 and one.is_marked_parallel for one in (rows, loop)):
        return None
    if loop.lowers is None or loop.uppers is None:
        return None
    operations = tuple(one for one in loop.block.ops if not isinstance(one, affine.YieldOp))
    transposed: set[Operation] = set()
    for one in operations:
        if not isinstance(one, (affine.LoadOp, affine.StoreOp)):
            if not has_lanes(one):
                return None
            continue
        subscripts = subscripts_of(one)
        if subscripts is None or not all(is_known(form, loop) for form in subscripts):
            return None
        if _is_transposed(subscripts, rows, loop):
            transposed.add(one)
        elif not _is_along(one, loop):
            return None
    if not transposed or len({_size(one) for one in transposed}) > 1:
        return None
    found = TransposedRows(rows, loop, operations, frozenset(transposed))
    return found if found.stores and _loads_come_first(found) else None


def _is_transposed(subscripts: Sequence[Linear], rows: AffineLoop, loop: AffineLoop) -> bool:
    *others, last = subscripts or [Linear()]
    if last.coefficient(rows.iv) not in (1, -1):
        return False
    if any(form.coefficient(rows.iv) for form in others):
        return False
    step = abs(last.coefficient(loop.iv))
    if step:
        return not any(form.coefficient(loop.iv) for form in others) and _is_within(rows, step)
    return any(form.coefficient(loop.iv) for form in others)


def _is_within(rows: AffineLoop, step: int) -> bool:
    """Are there no more rows than that?"""
    extents = [upper - lower for lower in rows.lowers or () for upper in rows.uppers or ()]
    known = [one.constant for one in extents if not one.terms]
    return bool(known) and min(known) <= step


def _is_along(touch: ElementAccess, loop: AffineLoop) -> bool:
    stride = stride_of(touch, loop)
    return stride in (1, -1) or (stride == 0 and isinstance(touch, affine.LoadOp))


def _size(op: Operation) -> int:
    assert isinstance(op, (affine.LoadOp, affine.StoreOp))
    type_ = op.result.type if isinstance(op, affine.LoadOp) else op.value.type
    return element_bytes(type_) or 1


def _loads_come_first(found: TransposedRows) -> bool:
    """Does no iteration load what it has stored before?"""
    if found.may_run_twice:
        return True
    stored: list[Access] = []
    for touch in found.touches:
        access = access_of(touch)
        assert access is not None
        if access.is_write:
            stored.append(access)
        elif any(meet_at_once(found.rows.op, before, access) for before in stored):
            return False
    return True
