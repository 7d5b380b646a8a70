"""poly-check: does each SCoP's schedule keep the dependences of its source?"""

from __future__ import annotations

from dataclasses import replace

import islpy as isl
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.ir.problem import Problem, problems_in
from polyopt.poly.dependences import compute_dependences
from polyopt.poly.isl.budget import BudgetExceeded
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record


@record
class PolyCheckPass(ModulePass):
    """Check each schedule against the order of the source, which a rescheduled SCoP keeps in
    `poly.source_schedule`: for modules that were edited by hand.

    Ensures: every dependence of the source is kept, or an error that names one that is not, an
    example of it and the two statements with their source lines. The module is not changed.
    """

    name = "poly-check"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for problem in problems_in(op):
            source = problem.scop.with_schedule(problem.source_schedule)
            with problem.effort():
                try:
                    dependences = compute_dependences(source, reassociate=True)
                except BudgetExceeded:
                    message = "the dependences of this SCoP cost too much"
                    raise CompileError(message, problem.span) from None
                check_or_refuse(replace(problem, dependences=dependences), problem.scop.schedule)


def check_or_refuse(problem: Problem, schedule: isl.Schedule) -> None:
    """Raise CompileError with every dependence that `schedule` does not keep."""
    violations = problem.violations(schedule)
    if violations:
        described = "".join(f"\n  {violation}" for violation in violations)
        raise CompileError(
            f"illegal schedule for SCoP {problem.scop.name!r}:{described}", problem.span
        )
