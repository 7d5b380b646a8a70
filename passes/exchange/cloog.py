"""poly-export-cloog: SCoPs as CLooG scans them."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.passes.exchange.exchange_files import chosen_scops, file_of, put
from polyopt.passes.exchange.openscop import openscop_of_op
from polyopt.poly.exchange.cloog_text import cloog_text
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record

SUFFIX = "cloog"


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
        for scop in chosen_scops(op, self.scop):
            try:
                text = cloog_text(openscop_of_op(scop))
            except ValueError as reason:
                name = scop.scop_name.data
                raise CompileError(f"SCoP '{name}' is nothing for CLooG: {reason}") from None
            put(self.dir, file_of(scop, SUFFIX), text)
