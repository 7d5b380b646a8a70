"""Powers of which a number is known, where approximations are allowed.

    pow(x, 2.5)   =>   x * x * sqrt(x)      whole and half exponents
    pow(0.1, y)   =>   exp2(y * log2(0.1))  numbers above zero

As products they are operations like others to all that looks at loops, and `exp2` has vector forms:
LLVM makes the same of calls for one element, and forgets which functions compute it for several.
"""

from __future__ import annotations

import math as numbers

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import FloatAttr
from xdsl.ir import OpResult, SSAValue

from polyopt.frontend.c_types import FloatType
from polyopt.frontend.ir_builder import IRBuilder
from polyopt.frontend.options import CFrontendOptions

_GREATEST = 32
"""The exponent up to which products are better than a call; LLVM's choice too."""


def may_be_approximate(options: CFrontendOptions) -> bool:
    """Of all that the two forms differ in: roundings, their order, infinities, the sign of zero."""
    return (
        options.approximate_functions
        and options.associative_math
        and options.reciprocal_math
        and options.finite_math
        and not options.signed_zeros
    )


def plain_power(
    builder: IRBuilder, base: SSAValue, exponent: SSAValue, type: FloatType
) -> SSAValue | None:
    """The power in operations that know their number; None where none is known, or none pays."""
    known = _constant(exponent)
    if known is not None and (2 * known).is_integer() and abs(known) <= _GREATEST:
        return _product(builder, base, known, type)
    factor = _constant(base)
    if factor is None or factor <= 0 or numbers.isinf(factor):
        return None
    scale = numbers.log2(factor)
    if scale != 1:
        exponent = builder.add(arith.MulfOp(exponent, builder.real(scale, type))).result
    return builder.add(math.Exp2Op(exponent)).result


def _constant(value: SSAValue) -> float | None:
    if not isinstance(value, OpResult) or not isinstance(value.op, arith.ConstantOp):
        return None
    attribute = value.op.value
    return attribute.value.data if isinstance(attribute, FloatAttr) else None


def _product(builder: IRBuilder, base: SSAValue, exponent: float, type: FloatType) -> SSAValue:
    """By squares, and the square root for half of one (D. E. Knuth, The Art of Computer
    Programming 2, 4.6.3)."""
    factors: list[SSAValue] = []
    square, whole = base, int(abs(exponent))
    while whole:
        if whole % 2:
            factors.append(square)
        whole //= 2
        if whole:
            square = builder.add(arith.MulfOp(square, square)).result
    if not exponent.is_integer():
        factors.append(builder.add(math.SqrtOp(base)).result)
    if not factors:
        return builder.real(1.0, type)
    result = factors[0]
    for factor in factors[1:]:
        result = builder.add(arith.MulfOp(result, factor)).result
    if exponent < 0:
        result = builder.add(arith.DivfOp(builder.real(1.0, type), result)).result
    return result
