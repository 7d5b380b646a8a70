"""poly-isolate-edges: innermost loops lose the iterations at which subscripts bend."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.ir.problem import Problem, problems_in
from polyopt.poly.changes.edges import isolate_edges, may_have_edges
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.schedule_tree import UnsupportedTree, build_schedule, read_tree
from polyopt.support.record import record
from polyopt.support.remarks import remark


@record
class PolyIsolateEdgesPass(ModulePass):
    """Take the first and last iterations of an innermost loop apart where only in these an access
    is another affine function than elsewhere (`poly/changes/edges.py`), as on a torus.

    Requires: nothing. Ensures: instances run in the same order; a SCoP for which that costs more
    than `operations` of isl's stays as it is.

        for x { S(A[x == 0 ? n - 1 : x - 1]) }    =>    S(A[n - 1])  for x > 0 { S(A[x - 1]) }
    """

    name = "poly-isolate-edges"

    operations: int = 4_000_000

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for problem in problems_in(op):
            if problem.is_understood and may_have_edges(problem.scop):
                self._isolate(problem)

    def _isolate(self, problem: Problem) -> None:
        try:
            tree = read_tree(problem.scop.schedule)
            with budget("index-set splitting", self.operations):
                split = isolate_edges(problem.scop, tree)
        except BudgetExceeded:
            remark("missed", "split-budget", "splitting loops costs too much", problem.span)
            return
        except UnsupportedTree as error:
            remark("missed", "split-unsupported", f"not split: {error}", problem.span)
            return
        if split is tree:
            return
        schedule = build_schedule(problem.scop.schedule.get_domain(), split)
        violations = problem.violations(schedule)
        if violations:
            remark("missed", "illegal-schedule", f"not split: {violations[0]}", problem.span)
            return
        problem.accept(schedule)
