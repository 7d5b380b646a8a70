"""`-t polyopt-llvm`: LLVM IR from polyopt-opt and xdsl-opt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from polyopt.backend.codegen import emit_llvm_ir
from polyopt.backend.options import BackendOptions


@dataclass(frozen=True)
class LLVMTarget(Target):
    """LLVM IR as handed to LLVM or, where an `opt_level` is given, as LLVM optimised it.

    Requires: only `func`, `cf`, `scf`, `arith`, `math`, `memref`, `cmem`, `vector`, `ub`.
    """

    name = "polyopt-llvm"
    opt_level: int | None = None
    march: str = ""
    prefer_vector_width: int | None = None
    pic: bool = False

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        options = BackendOptions(
            opt_level=self.opt_level or 0,
            march=self.march,
            prefer_vector_width=self.prefer_vector_width,
            pic=self.pic,
        )
        output.write(emit_llvm_ir(module, options, optimised=self.opt_level is not None))
