"""Systems of linear inequalities over ordered integer unknowns, as plain tuples.

A row (c, a_1, ..., a_n) says c + a_1 x_1 + ... + a_n x_n >= 0; an equality is a row and its
opposite; a system is a collection of rows that all hold. A short row has zeros at its end, so
what is known of outer unknowns can be put before inner ones as it is.

    tighten        gcd(a) divides out, c rounded down: the same integer points
    eliminate      Fourier's pairwise elimination: the rational shadow along one unknown
    is_empty       elimination of everything; True only if there is no integer point
    implies        the negation test: rows and r <= -1 together are empty
    minimise       without the rows that the others imply

Elimination is exact over the rationals; over integers it never loses a point. So `is_empty`
and `implies` may answer False where integers would say True: a bound or a guard is then kept
that was not needed, or a loop runs empty; nothing that runs is wrong. All that combines rows is
paid from the budget that it is asked in, and raises BudgetExceeded where that is spent.
R. J. Duffin, On Fourier's analysis of linear inequality systems, Math. Programming Study 1, 1974.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count, zip_longest
from math import gcd

from polyopt.poly.isl.budget import BudgetExceeded, spend

Row = tuple[int, ...]
System = tuple[Row, ...]

IMPOSSIBLE: Row = (-1,)
"""The row that no point meets."""

_MANY = 40
"""Rows after an elimination from which on it pays to look for redundant ones."""
_TOO_MANY = 600
"""Rows that no projection may have: it is given up."""
_EFFORT = 4000
"""Pairs of rows that may be combined to answer one question; it is then left open."""
_PAIR = 16
"""How many of isl's operations take as long as one pair of rows: 5 microseconds against 0.3."""


def tighten(row: Row) -> Row | None:
    """The same integer points with the least coefficients; None if every point meets it."""
    divisor = gcd(*row[1:])
    if divisor > 1:
        return tuple([value // divisor for value in row])
    if divisor == 1:
        return row
    return None if row[0] >= 0 else IMPOSSIBLE


def reduce_rows(rows: Iterable[Row]) -> System:
    """The rows tightened, without trailing zeros, of parallel ones only the strongest."""
    strongest: dict[Row, int] = {}
    for row in rows:
        tight = tighten(row)
        if tight is None:
            continue
        key = _trimmed(tight[1:])
        strongest[key] = min(tight[0], strongest.get(key, tight[0]))
    return tuple((constant, *key) for key, constant in strongest.items())


def negation(row: Row) -> Row:
    """Holds for exactly the integer points that do not meet `row`."""
    return (-1 - row[0], *(-value for value in row[1:]))


def opposite(row: Row) -> Row:
    return tuple(-value for value in row)


def equality(row: Row) -> System:
    """c + a x = 0."""
    return (row, opposite(row))


def rank(row: Row) -> int:
    """The position of the innermost unknown that `row` speaks of; 0 if it speaks of none."""
    return next((k for k in range(len(row) - 1, 0, -1) if row[k]), 0)


def coefficient(row: Row, unknown: int) -> int:
    return row[unknown] if unknown < len(row) else 0


def combine(first: int, left: Row, second: int, right: Row) -> Row:
    """first * left + second * right."""
    return tuple([first * a + second * b for a, b in zip_longest(left, right, fillvalue=0)])


def eliminate(rows: Sequence[Row], unknown: int) -> System:
    """{ x without `unknown` }: where some rational value of it meets all rows."""
    lower, upper, rest = sides(rows, unknown)
    if len(lower) * len(upper) > _TOO_MANY * 4:
        raise BudgetExceeded("Fourier-Motzkin elimination", _TOO_MANY)
    spend(_PAIR * len(lower) * len(upper))
    for low in lower:
        for high in upper:
            rest.append(combine(-high[unknown], low, low[unknown], high))
    return reduce_rows(rest)


def sides(rows: Iterable[Row], unknown: int) -> tuple[list[Row], list[Row], list[Row]]:
    """The lower bounds of `unknown`, its upper bounds, and what does not speak of it."""
    lower, upper, rest = list[Row](), list[Row](), list[Row]()
    for row in rows:
        factor = coefficient(row, unknown)
        (lower if factor > 0 else upper if factor < 0 else rest).append(row)
    return lower, upper, rest


def project(rows: Sequence[Row], unknowns: Iterable[int]) -> System:
    """`rows` without `unknowns`, the cheapest eliminated first. Raises BudgetExceeded."""
    left, todo = reduce_rows(rows), set(unknowns)
    while todo:
        unknown = _cheapest(left, todo)
        todo.remove(unknown)
        left = eliminate(left, unknown)
        if len(left) > _MANY:
            left = minimise(left)
            if len(left) > _TOO_MANY:
                raise BudgetExceeded("Fourier-Motzkin elimination", _TOO_MANY)
    return left


def is_empty(rows: Iterable[Row]) -> bool:
    """Whether elimination shows that no integer point meets all rows.

    A row made of more than k + 1 of the first ones after k eliminations is implied by the others
    (S. N. Chernikov, Contraction of systems of linear inequalities, Soviet Math. 1960).
    """
    left = _without_equalities(reduce_rows(rows))
    if IMPOSSIBLE in left:
        return True
    sources = {row: 1 << k for k, row in enumerate(left)}
    effort = 0
    for limit in count(2):
        unknowns = {k for row in sources for k in range(1, len(row)) if row[k]}
        if not unknowns:
            return False
        unknown = _cheapest(sources, unknowns)
        lower, upper, rest = sides(sources, unknown)
        found = {row: sources[row] for row in rest}
        pairs = [
            (low, high, source)
            for low in lower
            for high in upper
            if (source := sources[low] | sources[high]).bit_count() <= limit
        ]
        effort += len(pairs)
        spend(_PAIR * len(pairs))
        for low, high, source in pairs:
            row = _combined(low, high, unknown)
            if row == IMPOSSIBLE:
                return True
            if row is not None:
                found[row] = min(source, found.get(row, source), key=int.bit_count)
        if effort > _EFFORT:
            return False
        sources = _strongest(found)
    raise AssertionError("unreachable")


def _combined(low: Row, high: Row, unknown: int) -> Row | None:
    """The shadow of two bounds of `unknown`; None if every point meets it."""
    row = tighten(combine(-high[unknown], low, low[unknown], high))
    return None if row is None else _trimmed(row)


def _strongest(sources: Mapping[Row, int]) -> dict[Row, int]:
    """Of parallel rows the strongest."""
    constants: dict[Row, int] = {}
    for row in sources:
        constants[row[1:]] = min(row[0], constants.get(row[1:], row[0]))
    return {row: source for row, source in sources.items() if constants[row[1:]] == row[0]}


def implies(rows: Iterable[Row], row: Row) -> bool:
    """Whether every integer point of `rows` meets `row`, as far as elimination shows."""
    rows = tuple(rows)
    if any(one[1:] == row[1:] and one[0] <= row[0] for one in rows):
        return True
    return is_empty((*rows, negation(row)))


def minimise(rows: Iterable[Row], known: Sequence[Row] = ()) -> System:
    """`rows` without those that the others and `known` imply: rows of the innermost unknowns
    are tried first and, among them, those with large coefficients."""
    kept = list(reduce_rows(rows))
    for row in sorted(kept, key=_weight, reverse=True):
        others = [one for one in kept if one is not row]
        if implies((*known, *others), row):
            kept = others
    return tuple(kept)


def _weight(row: Row) -> tuple[int, int, int, Row]:
    """How much a row is worth to be rid of."""
    return rank(row), max(map(abs, row[1:]), default=0), sum(map(bool, row)), row


def _trimmed(row: Row) -> Row:
    length = len(row)
    while length and not row[length - 1]:
        length -= 1
    return row[:length]


def _cheapest(rows: Iterable[Row], unknowns: Iterable[int]) -> int:
    """The unknown whose elimination adds the fewest rows."""
    lower, upper = dict[int, int](), dict[int, int]()
    for row in rows:
        for unknown in range(1, len(row)):
            if row[unknown] > 0:
                lower[unknown] = lower.get(unknown, 0) + 1
            elif row[unknown] < 0:
                upper[unknown] = upper.get(unknown, 0) + 1

    def growth(unknown: int) -> tuple[int, int]:
        low, high = lower.get(unknown, 0), upper.get(unknown, 0)
        return low * high - low - high, -unknown

    return min(unknowns, key=growth)


def _without_equalities(rows: System) -> System:
    """The same question with the unknowns that equalities determine put into the other rows;
    IMPOSSIBLE where two opposite rows contradict each other."""
    while True:
        strongest = {row[1:]: row[0] for row in rows}
        found: Row | None = None
        for key, constant in strongest.items():
            other = strongest.get(opposite(key))
            if other is None or not key:
                continue
            if constant + other < 0:
                return (IMPOSSIBLE,)
            if constant + other == 0:
                found = (constant, *key)
                if 1 in key or -1 in key:
                    break
        if found is None:
            return rows
        rows = _substituted(rows, found)


def _substituted(rows: System, equal: Row) -> System:
    """`rows` where `equal` = 0, without one of its unknowns: the one of least coefficient."""
    unknown = min((k for k in range(1, len(equal)) if equal[k]), key=lambda k: abs(equal[k]))
    factor = equal[unknown]
    sign = 1 if factor > 0 else -1
    return reduce_rows(
        combine(abs(factor), row, -sign * coefficient(row, unknown), equal) for row in rows
    )
