"""`-t polyopt-llvm`, `polyopt-asm`, `polyopt-obj`: what the back end makes, from polyopt-opt and
xdsl-opt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from polyopt.backend.compiled.codegen import emit_assembly, emit_llvm_ir, emit_object
from polyopt.backend.processors.options import BackendOptions


@dataclass(frozen=True)
class _NativeTarget(Target):
    """Requires: only `func`, `cf`, `scf`, `arith`, `math`, `memref`, `cmem`, `vector`, `ub`, and
    of `affine` nothing but `apply` and `min`."""

    opt_level: int | None = None
    march: str = ""
    prefer_vector_width: int | None = None
    pic: bool = False

    def options(self, default_level: int) -> BackendOptions:
        return BackendOptions(
            opt_level=default_level if self.opt_level is None else self.opt_level,
            march=self.march,
            prefer_vector_width=self.prefer_vector_width,
            pic=self.pic,
        )


@dataclass(frozen=True)
class LLVMTarget(_NativeTarget):
    """LLVM IR as handed to LLVM or, where an `opt_level` is given, as LLVM optimised it.

    `llvm_version`: in the form that this version of LLVM reads, of what is not optimised yet."""

    name = "polyopt-llvm"
    llvm_version: int | None = None

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        options = replace(self.options(0), llvm_version=self.llvm_version)
        output.write(emit_llvm_ir(module, options, optimised=self.opt_level is not None))


@dataclass(frozen=True)
class AssemblyTarget(_NativeTarget):
    """Assembly for GNU as, optimised by LLVM (`opt_level`: 3)."""

    name = "polyopt-asm"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(emit_assembly(module, self.options(3)))


@dataclass(frozen=True)
class ObjectTarget(_NativeTarget):
    """An ELF object file, optimised by LLVM (`opt_level`: 3): its bytes, each as the character of
    that number, which `polyopt-opt -o FILE` writes as they are."""

    name = "polyopt-obj"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(emit_object(module, self.options(3)).decode("latin-1"))
