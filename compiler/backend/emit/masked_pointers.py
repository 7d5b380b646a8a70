"""The pointers of masked accesses, in the form of the LLVM that will read the text.

LLVM 22 on    (ptr align 8 %p, mask, …)       the alignment is the parameter's
before        (ptr %p, i32 8, mask, …)        an operand of its own
"""

from __future__ import annotations

from polyopt.backend.emit.function import FunctionEmitter

_ALIGNED_PARAMETERS = 22


def pointer_parameter(f: FunctionEmitter, type: str) -> str:
    """The parameter's type, or types, where the intrinsic is declared."""
    return f"{type}, i32" if _is_operand(f) else type


def aligned_pointer(f: FunctionEmitter, type: str, pointer: str, align: int) -> str:
    """The argument, or arguments, of a call."""
    if _is_operand(f):
        return f"{type} {pointer}, i32 {align}"
    return f"{type} align {align} {pointer}"


def _is_operand(f: FunctionEmitter) -> bool:
    version = f.module.options.llvm_version
    return version is not None and version < _ALIGNED_PARAMETERS
