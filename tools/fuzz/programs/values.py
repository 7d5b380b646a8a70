"""Expressions whose behaviour C defines: each with the interval that its value is in.

Signed arithmetic whose interval leaves its type is done on operands that are cut to size first;
unsigned arithmetic may wrap. A conversion from floating point asks before it converts. What the
elements of arrays and accumulators may hold is an interval for each type (`RANGES`), which every
store keeps (`stored`), and which sums may only grow by as much as is left (`program`'s growth).
"""

from __future__ import annotations

from polyopt.support.record import record
from polyopt.tools.fuzz.programs.choices import Choices
from polyopt.tools.fuzz.programs.scalars import INT, Scalar, common, promoted

STORED = {32: 1 << 20, 64: 1 << 50}
"""What a store may put into a signed element of so many bits, but for copies and sums."""
HELD = {32: 1 << 30, 64: 1 << 61}
"""What such an element may hold."""


@record
class Value:
    """`text` binds like a primary expression. The interval means nothing for floating point."""

    text: str
    scalar: Scalar
    least: int = 0
    most: int = 0


def element_value(text: str, scalar: Scalar) -> Value:
    """What is read from memory."""
    if scalar.floating:
        return Value(text, scalar)
    if scalar.signed and scalar.bits in HELD:
        return Value(text, scalar, -HELD[scalar.bits], HELD[scalar.bits])
    return Value(text, scalar, scalar.least, scalar.most)


def constant(number: int) -> Value:
    return Value(f"({number})" if number < 0 else str(number), INT, number, number)


def tamed(choices: Choices, value: Value, bits: int = 9) -> Value:
    """An integer of few bits made of the value, in one of C's ways."""
    least, most = -(1 << bits), 1 << bits
    if value.scalar.floating:
        return as_integer(value)
    if least <= value.least and value.most <= most:
        return value
    scalar = promoted(value.scalar)
    if choices.chance(0.4):
        return Value(f"({value.text} & {most - 1})", scalar, 0, most - 1)
    if bits < 7 or choices.chance(0.7):
        low = 0 if not scalar.signed or value.least >= 0 else 1 - most
        return Value(f"({value.text} % {most - 1})", scalar, low, most - 2)
    return Value(f"(signed char){value.text}", Scalar("signed char", "i1", 8), -128, 127)


def as_integer(value: Value) -> Value:
    """An int of a floating-point value, whatever that is."""
    text = value.text
    return Value(f"({text} > -500 && {text} < 500 ? (int){text} : 7)", INT, -500, 500)


def arithmetic(choices: Choices, operator: str, left: Value, right: Value) -> Value:
    """`left operator right` for `+ - *`."""
    scalar = common(left.scalar, right.scalar)
    if scalar.floating:
        return Value(f"({left.text} {operator} {right.text})", scalar)
    if not scalar.signed:
        return Value(f"({left.text} {operator} {right.text})", scalar, 0, scalar.most)
    ends = _ends(operator, left, right)
    if min(ends) < scalar.least or max(ends) > scalar.most:
        left, right = tamed(choices, left), tamed(choices, right)
        scalar = common(left.scalar, right.scalar)
        ends = _ends(operator, left, right)
    return Value(f"({left.text} {operator} {right.text})", scalar, min(ends), max(ends))


def _ends(operator: str, left: Value, right: Value) -> list[int]:
    pairs = [(a, b) for a in (left.least, left.most) for b in (right.least, right.most)]
    match operator:
        case "+":
            return [a + b for a, b in pairs]
        case "-":
            return [a - b for a, b in pairs]
        case _:
            return [a * b for a, b in pairs]


def bitwise(choices: Choices, operator: str, left: Value, right: Value) -> Value:
    """`& | ^` of integers: no bit beyond those of the operands."""
    scalar = common(left.scalar, right.scalar)
    text = f"({left.text} {operator} {right.text})"
    if not scalar.signed:
        return Value(text, scalar, 0, scalar.most)
    bits = max(one.bit_length() for v in (left, right) for one in (v.least, v.most))
    return Value(text, scalar, -(1 << bits), (1 << bits) - 1)


def shifted(choices: Choices, left: Value) -> Value:
    """A shift by few bits: to the left of what is not negative and small, or to the right."""
    amount = choices.number(0, 5)
    scalar = promoted(left.scalar)
    if choices.chance(0.5):
        return Value(f"({left.text} >> {amount})", scalar, left.least, left.most)
    if not scalar.signed:
        return Value(f"({left.text} << {amount})", scalar, 0, scalar.most)
    masked = f"({left.text} & 255)"
    return Value(f"({masked} << {amount})", scalar, 0, 255 << amount)


def divided(choices: Choices, left: Value, right: Value) -> Value:
    """A quotient or a remainder, of a divisor that cannot be 0 or -1."""
    operator = choices.one("/%")
    if choices.chance(0.5):
        divisor = constant(choices.one([2, 3, 4, 7, 10, 16, -3]))
    else:
        low = tamed(choices, right, 4)
        divisor = Value(f"({low.text} + {20})", promoted(low.scalar), 4, 36)
    scalar = common(left.scalar, divisor.scalar)
    if not scalar.signed:
        return Value(f"({left.text} {operator} {divisor.text})", scalar, 0, scalar.most)
    reach = max(abs(left.least), abs(left.most))
    return Value(f"({left.text} {operator} {divisor.text})", scalar, -reach, reach)


def stored(choices: Choices, value: Value, scalar: Scalar, *, is_copy: bool = False) -> str:
    """The text of what is assigned to an element of type `scalar`."""
    if scalar.floating:
        return value.text
    if value.scalar.floating:
        return as_integer(value).text
    limit = STORED.get(scalar.bits) if scalar.signed else None
    if limit is None or (is_copy and value.scalar.bits <= scalar.bits and value.scalar.signed):
        return value.text
    if -limit <= value.least and value.most <= limit:
        return value.text
    return tamed(choices, value).text
