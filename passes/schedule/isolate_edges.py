"""poly-isolate-edges: innermost loops lose the iterations at which subscripts bend."""

from __future__ import annotations

from functools import partial

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.ir.problem import Problem, open_problems_in
from polyopt.passes.schedule.tree_changes import change_tree
from polyopt.poly.changes.edges import isolate_edges, may_have_edges
from polyopt.poly.schedule_tree import Tree
from polyopt.support.record import record


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
        for problem in open_problems_in(op):
            if may_have_edges(problem.scop) and problem.is_understood:
                with problem.effort():
                    change_tree(problem, partial(_cut, problem), self.operations)


def _cut(problem: Problem, tree: Tree) -> Tree:
    return isolate_edges(problem.scop, tree)
