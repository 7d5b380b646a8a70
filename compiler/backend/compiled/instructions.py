"""Whether LLVM's assembler knows the instructions of a module's `cmem.instructions`.

Where it does not, LLVM says so and ends the process. So a child tries first, with a function for
each text; what it says becomes the error of the operation that has the text.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from polyopt.backend.emit.globals import between_quotes
from polyopt.dialects import cmem
from polyopt.dialects.locations import nearest_span
from polyopt.support.diagnostics import CompileError

if TYPE_CHECKING:
    from llvmlite.binding import ModuleRef, TargetMachine


def check_instructions(module: ModuleOp, machine: TargetMachine) -> None:
    """A `CompileError` at the first operation whose text cannot be assembled for the machine."""
    found = {
        op.text.data: op
        for function in module.ops
        if isinstance(function, FuncOp)
        for op in function.walk()
        if isinstance(op, cmem.InstructionsOp)
    }
    if not found or _complaint(_functions(found), machine) is None:
        return
    for text, op in found.items():
        complaint = _complaint(_functions([text]), machine)
        if complaint is not None:
            raise CompileError(f"in assembly: {complaint}", nearest_span(op))


def check_outside(module: ModuleOp, built: ModuleRef, machine: TargetMachine) -> None:
    """The same for what stands outside of functions, and may be about all that is in the module;
    in which of several it is wrong is not known."""
    if cmem.assembly_of(module) and (complaint := _complaint(str(built), machine)) is not None:
        raise CompileError(f"in assembly outside of functions: {complaint}")


def _functions(texts: Iterable[str]) -> str:
    lines = [
        f'define void @f{number}() {{\n call void asm sideeffect "{between_quotes(text.encode())}"'
        ', ""()\n ret void\n}'
        for number, text in enumerate(texts)
    ]
    return "\n".join(lines)


def _complaint(module: str, machine: TargetMachine) -> str | None:
    """What LLVM says of the first text in the module that it cannot assemble."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(writing, 2)
        status = 1
        try:
            import llvmlite.binding as llvm

            machine.emit_object(llvm.parse_assembly(module))
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    with open(reading, "rb") as stream:
        said = stream.read().decode(errors="replace")
    _, status = os.waitpid(child, 0)
    if status == 0:
        return None
    line = re.search(r"error: (?:<inline asm>:\d+:\d+: )?(?:error: )?(.*)", said)
    return line[1] if line else "LLVM cannot assemble it"
