"""Numbers of long double: the x87's extended format, with 64 bits of precision and 15 of exponent.

A constant of that type is an exact fraction; zeros with their signs, infinities and what is no
number are Python's floats.
"""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

if TYPE_CHECKING:
    from fractions import Fraction

_PRECISION = 64
_LEAST = -16445  # the exponent of the last bit of the smallest number
_BIAS = 16383
_LARGEST = 16383

Number: TypeAlias = "float | Fraction"
"""The value of a floating-point constant of any type."""


def exact(value: int | float | Fraction) -> Fraction:
    """The value as a fraction; what makes fractions is loaded for programs with long doubles."""
    from fractions import Fraction

    return Fraction(value)


def is_exact(value: object) -> TypeGuard[Fraction]:
    """Is this a constant that is kept as a fraction?"""
    loaded = sys.modules.get("fractions")
    return loaded is not None and isinstance(value, loaded.Fraction)


def is_number(value: object) -> TypeGuard[Number]:
    """Is this a constant of a floating-point type?"""
    return isinstance(value, float) or is_exact(value)


def power_of_two(exponent: int) -> Fraction:
    return exact(2) ** exponent


def rounded(value: Fraction, precision: int, least: int, largest: int) -> Number:
    """The nearest number with so many bits, to even where two are: its last bit is worth at least
    2^least, its first one at most 2^largest."""
    if value == 0:
        return 0.0
    exponent = _exponent(value)
    last = max(exponent - precision + 1, least)
    number = exact(round(value / power_of_two(last))) * power_of_two(last)
    if number == 0:
        return -0.0 if value < 0 else 0.0
    if _exponent(number) > largest:
        return -math.inf if value < 0 else math.inf
    return number


def is_finite(value: Number) -> bool:
    return is_exact(value) or math.isfinite(value)


def extended(value: int | Number) -> Number:
    """The nearest long double."""
    if isinstance(value, float) and (value == 0.0 or not math.isfinite(value)):
        return value
    return rounded(exact(value), _PRECISION, _LEAST, _LARGEST)


def as_double(value: int | Number) -> float:
    """The nearest double."""
    if isinstance(value, float):
        return value
    return float(rounded(exact(value), 53, -1074, 1023))


def as_single(value: int | Number) -> float:
    """The nearest float, rounded once."""
    if isinstance(value, float) and (value == 0.0 or not math.isfinite(value)):
        return value
    return float(rounded(exact(value), 24, -149, 127))


def parse_extended(digits: str) -> Number:
    """The nearest long double to a number as C writes it, without its suffix."""
    if not digits.lower().startswith("0x"):
        from fractions import Fraction

        return extended(Fraction(digits))
    mantissa, _, power = digits[2:].lower().partition("p")
    whole, _, behind = mantissa.partition(".")
    number = exact(int(whole + behind or "0", 16)) / 16 ** len(behind)
    return extended(number * power_of_two(int(power or "0")))


def extended_bytes(value: Number) -> bytes:
    """The ten bytes: the mantissa with its first bit written out, then exponent and sign."""
    negative = value < 0 if is_exact(value) else math.copysign(1.0, value) < 0
    sign = 0x8000 if negative else 0
    if isinstance(value, float):
        if value == 0.0:
            return _bytes(0, sign)
        if math.isinf(value):
            return _bytes(1 << 63, sign | 0x7FFF)
        if math.isnan(value):
            return _bytes(0b11 << 62, sign | 0x7FFF)
    magnitude = abs(exact(value))
    last = max(_exponent(magnitude) - _PRECISION + 1, _LEAST)
    mantissa = magnitude / power_of_two(last)
    assert mantissa.denominator == 1
    bits = mantissa.numerator
    exponent = last + _PRECISION - 1 + _BIAS if bits >> 63 else 0
    return _bytes(bits, sign | exponent)


def _bytes(mantissa: int, head: int) -> bytes:
    return mantissa.to_bytes(8, "little") + head.to_bytes(2, "little")


def _exponent(value: Fraction) -> int:
    """The power of two of the first bit."""
    magnitude = abs(value)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    return exponent if power_of_two(exponent) <= magnitude else exponent - 1
