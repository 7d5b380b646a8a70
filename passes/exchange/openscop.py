"""poly-export-openscop, poly-import-openscop: SCoPs and schedules to Pluto and others and back."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.passes.exchange.described import import_description
from polyopt.passes.exchange.exchange_files import chosen_scops, files_to_import, read_text
from polyopt.passes.exchange.matrix_files import MatrixFormat, description_for, export_matrices
from polyopt.poly.exchange.openscop_text import openscop_text, parse_openscop
from polyopt.support.record import record

OPENSCOP = MatrixFormat("OpenScop", "scop", openscop_text)


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
        export_matrices(op, self.scop, self.dir, OPENSCOP)


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
        for scop, file in files_to_import(scops, self.file, self.dir, OPENSCOP.suffix):
            found = parse_openscop(read_text(file), file)
            import_description(scop, description_for(scop, found, file), file)
