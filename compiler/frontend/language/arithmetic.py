"""The results of C's operations on numbers that are known (C 6.5.5 to 6.5.12).

Arithmetic is that of the target: division truncates, `long double` has 64 bits. What an integer is
wrapped to, or a `float` rounded, is the caller's.
"""

from __future__ import annotations

import math

from polyopt.frontend.language.c_types import IntType
from polyopt.frontend.language.extended import Number, exact, extended, is_exact, is_finite


def integer_result(op: str, left: int, right: int, type: IntType) -> int | None:
    """The exact result of an operation of C, to be wrapped to its type; None where it has none
    (division by zero, a shift by too much)."""
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/" | "%":
            if right == 0:
                return None
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            return quotient if op == "/" else left - quotient * right
        case "&":
            return left & right
        case "|":
            return left | right
        case "^":
            return left ^ right
        case "<<":
            return left << right if 0 <= right < type.bits else None
        case _:
            return left >> right if 0 <= right < type.bits else None


def float_result(op: str, left: float, right: float) -> float:
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case _:
            if right != 0:
                return left / right
            if left == 0 or math.isnan(left):
                return math.nan
            return math.copysign(math.inf, left) * math.copysign(1.0, right)


def extended_result(op: str, left: int | Number, right: int | Number) -> Number | None:
    """Of long doubles; None if there is another number among them."""
    if not (isinstance(left, float) or is_exact(left)):
        return None
    if not (isinstance(right, float) or is_exact(right)):
        return None
    if not (is_finite(left) and is_finite(right) and left and right):
        return _special_result(op, left, right)
    first, second = exact(left), exact(right)
    match op:
        case "+":
            return extended(first + second)
        case "-":
            return extended(first - second)
        case "*":
            return extended(first * second)
        case _:
            return extended(first / second)


def _special_result(op: str, left: Number, right: Number) -> Number:
    """Where one is zero, infinite or no number: the other one as it is, or what depends on no more
    of the numbers than their signs."""
    if op in ("+", "-") and is_finite(left) and is_finite(right) and (left or right):
        return left or (right if op == "+" else -right)
    signs = (one if isinstance(one, float) else math.copysign(1.0, one) for one in (left, right))
    return float_result(op, *signs)
