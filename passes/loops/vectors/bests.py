"""Loops that keep the best value so far, and what goes with it, whatever else they ask.

    for j: if (a[j] < x and v[j] > l) { l = v[j]; f = j; }

Each lane may keep the best of its own iterations, beginning with what was there before: a
comparison that is strict lets the first of equal ones stand, in a lane as in the whole, and behind
the loop the first of the best lanes is the one that the loop would have kept. Which is the first
the iterator says, where it is among what is kept; of a number alone nobody can tell equal ones
apart, but for zeros by their signs.

The comparison may be under conditions, and what is looked at there is loaded under them. All
variables of one search change under the same ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects import affine, arith, memref, scf
from xdsl.dialects.builtin import Float32Type, Float64Type, IntegerType
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.linear import Linear, linear_of
from polyopt.ir.effects import constant_integer
from polyopt.ir.fast_math import permits
from polyopt.ir.objects.alias import may_overlap
from polyopt.ir.orders import strict_order
from polyopt.passes.loops.value_ranges import width_of
from polyopt.support.record import record

_MOST: dict[type[Operation], str] = {
    arith.MaxSIOp: "sgt",
    arith.MinSIOp: "slt",
    arith.MaxUIOp: "ugt",
    arith.MinUIOp: "ult",
}

_Path = tuple[tuple[SSAValue, bool], ...]
"""Conditions, and which way each goes, from the outermost on."""


@record
class KeptValue:
    """What is stored once in an iteration, in a variable that is one for all, and loaded before
    that, if at all; `new` is what it changes to, under the conditions `path`."""

    load: affine.LoadOp | None
    store: affine.StoreOp
    new: SSAValue
    path: _Path

    @property
    def type(self) -> Attribute:
        return self.store.value.type


@record
class Best:
    """`value` changes where its new value is better than it is, by the predicate `order`, and then
    all of `beside` do. `place`: the one of these that becomes the iterator, or more by a number."""

    value: KeptValue
    order: str
    beside: tuple[KeptValue, ...]
    place: KeptValue | None

    @property
    def kept(self) -> tuple[KeptValue, ...]:
        return self.value, *self.beside


def find_bests(loop: AffineLoop, operations: Sequence[Operation]) -> tuple[Best, ...]:
    """What a loop keeps that stores to nothing else, none if it does more; `operations` are all of
    it, those of conditionals too. Plain extremes, with nothing beside them and under no condition,
    are left to LLVM, which knows them."""
    kept = _kept_values(loop, operations)
    olds: set[SSAValue] = {one.load.result for one in kept if one.load is not None}
    found: list[Best] = []
    is_alone = True
    for value in kept:
        search = _search(value)
        if search is None:
            continue
        order, compare, candidate = search
        beside = tuple(
            one for one in kept if compare and one is not value and {*one.path} == {*value.path}
        )
        conditions = [condition for condition, _ in value.path if condition is not compare]
        if _depend_on([candidate, *conditions, *(one.new for one in beside)], olds):
            return ()
        place = next((one for one in beside if _counts(one, loop)), None)
        if place is None and (beside or not _are_equal_ones_alike(value)):
            return ()
        found.append(Best(value, order, beside, place))
        is_alone = is_alone and not beside and not conditions
    if is_alone:
        return ()
    members = [one for best in found for one in best.kept]
    return tuple(found) if len(members) == len(kept) == len({*members}) else ()


def _kept_values(loop: AffineLoop, operations: Sequence[Operation]) -> list[KeptValue]:
    """None of them where anything else is stored, or may meet what is kept."""
    stores = [op for op in operations if isinstance(op, affine.StoreOp)]
    loads = [op for op in operations if isinstance(op, affine.LoadOp)]
    found: list[KeptValue] = []
    for store in stores:
        near = [op for op in (*loads, *stores) if may_overlap(op.memref, store.memref)]
        before = [op for op in near if op is not store]
        if len(before) > 1 or any(op.memref is not store.memref for op in before):
            return []
        if store.indices or store.map.data.results or not _may_be_stored(store, loop):
            return []
        load = before[0] if before else None
        if load is not None and not isinstance(load, affine.LoadOp):
            return []
        if load is not None and operations.index(load) > operations.index(store):
            return []
        if not isinstance(store.value.type, (IntegerType, Float32Type, Float64Type)):
            return []
        around = _arms_around(store, loop)
        changes = [(around, store.value)]
        if load is not None:
            changes = list(_changes(store.value, load.result, around))
        if len(changes) != 1:
            return []
        ((path, new),) = changes
        found.append(KeptValue(load, store, new, path))
    return found


def _may_be_stored(store: affine.StoreOp, loop: AffineLoop) -> bool:
    """In every run of the loop, without a write that others see where there was none."""
    return store.parent is loop.block or isinstance(store.memref.owner, memref.AllocaOp)


def _arms_around(op: Operation, loop: AffineLoop) -> _Path:
    if op.parent is loop.block:
        return ()
    around = op.parent_op()
    assert isinstance(around, scf.IfOp)
    held = _held(around.cond, op.parent is around.true_region.block)
    return _arms_around(around, loop) + held


def _held(condition: SSAValue, holds: bool) -> _Path:
    """What is known if a condition holds, or does not."""
    op = condition.owner
    if holds and isinstance(op, arith.AndIOp):
        return _held(op.lhs, True) + _held(op.rhs, True)
    return ((condition, holds),)


def _changes(value: SSAValue, old: SSAValue, path: _Path) -> Iterator[tuple[_Path, SSAValue]]:
    """Where `value` is another one than `old`, and which."""
    op = value.owner
    if value is old:
        return
    if isinstance(op, arith.SelectOp):
        yield from _changes(op.lhs, old, path + _held(op.cond, True))
        yield from _changes(op.rhs, old, path + _held(op.cond, False))
    elif isinstance(op, scf.IfOp):
        assert isinstance(value, OpResult)
        for region, holds in ((op.true_region, True), (op.false_region, False)):
            assert region.block.last_op is not None
            inner = region.block.last_op.operands[value.index]
            yield from _changes(inner, old, path + _held(op.cond, holds))
    else:
        yield path, value


def _search(one: KeptValue) -> tuple[str, SSAValue | None, SSAValue] | None:
    """By which predicate it is better, the comparison, unless its own operation compares, and what
    is compared."""
    if one.load is None:
        return None
    old, op = one.load.result, one.new.owner
    if isinstance(op, (arith.MaxSIOp, arith.MinSIOp, arith.MaxUIOp, arith.MinUIOp)):
        others = [operand for operand in op.operands if operand is not old]
        return (_MOST[type(op)], None, others[0]) if len(others) == 1 else None
    found = [
        (order, condition, one.new)
        for condition, holds in one.path
        if holds and isinstance(condition.owner, Operation)
        if (order := strict_order(condition.owner, one.new, old)) is not None
    ]
    return found[0] if len(found) == 1 else None


def _depend_on(values: Sequence[SSAValue], olds: set[SSAValue]) -> bool:
    """Is any of the values computed from what is kept? What conditionals give may be."""
    seen: set[SSAValue] = set()
    pending = list(values)
    while pending:
        value = pending.pop()
        if value in olds or isinstance(value.owner, scf.IfOp):
            return True
        if value not in seen and isinstance(value, OpResult):
            seen.add(value)
            pending += value.op.operands
    return False


def _counts(one: KeptValue, loop: AffineLoop) -> bool:
    """Does it become more by as much as the iterator, or by more, where no integer wraps around?"""
    cast = _iterator_cast(one.new)
    if cast is None:
        return False
    form = linear_of(cast.input) - linear_of(loop.iv)
    return not form.terms and isinstance(one.type, IntegerType)


def _iterator_cast(value: SSAValue) -> arith.IndexCastOp | None:
    """The index as an integer, which is extended, or added to where the sum is in its type."""
    op = value.owner
    while not isinstance(op, arith.IndexCastOp):
        if isinstance(op, arith.ExtSIOp):
            op = op.input.owner
        elif isinstance(op, arith.AddiOp) and constant_integer(op.rhs) is not None:
            if arith.IntegerOverflowFlag.NSW not in op.overflow_flags.data:
                return None
            op = op.lhs.owner
        else:
            return None
    return op if isinstance(op.result.type, IntegerType) else None


def _are_equal_ones_alike(one: KeptValue) -> bool:
    op = one.store.value.owner
    return isinstance(one.type, IntegerType) or (
        isinstance(op, Operation) and permits(op, FastMathFlag.NO_SIGNED_ZEROS)
    )


def counts_of(best: Best, loop: AffineLoop) -> list[Linear]:
    """What is not below zero where the places of all iterations fit their type, as signed."""
    cast = None if best.place is None else _iterator_cast(best.place.new)
    if cast is None or loop.lowers is None or loop.uppers is None:
        return []
    width = width_of(cast.result.type)
    if width >= width_of(cast.input.type):
        return []
    ahead, half = linear_of(cast.input) - linear_of(loop.iv), 1 << (width - 1)
    # Iterations are between all of several bounds: any of these will do.
    (lower, *_), (upper, *_) = loop.lowers, loop.uppers
    return [lower + ahead + half, -(upper + ahead) + half]
