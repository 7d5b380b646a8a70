"""poly-tile-written: tiles of what a nest writes, where its loops do not commute."""

from __future__ import annotations

import islpy as isl
from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp, UnitAttr, i1
from xdsl.ir import Block, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.dialects import team
from polyopt.dialects.poly import FOR_LITTLE, ScopOp
from polyopt.ir.problem import Problem, open_problems_in
from polyopt.passes.storage.size_limit import Request, always_fit, insert_choice, within_limit
from polyopt.poly.analysis.box_extents import box_extents
from polyopt.poly.changes.written_tiles import tile_written
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.schedule_tree import UnsupportedTree, build_schedule, read_tree
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.remarks import remark


@record
class PolyTileWrittenPass(ModulePass):
    """Put tiles of what is written around a nest whose loops do not commute, if all dependences go
    forward from tile to tile (`poly/changes/written_tiles.py`): threads take rows of tiles, a tile
    behind each other. One thread runs the nest without them, for rows in tiles are short; and so
    does whoever has no more than `instances` in the box around it.

    Requires: nothing. Ensures: instances in a tile run in the order they had; a SCoP for which that
    costs more than `operations` of isl's stays as it is. `sizes`: of the tiles, along the first
    subscript and along the second one.

        for i down { for k { for j { m[i, j] = min(m[i, j], m[i, k] + m[k + 1, j]) } } }
      =>
        for i_tile { for j_tile { for i down { for k { for j { … } } } } }
    """

    name = "poly-tile-written"

    sizes: tuple[int, ...] = CORE.threads.written_tiles
    instances: int = CORE.threads.written_instances
    operations: int = 4_000_000

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for problem in list(open_problems_in(op)):
            if problem.is_understood:
                with problem.effort():
                    self._tile(problem)

    def _tile(self, problem: Problem) -> None:
        extents = box_extents(problem.scop)
        if extents is None or always_fit([Request(1, extents)], self.instances):
            return
        tiled = self._tiled(problem)
        if tiled is None:
            return
        as_it_was = problem.scop.schedule
        problem.accept(tiled)
        condition = _is_little(problem.op, extents, self.instances)
        choice = insert_choice(problem.op, condition)
        choice.attributes[FOR_LITTLE] = UnitAttr()
        problem.accept(as_it_was)
        message = f"one thread, or up to {self.instances} instances, run without tiles"
        remark("applied", self.name, message, problem.span)

    def _tiled(self, problem: Problem) -> isl.Schedule | None:
        first, *_, last = self.sizes
        schedule = problem.scop.schedule
        try:
            tree = read_tree(schedule)
            with budget("tiles of what is written", self.operations):
                tiles = tile_written(problem.scop, problem.dependences, tree, (first, last))
        except (BudgetExceeded, UnsupportedTree):
            return None
        if tiles is tree:
            return None
        tiled = build_schedule(schedule.get_domain(), tiles)
        return None if problem.violations(tiled) else tiled


def _is_little(op: ScopOp, extents: tuple[isl.Aff, ...], instances: int) -> SSAValue:
    """Whether there are few instances or one thread; who has few does not ask for threads."""
    is_small = within_limit(op, [Request(1, extents)], instances)
    true = arith.ConstantOp(IntegerAttr(1, i1))
    available = team.AvailableOp()
    two = arith.ConstantOp(IntegerAttr(2, IndexType()))
    is_alone = arith.CmpiOp(available.count, two.result, "slt")
    small = Block([true, scf.YieldOp(true.result)])
    large = Block([available, two, is_alone, scf.YieldOp(is_alone.result)])
    choice = scf.IfOp(is_small, [i1], Region(small), Region(large))
    for one in choice.walk():
        one.location = op.location
    Rewriter.insert_op(choice, InsertPoint.before(op))
    return choice.results[0]
