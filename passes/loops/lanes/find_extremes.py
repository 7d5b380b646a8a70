"""Finds a greatest (or least) value that a nest keeps, and what it keeps with it."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import Float32Type, Float64Type, IntegerType
from xdsl.ir import Attribute, Operation, SSAValue

from polyopt.ir.objects.alias import may_overlap
from polyopt.ir.orders import strict_order
from polyopt.support.record import record

_MOST = (arith.MaxSIOp, arith.MinSIOp, arith.MaxUIOp, arith.MinUIOp)


@record
class Kept:
    """What is loaded and stored once in each iteration, in a variable of no dimensions."""

    load: affine.LoadOp
    store: affine.StoreOp

    @property
    def variable(self) -> SSAValue:
        return self.load.memref

    @property
    def type(self) -> Attribute:
        return self.load.result.type


@record
class Extreme:
    """`best.store` stores the greater of a value and what `best.load` loads. `compares`: the
    comparisons by which each of `beside` takes something new. `copies`: before and behind the
    inner loop, where the value between two rows is in the variable `between`."""

    best: Kept
    compare: str
    """As a predicate of arith; the value is at its left."""
    beside: tuple[Kept, ...]
    between: SSAValue
    copies: tuple[Operation, ...]


def only_loop_inside(op: affine.ForOp) -> affine.ForOp | None:
    """The loop in the body, beside straight code only."""
    found = [one for one in op.body.block.ops if one.regions]
    return found[0] if len(found) == 1 and isinstance(found[0], affine.ForOp) else None


def find_extreme(op: affine.ForOp, inner: affine.ForOp) -> Extreme | None:
    """What `op` keeps around the loop that it holds."""
    for kept in _kept_in(inner):
        found = _extreme(op, inner, kept)
        if found is not None:
            return found
    return None


def _kept_in(inner: affine.ForOp) -> Iterator[Kept]:
    """The variables that are loaded once, then stored to once."""
    touches = [op for op in inner.body.block.ops if isinstance(op, (affine.LoadOp, affine.StoreOp))]
    for load in touches:
        if not isinstance(load, affine.LoadOp) or load.indices or load.map.data.results:
            continue
        near = [op for op in touches if may_overlap(op.memref, load.memref)]
        if len(near) != 2 or any(op.memref is not load.memref for op in near):
            continue
        store = near[1]
        if near[0] is load and isinstance(store, affine.StoreOp):
            yield Kept(load, store)


def _extreme(op: affine.ForOp, inner: affine.ForOp, best: Kept) -> Extreme | None:
    old, new = best.load.result, best.store.value
    if not isinstance(new.owner, Operation) or not new.has_one_use():
        return None
    value = _other_than(old, new.owner)
    if value is None or not isinstance(old.type, (IntegerType, Float32Type, Float64Type)):
        return None
    compares = {use.operation for use in old.uses} - {new.owner}
    kinds = {strict_order(one, value, old) for one in compares} | _own_kind(new.owner)
    if len(kinds) != 1 or None in kinds:
        return None
    (kind,) = kinds
    beside: list[Kept] = []
    of_others = {kept.store.value: kept for kept in _kept_in(inner)}
    for compare in compares:
        for use in compare.results[0].uses:
            chosen = use.operation
            if chosen is new.owner:
                continue
            if not isinstance(chosen, arith.SelectOp) or use.index:
                return None
            kept = of_others.get(chosen.result)
            if kept is None or chosen.rhs is not kept.load.result:
                return None
            if not (chosen.result.has_one_use() and kept.load.result.has_one_use()):
                return None
            beside.append(kept)
    copies = _copies(op, inner, best.variable)
    if kind is None or copies is None:
        return None
    around, between = copies
    found = Extreme(best, kind, tuple(beside), between, around)
    return found if _is_alone(op, inner, found) else None


def _other_than(old: SSAValue, new: Operation) -> SSAValue | None:
    """What is compared with the old value to give the new one."""
    if isinstance(new, _MOST):
        operands = [new.lhs, new.rhs]
    elif isinstance(new, arith.SelectOp):
        operands = [new.lhs, new.rhs]
        if new.rhs is not old or new.cond.owner not in {use.operation for use in old.uses}:
            return None
    else:
        return None
    others = [one for one in operands if one is not old]
    return others[0] if len(others) == 1 else None


def _own_kind(new: Operation) -> set[str | None]:
    """Of an operation that compares by itself."""
    kinds = {arith.MaxSIOp: "sgt", arith.MinSIOp: "slt", arith.MaxUIOp: "ugt", arith.MinUIOp: "ult"}
    return {kinds[type(new)]} if isinstance(new, _MOST) else set()


def _copies(
    op: affine.ForOp, inner: affine.ForOp, variable: SSAValue
) -> tuple[tuple[Operation, ...], SSAValue] | None:
    """What copies the variable from another one before the inner loop and back behind it; nothing
    where nobody else touches it."""
    touches = [
        one
        for one in op.body.block.ops
        if isinstance(one, (affine.LoadOp, affine.StoreOp)) and may_overlap(one.memref, variable)
    ]
    if not touches:
        return (), variable
    if len(touches) != 2:
        return None
    store, load = touches
    if not isinstance(store, affine.StoreOp) or not isinstance(load, affine.LoadOp):
        return None
    source, (*uses,) = store.value.owner, load.result.uses
    is_around = store.is_before_in_block(inner) and inner.is_before_in_block(load)
    if not is_around or not isinstance(source, affine.LoadOp) or len(uses) != 1:
        return None
    sink = uses[0].operation
    if not isinstance(sink, affine.StoreOp) or sink.memref is not source.memref:
        return None
    plain = (source, store, load, sink)
    if any(one.indices or one.map.data.results for one in plain):
        return None
    if source.parent is not op.body.block or not source.result.has_one_use():
        return None
    return plain, source.memref


def _is_alone(op: affine.ForOp, inner: affine.ForOp, found: Extreme) -> bool:
    """Does nothing else in the nest touch what is kept, and do only plain accesses touch memory?"""
    best = found.best
    own = {*found.copies, best.load, best.store}
    own |= {one for kept in found.beside for one in (kept.load, kept.store)}
    variables = [best.variable, found.between, *(kept.variable for kept in found.beside)]
    if len({*variables[1:]}) != len(variables) - 1:
        return False
    for one in (*op.body.block.ops, *inner.body.block.ops):
        if one in own or one is inner:
            continue
        if isinstance(one, (affine.LoadOp, affine.StoreOp)):
            if any(may_overlap(one.memref, variable) for variable in variables):
                return False
        elif one.regions:
            return False
    return not any(
        may_overlap(one, other)
        for number, one in enumerate(variables)
        for other in variables[:number]
        if one is not other
    )
