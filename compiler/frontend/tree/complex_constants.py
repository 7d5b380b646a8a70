"""Arithmetic on complex constants: `2.0 * I` is one, too.

As in gcc, a product or a quotient is the exact one, rounded once. What is not finite is left to the
machine. Of an operand that is real nothing is multiplied or added but it itself (C11 G.5).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from polyopt.frontend.language.c_types import FloatType
from polyopt.frontend.language.extended import Number, exact, is_exact, is_finite
from polyopt.frontend.tree.constants import fold, round_number
from polyopt.frontend.tree.typed_tree import ComplexConst, Expr

if TYPE_CHECKING:
    from fractions import Fraction

Parts = tuple[Number, Number]


def constant_parts(expr: Expr) -> Parts | Number | None:
    """The parts of a complex constant, or the value of a real one; None of what is no constant, or
    not finite."""
    if isinstance(expr, ComplexConst):
        finite = is_finite(expr.real) and is_finite(expr.imaginary)
        return (expr.real, expr.imaginary) if finite else None
    value = fold(expr)
    if isinstance(value, float) or is_exact(value):
        return value if is_finite(value) else None
    return None


def complex_result(
    op: str, left: Parts | Number, right: Parts | Number, type: FloatType
) -> Parts | None:
    """`left op right`, at least one of them complex, with parts of this type."""
    if not isinstance(left, tuple):
        assert isinstance(right, tuple)
        if op == "*":
            found = (_product(left, right[0], type), _product(left, right[1], type))
        elif op == "/":
            return complex_result(op, (left, 0.0), right, type)
        else:
            negated = (right[0], -right[1] if op == "-" else right[1])
            found = (_sum(op, left, right[0], type), negated[1])
    elif not isinstance(right, tuple):
        if op in ("+", "-"):
            found = (_sum(op, left[0], right, type), left[1])
        elif op == "*":
            found = (_product(left[0], right, type), _product(left[1], right, type))
        else:
            if right == 0:
                return None
            found = (_quotient(left[0], right, type), _quotient(left[1], right, type))
    elif op in ("+", "-"):
        found = (_sum(op, left[0], right[0], type), _sum(op, left[1], right[1], type))
    elif op == "*":
        found = _complex_product(left, right, type)
    else:
        return _complex_quotient(left, right, type)
    return found if is_finite(found[0]) and is_finite(found[1]) else None


def _complex_product(left: Parts, right: Parts, type: FloatType) -> Parts:
    (a, b), (c, d) = left, right
    return (
        _rounded(
            exact(a) * exact(c) - exact(b) * exact(d),
            _sign(a) * _sign(c) - _sign(b) * _sign(d),
            type,
        ),
        _rounded(
            exact(a) * exact(d) + exact(b) * exact(c),
            _sign(a) * _sign(d) + _sign(b) * _sign(c),
            type,
        ),
    )


def _complex_quotient(left: Parts, right: Parts, type: FloatType) -> Parts | None:
    (a, b), (c, d) = left, right
    size = exact(c) ** 2 + exact(d) ** 2
    if size == 0:
        return None
    real = (exact(a) * exact(c) + exact(b) * exact(d)) / size
    imaginary = (exact(b) * exact(c) - exact(a) * exact(d)) / size
    found = (
        _rounded(real, _sign(a) * _sign(c) + _sign(b) * _sign(d), type),
        _rounded(imaginary, _sign(b) * _sign(c) - _sign(a) * _sign(d), type),
    )
    return found if is_finite(found[0]) and is_finite(found[1]) else None


def _sum(op: str, left: Number, right: Number, type: FloatType) -> Number:
    sign = 1 if op == "+" else -1
    zero = 0.0
    if left == 0 and right == 0:
        zero = math.copysign(0.0, _sign(left)) + math.copysign(0.0, sign * _sign(right))
    return _rounded(exact(left) + sign * exact(right), math.copysign(1.0, zero), type)


def _product(left: Number, right: Number, type: FloatType) -> Number:
    return _rounded(exact(left) * exact(right), _sign(left) * _sign(right), type)


def _quotient(left: Number, right: Number, type: FloatType) -> Number:
    return _rounded(exact(left) / exact(right), _sign(left) * _sign(right), type)


def _sign(value: Number) -> float:
    if is_exact(value):
        return -1.0 if value < 0 else 1.0
    return math.copysign(1.0, float(value))


def _rounded(value: Fraction, sign_of_zero: float, type: FloatType) -> Number:
    """The nearest number of the type; of a zero the sign is told: two of different signs add up
    to a positive one."""
    if value == 0:
        return -0.0 if sign_of_zero < 0 else 0.0
    return round_number(value, type)
