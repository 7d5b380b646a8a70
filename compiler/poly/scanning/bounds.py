"""The bounds of one loop: which rows are needed, and the expressions that they become.

A row a v + rest >= 0 bounds v from below by ceil(-rest / a), from above by floor(rest / -a).
Where the values of v are a lattice, offset + stride Z, the first one is the lattice's first point
from there on:

    offset + stride * ceil((-rest - a * offset) / (a * stride))
    -rest + (offset + rest) mod stride                               the same where a = 1
"""

from __future__ import annotations

from collections.abc import Sequence

from polyopt.poly.loops.expressions import add, floor_div, maximum, minimum, modulo, scale, subtract
from polyopt.poly.loops.loop_tree import Const, Expr
from polyopt.poly.scanning.affine_lattice import Column
from polyopt.poly.scanning.places import Place
from polyopt.poly.scanning.systems import Row, System, coefficient, combine, implies


class Unbounded(ValueError):
    """A loop would have no end: the set is infinite in this dimension."""


def prune(rows: Sequence[Row], column: int, known: System) -> System:
    """Bounds of `column` without those that the others imply; one of each side is kept."""
    kept = list(rows)
    by_size = sorted(rows, key=lambda row: (-abs(row[column]), row.count(0) - len(row), row))
    for row in by_size:
        side = [one for one in kept if (one[column] > 0) == (row[column] > 0)]
        others = [one for one in kept if one is not row]
        if len(side) > 1 and implies((*known, *others), row):
            kept = others
    return tuple(kept)


def loop_bounds(
    own: System, systems: Sequence[System], column: int, place: Place, values: Column
) -> tuple[Expr, Expr]:
    """From the first value to after the last one. Where `own` has no row of a side, the least or
    the greatest of what the systems have."""
    lower, upper = list[Expr](), list[Expr]()
    if any(row[column] > 0 for row in own):
        lower.append(_lower(own, column, place, values))
    else:
        lower += (_lower(rows, column, place, values) for rows in systems)
    if any(row[column] < 0 for row in own):
        upper.append(_upper(own, column, place))
    else:
        upper += (_upper(rows, column, place) for rows in systems)
    return minimum(*lower), maximum(*upper)


def _lower(rows: System, column: int, place: Place, values: Column) -> Expr:
    """max ceil(-rest / a) of the rows a v + rest >= 0, moved on to the lattice's next point."""
    terms = list[Expr]()
    for row in rows:
        factor = coefficient(row, column)
        if factor <= 0:
            continue
        rest = scale(-1, place.expression(_without(row, column)))
        if values.stride == 1:
            terms.append(floor_div(add(rest, Const(factor - 1)), factor))
            continue
        if factor == 1 and values.offset.divisor == 1:
            phase = combine(1, values.offset.row, 1, _without(row, column))
            known = place.remainder(phase, values.stride)
            beyond = _remainder(phase, values.stride, place) if known is None else Const(known)
            if known is not None or any(values.offset.row[1:]):
                terms.append(add(rest, beyond))
                continue
        offset = place.quotient(values.offset)
        span = factor * values.stride
        beyond = subtract(add(rest, Const(span - 1)), scale(factor, offset))
        terms.append(add(offset, scale(values.stride, floor_div(beyond, span))))
    if not terms:
        raise Unbounded("a loop without a lower bound")
    return maximum(*terms)


def _upper(rows: System, column: int, place: Place) -> Expr:
    terms = list[Expr]()
    for row in rows:
        factor = -coefficient(row, column)
        if factor > 0:
            beyond = add(place.expression(_without(row, column)), Const(factor))
            terms.append(floor_div(beyond, factor))
    if not terms:
        raise Unbounded("a loop without an upper bound")
    return minimum(*terms)


def _remainder(row: Row, modulus: int, place: Place) -> Expr:
    """`row` modulo `modulus`, by coefficients that are least in magnitude."""
    half = (modulus - 1) // 2
    least = [(value + half) % modulus - half for value in row]
    return modulo(place.expression((row[0] % modulus, *least[1:])), modulus)


def _without(row: Row, column: int) -> Row:
    return (*row[:column], 0, *row[column + 1 :])
