"""poly-tile: blocks of iterations that touch little memory run together."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import Literal

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.ir.problem import Problem, open_problems_in, read_problem
from polyopt.passes.schedule.apply_steps import scop_of
from polyopt.passes.schedule.partition_tiles import OPERATIONS, tile_problem
from polyopt.poly.analysis.permutability import TreePosition
from polyopt.poly.analysis.strides import AccessMatrices
from polyopt.poly.changes.skewing import (
    along_wavefronts,
    is_skewed,
    lean_both_ways,
    skew_for_tiling,
)
from polyopt.poly.cost.locality import serial_statements
from polyopt.poly.cost.tile_sizes import TileSizeModel
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.scanning.tile_functions import Tiles
from polyopt.poly.schedule_tree import (
    Band,
    Member,
    Tree,
    UnsupportedTree,
    build_schedule,
    read_tree,
    restrict,
)
from polyopt.poly.transform.partition import Inside
from polyopt.poly.transform.places import CannotTransform
from polyopt.poly.transform.script import parse_script
from polyopt.poly.transform.shapes import hexagon_tiles, hyperplane_tiles, lattice_tiles
from polyopt.poly.transform.tiling import DEFAULT_SIZE, SizeChoice, tile_bands, tile_over
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record
from polyopt.support.remarks import remark
from polyopt.support.target import Target

_PARTITION = ("basis", "full")
_READ: dict[str, tuple[str, ...]] = {
    "hexagon": (*_PARTITION, "dual"),
    "hyperplanes": (*_PARTITION, "normals", "spacing", "offset"),
    "lattice": (*_PARTITION, "generators", "within", "offset", "dual"),
}
_OPTIONS = sorted({name for names in _READ.values() for name in names})
"""Which options the shapes read that are partitions of space."""


@record
class PolyTilePass(ModulePass):
    """Tile every outermost permutable band of two or more members.

    `sizes` are those of a band's members, outermost first, the last one for all further members;
    a size of 1 leaves a member untiled. `points` orders the instances inside a tile: as the
    "source" does, or as the "band" does. `skew`: nests that are not permutable are tiled along
    skewed functions; the loops inside the tiles are not skewed; where they had to be, `skewed_by`
    is the outermost size, if it is given. `wavefront`: tiles of which no loop is parallel run
    wavefront by wavefront. `shape`: "diamond" tiles lean both
    ways in time, the outermost member, and run wavefront by wavefront, the tiles of one at the
    same time if one likes; where that is not possible they lean one way only. `pays`: only bands
    that the model of tile sizes would tile on `march`, whichever sizes they get. Ensures: the tiled
    schedule keeps every dependence, which is checked; else the SCoP keeps the schedule it had.

        for i, for j          =>    for i step 32, for j step 32, for i in tile, for j in tile

    Other shapes are partitions of space, of each nest with as many loops as they have dimensions:

        "hexagon"       `sizes` are height and width: twice the height along the inner loop, sides
                        along both diagonals
        "hyperplanes"   `normals`: the factors of one family's, then of the next; `spacing` of each;
                        fewer families than loops leave stripes
        "lattice"       `generators`: one vector, then the next, `dimensions` of them; the tile is
                        the cell that they span, or the points of `within`: isl's condition over
                        x0, x1, …

    `offset` moves them: a side at h x >= 1 instead of h x >= 0 is a strict one. The tiles run in
    the order of their numbers, or in another one where a dependence forbids that. `basis`: the
    points of a tile run by these rows of factors of the loops; `full`: full tiles have loops of
    their own; `dual`: the places in a tile outside, inside of them the loops over tiles.

    `scop`: one SCoP only, as scripts address it; what cannot be tiled there is an error, which
    names the dependence that forbids it. Else that is a remark.
    """

    name = "poly-tile"

    sizes: tuple[int, ...] = (DEFAULT_SIZE,)
    points: Literal["source", "band"] = "band"
    skew: bool = False
    skewed_by: int = 0
    wavefront: bool = False
    pays: bool = False
    march: str = "native"
    shape: Literal["parallelogram", "diamond", "hexagon", "lattice", "hyperplanes"] = (
        "parallelogram"
    )
    generators: tuple[int, ...] = ()
    normals: tuple[int, ...] = ()
    spacing: tuple[int, ...] = ()
    within: str | None = None
    offset: tuple[int, ...] = ()
    basis: tuple[int, ...] = ()
    full: bool = False
    dual: bool = False
    scop: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not self.sizes or any(size < 1 for size in self.sizes):
            raise CompileError(f"{self.name}: sizes are positive integers, got {self.sizes}")
        self._refuse_unread()
        tiles = self._partition()
        for problem in self._problems(op):
            try:
                with problem.effort():
                    if tiles is None:
                        self._tile(problem)
                    else:
                        tile_problem(problem, tiles, self._inside(tiles.dimensions))
            except CompileError as error:
                if self.scop is not None:
                    raise
                remark("missed", "tile-refused", error.diagnostic.message, error.diagnostic.span)

    def _problems(self, op: ModuleOp) -> list[Problem]:
        if self.scop is None:
            return list(open_problems_in(op))
        name = parse_script(f"scop {self.scop}", f"<{self.name}>").sections[0].scop
        return [read_problem(scop_of(op, name))]

    def _refuse_unread(self) -> None:
        """An option that its shape does not read is a mistake."""
        read = _READ.get(self.shape, ())
        unread = [name for name in _OPTIONS if getattr(self, name) and name not in read]
        if unread:
            raise CompileError(f"{self.name}: {unread[0]} says nothing of shape={self.shape}")

    def _partition(self) -> Tiles | None:
        """The partition that the options describe; None for boxes and what leans from them."""
        try:
            if self.shape == "hexagon":
                return hexagon_tiles(self.sizes[0], self.sizes[-1])
            if self.shape == "hyperplanes":
                loops = len(self.normals) // len(self.spacing) if self.spacing else 0
                if not loops or loops * len(self.spacing) != len(self.normals):
                    raise CannotTransform("as many normals of equal length as spacings")
                return hyperplane_tiles(loops, self.normals, self.spacing, self.offset)
            if self.shape == "lattice":
                names = [f"x{k}" for k in range(isqrt(len(self.generators)))]
                if not names or len(names) ** 2 != len(self.generators):
                    raise CannotTransform("generators are as many vectors as they have numbers")
                return lattice_tiles(names, self.generators, self.within, self.offset)
        except CannotTransform as reason:
            raise CompileError(f"{self.name}: {reason.reason}", None, reason.hint) from None
        return None

    def _inside(self, loops: int) -> Inside:
        if len(self.basis) not in (0, loops**2):
            raise CompileError(f"{self.name}: the basis has {loops} rows of {loops} factors")
        rows = tuple(self.basis[k : k + loops] for k in range(0, len(self.basis), loops))
        return Inside(rows, self.full, self.dual)

    def _choose(self, band: Band, outer: Sequence[Member]) -> tuple[int, ...]:
        last = self.sizes[-1]
        sizes = [self.sizes[k] if k < len(self.sizes) else last for k in range(len(band.members))]
        if self.skewed_by and is_skewed(band):
            sizes[0] = self.skewed_by
        return tuple(sizes)

    def _choices(self, problem: Problem, points: Tree, place: TreePosition) -> SizeChoice:
        if not self.pays:
            return self._choose
        serial = serial_statements(points, place)
        target = Target.named(self.march)
        model = TileSizeModel(AccessMatrices(problem.scop), points, target, serial)

        def choose(band: Band, outer: Sequence[Member]) -> tuple[int, ...] | None:
            return None if model(band, outer) is None else self._choose(band, outer)

        return choose

    def _tile(self, problem: Problem) -> None:
        if not problem.is_understood:
            remark("missed", "dependence-budget", "dependences cost too much", problem.span)
            return
        schedule = problem.scop.schedule
        try:
            tree = read_tree(schedule)
            points = _source_order(problem) if self.points == "source" else None
        except UnsupportedTree as error:
            remark("missed", "tile-unsupported", f"not tiled: {error}", problem.span)
            return
        try:
            with budget("tiles", OPERATIONS):
                tree = self._tiled(problem, tree, points)
        except BudgetExceeded as error:
            remark("missed", "tile-budget", f"not tiled: {error}", problem.span)
            return
        tiled = build_schedule(schedule.get_domain(), tree)
        violations = problem.violations(tiled)
        if violations:
            remark("missed", "illegal-schedule", f"tiling refused: {violations[0]}", problem.span)
            return
        problem.accept(tiled)

    def _tiled(self, problem: Problem, tree: Tree, points: Tree | None) -> Tree:
        """Boxes, or what leans from them. `points`: the order inside, if it is not the tree's."""
        place = TreePosition((), problem.dependences.validity)
        choose = self._choices(problem, points or tree, place)
        if self.skew or self.shape == "diamond":
            leaning = skew_for_tiling(tree, place) if self.skew else tree
            if self.shape == "diamond":
                leaning = lean_both_ways(leaning, place)
            tiled = tile_over(leaning, points or tree, choose) or tree
        else:
            tiled = tile_bands(tree, choose, points=points)
        has_wavefronts = self.wavefront or self.shape == "diamond"
        return along_wavefronts(tiled, place) if has_wavefronts else tiled


def _source_order(problem: Problem) -> Tree:
    """That of the source, for the statements that are there still: some may have gone since."""
    return restrict(read_tree(problem.source_schedule), problem.scop.schedule.get_domain())
