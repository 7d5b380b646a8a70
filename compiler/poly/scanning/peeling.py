"""Loops cut where one of several pieces has its only value.

A piece that is confined to one value, such as an initialisation at the first iteration of a fused
loop, is asked for in every iteration of a loop that it shares. Where the others' own bounds hold
for it too, that is one cheap guard; where they do not, the loop would need the least of their
bounds and guards for all. Then the loop is cut in three: before, at and after the value.
"""

from __future__ import annotations

from collections.abc import Sequence

from polyopt.poly.scanning.groups import common_rows
from polyopt.poly.scanning.pieces import Piece
from polyopt.poly.scanning.systems import System, coefficient, implies, negation


def peeled(pieces: Sequence[Piece], column: int, known: System) -> list[Piece] | None:
    """The pieces cut before, at and after a value that one of them is confined to; None if there
    is none, or if they have bounds in common on both sides."""
    if len(pieces) == 1:
        return None
    systems = [piece.polyhedron.shadow(column) for piece in pieces]
    signs = {row[column] > 0 for row in common_rows(systems, known) if coefficient(row, column)}
    single = next((k for k, one in enumerate(pieces) if _determined(one, column)), None)
    if len(signs) == 2 or single is None:
        return None
    upper, lower = pieces[single].polyhedron.lattice.value_rows(column)
    cuts = [(negation(lower),), (upper, lower), (negation(upper),)]
    parts = list[Piece]()
    for piece in pieces:
        if implies((*known, *piece.polyhedron.shadow(column)), upper) and implies(
            (*known, *piece.polyhedron.shadow(column)), lower
        ):
            parts.append(piece)
            continue
        found = [part for cut in cuts if not (part := piece.restricted(cut)).polyhedron.is_empty]
        parts += found
    return parts if len(parts) > len(pieces) else None


def _determined(piece: Piece, column: int) -> bool:
    return piece.polyhedron.lattice.column(column).is_determined
