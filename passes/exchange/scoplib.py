"""poly-export-scoplib, poly-import-scoplib: SCoPs and schedules to older tools and back."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.passes.exchange.described import import_description
from polyopt.passes.exchange.exchange_files import chosen_scops, files_to_import, read_text
from polyopt.passes.exchange.matrix_files import MatrixFormat, description_for, export_matrices
from polyopt.poly.exchange.scoplib_text import parse_scoplib, scalars_of, scoplib_text
from polyopt.support.record import record

SCOPLIB = MatrixFormat("ScopLib", "scoplib", scoplib_text)


@record
class PolyExportScoplibPass(ModulePass):
    """Write each SCoP, or the one named `scop`, in the ScopLib format to
    `<function>___<scop>.scoplib` in the folder `dir` ("-": standard output).

    Dates are as Clan writes them. A SCoP that ScopLib cannot say, in which an iterator goes in
    steps for one, is an error. The module is not changed.

        poly-export-scoplib{dir=exported}
    """

    name = "poly-export-scoplib"

    dir: str = "."
    scop: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        export_matrices(op, self.scop, self.dir, SCOPLIB)


@record
class PolyImportScoplibPass(ModulePass):
    """Give each SCoP the schedule in its ScopLib file: `file`, or that in the folder `dir` under
    the name that poly-export-scoplib gives it. `scop` names the only SCoP that is meant.

    Statements go by their order, names of arrays and parameters need not be ours. Ensures: the
    schedule keeps every dependence; a file whose domains or accesses are not those of the SCoP is
    an error.

        poly-import-scoplib{scop=kernel_gemm file="gemm.c.scop"}
    """

    name = "poly-import-scoplib"

    dir: str = "."
    scop: str | None = None
    file: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        scops = chosen_scops(op, self.scop)
        for scop, file in files_to_import(scops, self.file, self.dir, SCOPLIB.suffix):
            found = parse_scoplib(read_text(file), file)
            theirs = scalars_of(description_for(scop, found, file))
            import_description(scop, theirs, file, as_theirs=scalars_of)
