"""A union of polyhedra that may overlap, each point once: a hull is scanned, and each point asked.

The loops are those that all pieces share (`scanner`); inside of them a point is taken if any piece
has it. Nothing has to be cut into disjoint parts, and the points run in their own order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from polyopt.poly.loops.expressions import all_of, any_of
from polyopt.poly.loops.loop_tree import Node
from polyopt.poly.scanning.echelon import Polyhedron
from polyopt.poly.scanning.pieces import Piece
from polyopt.poly.scanning.places import Place, guarded
from polyopt.poly.scanning.scanner import Scanner, membership
from polyopt.poly.scanning.systems import Row, is_empty


def union_loops(
    scanner: Scanner,
    pieces: Sequence[Piece],
    count: int,
    marks: tuple[str, ...],
    place: Place,
    body: Callable[[Place], tuple[Node, ...]],
    depth: int = 0,
) -> tuple[Node, ...]:
    """`body` for each value of the first `count` variables that some of `pieces` has, once, in
    lexicographic order. Raises Unbounded."""
    if depth == count:
        found = [all_of(*membership(piece.polyhedron, place)) for piece in pieces]
        return guarded((any_of(*found),), body(place))
    return scanner.loop(
        pieces,
        depth,
        marks,
        place,
        lambda inner: union_loops(scanner, pieces, count, marks, inner, body, depth + 1),
    )


def are_disjoint(parts: Sequence[Polyhedron]) -> bool:
    """Whether no two of `parts` show to have a point in common."""
    return all(_are_apart(one, other) for one, other in combinations(parts, 2))


def _are_apart(one: Polyhedron, other: Polyhedron) -> bool:
    rows = list(_all_rows(one))
    moved = len(one.divisions)
    for row in _all_rows(other):
        outer, inner = row[: one.visible + 1], row[one.visible + 1 :]
        rows.append((*outer, *(0 for _ in range(moved)), *inner) if inner else outer)
    return is_empty(rows)


def _all_rows(one: Polyhedron) -> list[Row]:
    found = list(one.rows)
    for k in range(len(one.divisions)):
        found += one.definition(k)
    return found
