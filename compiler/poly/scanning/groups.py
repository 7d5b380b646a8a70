"""Which polyhedra share a loop, in which order the loops stand, and what bounds a shared one.

At one level, for the same values of the columns before it, polyhedron A has to go before or with
B if some value of A's is less than one of B's, or if a value is of both and what is inside may
order A before B. Those that have to go before or with each other share a loop. What may stand
apart stands apart, so that a union of polyhedra that follow one another is loops that follow one
another.

A shared loop runs over the constraints of one that hold for all others too (after isl's "simple
hull"); where that leaves a side open, from the least lower to the greatest upper bound of all.
What a polyhedron has besides is asked further inside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from polyopt.poly.scanning.systems import Row, System, coefficient, implies, is_empty

T = TypeVar("T")


def ordered_groups(
    shadows: Sequence[tuple[T, System]],
    column: int,
    known: System,
    orders_inside: Callable[[T, T], bool],
) -> list[list[T]]:
    """The items that share a loop over `column`, in the order of the loops; `shadows` are their
    inequalities up to it."""
    classes: dict[frozenset[Row], list[T]] = {}
    for item, rows in shadows:
        classes.setdefault(frozenset(rows), []).append(item)
    systems, members = [tuple(one) for one in classes], list(classes.values())
    count = range(len(systems))

    def goes_before(a: int, b: int) -> bool:
        inside = any(orders_inside(one, other) for one in members[a] for other in members[b])
        return _some_value_is_less(systems[a], systems[b], column, known, or_equal=inside)

    reach = [[a == b or goes_before(a, b) for b in count] for a in count]
    for via in count:
        for a in count:
            if reach[a][via]:
                reach[a] = [x or y for x, y in zip(reach[a], reach[via], strict=True)]
    # An item reaches all that come after it: those that reach more come first.
    order = sorted(count, key=lambda a: -sum(reach[a]))
    groups, placed = list[list[T]](), set[int]()
    for a in order:
        if a in placed:
            continue
        same = [b for b in count if reach[a][b] and reach[b][a]]
        placed.update(same)
        groups.append([item for b in same for item in members[b]])
    return groups


def _some_value_is_less(
    first: System, second: System, column: int, known: System, *, or_equal: bool
) -> bool:
    """Whether some value of `first` in `column` may be less than one of `second`, the columns
    before being equal."""
    moved = [_moved(row, column) for row in second]
    later = (0 if or_equal else -1, *(0 for _ in range(column - 1)), -1, 1)
    return not is_empty((*known, *first, *moved, later))


def _moved(row: Row, column: int) -> Row:
    """`row` about the next column instead of `column`."""
    return (*row[:column], 0, row[column]) if coefficient(row, column) else row


def common_rows(systems: Sequence[System], known: System) -> System:
    """Rows of some of the systems that hold in all of them; of parallel rows the weakest."""
    tables = [{row[1:]: row[0] for row in rows} for rows in systems]
    found: dict[Row, int] = {}
    for table in tables:
        for key in table:
            if key in found:
                continue
            constant = max(other[key] for other in tables if key in other)
            row = (constant, *key)
            if all(
                key in other or implies((*known, *rows), row)
                for other, rows in zip(tables, systems, strict=True)
            ):
                found[key] = constant
    return tuple((constant, *key) for key, constant in found.items())
