"""poly-export-schedule, poly-import-schedule: schedule trees as isl's text, to edit."""

from __future__ import annotations

import islpy as isl
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.dialects.poly import ScheduleAttr, ScopOp
from polyopt.ir.problem import read_problem
from polyopt.passes.exchange.exchange_files import (
    chosen_scops,
    file_of,
    files_to_import,
    put,
    read_text,
)
from polyopt.passes.exchange.imported import import_tree
from polyopt.poly.exchange.tree_text import parse_schedule, schedule_text
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record

SUFFIX = "schedule"


@record
class PolyExportSchedulePass(ModulePass):
    """Write the schedule tree of each SCoP, or of the one named `scop`, as isl writes it in YAML,
    to `<function>___<scop>.schedule` in the folder `dir` ("-": standard output).

    The module is not changed.

        poly-export-schedule{dir=trees}
    """

    name = "poly-export-schedule"

    dir: str = "."
    scop: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for scop in chosen_scops(op, self.scop):
            put(self.dir, file_of(scop, SUFFIX), schedule_text(scop.schedule.schedule()))


@record
class PolyImportSchedulePass(ModulePass):
    """Give a SCoP the schedule tree that `schedule` is, or the file `file` holds, as isl writes
    it; or each SCoP the one that poly-export-schedule wrote into the folder `dir`.

    `scop` names the SCoP; with a schedule or a file and no name there must be exactly one.
    Ensures: the schedule runs every instance once and keeps every dependence; any other is an
    error that names the dependence, an example of it and the two statements with their source
    lines. Which bands are permutable, and which members parallel, is not believed but found out.

        poly-import-schedule{scop="gemm" file="gemm.schedule"}
    """

    name = "poly-import-schedule"

    schedule: str | None = None
    file: str | None = None
    dir: str | None = None
    scop: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if [self.schedule, self.file, self.dir].count(None) != 2:
            raise CompileError(f"{self.name}: give one of schedule, file and dir")
        scops = chosen_scops(op, self.scop)
        if self.schedule is None:
            for scop, file in files_to_import(scops, self.file, self.dir or ".", SUFFIX):
                parameters = [name.data for name in scop.param_names]
                schedule = parse_schedule(read_text(file), file, parameters)
                _take(scop, schedule)
            return
        if len(scops) != 1:
            names = ", ".join(scop.scop_name.data for scop in scops) or "none"
            raise CompileError(f"{self.name}: which SCoP is meant?", hint=f"SCoPs here: {names}")
        try:
            schedule = ScheduleAttr.from_text(self.schedule).schedule()
        except ValueError as error:
            raise CompileError(f"{self.name}: no schedule tree: {error}") from None
        _take(scops[0], schedule)


def _take(scop: ScopOp, schedule: isl.Schedule) -> None:
    problem = read_problem(scop)
    with problem.effort():
        import_tree(problem, schedule)
