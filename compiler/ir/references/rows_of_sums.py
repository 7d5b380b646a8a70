"""Rows whose length is a sum of parameters: polynomials divided by polynomials.

A place like `(j + r)*(2*r + 1) + i + r` or `y*(w + 2*border) + x` is multiplied out when it is
looked at. What stands beside a loop that goes over rows is their length, `2*r + 1` or
`w + 2*border`, and the place divided by it is the row, with the place in the row left over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import gcd

from polyopt.ir.expressions.integer_expr import ONE, ZERO, Expr, Monomial

MOST_STEPS = 64
"""Of one division: places have a few terms."""


def shape_of_sums(
    flats: Sequence[Expr], is_parameter: Callable[[Monomial], bool]
) -> tuple[Expr | None, ...] | None:
    """The shape that the factors of loops tell, where one of them is a sum: the greater is so many
    of the smaller. None where they are not, or all are products."""
    lengths: dict[Expr, int] = {}
    for flat in flats:
        for factor in _beside_loops(flat, is_parameter).values():
            if factor.as_constant is None:
                length, count = _primitive(factor)
                lengths[length] = gcd(lengths.get(length, 0), count)
    if all(len(length.terms) == 1 for length in lengths):
        return None
    shape: list[Expr | None] = []
    inner = ONE
    for length in sorted(lengths, key=_degree):
        whole = length * gcd(lengths[length], *_offsets(flats, length, is_parameter))
        extent, rest = divide(whole, inner)
        if rest.terms:
            return None
        shape.insert(0, extent)
        inner = whole
    return (None, *shape)


def _beside_loops(flat: Expr, is_parameter: Callable[[Monomial], bool]) -> dict[Monomial, Expr]:
    """Of each product of what is no parameter, the factor."""
    found: dict[Monomial, Expr] = {}
    for monomial, count in flat.terms.items():
        moving = tuple(atom for atom in monomial if not is_parameter((atom,)))
        sizes = tuple(atom for atom in monomial if is_parameter((atom,)))
        if moving:
            found[moving] = found.get(moving, ZERO) + Expr({sizes: count})
    return found


def _primitive(factor: Expr) -> tuple[Expr, int]:
    """The factor as a number of times a sum whose first greatest term is positive."""
    common = gcd(*factor.terms.values())
    sign = -1 if factor.terms[_leading(factor)] < 0 else 1
    return Expr({m: sign * count // common for m, count in factor.terms.items()}), common


def _offsets(
    flats: Sequence[Expr], length: Expr, is_parameter: Callable[[Monomial], bool]
) -> list[int]:
    """How many times the length is in what no loop moves: rows that a place begins behind."""
    found: list[int] = []
    for flat in flats:
        fixed = {m: n for m, n in flat.terms.items() if m and all(is_parameter((a,)) for a in m)}
        found.extend(divide(Expr(fixed), length)[0].terms.values())
    return found


def _degree(expr: Expr) -> int:
    return max(map(len, expr.terms))


def _leading(expr: Expr) -> Monomial:
    return max(expr.terms, key=len)


def divide(flat: Expr, factor: Expr) -> tuple[Expr, Expr]:
    """(q, r) with `flat == q * factor + r`: q as what a product divides of each term, the nearest
    number of times; of a sum, what its greatest term divides evenly."""
    if factor == ONE:
        return flat, ZERO
    if len(factor.terms) != 1:
        return _divided_by_sum(flat, factor)
    ((divisor, number),) = factor.terms.items()
    quotient: dict[Monomial, int] = {}
    rest: dict[Monomial, int] = {}
    for monomial, count in flat.terms.items():
        remaining = without_factors(monomial, divisor)
        whole = 0 if remaining is None else _nearest(count, number)
        if remaining is not None and whole:
            quotient[remaining] = whole
        if count - whole * number:
            rest[monomial] = count - whole * number
    return Expr(quotient), Expr(rest)


def _divided_by_sum(flat: Expr, factor: Expr) -> tuple[Expr, Expr]:
    leading = _leading(factor)
    number = factor.terms[leading]
    quotient, rest = ZERO, flat
    for _ in range(MOST_STEPS):
        step = next(
            (
                Expr({remaining: count // number})
                for monomial, count in rest.terms.items()
                if (remaining := without_factors(monomial, leading)) is not None
                if count % number == 0
            ),
            None,
        )
        if step is None:
            return quotient, rest
        quotient, rest = quotient + step, rest - step * factor
    return ZERO, flat


def _nearest(count: int, number: int) -> int:
    """The whole quotient with the remainder of least magnitude."""
    return (2 * count + number) // (2 * number)


def without_factors(monomial: Monomial, divisor: Monomial) -> Monomial | None:
    """The quotient of two products; None where the divisor has other factors."""
    remaining = list(monomial)
    for atom in divisor:
        if atom not in remaining:
            return None
        remaining.remove(atom)
    return tuple(remaining)
