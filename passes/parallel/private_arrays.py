"""Arrays that a loop only updates, so that each thread may update a copy.

An update is `y[f] = y[f] op e` for an op that is associative and commutative, or a subtraction,
with no other access to y in the loop. Which arrays need copies is asked of the exact dependences of
the loop as it stands.

A copy is a box, between bounds of the subscripts. What is in it besides the elements that are
updated (under a condition, in steps, by another of several stores, or in no iteration of a loop
that has none) need not be elements of the array at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import Float32Type, Float64Type, IntegerType
from xdsl.ir import Operation, OpResult, SSAValue

from polyopt.dialects.cmem import element_type
from polyopt.ir.affine.affine_dependence import Dependence, dependences_below
from polyopt.ir.affine.affine_nest import (
    AffineLoop,
    access_of,
    accesses_in,
    bounds_over,
    enclosing_loops,
    is_defined_inside,
)
from polyopt.ir.affine.linear import Linear
from polyopt.ir.objects.alias import may_overlap
from polyopt.support.record import record

Combine = type[Operation]

_COMBINED_BY: Mapping[Combine, Combine] = {
    arith.AddfOp: arith.AddfOp,
    arith.SubfOp: arith.AddfOp,
    arith.MulfOp: arith.MulfOp,
    arith.MaximumfOp: arith.MaximumfOp,
    arith.MinimumfOp: arith.MinimumfOp,
    arith.MaxnumfOp: arith.MaxnumfOp,
    arith.MinnumfOp: arith.MinnumfOp,
    arith.AddiOp: arith.AddiOp,
    arith.SubiOp: arith.AddiOp,
    arith.MuliOp: arith.MuliOp,
    arith.AndIOp: arith.AndIOp,
    arith.OrIOp: arith.OrIOp,
    arith.XOrIOp: arith.XOrIOp,
    arith.MaxSIOp: arith.MaxSIOp,
    arith.MinSIOp: arith.MinSIOp,
    arith.MaxUIOp: arith.MaxUIOp,
    arith.MinUIOp: arith.MinUIOp,
}


@record(eq=False)
class Private:
    """An array that the loop only updates, by `combine`."""

    array: SSAValue
    combine: Combine
    accesses: tuple[affine.LoadOp | affine.StoreOp, ...]
    updates: tuple[Operation, ...]
    """The operations between loads and stores; in parts they may overflow where all does not."""
    boxes: tuple[tuple[ElementRange, ...], ...]
    """Of each store, what it touches in each dimension, and perhaps more."""
    is_whole: bool
    """Whether all elements of the box around these are updated, if the loop has an iteration."""


@record
class ElementRange:
    """`max(lowers) <= x < min(uppers)`"""

    lowers: tuple[Linear, ...]
    uppers: tuple[Linear, ...]


@record(eq=False)
class Privates:
    arrays: tuple[Private, ...]


_ELEMENTS = (IntegerType, Float32Type, Float64Type)
"""Of long doubles there are no constants, which copies begin with."""


def find_privates(loop: affine.ForOp) -> Privates | None:
    """The arrays of which each thread needs a copy: all by whose elements an iteration depends on
    another one. None where one of them is not only updated, or what is touched is not known."""
    dependences = dependences_below(loop)
    if not dependences.is_complete:
        return None
    return privates_of(loop, dependences.carried_by(AffineLoop(loop)))


def privates_of(loop: affine.ForOp, dependences: Sequence[Dependence]) -> Privates | None:
    """The arrays at whose ends these are, if each of them is only updated."""
    ends = [end.array for one in dependences for end in (one.source, one.sink)]
    arrays = [_private(loop, array) for array in dict.fromkeys(ends)]
    found = tuple(array for array in arrays if array is not None)
    return Privates(found) if found and len(found) == len(arrays) else None


def _private(loop: affine.ForOp, array: SSAValue) -> Private | None:
    if not isinstance(element_type(array), _ELEMENTS):
        return None
    touching = list[Operation]()
    for access in accesses_in(loop):
        if access is None:
            return None
        if access.array is array:
            touching.append(access.op)
        elif may_overlap(access.array, array):
            return None
    stores = [op for op in touching if isinstance(op, affine.StoreOp)]
    combines = set[Combine]()
    updates = list[Operation]()
    seen = list[affine.LoadOp | affine.StoreOp]()
    for store in stores:
        update = _update(store)
        if update is None:
            return None
        operations, load = update
        combines |= {_COMBINED_BY[type(op)] for op in operations}
        updates += operations
        seen += [load, store]
    if len(combines) != 1 or {*touching} != {*seen}:
        return None
    boxes = [_box(loop, store) for store in stores]
    known = tuple(box for box in boxes if box is not None)
    if len(known) != len(boxes):
        return None
    is_whole = len(set(known)) == 1 and any(_fills_box(loop, store) for store in stores)
    return Private(array, combines.pop(), tuple(seen), tuple(updates), known, is_whole)


def _update(store: affine.StoreOp) -> tuple[list[Operation], affine.LoadOp] | None:
    """What combines the element with something, all in one way, and its load; None where the store
    is no update."""
    operations = list[Operation]()
    value = store.value
    while isinstance(value, OpResult) and type(value.op) in _COMBINED_BY:
        if len(list(value.uses)) != 1:
            return None
        op = value.op
        operations.append(op)
        on_way = [n for n, operand in enumerate(op.operands) if _leads_to(operand, store)]
        if len(on_way) != 1 or (isinstance(op, arith.SubfOp | arith.SubiOp) and on_way != [0]):
            return None
        value = op.operands[on_way[0]]
    if not isinstance(value, OpResult) or not isinstance(value.op, affine.LoadOp):
        return None
    load = value.op
    is_same = load.map == store.map and tuple(load.indices) == tuple(store.indices)
    ways = {_COMBINED_BY[type(op)] for op in operations}
    if not is_same or load.memref is not store.memref or len(ways) != 1:
        return None
    return (operations, load) if len(list(load.result.uses)) == 1 else None


def _leads_to(value: SSAValue, store: affine.StoreOp) -> bool:
    """Whether the value is made from something loaded from the store's array."""
    if not isinstance(value, OpResult):
        return False
    if isinstance(value.op, affine.LoadOp):
        return value.op.memref is store.memref
    return any(_leads_to(operand, store) for operand in value.op.operands)


def _box(loop: affine.ForOp, store: affine.StoreOp) -> tuple[ElementRange, ...] | None:
    access = access_of(store)
    if access is None or access.subscripts is None:
        return None
    around = enclosing_loops(store, loop)
    ranges = list[ElementRange]()
    for form in access.subscripts:
        lowers, uppers = (_ends(loop, form, around, sign) for sign in (-1, 1))
        if not lowers or not uppers:
            return None
        ranges.append(ElementRange(lowers, tuple(end + 1 for end in uppers)))
    return tuple(ranges)


def _ends(
    loop: affine.ForOp, form: Linear | None, around: Sequence[AffineLoop], sign: int
) -> tuple[Linear, ...]:
    """The form's bounds on one side, as far as they are known in front of the loop."""
    found = None if form is None else bounds_over(form, around, sign)
    return tuple(
        end
        for end in found or ()
        if not any(is_defined_inside(value, loop) for value in end.values)
    )


def _fills_box(loop: affine.ForOp, store: affine.StoreOp) -> bool:
    """Whether the store is to each element of its box, if `loop` has an iteration: each loop in it
    goes along one subscript, from its only lower bound to its only upper one, one by one, which are
    the same in all iterations; `loop` itself may, too; and no condition is around the store."""
    around = enclosing_loops(store, loop)
    parents, parent = 1, store.parent_op()
    while parent is not loop and isinstance(parent, affine.ForOp):
        parents, parent = parents + 1, parent.parent_op()
    access = access_of(store)
    if parents != len(around) or access is None or access.subscripts is None:
        return False
    used = list[AffineLoop]()
    for form in access.subscripts:
        along = [one for one in around if form is not None and form.coefficient(one.iv)]
        used += along
        if form is None or any(abs(form.coefficient(one.iv)) != 1 for one in along):
            return False
        if sum(one.op is not loop for one in along) > 1:
            return False
    operations = [one.op for one in used]
    is_once = len(set(operations)) == len(operations)
    return (
        is_once
        and {one.op for one in around} <= {*operations, loop}
        and all(_is_box(one, loop) for one in used)
    )


def _is_box(one: AffineLoop, root: affine.ForOp) -> bool:
    ends = (*(one.lowers or ()), *(one.uppers or ()))
    return (
        one.step == 1
        and len(one.lowers or ()) == 1 == len(one.uppers or ())
        and not any(is_defined_inside(value, root) for end in ends for value in end.values)
    )
