"""A statement's body after it is built: equal values computed once, and choices by comparison
told by their names.

A statement reads an element once, so what C computes from two loads of it becomes one value here,
and `a >= b ? a : b` is seen to be a maximum: an operator whose updates may come in any order. So is
the second choice of a clamp, `a < 0 ? 0 : min(a, 255)`, which is the maximum of 0 and the minimum.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Operation, SSAValue

from polyopt.dialects.poly import StmtOp
from polyopt.ir.control.equal_values import Known, drop_unused, is_value, key_of, replace_by
from polyopt.ir.fast_math import permits

_GREATER = {"sgt": "si", "sge": "si", "ugt": "ui", "uge": "ui"}
_LESS = {"slt": "si", "sle": "si", "ult": "ui", "ule": "ui"}
_MAXIMUM = {"si": arith.MaxSIOp, "ui": arith.MaxUIOp}
_MINIMUM = {"si": arith.MinSIOp, "ui": arith.MinUIOp}
_PAIRS = [
    (arith.MaxSIOp, arith.MinSIOp),
    (arith.MaxUIOp, arith.MinUIOp),
    (arith.MaxnumfOp, arith.MinnumfOp),
]
_OPPOSITE: dict[type[Operation], type[Operation]] = {
    one: other for pair in _PAIRS for one, other in (pair, reversed(pair))
}


_PLAIN = (FastMathFlag.NO_NANS, FastMathFlag.NO_SIGNED_ZEROS)

Flags = Sequence[FastMathFlag]
"""What the module says of all its operations."""


def tidy(statement: StmtOp, around: Operation) -> StmtOp:
    """The same statement, of the same values, to be put into `around`. A comparison of
    floating-point numbers becomes a maximum only where neither NaN nor the sign of zero matters,
    by its own flags or those of the module."""
    given = [one for one in _PLAIN if permits(around, one)]
    known = Known[Operation]()
    for op in list(statement.body.block.ops):
        if not is_value(op):
            continue
        key = key_of(op)
        if isinstance(op, arith.SelectOp) and known.find(key) is None:
            extreme = _extreme(op, given)
            if extreme is not None:
                extreme.location = op.location
                statement.body.block.insert_op_before(extreme, op)
                known.remember(key, extreme)
        first = known.first(key, op)
        if first is not op:
            replace_by(op, first.results)
    drop_unused(reversed(statement.body.block.ops), is_value)
    return statement


def _extreme(select: arith.SelectOp, given: Flags) -> Operation | None:
    """The maximum or minimum that `select` chooses."""
    compare = select.cond.owner
    if not isinstance(compare, arith.CmpiOp | arith.CmpfOp):
        return None
    left, right = compare.operands
    arms = select.lhs, select.rhs
    if arms == (left, right):
        return _of(compare, given, takes_greater=True, values=(left, right))
    if arms == (right, left):
        return _of(compare, given, takes_greater=False, values=(left, right))
    if left in arms or right in arms:
        return _clamp(compare, arms, given)
    return None


def _clamp(
    compare: arith.CmpiOp | arith.CmpfOp, arms: tuple[SSAValue, SSAValue], given: Flags
) -> Operation | None:
    """`a < low ? low : min(a, high)` and its likes, low <= high: as what `a < low ? low : a` would
    be, of the other arm in place of `a`, since the minimum is as far on the same side of low."""
    left, right = compare.operands
    bound = left if left in arms else right
    other, inner = (right if bound is left else left), arms[1 - arms.index(bound)]
    choice = inner.owner
    if not (isinstance(choice, Operation) and type(choice) in _OPPOSITE):
        return None
    if other not in choice.operands:
        return None
    end = choice.operands[1 - list(choice.operands).index(other)]
    takes_greater = arms.index(bound) == (0 if bound is left else 1)
    outer = _of(compare, given, takes_greater=takes_greater, values=(bound, inner))
    low, high = _number(bound), _number(end)
    if outer is None or type(outer) is not _OPPOSITE[type(choice)] or low is None or high is None:
        return None
    is_minimum_inside = type(choice) in (*_MINIMUM.values(), arith.MinnumfOp)
    is_unsigned = isinstance(outer, arith.MaxUIOp | arith.MinUIOp)
    if is_unsigned and min(low, high) < 0:
        return None
    return outer if (low <= high if is_minimum_inside else high <= low) else None


def _number(value: SSAValue) -> int | float | None:
    constant = value.owner
    if not isinstance(constant, arith.ConstantOp):
        return None
    match constant.value:
        case IntegerAttr(value=number) | FloatAttr(value=number):
            return number.data
        case _:
            return None


def _of(
    compare: arith.CmpiOp | arith.CmpfOp,
    given: Flags,
    *,
    takes_greater: bool,
    values: tuple[SSAValue, SSAValue],
) -> Operation | None:
    """Of the values what `compare`, left against right, prefers: left if it holds, or if not."""
    if isinstance(compare, arith.CmpfOp):
        return _of_floats(compare, given, takes_greater, *values)
    predicate = arith.CMPI_COMPARISON_OPERATIONS[compare.predicate.value.data]
    kind = _GREATER.get(predicate) or _LESS.get(predicate)
    if kind is None:
        return None
    is_maximum = (predicate in _GREATER) == takes_greater
    return (_MAXIMUM if is_maximum else _MINIMUM)[kind](*values)


def _of_floats(
    compare: arith.CmpfOp, given: Flags, takes_greater: bool, left: SSAValue, right: SSAValue
) -> Operation | None:
    flags = arith.FastMathFlagsAttr([*dict.fromkeys([*compare.fastmath.data, *given])])
    if not {*_PLAIN} <= {*flags.data}:
        return None
    predicate = arith.CMPF_COMPARISON_OPERATIONS[compare.predicate.value.data]
    if predicate[1:] not in ("gt", "ge", "lt", "le"):
        return None
    is_maximum = (predicate[1] == "g") == takes_greater
    return (arith.MaxnumfOp if is_maximum else arith.MinnumfOp)(left, right, flags)
