"""poly-keep-batches: many small recurrences side by side keep the order of the source."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.passes import ModulePass

from polyopt.dialects.poly import BATCH, ScopOp
from polyopt.dialects.poly_view import read_scop
from polyopt.ir.problem import Problem, effort_around, open_scops_in, read_problem
from polyopt.poly.changes.batches import has_small_problems, is_batch
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.schedule_tree import UnsupportedTree, read_tree
from polyopt.support.record import record
from polyopt.support.remarks import remark

_OPERATIONS = 200_000


@record
class PolyKeepBatchesPass(ModulePass):
    """Where one loop is around small problems of known size that know nothing of each other, and
    each of which waits for itself, the order of the source stays, for `affine-batches`, which runs
    as many of them at once as a vector has lanes.

    Requires: schedules are the source's. Ensures: no schedule is changed; such SCoPs are marked
    `poly.batch`, and no pass chooses another order for them.

        poly.scop … schedule <"b, k, i, j">     =>     poly.scop … {poly.batch}
    """

    name = "poly-keep-batches"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for one in list(open_scops_in(op)):
            if _has_small_problems(one):
                problem = read_problem(one)
                if problem.is_understood and _is_batch(problem):
                    one.attributes[BATCH] = UnitAttr()
                    message = "small problems side by side keep the order of the source"
                    remark("applied", self.name, message, problem.span)


def _has_small_problems(op: ScopOp) -> bool:
    scop = read_scop(op)
    try:
        tree = read_tree(scop.schedule)
        with effort_around(op), budget("batches", _OPERATIONS):
            return has_small_problems(scop, tree)
    except (UnsupportedTree, BudgetExceeded):
        return False


def _is_batch(problem: Problem) -> bool:
    try:
        with problem.effort(), budget("batches", _OPERATIONS):
            return is_batch(problem.scop, problem.dependences)
    except BudgetExceeded:
        return False
