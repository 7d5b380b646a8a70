"""Whether LLVM's assembler knows the instructions of a module's `cmem.instructions`.

Where it does not, LLVM says so and ends the process. So a child tries first, with a function for
each text; what it says becomes the error of the operation that has the text.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from polyopt.backend.emit.globals import between_quotes
from polyopt.dialects import cmem
from polyopt.dialects.locations import nearest_span
from polyopt.support.diagnostics import CompileError

if TYPE_CHECKING:
    from llvmlite.binding import TargetMachine


def check_instructions(module: ModuleOp, machine: TargetMachine) -> None:
    """A `CompileError` at the first operation whose text cannot be assembled for the machine."""
    found = {
        op.text.data: op
        for function in module.ops
        if isinstance(function, FuncOp)
        for op in function.walk()
        if isinstance(op, cmem.InstructionsOp)
    }
    if not found or _complaint(list(found), machine) is None:
        return
    for text, op in found.items():
        complaint = _complaint([text], machine)
        if complaint is not None:
            raise CompileError(f"in assembly: {complaint}", nearest_span(op))


def _complaint(texts: list[str], machine: TargetMachine) -> str | None:
    """What LLVM says of the first text that it does not know."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(writing, 2)
        status = 1
        try:
            _assemble(texts, machine)
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


def _assemble(texts: list[str], machine: TargetMachine) -> None:
    import llvmlite.binding as llvm

    lines = [
        f'define void @f{number}() {{\n call void asm sideeffect "{between_quotes(text.encode())}"'
        ', ""()\n ret void\n}'
        for number, text in enumerate(texts)
    ]
    machine.emit_object(llvm.parse_assembly("\n".join(lines)))
