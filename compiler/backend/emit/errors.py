"""What the back end cannot translate, said with the operation's name and its source line."""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, CallSiteLoc, FileLineColLoc, FusedLoc, NameLoc
from xdsl.ir import Attribute, Operation
from xdsl.utils.hints import isa

from polyopt.support.diagnostics import CompileError, Span


def span_of(op: Operation) -> Span | None:
    """The first source line that the operation, or one around it, comes from."""
    here: Operation | None = op
    while here is not None:
        span = _span(here.location)
        if span is not None:
            return span
        here = here.parent_op()
    return None


def _span(location: Attribute) -> Span | None:
    if isinstance(location, FileLineColLoc):
        line, column = location.line.data, location.column.data
        return Span(location.filename.data, line, column)
    if isinstance(location, NameLoc):
        return _span(location.location)
    if isinstance(location, CallSiteLoc):
        return _span(location.callee)
    if isinstance(location, FusedLoc) and isa(location.locations, ArrayAttr[Attribute]):
        return next((span for part in location.locations if (span := _span(part))), None)
    return None


def unsupported(op: Operation, problem: str | None = None) -> CompileError:
    """The error for an operation that has no LLVM IR, or not in this form."""
    if problem is None:
        problem = "the LLVM back end has no translation for it"
        hint = "lower it with an earlier pass"
    else:
        hint = None
    return CompileError(f"'{op.name}': {problem}", span_of(op), hint)
