"""A statement's body after it is built: equal values computed once, and choices by comparison
told by their names.

A statement reads an element once, so what C computes from two loads of it becomes one value here,
and `a >= b ? a : b` is seen to be a maximum: an operator whose updates may come in any order. So is
the second choice of a clamp, `a < 0 ? 0 : min(a, 255)`, which is the maximum of 0 and the minimum.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.ir import Operation, SSAValue

from polyopt.dialects.poly import StmtOp
from polyopt.ir.control.equal_values import Known, drop_unused, is_value, key_of, replace_by
from polyopt.ir.idioms.extremes import Comparison, Flags, extreme_by, plain_flags

_PAIRS = [
    (arith.MaxSIOp, arith.MinSIOp),
    (arith.MaxUIOp, arith.MinUIOp),
    (arith.MaxnumfOp, arith.MinnumfOp),
]
_OPPOSITE: dict[type[Operation], type[Operation]] = {
    one: other for pair in _PAIRS for one, other in (pair, reversed(pair))
}


def tidy(statement: StmtOp, around: Operation) -> StmtOp:
    """The same statement, of the same values, to be put into `around`. A comparison of
    floating-point numbers becomes a maximum only where neither NaN nor the sign of zero matters,
    by its own flags or those of the module."""
    given = plain_flags(around)
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
        return _of(compare, given, (left, right), takes_left=True)
    if arms == (right, left):
        return _of(compare, given, (left, right), takes_left=False)
    if left in arms or right in arms:
        return _clamp(compare, arms, given)
    return None


def _clamp(compare: Comparison, arms: tuple[SSAValue, SSAValue], given: Flags) -> Operation | None:
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
    takes_left = arms.index(bound) == (0 if bound is left else 1)
    outer = _of(compare, given, (bound, inner), takes_left=takes_left)
    low, high = _number(bound), _number(end)
    if outer is None or type(outer) is not _OPPOSITE[type(choice)] or low is None or high is None:
        return None
    is_minimum_inside = type(choice) in (arith.MinSIOp, arith.MinUIOp, arith.MinnumfOp)
    is_unsigned = isinstance(outer, arith.MaxUIOp | arith.MinUIOp)
    if is_unsigned and min(low, high) < 0:
        return None
    return outer if (low <= high if is_minimum_inside else high <= low) else None


def _of(
    compare: Comparison, given: Flags, values: tuple[SSAValue, SSAValue], *, takes_left: bool
) -> Operation | None:
    found = extreme_by(compare, given, takes_left=takes_left)
    return None if found is None else found.of(*values)


def _number(value: SSAValue) -> int | float | None:
    constant = value.owner
    if not isinstance(constant, arith.ConstantOp):
        return None
    match constant.value:
        case IntegerAttr(value=number) | FloatAttr(value=number):
            return number.data
        case _:
            return None
