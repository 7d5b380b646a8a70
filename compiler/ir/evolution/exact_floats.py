"""Floating-point values that are quotients of integers, with nothing rounded on the way.

    (double)i * 0.5 + 3          (i + 6) / 2
    (int)(x * 0.25f)             i / 4, rounded to zero, where x is (float)i and i is small

Integers become such a value exactly where they have fewer bits than the type's mantissa; so do
sums and products with powers of two as long as numerators are that small.
"""

from __future__ import annotations

from fractions import Fraction
from math import isfinite

from xdsl.dialects import arith
from xdsl.dialects.builtin import Float32Type, Float64Type, FloatAttr
from xdsl.ir import Attribute, Operation, SSAValue

from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.effects import bit_width
from polyopt.ir.evolution.counted_range import range_of
from polyopt.ir.expressions.integer_expr import Compare, Expr
from polyopt.ir.expressions.integer_forms import floor, quotient
from polyopt.ir.expressions.readings import Readings
from polyopt.support.record import record

_MOST_OPERANDS = 8
_MOST_BITS_BEHIND_THE_POINT = 24


@record
class ExactFloat:
    """`numerator / 2**shift`, where the numerator is nowhere greater than `most` or less than
    `-most`."""

    numerator: Expr
    shift: int
    most: int

    def over(self, shift: int) -> ExactFloat:
        """The same with a greater denominator."""
        factor = 1 << (shift - self.shift)
        return ExactFloat(self.numerator * factor, shift, self.most * factor)


def truncated(op: Operation, readings: Readings) -> Expr | None:
    """What a conversion to an integer gives, where its operand is exact and fits."""
    result = op.results[0]
    exact = _exact(op.operands[0], readings, _MOST_OPERANDS)
    if exact is None or exact.most >> exact.shift >= 1 << (bit_width(result) - 1):
        return None
    return quotient(exact.numerator, 1 << exact.shift)


def _exact(value: SSAValue, readings: Readings, left: int) -> ExactFloat | None:
    mantissa = mantissa_of(value.type)
    if not mantissa or not left or not isinstance(op := value.owner, Operation):
        return None

    def read(operand: SSAValue) -> ExactFloat | None:
        return _exact(operand, readings, left - 1)

    match op:
        case arith.ConstantOp():
            found = _constant(op)
        case arith.SIToFPOp() | arith.UIToFPOp():
            found = _converted(op, readings)
        case arith.ExtFOp() | arith.TruncFOp():
            found = read(op.operands[0])
        case arith.NegfOp():
            found = _product(read(op.operand), ExactFloat(Expr.constant(-1), 0, 1))
        case arith.AddfOp():
            found = _sum(read(op.lhs), read(op.rhs))
        case arith.SubfOp():
            negative = _product(read(op.rhs), ExactFloat(Expr.constant(-1), 0, 1))
            found = _sum(read(op.lhs), negative)
        case arith.MulfOp():
            found = _product(read(op.lhs), read(op.rhs))
        case arith.DivfOp():
            found = _product(read(op.lhs), _inverse(read(op.rhs)))
        case _ if op.name == "math.floor":
            found = _rounded_down(read(op.operands[0]))
        case _:
            return None
    if found is None or found.most > 1 << mantissa or found.shift > _MOST_BITS_BEHIND_THE_POINT:
        return None
    return found


def mantissa_of(type: Attribute) -> int:
    """How many bits a number of the type has; 0 of types that are not asked about."""
    match type:
        case Float32Type():
            return 24
        case Float64Type():
            return 53
        case _:
            return 0


def _constant(op: arith.ConstantOp) -> ExactFloat | None:
    if not isinstance(op.value, FloatAttr) or not isfinite(op.value.value.data):
        return None
    number = Fraction(op.value.value.data)
    shift = number.denominator.bit_length() - 1
    return ExactFloat(Expr.constant(number.numerator), shift, abs(number.numerator))


def _converted(op: arith.SIToFPOp | arith.UIToFPOp, readings: Readings) -> ExactFloat:
    block, signed = enclosing_block(op), isinstance(op, arith.SIToFPOp)
    read = readings.signed if signed else readings.unsigned
    range = range_of(op.input, readings, block, signed)
    return ExactFloat(read(op.input, block), 0, max(map(abs, range)))


def _sum(a: ExactFloat | None, b: ExactFloat | None) -> ExactFloat | None:
    if a is None or b is None:
        return None
    shift = max(a.shift, b.shift)
    a, b = a.over(shift), b.over(shift)
    return ExactFloat(a.numerator + b.numerator, shift, a.most + b.most)


def _product(a: ExactFloat | None, b: ExactFloat | None) -> ExactFloat | None:
    if a is None or b is None:
        return None
    if a.numerator.as_constant is None and b.numerator.as_constant is None:
        return None
    return ExactFloat(a.numerator * b.numerator, a.shift + b.shift, a.most * b.most)


def _inverse(divisor: ExactFloat | None) -> ExactFloat | None:
    """Of a power of two."""
    number = None if divisor is None else divisor.numerator.as_constant
    if divisor is None or not number or abs(number) & (abs(number) - 1):
        return None
    sign = 1 if number > 0 else -1
    above = 1 << divisor.shift
    return ExactFloat(Expr.constant(sign * above), abs(number).bit_length() - 1, above)


def _rounded_down(value: ExactFloat | None) -> ExactFloat | None:
    if value is None:
        return None
    return ExactFloat(floor(value.numerator, 1 << value.shift), 0, (value.most >> value.shift) + 1)


def compared(op: arith.CmpfOp, readings: Readings) -> Compare | None:
    """The comparison of two exact values as one of their numerators."""
    left = _exact(op.lhs, readings, _MOST_OPERANDS)
    right = _exact(op.rhs, readings, _MOST_OPERANDS)
    if left is None or right is None:
        return None
    shift = max(left.shift, right.shift)
    term = left.over(shift).numerator - right.over(shift).numerator
    # Predicates from 8 on also hold of what is not a number.
    match op.predicate.value.data % 7:
        case 1:
            return Compare("==", term)
        case 2:
            return Compare("<", -term)
        case 3:
            return Compare("<=", -term)
        case 4:
            return Compare("<", term)
        case 5:
            return Compare("<=", term)
        case 6:
            return Compare("!=", term)
        case _:
            return None
