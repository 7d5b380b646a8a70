"""poly-import-schedule: a schedule from outside, checked before it is believed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.dialects.poly import ScheduleAttr
from polyopt.passes.schedule.check import check_or_refuse
from polyopt.passes.schedule.problem import Problem, problems_in
from polyopt.support.diagnostics import CompileError


@dataclass(frozen=True)
class PolyImportSchedulePass(ModulePass):
    """Give a SCoP the schedule tree that `schedule` is, or the file `file` holds, as isl writes it.

    `scop` names the SCoP; without it there must be exactly one. Ensures: the schedule runs every
    instance once and keeps every dependence; any other is an error that names the dependence, an
    example of it and the two statements with their source lines.

        poly-import-schedule{scop="gemm" file="gemm.schedule"}
    """

    name = "poly-import-schedule"

    schedule: str | None = None
    file: str | None = None
    scop: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        problem = self._choose(list(problems_in(op)))
        try:
            schedule = ScheduleAttr.from_text(self._text()).schedule()
        except ValueError as error:
            raise CompileError(f"{self.name}: no schedule tree: {error}") from None
        check_or_refuse(problem, schedule)
        problem.accept(schedule)

    def _choose(self, problems: list[Problem]) -> Problem:
        found = [one for one in problems if self.scop in (None, one.scop.name)]
        if len(found) == 1:
            return found[0]
        names = ", ".join(one.scop.name for one in problems) or "none"
        wanted = "one SCoP" if self.scop is None else f"one SCoP named {self.scop!r}"
        raise CompileError(f"{self.name}: expected {wanted}", hint=f"SCoPs here: {names}")

    def _text(self) -> str:
        if (self.schedule is None) == (self.file is None):
            raise CompileError(f"{self.name}: give either a schedule or a file")
        if self.schedule is not None:
            return self.schedule
        assert self.file is not None
        return Path(self.file).read_text(encoding="utf-8")
