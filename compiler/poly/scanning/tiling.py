"""Two loop nests for a tiled iteration set: over its tiles, and over the points of each.

C. Ancourt, F. Irigoin, Scanning polyhedra with DO loops, PPoPP 1991, section 5. The iteration set
and the tiles' membership are one system over the columns

    1, parameters, tiles t, times y, iterators i

Its projection on the tiles bounds the tile loops: a tile that meets the set may still have no
integer point of it, and its point loops are then empty. Asked to be exact, the tiles are the image
of the iterations instead (`image`), at the cost of guards with integer divisions, unless that
image costs too much. The points of a tile are always exact. They run in the order of the iterators,
or of the times y = B i of a non-singular basis B (the hyperplane method inside a tile).

A row of the iteration set is met by all of tile t unless the tile may contain a point that breaks
it: the system {membership, the row's negation} without i. Where all rows are met so, the tile is
full: its point loops have the bounds of the tile's shape and no others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import islpy as isl

from polyopt.poly.isl.budget import BudgetExceeded
from polyopt.poly.isl.names import apart
from polyopt.poly.linear.lattice import Matrix
from polyopt.poly.loops.ast_conversion import LoopFacts
from polyopt.poly.loops.expressions import all_of
from polyopt.poly.loops.iterator_names import iterator_names
from polyopt.poly.loops.loop_tree import Branch, Node
from polyopt.poly.scanning.affine_lattice import Quotient
from polyopt.poly.scanning.echelon import Polyhedron, polyhedra
from polyopt.poly.scanning.image import project_integers
from polyopt.poly.scanning.pieces import Piece
from polyopt.poly.scanning.places import Place
from polyopt.poly.scanning.scanner import Scanner, start
from polyopt.poly.scanning.systems import (
    Row,
    System,
    implies,
    is_empty,
    negation,
    opposite,
    project,
)
from polyopt.poly.scanning.tile_systems import Tiling
from polyopt.poly.scanning.unions import union_loops
from polyopt.poly.schedule_tree import POINT, TILE
from polyopt.support.record import record


@record
class TiledScan:
    """`exact`: no tile without points is visited; `separate_full`: full tiles have loops of their
    own; `basis`: the points of a tile run in the order of `basis i`."""

    exact: bool = False
    separate_full: bool = True
    basis: Matrix = ()


def tile_loops(
    statement: str,
    iterations: isl.Set,
    tiling: Tiling,
    how: TiledScan = TiledScan(),
    known: System = (),
) -> tuple[Node, ...]:
    """The loops over the tiles of `tiling` and over the points of `iterations` in each, where
    `known` holds of the parameters. Raises ValueError if the iterations are not one polyhedron,
    Unbounded if the tiles are not finitely many."""
    parts = polyhedra(iterations.coalesce())
    if not parts:
        return ()
    if len(parts) > 1:
        raise ValueError("the iterations are not one polyhedron")
    (points,) = parts
    return _TileNest(statement, points, tiling, how).loops(known)


def instances_of_tile(iterations: isl.Set, tiling: Tiling, names: tuple[str, ...]) -> isl.Set:
    """The part of `iterations` in one tile, whose coordinates are parameters called `names`: what
    that tile touches is the image of an access restricted to it."""
    columns = apart("i", tiling.dimensions, names)
    one = Polyhedron(names, tiling.dimensions, (), (), tiling.membership)
    condition = one.condition([*names, *columns])
    statement = iterations.get_tuple_name() or ""
    instance = f"{statement}[{', '.join(columns)}]"
    return iterations.intersect(isl.Set(f"[{', '.join(names)}] -> {{ {instance} : {condition} }}"))


@record
class _TileNest:
    statement: str
    points: Polyhedron
    tiling: Tiling
    how: TiledScan

    @property
    def first_tile(self) -> int:
        return len(self.points.parameters) + 1

    @property
    def times(self) -> int:
        """How many columns there are for tiles and times."""
        return self.tiling.tiles + len(self.how.basis)

    def loops(self, known: System) -> tuple[Node, ...]:
        parameters = self.points.parameters
        joint = self._system(_widened(self.points, self.first_tile, self.times))
        partial = Piece(self.statement, joint, self.times)
        bare = replace(self.points, divisions=(), equalities=(), inequalities=())
        shape = self._system(_widened(bare, self.first_tile, self.times))
        full = Piece(self.statement, shape, self.times)
        names = iterator_names(joint.variables, parameters)
        scanner = Scanner(names, lambda pieces, depth, inner: LoopFacts())
        tiles = self._exact_tiles(joint) if self.how.exact else [joint]
        if not tiles:
            return ()
        nest = _Tile(scanner, partial, full, self._full_rows(shape), self.tiling.tiles)
        pieces = [replace(partial, polyhedron=one) for one in tiles]
        if tiles == [joint]:
            return nest.loops(pieces, 0, start(parameters, known))
        marks, place = (TILE,), start(parameters, known)
        return union_loops(scanner, pieces, self.tiling.tiles, marks, place, nest.points)

    def _exact_tiles(self, joint: Polyhedron) -> list[Polyhedron]:
        """Those with points, as polyhedra that may overlap; all that `joint` may have where that
        costs too much. The rows of its rational projection bound each of them."""
        last = len(joint.parameters) + self.tiling.tiles
        try:
            found = list(project_integers(joint, self.tiling.tiles))
        except BudgetExceeded:
            return [joint]
        return [one.restricted(joint.shadow(last)) for one in found]

    def _system(self, widened: Polyhedron) -> Polyhedron:
        """With the tiles' membership and the times' values."""
        width = self.first_tile + self.times
        between = (0,) * len(self.how.basis)
        rows = [
            (
                row[0],
                *(0 for _ in self.points.parameters),
                *row[1 : 1 + self.tiling.tiles],
                *between,
                *row[1 + self.tiling.tiles :],
            )
            for row in self.tiling.membership
        ]
        for k, combination in enumerate(self.how.basis):
            time = [0] * width
            time[self.first_tile + self.tiling.tiles + k] = -1
            row = (*time, *combination)
            rows += [row, opposite(row)]
        return widened.restricted(rows)

    def _full_rows(self, shape: Polyhedron) -> System | None:
        """Rows over parameters and tiles that hold for full tiles only; None if none is full."""
        if not self.how.separate_full or self.points.divisions or self.points.equalities:
            return None
        found = list[Row]()
        last = self.first_tile + self.tiling.tiles - 1
        inner = range(last + 1, self.points.visible + self.times + 1)
        possible = project(shape.rows, inner)
        for row in self.points.inequalities:
            moved = _inserted(row, self.first_tile, self.times)
            broken = project((*shape.rows, negation(moved)), inner)
            told = [one for one in broken if not implies(possible, one)]
            if not told:
                return None
            found.append(negation(told[0]))
        return tuple(found)


@record
class _Tile:
    """`partial` has the points of all tiles, `full` those of a tile where `full_rows` hold; the
    first `tiles` variables are a tile's coordinates."""

    scanner: Scanner
    partial: Piece
    full: Piece
    full_rows: System | None
    tiles: int

    def loops(self, pieces: Sequence[Piece], depth: int, place: Place) -> tuple[Node, ...]:
        if depth == self.tiles:
            return self.points(place)
        return self.scanner.loop(
            pieces, depth, (TILE,), place, lambda inner: self.loops(pieces, depth + 1, inner)
        )

    def points(self, place: Place) -> tuple[Node, ...]:
        depth = self.tiles
        partial = self.scanner.leaf(self.partial, depth, place, (POINT,))
        if self.full_rows is None or is_empty((*place.rows, *self.full_rows)):
            return partial
        needed = [row for row in self.full_rows if not implies(place.rows, row)]
        full = self.scanner.leaf(self.full, depth, place.with_rows(needed), (POINT,))
        if not needed or full == partial:
            return full
        return (Branch(all_of(*place.conditions(needed)), full, partial),)


def _widened(value: Polyhedron, at: int, count: int) -> Polyhedron:
    """With `count` further variables from column `at` on, which nothing speaks of."""
    return replace(
        value,
        variables=value.variables + count,
        divisions=tuple(
            Quotient(_inserted(one.row, at, count), one.divisor) for one in value.divisions
        ),
        equalities=tuple(_inserted(row, at, count) for row in value.equalities),
        inequalities=tuple(_inserted(row, at, count) for row in value.inequalities),
    )


def _inserted(row: Row, at: int, count: int) -> Row:
    return (*row[:at], *(0 for _ in range(count)), *row[at:])
