"""What the back end cannot translate, said with the operation's name and its source line."""

from __future__ import annotations

from xdsl.ir import Operation

from polyopt.dialects.locations import nearest_span
from polyopt.support.diagnostics import CompileError

_LOWERINGS = {
    "affine": "affine-to-scf lowers it",
    "linalg": "raise-to-affine,affine-to-scf lowers it",
    "poly": "poly-to-affine,affine-to-scf lowers it",
    "stencil": "stencil-to-loops,raise-to-affine,affine-to-scf lowers it",
}


def unsupported(op: Operation, problem: str | None = None, hint: str | None = None) -> CompileError:
    """The error for an operation that has no LLVM IR, or not in this form."""
    if problem is None:
        problem = "the LLVM back end has no translation for it"
        hint = hint or _LOWERINGS.get(op.dialect_name(), "lower it with an earlier pass")
    return CompileError(f"'{op.name}': {problem}", nearest_span(op), hint)
