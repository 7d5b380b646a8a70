"""poly-keep-small: where there is little work, the order of the source."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.passes import ModulePass

from polyopt.dialects.poly import FOR_LITTLE
from polyopt.ir.problem import SOURCE_SCHEDULE, Problem, open_problems_in
from polyopt.passes.storage.size_limit import Request, always_fit, insert_version
from polyopt.poly.analysis.box_extents import box_extents
from polyopt.poly.changes.contractions import CONTRACT
from polyopt.poly.schedule_tree import Tree, UnsupportedTree, bands, marks, read_tree
from polyopt.support.record import record
from polyopt.support.remarks import remark


@record
class PolyKeepSmallPass(ModulePass):
    """Where a SCoP's schedule has contractions inside of loops (panels and updates, batches), its
    blocks cost more than they bring on small problems: up to `instances` instances it runs in the
    order of the source. If parameters decide, the SCoP is there twice, and a test chooses.

    Requires: schedules are final. Ensures: both versions' schedules are legal.

        poly.scop … schedule <"panel; contract">
      =>
        scf.if %little { poly.scop … schedule <"source"> } else { poly.scop … <"panel; contract"> }
    """

    name = "poly-keep-small"

    instances: int = 1 << 18

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for problem in open_problems_in(op):
            with problem.effort():
                if problem.is_understood and _is_blocked(problem):
                    self._keep(problem)

    def _keep(self, problem: Problem) -> None:
        extents = box_extents(problem.scop)
        if extents is None:
            return
        requests = [Request(1, extents)]
        is_small = always_fit(requests, self.instances, problem.scop.known)
        if is_small is False:
            return
        if is_small is None:
            choice = insert_version(problem.op, requests, self.instances)
            choice.attributes[FOR_LITTLE] = UnitAttr()
        problem.accept(problem.source_schedule)
        problem.op.attributes.pop(SOURCE_SCHEDULE, None)
        message = f"up to {self.instances} instances run in the order of the source"
        remark("applied", self.name, message, problem.span)


def _is_blocked(problem: Problem) -> bool:
    try:
        tree = read_tree(problem.scop.schedule)
    except UnsupportedTree:
        return False
    return any(_has_contraction(band.child) for band in bands(tree))


def _has_contraction(tree: Tree) -> bool:
    return CONTRACT in marks(tree)
