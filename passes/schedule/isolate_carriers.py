"""poly-isolate-carriers: innermost loops are cut where that leaves parts which carry nothing."""

from __future__ import annotations

from functools import partial

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.ir.problem import Problem, open_problems_in
from polyopt.passes.schedule.tree_changes import change_tree
from polyopt.poly.changes.carriers import isolate_carriers
from polyopt.poly.schedule_tree import Tree
from polyopt.support.record import record


@record
class PolyIsolateCarriersPass(ModulePass):
    """Split an innermost loop where all that it carries begins or ends in one of its iterations, or
    leads from a first part of them to the others (`poly/changes/carriers.py`); with `threads`, an
    outer one too, if no loop around is parallel.

    Requires: nothing. Ensures: instances run in the same order; a SCoP for which that costs more
    than `operations` of isl's stays as it is.

        for j { S(j) }      =>      for j < k { S(j) }  S(k)  for j > k { S(j) }
    """

    name = "poly-isolate-carriers"

    operations: int = 4_000_000
    threads: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for problem in open_problems_in(op):
            if problem.is_understood:
                with problem.effort():
                    change_tree(problem, partial(_cut, problem, self.threads), self.operations)


def _cut(problem: Problem, for_threads: bool, tree: Tree) -> Tree:
    scop, dependences = problem.scop, problem.dependences
    return isolate_carriers(scop, dependences, tree, for_threads=for_threads)
