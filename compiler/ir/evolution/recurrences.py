"""What a value is in iteration n, from what it is at first and what the next iteration makes of it.

    x' = x + p(n)          {a, +, c_0, +, c_1, ...}    p a polynomial, the sum of a geometric one
    x' = b x + d           {a, *, b}                   and a geometric sum, with b a number
    x' = d - x             a | d - a                   one in even iterations, one in odd ones
    x' = x / b             {a, /, b}
    x' = y, no x in it     (a, y)                      y one iteration ago, from the second on
    x' = f(x), a a number  a | f(a) | f(f(a)) ...      where that comes back to a soon

M. Wolfe: "Beyond Induction Variables", PLDI 1992, for what is periodic and what wraps around.

If the sum or product may wrap, so may the result: all but division is exact modulo 2**bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from polyopt.ir.expressions.evaluation import evaluated
from polyopt.ir.expressions.integer_expr import (
    ZERO,
    Atom,
    Compare,
    Counter,
    Expr,
    Floor,
    Power,
    Quotient,
    Unknown,
    Wrapped,
)
from polyopt.ir.expressions.integer_forms import (
    choice,
    divided,
    exact_quotient,
    floor,
    power,
    replaced,
    wrapped,
)
from polyopt.ir.expressions.newton import from_newton, newton_form, newton_sum
from polyopt.support.record import record

_LONGEST_PERIOD = 8
_LONGEST_RUN_IN = 3
"""How many values come before those that are repeated."""
_LARGEST_BASE = 1 << 16


@record
class Recurrence:
    """`following` is what the next iteration makes of `itself`; `is_constant` tells what does not
    change in the loop of `counter`. What changes and is in no way known is unknown."""

    itself: Unknown
    start: Expr
    following: Expr
    counter: Counter
    is_constant: Callable[[Expr], bool]

    def solved(self) -> Expr | None:
        """The value in the iteration that the counter tells, None where it has no expression."""
        if self.itself not in self.following.all_atoms():
            return self._wrap_around()
        wrap = self.following.as_atom
        inner = wrap.term if isinstance(wrap, Wrapped) else self.following
        parts = inner.split(self.itself)
        result = None if parts is None else self._linear(*parts)
        if result is not None and isinstance(wrap, Wrapped):
            return wrapped(result, wrap.bits, wrap.is_signed)
        if result is not None:
            return result
        return self._shrinking() or self._cycle()

    def _linear(self, rest: Expr, factor: Expr) -> Expr | None:
        """x' = factor x + rest."""
        number = factor.as_constant
        if number is None or abs(number) > _LARGEST_BASE:
            return None
        if number == 1:
            change = self._summed(rest)
            return None if change is None else self.start + change
        if not self.is_constant(rest):
            return None
        if number == -1:
            return self._alternating(rest)
        return self.start * power(number, Expr.of(self.counter)) + self._geometric(rest, number)

    def _alternating(self, rest: Expr) -> Expr:
        return periodic((self.start, rest - self.start), Expr.of(self.counter))

    def _summed(self, change: Expr) -> Expr | None:
        """The sum of a change over the iterations before."""
        polynomial, result = ZERO, ZERO
        for monomial, factor in change.terms.items():
            term = Expr({monomial: factor})
            powers = [atom for atom in monomial if self._is_power(atom)]
            if not powers:
                polynomial += term
                continue
            base = powers[0]
            parts = term.split(base)
            assert isinstance(base, Power)
            if parts is None or not self.is_constant(parts[1]):
                return None
            result += self._geometric(parts[1], base.base)
        chain = newton_form(polynomial, self.counter)
        if chain is None or not all(map(self.is_constant, chain)):
            return None
        total = newton_sum(chain)
        return None if total is None else result + from_newton(total, self.counter)

    def _geometric(self, coefficient: Expr, base: int) -> Expr:
        """`coefficient * (1 + base + ... + base**(n - 1))`."""
        sign = 1 if base > 0 else -1
        difference = (power(base, Expr.of(self.counter)) - 1) * sign
        whole = exact_quotient(coefficient, abs(base - 1))
        if whole is not None:
            return whole * difference
        return coefficient * Expr.of(Floor(difference, abs(base - 1)))

    def _is_power(self, atom: Atom) -> bool:
        return isinstance(atom, Power) and atom.exponent.as_atom == self.counter

    def _shrinking(self) -> Expr | None:
        match self.following.as_atom:
            case Floor(term, divisor) if term.as_atom == self.itself:
                return divided(self.start, divisor, Expr.of(self.counter), to_zero=False)
            case Quotient(term, divisor) if term.as_atom == self.itself:
                return divided(self.start, divisor, Expr.of(self.counter), to_zero=True)
            case _:
                return None

    def _wrap_around(self) -> Expr | None:
        """The value of the iteration before, from the second on."""
        without = replaced(self.following, lambda a: ZERO if a == self.counter else None)
        if not self.is_constant(without):
            return None
        before = Expr.of(self.counter) - 1
        later = replaced(self.following, lambda a: before if a == self.counter else None)
        first = replaced(later, lambda a: ZERO if a == self.counter else None)
        if first == self.start:
            return later
        return peeled(self.start, later, Expr.of(self.counter))

    def _cycle(self) -> Expr | None:
        """The values from a number on, until one comes again."""
        number = self.start.as_constant
        if number is None or set(_leaves(self.following)) != {self.itself}:
            return None
        values = [number]
        while len(values) <= _LONGEST_RUN_IN + _LONGEST_PERIOD:
            number = evaluated(self.following, {self.itself: values[-1]})
            if number is None:
                return None
            if number in values:
                return _run_in(values, values.index(number), Expr.of(self.counter))
            values.append(number)
        return None


def peeled(first: Expr, later: Expr, count: Expr) -> Expr:
    """`first` in iteration 0, else `later`; what both are a sum of is taken out."""
    common = Expr({m: f for m, f in first.terms.items() if later.terms.get(m) == f})
    return common + choice(Compare("==", count), first - common, later - common)


def periodic(values: Sequence[Expr], count: Expr) -> Expr:
    """`values[count % len(values)]`."""
    period = len(values)
    place = count - floor(count, period) * period
    steps = {(after - one).as_constant for one, after in pairwise(values)}
    if len(steps) == 1 and (step := steps.pop()) is not None:
        return values[0] + place * step
    result = values[-1]
    for k in range(period - 2, -1, -1):
        result = choice(Compare("==", place - k), values[k], result)
    return result


def _run_in(values: Sequence[int], begin: int, count: Expr) -> Expr | None:
    """`values[count]`, and from `begin` on again and again."""
    if begin > _LONGEST_RUN_IN or len(values) - begin > _LONGEST_PERIOD:
        return None
    result = periodic([Expr.constant(value) for value in values[begin:]], count - begin)
    for k in range(begin - 1, -1, -1):
        result = choice(Compare("==", count - k), Expr.constant(values[k]), result)
    return result


def _leaves(expr: Expr) -> list[Atom]:
    return [atom for atom in expr.all_atoms() if isinstance(atom, Unknown | Counter)]
