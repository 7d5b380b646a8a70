"""poly-schedule: a scheduler chooses the order of each SCoP's instances."""

from __future__ import annotations

from dataclasses import fields
from typing import Literal

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.ir.problem import Problem, open_problems_in
from polyopt.poly.isl.budget import BudgetExceeded
from polyopt.poly.schedulers.interface import SchedulerOptions
from polyopt.poly.schedulers.names import (
    SCHEDULERS,
    all_schedulers,
    is_scheduler,
    scheduler_named,
)
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record
from polyopt.support.remarks import remark


@record
class PolySchedulePass(ModulePass):
    """Give each `poly.scop` the schedule that `scheduler` finds.

    The options are those of `SchedulerOptions`. Requires: nothing. Ensures: the new schedule
    keeps every dependence, which is checked; a schedule that does not, or that costs more than
    its budget, is dropped and the SCoP keeps the one it had.

        schedule <"[{ S[i, j] -> [(j)] }, { S[i, j] -> [(i)] }]">      // columns of A[i][j]
      =>
        schedule <"[{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]">
    """

    name = "poly-schedule"

    scheduler: str = "isl"
    algorithm: Literal["isl", "feautrier"] = "isl"
    fuse: Literal["max", "min"] = "max"
    proximity: Literal["raw", "raw+rar", "all", "none"] = "raw"
    maximize_band_depth: bool = True
    maximize_coincidence: bool = False
    outer_coincidence: bool = False
    max_coefficient: int = 20
    max_constant_term: int = 20
    carry_self_first: bool = True
    separate_components: bool = True
    split_scaled: bool = True
    treat_coalescing: bool = True
    whole_component: bool = False
    operations: int = 20_000_000
    tile: bool = True
    tile_sizes: tuple[int, ...] = ()
    tile_model: str = "lines"
    contractions: bool = True
    matrix: str = "auto"
    march: str = "native"
    outer_tile: int = 1
    permute: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not is_scheduler(self.scheduler):
            known = ", ".join(all_schedulers())
            raise CompileError(
                f"{self.name}: unknown scheduler {self.scheduler!r}", hint=f"one of {known}"
            )
        for problem in open_problems_in(op):
            with problem.effort():
                self._schedule(problem)

    def _schedule(self, problem: Problem) -> None:
        if not problem.is_understood:
            remark("missed", "dependence-budget", "dependences cost too much", problem.span)
            return
        scheduler = scheduler_named(self.scheduler)
        options = SchedulerOptions(
            **{field.name: getattr(self, field.name) for field in fields(SchedulerOptions)}
        )
        try:
            schedule = scheduler(problem.scop, problem.dependences, options)
        except BudgetExceeded:
            remark("missed", "schedule-budget", "scheduling costs too much", problem.span)
            return
        except CompileError:
            raise
        except Exception as error:
            if self.scheduler in SCHEDULERS:
                raise
            raise CompileError(
                f"the scheduler '{self.scheduler}' fails: {type(error).__name__}: {error}",
                problem.span,
                hint="it is a plug-in, no part of polyopt",
            ) from error
        violations = problem.violations(schedule)
        if violations:
            remark("missed", "illegal-schedule", f"schedule refused: {violations[0]}", problem.span)
            return
        problem.accept(schedule)
