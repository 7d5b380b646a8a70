"""poly-isolate-carriers: innermost loops lose the one iteration that keeps them serial."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.ir.problem import Problem, open_problems_in
from polyopt.poly.changes.carriers import isolate_carriers
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.schedule_tree import UnsupportedTree, build_schedule, read_tree
from polyopt.support.record import record
from polyopt.support.remarks import remark


@record
class PolyIsolateCarriersPass(ModulePass):
    """Split an innermost loop where all that it carries begins or ends in one of its iterations
    (`poly/changes/carriers.py`).

    Requires: nothing. Ensures: instances run in the same order; a SCoP for which that costs more
    than `operations` of isl's stays as it is.

        for j { S(j) }      =>      for j < k { S(j) }  S(k)  for j > k { S(j) }
    """

    name = "poly-isolate-carriers"

    operations: int = 4_000_000

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for problem in open_problems_in(op):
            if problem.is_understood:
                self._isolate(problem)

    def _isolate(self, problem: Problem) -> None:
        try:
            tree = read_tree(problem.scop.schedule)
            with budget("index-set splitting", self.operations):
                split = isolate_carriers(problem.scop, problem.dependences, tree)
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
