"""What LLVM is told of conditions that a processor cannot predict: it makes selections of such
branches, and no branches of such selections."""

from __future__ import annotations

from xdsl.ir import SSAValue

from polyopt.backend.emit.function import FunctionEmitter


def unpredictable(f: FunctionEmitter, condition: SSAValue) -> str:
    """What a branch or selection by the condition carries for that; nothing for most."""
    return f", !unpredictable {f.module.metadata.node('')}" if f.bisections.has(condition) else ""
