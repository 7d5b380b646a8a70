"""An oracle: integer expressions and conditions evaluated by their definition."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from math import factorial, prod

from xdsl.ir import SSAValue

from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.expressions.integer_expr import (
    Atom,
    Binomial,
    Both,
    Choice,
    Compare,
    Condition,
    Counter,
    Divided,
    Either,
    Expr,
    Extremum,
    Flag,
    Floor,
    Logarithm,
    Power,
    Quotient,
    Truth,
    Unknown,
    Wrapped,
)


class Evaluation:
    """`value_of(value, is_signed)` and `counter_of(loop)` say what is known."""

    def __init__(
        self, value_of: Callable[[SSAValue, bool], int], counter_of: Callable[[NaturalLoop], int]
    ):
        self._value_of = value_of
        self._counter_of = counter_of

    def of(self, expr: Expr) -> int:
        return sum(
            factor * prod(self._atom(atom) for atom in monomial)
            for monomial, factor in expr.terms.items()
        )

    def holds(self, condition: Condition) -> bool:
        match condition:
            case Truth(holds):
                return holds
            case Flag(value, expected):
                return bool(self._value_of(value, False)) == expected
            case Both(left, right):
                return self.holds(left) and self.holds(right)
            case Either(left, right):
                return self.holds(left) or self.holds(right)
            case Compare("<", term):
                return self.of(term) < 0
            case Compare("<=", term):
                return self.of(term) <= 0
            case Compare("==", term):
                return self.of(term) == 0
            case Compare(_, term):
                return self.of(term) != 0

    def _count(self, expr: Expr) -> int:
        number = self.of(expr)
        assert number >= 0
        return number

    def _atom(self, atom: Atom) -> int:
        match atom:
            case Unknown(value, is_signed):
                return self._value_of(value, is_signed)
            case Counter(loop):
                return self._counter_of(loop)
            case Floor(term, divisor):
                return self.of(term) // divisor
            case Quotient(term, divisor):
                number = self.of(term)
                return abs(number) // divisor * (-1 if number < 0 else 1)
            case Extremum(is_max, terms):
                numbers = [self.of(term) for term in terms]
                return max(numbers) if is_max else min(numbers)
            case Choice(condition, then, orelse):
                return self.of(then) if self.holds(condition) else self.of(orelse)
            case Binomial(term, order):
                number = self.of(term)
                return prod(number - k for k in range(order)) // factorial(order)
            case Power(base, exponent):
                return base ** self._count(exponent)
            case Divided(term, base, times, to_zero):
                number, divisor = self.of(term), base ** self._count(times)
                if to_zero:
                    return abs(number) // divisor * (-1 if number < 0 else 1)
                return number // divisor
            case Logarithm(term, base):
                number = self.of(term)
                return next(k for k in count() if base**k >= number)
            case Wrapped(term, bits, is_signed):
                number = self.of(term) % (1 << bits)
                return number - (1 << bits) if is_signed and number >> (bits - 1) else number
