"""Loops cut where one of several pieces has its only value.

A piece that is confined to one value, such as an initialisation at the first iteration of a fused
loop, is asked for in every iteration of a loop that it shares. Where the others' own bounds hold
for it too, that is one cheap guard; where they do not, the loop would need the least of their
bounds and guards for all. Then the loop is cut in three: before, at and after the value.

Where unsigned numbers wrap, pieces may lie 2^31 iterations apart, though for some sizes they meet.
A loop over all of them would hardly end: it is cut at the bound that is so far away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from polyopt.poly.scanning.groups import common_rows
from polyopt.poly.scanning.pieces import Piece
from polyopt.poly.scanning.systems import Row, System, coefficient, combine, implies, negation

_FAR = 1 << 20
"""A bound with a constant of this size is where some integer wraps: whatever stands behind it may
have as many empty iterations before it."""


def peeled(pieces: Sequence[Piece], column: int, known: System) -> list[Piece] | None:
    """The pieces cut before, at and after a value that one of them is confined to, or at a bound
    that is far from the others'; None if there is none that spares anything."""
    if len(pieces) == 1:
        return None
    systems = [piece.polyhedron.shadow(column) for piece in pieces]
    for cuts in _cuts(pieces, systems, column, known):
        parts = list[Piece]()
        for piece, rows in zip(pieces, systems, strict=True):
            if any(all(implies((*known, *rows), row) for row in cut) for cut in cuts):
                parts.append(piece)
            else:
                found = (piece.restricted(cut) for cut in cuts)
                parts += [part for part in found if not part.polyhedron.is_empty]
        if len(parts) > len(pieces) or len(cuts) == 2:
            return parts
    return None


def _cuts(
    pieces: Sequence[Piece], systems: Sequence[System], column: int, known: System
) -> Iterator[tuple[System, ...]]:
    """Systems of which each point meets just one."""
    common = [row for row in common_rows(systems, known) if coefficient(row, column)]
    for k, piece in enumerate(pieces):
        bounds = _only_value(piece, column)
        others = {row[1:] for j, rows in enumerate(systems) if j != k for row in rows}
        sides = {row[column] > 0 for row in common if row[1:] in others}
        if bounds is not None and len(sides) < 2:
            lower, upper = bounds
            yield (negation(lower),), bounds, (negation(upper),)
    for rows in systems:
        for row in rows:
            if abs(row[0]) < _FAR or not coefficient(row, column):
                continue
            met = [implies((*known, *other), row) for other in systems]
            apart = [implies((*known, *other), negation(row)) for other in systems]
            if not all(met) and not all(a or b for a, b in zip(met, apart, strict=True)):
                yield (row,), (negation(row),)


def _only_value(piece: Piece, column: int) -> tuple[Row, Row] | None:
    """A lower and an upper bound between which the piece has one value in `column`: it is
    determined, or the bounds are closer to each other than the points of the lattice."""
    place = piece.polyhedron.lattice.column(column)
    if place.is_determined:
        upper, lower = piece.polyhedron.lattice.value_rows(column)
        return lower, upper
    rows = [row for row in piece.polyhedron.shadow(column) if coefficient(row, column)]
    for lower, upper in product(rows, repeat=2):
        span = combine(1, lower, 1, upper)
        if lower[column] > 0 and not any(span[1:]) and span[0] < lower[column] * place.stride:
            return lower, upper
    return None
