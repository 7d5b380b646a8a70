"""poly-expose-contractions: products of matrices, and what contains them, get their own loops."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.ir.problem import Problem, open_problems_in
from polyopt.poly.changes.contractions import ContractionOptions, expose_contractions
from polyopt.poly.schedule_tree import UnsupportedTree, build_schedule, read_tree
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record
from polyopt.support.remarks import remark


@record
class PolyExposeContractionsPass(ModulePass):
    """Cut the schedule so that every contraction (`poly/changes/contractions.py`) stands by itself,
    for `affine-contract` to find. `block`: the steps of a panel where a factorisation is cut into
    panels and updates.

    Requires: nothing. Ensures: the new schedule keeps every dependence, which is checked; else
    the SCoP keeps the one it had. What is no contraction keeps its order.

        for i, for j { S; for k { T } }      =>     for i, for j { S }  for i, for j, for k { T }
    """

    name = "poly-expose-contractions"

    block: int = 64

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.block < 1:
            raise CompileError(f"{self.name}: block is a positive integer, got {self.block}")
        for problem in open_problems_in(op):
            with problem.effort():
                self._expose(problem)

    def _expose(self, problem: Problem) -> None:
        schedule = problem.scop.schedule
        try:
            tree = read_tree(schedule)
        except UnsupportedTree:
            return
        options = ContractionOptions(self.block)
        exposed = expose_contractions(problem.scop, problem.dependences, tree, options)
        if exposed is tree:
            return
        cut = build_schedule(schedule.get_domain(), exposed)
        violations = problem.violations(cut)
        if violations:
            remark("missed", "illegal-schedule", f"not cut: {violations[0]}", problem.span)
            return
        problem.accept(cut)
