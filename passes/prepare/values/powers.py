"""Powers of which a number is known, where approximations are allowed, and divisions by numbers.

    pow(x, 2.5)   =>   x * x * sqrt(x)      whole exponents, halves and quarters
    pow(0.1, y)   =>   exp2(y * log2(0.1))  numbers above zero
    x / 8         =>   x * 0.125            exact reciprocals; others where reciprocals are allowed
    fpowi(x, -2)  =>   1 / (x * x)          always: these products are what LLVM makes of it

As products they are operations like others to all that looks at loops, and `exp2` has vector forms:
LLVM makes the same of calls for one element, and forgets which functions compute it for several.
"""

from __future__ import annotations

import math as numbers

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import AnyFloat, Float32Type, Float64Type, FloatAttr
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.ir.effects import constant_integer
from polyopt.ir.fast_math import permits
from polyopt.support.core_model import CORE

_PERMISSIONS = (
    FastMathFlag.APPROX_FUNC,
    FastMathFlag.REASSOC,
    FastMathFlag.ALLOW_RECIP,
    FastMathFlag.NO_NANS,
    FastMathFlag.NO_INFS,
    FastMathFlag.NO_SIGNED_ZEROS,
)
"""For all that the two forms differ in: roundings, their order, infinities, the sign of zero."""

_REACH = {32: (2.0**-126, 2.0**126), 64: (2.0**-1022, 2.0**1022)}
"""Of the numbers that are normal, as their reciprocals are, by the bits of a type."""


def expand(power: Operation) -> None:
    """In operations that know the number; nothing is done where none is known or none pays, or
    where the result has to be that of a call."""
    if not isinstance(power, math.PowFOp | math.FPowIOp):
        return
    if not isinstance(power.result.type, AnyFloat):
        return
    known, factor = _exponent(power), None
    if isinstance(power, math.PowFOp):
        if not all(permits(power, permission) for permission in _PERMISSIONS):
            return
        factor = _number(power.lhs)
    writer = _Writer(power, power.result.type)
    if known is not None and (4 * known).is_integer() and abs(known) <= CORE.code.power:
        result = _product(writer, power.lhs, known)
    elif factor is not None and 0 < factor < numbers.inf:
        result = _power_of_two(writer, numbers.log2(factor), power.rhs)
    else:
        return
    if result.name_hint is None:
        result.name_hint = power.result.name_hint
    power.result.replace_all_uses_with(result)
    Rewriter.erase_op(power)


def multiply(division: arith.DivfOp) -> None:
    """By the reciprocal of a number; nothing is done where that may round otherwise, or is so small
    that it loses bits."""
    type, divisor = division.result.type, _number(division.rhs)
    if not isinstance(type, Float32Type | Float64Type) or divisor is None:
        return
    least, greatest = _REACH[type.bitwidth]
    if not least <= abs(divisor) <= greatest:
        return
    mantissa, _ = numbers.frexp(abs(divisor))
    is_exact = mantissa == 0.5
    if is_exact or permits(division, FastMathFlag.ALLOW_RECIP):
        writer = _Writer(division, type)
        product = writer.product(division.lhs, writer.real(1.0 / divisor))
        product.name_hint = division.result.name_hint
        division.result.replace_all_uses_with(product)
        Rewriter.erase_op(division)


def _exponent(power: math.PowFOp | math.FPowIOp) -> float | None:
    if isinstance(power, math.PowFOp):
        return _number(power.rhs)
    whole = constant_integer(power.rhs)
    return None if whole is None else float(whole)


def _number(value: SSAValue) -> float | None:
    """The number that a value is, as a constant or as what an integer is converted to."""
    if not isinstance(value, OpResult):
        return None
    match value.op:
        case arith.ConstantOp(value=FloatAttr() as attribute):
            return attribute.value.data
        case arith.SIToFPOp():
            whole = constant_integer(value.op.input)
            return None if whole is None else float(whole)
        case arith.ExtFOp():
            return _number(value.op.input)
        case _:
            return None


class _Writer:
    """Operations in front of a power, at its place in the source."""

    def __init__(self, power: math.PowFOp | math.FPowIOp | arith.DivfOp, type: AnyFloat):
        self._power = power
        self._type = type

    def real(self, number: float) -> SSAValue:
        return self._added(arith.ConstantOp(FloatAttr(number, self._type)))

    def product(self, left: SSAValue, right: SSAValue) -> SSAValue:
        return self._added(arith.MulfOp(left, right, self._power.fastmath))

    def quotient(self, left: SSAValue, right: SSAValue) -> SSAValue:
        return self._added(arith.DivfOp(left, right, self._power.fastmath))

    def root(self, value: SSAValue) -> SSAValue:
        return self._added(math.SqrtOp(value, self._power.fastmath))

    def power_of_two(self, exponent: SSAValue) -> SSAValue:
        return self._added(math.Exp2Op(exponent, self._power.fastmath))

    def _added(self, op: Operation) -> SSAValue:
        op.location = self._power.location
        Rewriter.insert_op(op, InsertPoint.before(self._power))
        return op.results[0]


def _power_of_two(writer: _Writer, scale: float, exponent: SSAValue) -> SSAValue:
    if scale != 1:
        exponent = writer.product(exponent, writer.real(scale))
    return writer.power_of_two(exponent)


def _product(writer: _Writer, base: SSAValue, exponent: float) -> SSAValue:
    """By squares, the square root for half of one and its root for a quarter (D. E. Knuth, The Art
    of Computer Programming 2, 4.6.3)."""
    factors: list[SSAValue] = []
    square, whole = base, int(abs(exponent))
    while whole:
        if whole % 2:
            factors.append(square)
        whole //= 2
        if whole:
            square = writer.product(square, square)
    quarters = int(4 * abs(exponent)) % 4
    if quarters:
        root = writer.root(base)
        factors += [root] if quarters >= 2 else []
        factors += [writer.root(root)] if quarters % 2 else []
    if not factors:
        return writer.real(1.0)
    result = factors[0]
    for factor in factors[1:]:
        result = writer.product(result, factor)
    return writer.quotient(writer.real(1.0), result) if exponent < 0 else result
