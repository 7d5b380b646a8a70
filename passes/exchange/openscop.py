"""poly-export-openscop, poly-import-openscop: SCoPs and schedules to Pluto and others and back."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.dialects.poly import ScopOp
from polyopt.dialects.poly_view import read_scop
from polyopt.passes.exchange.described import ONLY_SCHEDULES, described_op, import_description
from polyopt.passes.exchange.exchange_files import (
    chosen_scops,
    file_of,
    files_to_import,
    put,
    read_text,
)
from polyopt.poly.exchange.dates import clan_dates_of
from polyopt.poly.exchange.openscop import OpenScop
from polyopt.poly.exchange.openscop_scop import description_of, openscop_of
from polyopt.poly.exchange.openscop_text import openscop_text, parse_openscop
from polyopt.poly.schedule_tree import UnsupportedTree
from polyopt.support.diagnostics import CompileError, Span
from polyopt.support.record import record

SUFFIX = "scop"


@record
class PolyExportOpenscopPass(ModulePass):
    """Write each SCoP, or the one named `scop`, in the OpenScop format to
    `<function>___<scop>.scop` in the folder `dir` ("-": standard output).

    Dates are as Clan writes them, bodies are the statements' names, as `S0(i, j);`. The module
    is not changed.

        poly-export-openscop{dir=exported}
    """

    name = "poly-export-openscop"

    dir: str = "."
    scop: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for scop in chosen_scops(op, self.scop):
            put(self.dir, file_of(scop, SUFFIX), openscop_text(openscop_of_op(scop)))


@record
class PolyImportOpenscopPass(ModulePass):
    """Give each SCoP the schedule in its OpenScop file: `file`, or that in the folder `dir` under
    the name that poly-export-openscop gives it. `scop` names the only SCoP that is meant.

    The file may be by a tool that read the C text itself: statements go by their order, names of
    arrays and parameters need not be ours. Ensures: the schedule keeps every dependence; a file
    whose domains or accesses are not those of the SCoP is an error.

        poly-import-openscop{scop=kernel_gemm file="gemm.c.scop"}
    """

    name = "poly-import-openscop"

    dir: str = "."
    scop: str | None = None
    file: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        scops = chosen_scops(op, self.scop)
        for scop, file in files_to_import(scops, self.file, self.dir, SUFFIX):
            found = parse_openscop(read_text(file), file)
            labels = statement_labels(scop, found, file)
            import_description(scop, description_of(found, file, labels), file)


def statement_labels(scop: ScopOp, found: OpenScop, file: str) -> list[str]:
    """Names for the statements of the file, which no statement of ours has: whether they are the
    same is asked. CompileError where they are not as many."""
    names = [one.stmt_name.data for one in scop.statements()]
    if len(names) != len(found.statements):
        raise CompileError(
            f"not the SCoP '{scop.scop_name.data}', which has {len(names)} statements: "
            f"here are {len(found.statements)}",
            Span(file, 1),
            ONLY_SCHEDULES,
        )
    return [f"{name}'" for name in names]


def openscop_of_op(op: ScopOp) -> OpenScop:
    scop = read_scop(op)
    domains = {one.name: one.domain for one in scop.statements}
    try:
        dates = clan_dates_of(scop.schedule, domains)
    except UnsupportedTree as error:
        raise CompileError(f"SCoP '{scop.name}' cannot be written as OpenScop: {error}") from None
    iterators = {one.name: one.iterators for one in scop.statements}
    return openscop_of(described_op(op), dates, iterators)
