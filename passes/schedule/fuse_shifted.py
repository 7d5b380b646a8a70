"""poly-fuse-shifted: sweeps over the same big data share a loop, the later ones some rows late."""

from __future__ import annotations

from functools import partial

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.ir.problem import Problem, open_problems_in
from polyopt.passes.schedule.tree_changes import change_tree
from polyopt.poly.changes.shifted_nests import fuse_shifted
from polyopt.poly.schedule_tree import Tree
from polyopt.support.record import record
from polyopt.support.remarks import remark
from polyopt.support.target import Target


@record
class PolyFuseShiftedPass(ModulePass):
    """Neighbours that sweep over the same big data, but for dependences on rows to come, become one
    nest, shifted along the outermost loop as little as that asks for
    (`poly/changes/shifted_nests.py`). Big is what no cache holds that holds the rows between, or
    `bytes` or more.

    Requires: nothing. Ensures: the new schedule keeps every dependence, which is checked; a SCoP
    for which that costs more than `operations` of isl's stays as it is.

        for i { for j { S(i, j) } }    for i { for j { T(i, j) } }      T(i, j) after S(i + 1, j)
      =>
        for t { for j { S(t, j) }  for j { T(t - 1, j) } }
    """

    name = "poly-fuse-shifted"

    march: str = "native"
    bytes: int = 0
    operations: int = 4_000_000

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = Target.named(self.march)
        for problem in open_problems_in(op):
            if len(problem.scop.statements) > 1 and problem.is_understood:
                with problem.effort():
                    self._change(problem, target)

    def _change(self, problem: Problem, target: Target) -> None:
        if change_tree(problem, partial(self._fuse, problem, target), self.operations):
            message = "sweeps over the same big data share a loop, the later ones some rows late"
            remark("applied", self.name, message, problem.span)

    def _fuse(self, problem: Problem, target: Target, tree: Tree) -> Tree:
        validity = problem.dependences.validity
        return fuse_shifted(problem.scop, tree, validity, target, self.bytes)
