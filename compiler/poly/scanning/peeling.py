"""Loops cut where one of several pieces has its only value.

A piece that is confined to one value, such as an initialisation at the first iteration of a fused
loop, is asked for in every iteration of a loop that it shares. Where the others' own bounds hold
for it too, that is one cheap guard; where they do not, the loop would need the least of their
bounds and guards for all. Then the loop is cut in three: before, at and after the value.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from polyopt.poly.scanning.groups import common_rows
from polyopt.poly.scanning.pieces import Piece
from polyopt.poly.scanning.systems import Row, System, coefficient, combine, implies, negation


def peeled(pieces: Sequence[Piece], column: int, known: System) -> list[Piece] | None:
    """The pieces cut before, at and after a value that one of them is confined to; None if there
    is none, or if they have bounds in common on both sides."""
    if len(pieces) == 1:
        return None
    systems = [piece.polyhedron.shadow(column) for piece in pieces]
    signs = {row[column] > 0 for row in common_rows(systems, known) if coefficient(row, column)}
    if len(signs) == 2:
        return None
    bounds = next((found for one in pieces if (found := _only_value(one, column))), None)
    if bounds is None:
        return None
    lower, upper = bounds
    cuts = [(negation(lower),), bounds, (negation(upper),)]
    parts = list[Piece]()
    for piece, rows in zip(pieces, systems, strict=True):
        if implies((*known, *rows), upper) and implies((*known, *rows), lower):
            parts.append(piece)
        else:
            found = (piece.restricted(cut) for cut in cuts)
            parts += [part for part in found if not part.polyhedron.is_empty]
    return parts if len(parts) > len(pieces) else None


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
