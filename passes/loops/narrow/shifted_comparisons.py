"""Comparisons of what a number is moved to become comparisons of the number itself.

    (c - 'a' + 13) >= 26     =>     c >= 110

The difference of a character and a letter needs one bit more than the character, and to be compared
it needs all of them: a loop over bytes would compute in integers of 16 bits for it. What is
compared must be far from where its type ends, so that nothing wraps around.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.ir.effects import constant_integer
from polyopt.passes.loops.value_ranges import ValueRange, fits, width_of

_SIGNED = range(6)
"""The predicates `eq`, `ne`, `slt`, `sle`, `sgt` and `sge`."""


def compare_what_is_moved(
    operations: Sequence[Operation], ranges: dict[SSAValue, ValueRange]
) -> None:
    """Each comparison of x + c with a number as one of x with another number. The old sums stay
    for whoever else uses them."""
    for op in operations:
        if not isinstance(op, arith.CmpiOp) or op.predicate.value.data not in _SIGNED:
            continue
        number = constant_integer(op.rhs)
        if number is None:
            continue
        moved, by = _moved(op.lhs, ranges)
        type_ = moved.type
        if moved is op.lhs or not isa(type_, IntegerType):
            continue
        if not fits(ValueRange(number - by, number - by), width_of(type_), signed=True):
            continue
        other = arith.ConstantOp(IntegerAttr(number - by, type_))
        other.location = op.location
        assert op.parent is not None
        op.parent.insert_op_before(other, op)
        op.operands[0], op.operands[1] = moved, other.result


def _moved(value: SSAValue, ranges: dict[SSAValue, ValueRange]) -> tuple[SSAValue, int]:
    """(x, c) where `value` is x + c, and no sum on the way leaves its type."""
    by = 0
    while isinstance(value.owner, arith.AddiOp | arith.SubiOp):
        left, right = value.owner.operands
        step, here = constant_integer(right), ranges.get(left)
        if step is None or here is None:
            break
        step = -step if isinstance(value.owner, arith.SubiOp) else step
        reached = ValueRange(here.low + step, here.high + step)
        if not fits(reached, width_of(value.type), signed=True):
            break
        value, by = left, by + step
    return value, by
