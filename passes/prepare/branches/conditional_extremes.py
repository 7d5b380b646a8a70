"""The best of values under a condition is the best of all: of nothing, where it does not hold.

    m = c ? (x > m ? x : m) : m     ->     m = max(c ? x : the least there is, m)

Then it is seen to be an update whose iterations may come in any order, and none waits for the
choice by the condition of the one before. A comparison that something else asks for too (where the
best is) is left alone; so are floating-point numbers where NaN or the sign of zero matter, and the
best of what goes from iteration to iteration itself (the length of a run), which waits anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith, memref
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Block, Operation, OpResult, SSAValue

from polyopt.ir.elementwise import COMBINERS, neutral_of
from polyopt.ir.fast_math import permits
from polyopt.ir.idioms.extremes import EXTREMES, Comparison, Extreme, extreme_by, plain_flags
from polyopt.support.record import record


@record
class _Best:
    """The better of `value` and what there was."""

    value: SSAValue
    extreme: Extreme
    is_finite: bool


def best_always(
    condition: SSAValue,
    then: SSAValue,
    orelse: SSAValue,
    insert: Callable[[Operation], Operation],
) -> SSAValue | None:
    """`condition ? then : orelse`, where one of the two is the better of the other and a value."""
    for best, old in ((then, orelse), (orelse, then)):
        found = _best(best, old)
        if found is None or _goes_on(found.value) or isinstance(old.owner, arith.ConstantOp):
            continue
        nothing = insert(_nothing(found)).results[0]
        arms = (found.value, nothing) if best is then else (nothing, found.value)
        chosen = insert(arith.SelectOp(condition, *arms)).results[0]
        return insert(found.extreme.of(chosen, old)).results[0]
    return None


def _goes_on(value: SSAValue) -> bool:
    """Is it what an iteration hands to the next one, in a variable or as a loop's argument?"""
    owner = value.owner
    if isinstance(owner, Block):
        return owner.prev_block is not None
    return isinstance(owner, memref.LoadOp) and not owner.indices


def keeps_best(arm: Sequence[Operation]) -> bool:
    """Does a variable become the better of a value and what it was in front of the arm? Not what is
    computed there and limited."""
    stored = set[SSAValue]()
    for op in arm:
        if isinstance(op, memref.StoreOp):
            if op.memref not in stored and _becomes_better(op):
                return True
            stored.add(op.memref)
    return False


def _becomes_better(store: memref.StoreOp) -> bool:
    op = store.value.owner
    return isinstance(op, (arith.SelectOp, *EXTREMES)) and any(
        isinstance(load := old.owner, memref.LoadOp)
        and load.memref is store.memref
        and not load.indices
        and _best(store.value, old)
        for old in op.operands
    )


def _best(best: SSAValue, old: SSAValue) -> _Best | None:
    if not isinstance(best, OpResult) or not best.has_one_use():
        return None
    op = best.op
    if isinstance(op, EXTREMES) and old in op.operands and len({*op.operands}) == 2:
        (value,) = (one for one in op.operands if one is not old)
        return _Best(value, Extreme(type(op), op.properties), _is_finite(op))
    return _chosen(op, old) if isinstance(op, arith.SelectOp) else None


def _chosen(choice: arith.SelectOp, old: SSAValue) -> _Best | None:
    """By a comparison that nothing else asks for."""
    compare = choice.cond.owner
    if not isinstance(compare, Comparison) or not choice.cond.has_one_use():
        return None
    arms, sides = (choice.lhs, choice.rhs), (compare.lhs, compare.rhs)
    if {*arms} != {*sides} or len({*arms}) != 2 or old not in arms:
        return None
    found = extreme_by(compare, plain_flags(compare), takes_left=arms == sides)
    if found is None:
        return None
    return _Best(arms[1 - arms.index(old)], found, _is_finite(compare))


def _is_finite(op: Operation) -> bool:
    return permits(op, FastMathFlag.NO_INFS)


def _nothing(one: _Best) -> Operation:
    type_ = one.value.type
    value = neutral_of(COMBINERS[one.extreme.kind], type_, is_finite=one.is_finite)
    return arith.ConstantOp.create(properties={"value": value}, result_types=[type_])
