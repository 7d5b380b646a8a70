"""A choice between a number and what an integer is cut to is a choice between integers, cut then.

    c ? 0 : (uint8_t)x        ->      (uint8_t)(c ? 0 : x)            where c compares x

Functions that return early convert what they return each time; so their clamps are minima and
maxima again, which a comparison and a choice of narrower values are not.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.ir.effects import constant_integer


def cut_at_last(
    condition: SSAValue,
    then: SSAValue,
    orelse: SSAValue,
    insert: Callable[[Operation], Operation],
) -> SSAValue | None:
    """`condition ? then : orelse`, if it is such a choice."""
    for cut, other in ((orelse, then), (then, orelse)):
        if not isinstance(cut.owner, arith.TruncIOp):
            continue
        whole, narrow = cut.owner.input, cut.type
        number, limit = constant_integer(other), _compared(condition, whole)
        if number is None or limit is None:
            continue
        assert isa(narrow, IntegerType)
        assert isa(whole.type, IntegerType)
        near = IntegerAttr(_as_near(number, limit, narrow), whole.type)
        wide = insert(arith.ConstantOp(near)).results[0]
        arms = (wide, whole) if cut is orelse else (whole, wide)
        chosen = insert(arith.SelectOp(condition, *arms)).results[0]
        return insert(arith.TruncIOp(chosen, narrow)).results[0]
    return None


def _compared(condition: SSAValue, value: SSAValue) -> int | None:
    """The number that the condition compares the value with, or the one that it is chosen from."""
    compare = condition.owner
    if not isinstance(compare, arith.CmpiOp):
        return None
    while value is not compare.lhs and isinstance(value.owner, arith.SelectOp):
        choice = value.owner
        value = choice.rhs if constant_integer(choice.lhs) is not None else choice.lhs
    return constant_integer(compare.rhs) if value is compare.lhs else None


def _as_near(number: int, limit: int, narrow: IntegerType) -> int:
    """Which integer that is cut to `number`, signed or not, is nearer to the limit?"""
    size = 1 << narrow.width.data
    low = number % size
    return min(low, low - size, key=lambda one: abs(one - limit))
