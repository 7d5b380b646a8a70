"""poly-export-jscop, poly-import-jscop: SCoPs and schedules to Polly and back."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.passes.exchange.described import described_op, import_description, of_same_loops
from polyopt.passes.exchange.exchange_files import (
    chosen_scops,
    file_of,
    files_to_import,
    put,
    read_text,
)
from polyopt.poly.exchange.adoption import with_schedule
from polyopt.poly.exchange.jscop import jscop_text, parse_jscop
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record


def _suffix(postfix: str) -> str:
    return f"jscop.{postfix}" if postfix else "jscop"


@record
class PolyExportJscopPass(ModulePass):
    """Write each SCoP, or the one named `scop`, as Polly writes it: `<function>___<scop>.jscop`
    in the folder `dir` ("-": standard output), with `.<postfix>` behind it.

    `like` is a file that Polly exported of the same loops. Then the file gets Polly's names for
    everything, so that Polly imports the schedule; it is named as the other one is.
    The module is not changed.

        poly-export-jscop{scop=kernel_gemm like="kernel_gemm___%4---%32.jscop" postfix=ours}
    """

    name = "poly-export-jscop"

    dir: str = "."
    postfix: str = ""
    scop: str | None = None
    like: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        scops = chosen_scops(op, self.scop)
        if self.like is not None and len(scops) != 1:
            raise CompileError(
                f"{self.name}: like={self.like} is about one SCoP, there are {len(scops)}",
                hint="choose one with scop=NAME",
            )
        for scop in scops:
            jscop, name = described_op(scop), file_of(scop, _suffix(self.postfix))
            if self.like is not None:
                model = parse_jscop(read_text(self.like), self.like)
                renamed = partial(with_schedule, model, scheduled=jscop)
                jscop = of_same_loops(self.like, renamed, scop)
                name = Path(self.like).name + (f".{self.postfix}" if self.postfix else "")
            put(self.dir, name, jscop_text(jscop))


@record
class PolyImportJscopPass(ModulePass):
    """Give each SCoP the schedule in its JSCoP file: `file`, or that in the folder `dir` under
    the name that poly-export-jscop gives it. `scop` names the only SCoP that is meant.

    A file by Polly, with Polly's names, does where its statements are ours. In a file with our
    names accesses may go to other elements, and to new arrays, which are allocated in front of the
    SCoP: sizes are numbers, or "*" for as large as need be. Ensures: the schedule keeps every
    dependence; where accesses were changed, every read gets its value from the same write as
    before, in the file's order, and memory is left as before; anything else is an error.

        poly-import-jscop{dir=edited}
    """

    name = "poly-import-jscop"

    dir: str = "."
    postfix: str = ""
    scop: str | None = None
    file: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        scops = chosen_scops(op, self.scop)
        for scop, file in files_to_import(scops, self.file, self.dir, _suffix(self.postfix)):
            import_description(scop, parse_jscop(read_text(file), file), file, may_move=True)
