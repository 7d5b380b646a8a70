"""poly-export-cloog: SCoPs as CLooG scans them."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.passes.exchange.matrix_files import MatrixFormat, export_matrices
from polyopt.poly.exchange.cloog_text import cloog_text
from polyopt.support.record import record

CLOOG = MatrixFormat("CLooG", "cloog", cloog_text)


@record
class PolyExportCloogPass(ModulePass):
    """Write each SCoP, or the one named `scop`, as input for CLooG to `<function>___<scop>.cloog`
    in the folder `dir` ("-": standard output): the context, the domains, the schedule as dates.
    The module is not changed.

        poly-export-cloog{dir=exported}
    """

    name = "poly-export-cloog"

    dir: str = "."
    scop: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        export_matrices(op, self.scop, self.dir, CLOOG)
