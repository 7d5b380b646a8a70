"""What order the iterations of a loop have now: read off the schedule tree."""

from __future__ import annotations

from collections.abc import Sequence

from polyopt.poly.picture.tree_rows import TreeRow
from polyopt.poly.transform.names import TILE_SUFFIX
from polyopt.poly.transform.tiling import UNROLL
from polyopt.report.membership import Membership
from polyopt.report.words import listed


def new_order(found: Membership) -> list[str]:
    """The place of the loop among those around its statements, where that is another one; its
    tiles; and how often it is unrolled inside of others."""
    strips = _unrolled_strips(found.view.rows_after)
    return [*reordered(found), *_tiles(found, strips), *_unrolled(found, strips)]


def reordered(found: Membership) -> list[str]:
    """What the new order is, where the loop has another place in it around some statement."""
    for name, position in found.positions.items():
        iterators = found.view.statement(name).iterators
        order = _order(found.view.rows_after, name)
        if sorted(order) == sorted(iterators) and order[position] != iterators[position]:
            return [f"the order is now {', '.join(order)}"]
        skewed = _skewed(found, name)
        if skewed is not None:
            return [f"runs skewed, as {skewed}"]
    return []


def _skewed(found: Membership, statement: str) -> str | None:
    wanted = found.iterator(statement)
    for row in found.view.rows_after:
        functions = dict(row.functions)
        if dict(row.names).get(statement) == wanted and statement in functions:
            as_before = functions in [dict(one.functions) for one in found.view.rows_before]
            return None if as_before else functions[statement]
    return None


def names_around(rows: Sequence[TreeRow], statement: str) -> list[str]:
    """The loops around the statement, outermost first; of several places the first."""
    names = list[str]()
    for row in rows:
        if statement not in row.statements:
            continue
        if row.kind == "statement":
            break
        name = dict(row.names).get(statement)
        if name is not None:
            names.append(name)
    return names


def _order(rows: Sequence[TreeRow], statement: str) -> list[str]:
    """The loops around the statement by their iterators, outermost first, no tiles among them."""
    strips = _unrolled_strips(rows)
    points = [
        one for one in rows if one in strips or (one.size is None and UNROLL not in one.marks)
    ]
    return [name.partition(TILE_SUFFIX)[0] for name in names_around(points, statement)]


def _unrolled_strips(rows: Sequence[TreeRow]) -> list[TreeRow]:
    """The loops over strips whose iterations become straight-line code, inside of the others."""
    found: list[TreeRow] = []
    for place, row in enumerate(rows):
        around = [
            one
            for one in rows[:place]
            if one.size is not None
            and set(row.statements) <= set(one.statements)
            and _iterator(one) == _iterator(row)
        ]
        if UNROLL in row.marks and around:
            found.append(around[-1])
    return found


def _iterator(row: TreeRow) -> str | None:
    return None if row.name is None else row.name.partition(TILE_SUFFIX)[0]


def _tiles(found: Membership, strips: Sequence[TreeRow]) -> list[str]:
    rows = [row for row in found.view.rows_after if row not in strips]
    sizes = dict.fromkeys(str(row.size) for row in rows if _is_tiled(found, row))
    return [f"tiles of {listed(list(sizes))}"] if sizes else []


def _unrolled(found: Membership, strips: Sequence[TreeRow]) -> list[str]:
    factors = dict.fromkeys(str(row.size) for row in strips if _is_tiled(found, row))
    return [f"unrolled by {listed(list(factors))}"] if factors else []


def _is_tiled(found: Membership, row: TreeRow) -> bool:
    """Whether the row is a loop over tiles of the loop that is asked about."""
    return row.size is not None and any(
        given is not None
        and name in found.positions
        and given.partition(TILE_SUFFIX)[0] == found.iterator(name)
        for name, given in row.names
    )
