"""The best of values under a condition is the best of all: of nothing, where it does not hold.

    m = c ? (x > m ? x : m) : m     ->     m = max(c ? x : the least there is, m)

Then it is seen to be an update whose iterations may come in any order, and none waits for the
choice by the condition of the one before. A comparison that something else asks for too (where the
best is) is left alone; so are floating-point numbers where NaN or the sign of zero matter, and the
best of what goes from iteration to iteration itself (the length of a run), which waits anyway.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith, memref
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue

from polyopt.ir.elementwise import COMBINERS, neutral_of
from polyopt.ir.fast_math import permits
from polyopt.support.record import record

_PLAIN = (FastMathFlag.NO_NANS, FastMathFlag.NO_SIGNED_ZEROS)
_INTEGERS = {
    ("s", True): arith.MaxSIOp,
    ("s", False): arith.MinSIOp,
    ("u", True): arith.MaxUIOp,
    ("u", False): arith.MinUIOp,
}
_FLOATS = {True: arith.MaxnumfOp, False: arith.MinnumfOp}
_EXTREMES = (*_INTEGERS.values(), *_FLOATS.values())


@record
class _Extreme:
    """The better of `value` and what there was."""

    value: SSAValue
    kind: type[Operation]
    flags: dict[str, Attribute]
    is_finite: bool


def best_always(
    condition: SSAValue,
    then: SSAValue,
    orelse: SSAValue,
    insert: Callable[[Operation], Operation],
) -> SSAValue | None:
    """`condition ? then : orelse`, where one of the two is the better of the other and a value."""
    for best, old in ((then, orelse), (orelse, then)):
        found = _extreme(best, old)
        if found is None or _goes_on(found.value) or isinstance(old.owner, arith.ConstantOp):
            continue
        nothing = insert(_nothing(found)).results[0]
        arms = (found.value, nothing) if best is then else (nothing, found.value)
        chosen = insert(arith.SelectOp(condition, *arms)).results[0]
        operands, types = [chosen, old], [old.type]
        return insert(
            found.kind.create(operands=operands, properties=found.flags, result_types=types)
        ).results[0]
    return None


def _goes_on(value: SSAValue) -> bool:
    """Is it what an iteration hands to the next one, in a variable or as a loop's argument?"""
    owner = value.owner
    if isinstance(owner, Block):
        return owner.prev_block is not None
    return isinstance(owner, memref.LoadOp) and not owner.indices


def keeps_best(store: memref.StoreOp) -> bool:
    """Does a variable become the better of a value and what it was?"""
    op = store.value.owner
    return isinstance(op, (arith.SelectOp, *_EXTREMES)) and any(
        isinstance(load := old.owner, memref.LoadOp)
        and load.memref is store.memref
        and not load.indices
        and _extreme(store.value, old)
        for old in op.operands
    )


def _extreme(best: SSAValue, old: SSAValue) -> _Extreme | None:
    if not isinstance(best, OpResult) or not best.has_one_use():
        return None
    op = best.op
    if isinstance(op, _EXTREMES) and old in op.operands and len({*op.operands}) == 2:
        (value,) = (one for one in op.operands if one is not old)
        return _Extreme(value, type(op), op.properties.copy(), _is_finite(op))
    return _chosen(op, old) if isinstance(op, arith.SelectOp) else None


def _chosen(choice: arith.SelectOp, old: SSAValue) -> _Extreme | None:
    """By a comparison of the two values that are chosen between, which nothing else asks for."""
    compare = choice.cond.owner
    if not isinstance(compare, arith.CmpiOp | arith.CmpfOp) or not choice.cond.has_one_use():
        return None
    arms, sides = (choice.lhs, choice.rhs), (compare.lhs, compare.rhs)
    if {*arms} != {*sides} or len({*arms}) != 2 or old not in arms:
        return None
    value = arms[1 - arms.index(old)]
    if isinstance(compare, arith.CmpfOp):
        if not all(permits(compare, one) for one in _PLAIN):
            return None
        predicate = arith.CMPF_COMPARISON_OPERATIONS[compare.predicate.value.data]
    else:
        predicate = arith.CMPI_COMPARISON_OPERATIONS[compare.predicate.value.data]
    if predicate[1:] not in ("gt", "ge", "lt", "le"):
        return None
    takes_greater = (predicate[1] == "g") == (arms == sides)
    if isinstance(compare, arith.CmpfOp):
        flags = arith.FastMathFlagsAttr([*dict.fromkeys([*compare.fastmath.data, *_PLAIN])])
        return _Extreme(value, _FLOATS[takes_greater], {"fastmath": flags}, _is_finite(compare))
    return _Extreme(value, _INTEGERS[predicate[0], takes_greater], {}, is_finite=False)


def _is_finite(op: Operation) -> bool:
    return permits(op, FastMathFlag.NO_INFS)


def _nothing(one: _Extreme) -> Operation:
    type_ = one.value.type
    value = neutral_of(COMBINERS[one.kind], type_, is_finite=one.is_finite)
    return arith.ConstantOp.create(properties={"value": value}, result_types=[type_])
