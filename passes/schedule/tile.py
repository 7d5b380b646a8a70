"""poly-tile: blocks of iterations that touch little memory run together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.ir.problem import Problem, problems_in
from polyopt.poly.analysis.permutability import Place
from polyopt.poly.changes.skewing import along_wavefronts, lean_both_ways, skew_for_tiling
from polyopt.poly.schedule_tree import Band, Member, UnsupportedTree, build_schedule, read_tree
from polyopt.poly.transform.tiling import DEFAULT_SIZE, tile_bands, tile_over
from polyopt.support.diagnostics import CompileError
from polyopt.support.remarks import remark


@dataclass(frozen=True)
class PolyTilePass(ModulePass):
    """Tile every outermost permutable band of two or more members.

    `sizes` are those of a band's members, outermost first, the last one for all further members;
    a size of 1 leaves a member untiled. `points` orders the instances inside a tile: as the
    "source" does, or as the "band" does. `skew`: nests that are not permutable are tiled along
    skewed functions; the loops inside the tiles are not skewed. `shape`: "diamond" tiles lean both
    ways in time, the outermost member, and run wavefront by wavefront, the tiles of one at the
    same time if one likes; where that is not possible they lean one way only. Ensures: the tiled
    schedule keeps every dependence, which is checked; else the SCoP keeps the schedule it had.

        for i, for j          =>    for i step 32, for j step 32, for i in tile, for j in tile
    """

    name = "poly-tile"

    sizes: tuple[int, ...] = (DEFAULT_SIZE,)
    points: Literal["source", "band"] = "band"
    skew: bool = False
    shape: Literal["parallelogram", "diamond"] = "parallelogram"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not self.sizes or any(size < 1 for size in self.sizes):
            raise CompileError(f"{self.name}: sizes are positive integers, got {self.sizes}")
        for problem in problems_in(op):
            self._tile(problem)

    def _choose(self, band: Band, outer: Sequence[Member]) -> tuple[int, ...]:
        last = self.sizes[-1]
        return tuple(
            self.sizes[k] if k < len(self.sizes) else last for k in range(len(band.members))
        )

    def _tile(self, problem: Problem) -> None:
        schedule = problem.scop.schedule
        try:
            tree = read_tree(schedule)
            points = read_tree(problem.source_schedule) if self.points == "source" else None
        except UnsupportedTree as error:
            remark("missed", "tile-unsupported", f"not tiled: {error}", problem.span)
            return
        place = Place((), problem.dependences.validity)
        if self.skew or self.shape == "diamond":
            leaning = skew_for_tiling(tree, place) if self.skew else tree
            if self.shape == "diamond":
                leaning = lean_both_ways(leaning, place)
            tiles = tile_over(leaning, points or tree, self._choose) or tree
            tree = along_wavefronts(tiles, place) if self.shape == "diamond" else tiles
        else:
            tree = tile_bands(tree, self._choose, points=points)
        tiled = build_schedule(schedule.get_domain(), tree)
        violations = problem.violations(tiled)
        if violations:
            remark("missed", "illegal-schedule", f"tiling refused: {violations[0]}", problem.span)
            return
        problem.accept(tiled)
