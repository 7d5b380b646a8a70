"""How far apart, in memory, are the elements that an access touches in successive iterations?

For a loop of a schedule, an access moves from one iteration to the next by

    0        nothing: the same element (a register holds it)
    k        k elements along the last dimension: 1 is what vectors and cache lines like
    far      another row, plane, …
    unknown  no one affine function says

T. Grosser, Enabling polyhedral optimizations in LLVM, 2011, §7.2.2, on directions instead of
sets: a step of the loop is a vector of the iteration space, and the access a matrix.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Literal

from polyopt.poly.linear.linear_forms import (
    Vector,
    apply,
    directions,
    independent,
    subscripts_of,
)
from polyopt.poly.schedule_tree import Member
from polyopt.poly.scop import Access, Moves, Scop
from polyopt.support.record import record

Stride = int | Literal["far", "unknown"]
Direction = tuple[Fraction, ...]


@record
class AccessMatrices:
    """The subscripts of every access of a SCoP as integer vectors, computed once."""

    scop: Scop

    @cached_property
    def _rows(self) -> Mapping[tuple[str, int], tuple[Vector, ...] | None]:
        return {
            (statement.name, access.position): subscripts_of(access.relation)
            for statement in self.scop.statements
            for access in statement.accesses
        }

    def subscripts(self, statement: str, access: Access) -> tuple[Vector, ...] | None:
        return self._rows[statement, access.position]

    def columns(
        self, statement: str, access: Access, steps: Sequence[Direction | None]
    ) -> tuple[tuple[int, ...], ...] | None:
        """How the subscripts change with each step, which may be none; None if unknown."""
        rows = self.subscripts(statement, access)
        return None if rows is None else _columns(rows, tuple(steps))

    def stride(self, statement: str, access: Access, direction: Direction | None) -> Stride:
        rows = self.subscripts(statement, access)
        if direction is None:
            return "unknown"
        if rows is None:
            return "unknown" if access.moves is None else _stride_by(access.moves, direction)
        steps = apply(rows, direction)
        if any(steps[:-1]):
            return "far"
        last = steps[-1] if steps else Fraction(0)
        return int(last) if last.denominator == 1 else "unknown"


def _stride_by(moves: Sequence[Moves], direction: Direction) -> Stride:
    """Of subscripts that the program computes."""
    moved = [(k, step) for k, step in enumerate(direction) if step]
    steps = list[Fraction | None]()
    for row in moves:
        parts = [None if (one := row[k]) is None else one * step for k, step in moved]
        known = [part for part in parts if part is not None]
        steps.append(sum(known, Fraction(0)) if len(known) == len(parts) else None)
    *others, last = steps or [Fraction(0)]
    if any(step != 0 for step in others):
        return "far"
    return int(last) if last is not None and last.denominator == 1 else "unknown"


@lru_cache(maxsize=1024)
def _columns(
    rows: tuple[Vector, ...], steps: tuple[Direction | None, ...]
) -> tuple[tuple[int, ...], ...] | None:
    columns = list[tuple[int, ...]]()
    for step in steps:
        change = apply(rows, step) if step is not None else (Fraction(0),) * len(rows)
        if any(value.denominator != 1 for value in change):
            return None
        columns.append(tuple(int(value) for value in change))
    return tuple(columns)


def steps_of(statement: str, members: Sequence[Member]) -> list[Direction | None]:
    """For each loop of a nest, outermost first: the vector by which the statement's iterators
    change from one of its iterations to the next, while the other loops stand still. None for a
    loop that the outer ones determine (a loop inside a tile keeps its vector, the tile's loop has
    none), and wherever that is unknown."""
    return list(_steps(tuple(member.factors(statement) for member in members)))


@lru_cache(maxsize=1024)
def _steps(rows: tuple[Vector | None, ...]) -> tuple[Direction | None, ...]:
    """Of the loops with these functions."""
    known = [k for k, row in enumerate(rows) if row is not None]
    square = [rows[k] for k in known]
    chosen = [known[k] for k in independent([row for row in square if row is not None])]
    vectors = directions([row for k in chosen if (row := rows[k]) is not None])
    found: list[Direction | None] = [None] * len(rows)
    if vectors is not None:
        for k, vector in zip(chosen, vectors, strict=True):
            found[k] = vector
    return tuple(found)
