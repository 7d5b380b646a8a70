"""Between the locations of the IR and the spans of messages."""

from __future__ import annotations

from xdsl.dialects.builtin import (
    ArrayAttr,
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    LocationAttr,
    NameLoc,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Attribute, Operation

from polyopt.support.diagnostics import Span


def span_of(op: Operation) -> Span | None:
    """The place in the source that the operation comes from; of several, the first."""
    return _span(op.location)


def nearest_span(op: Operation | None) -> Span | None:
    """The place of the operation or of the nearest one around it that has one."""
    while op is not None:
        span = span_of(op)
        if span is not None:
            return span
        op = op.parent_op()
    return None


def _span(location: Attribute) -> Span | None:
    match location:
        case FileLineColLoc():
            return Span(location.filename.data, location.line.data, location.column.data)
        case NameLoc():
            return _span(location.location)
        case CallSiteLoc():
            return _span(location.callee)
        case FusedLoc(locations=ArrayAttr() as parts):
            spans = (_span(part) for part in parts)
            return next((span for span in spans if span is not None), None)
        case _:
            return None


def location_of(span: Span | None) -> LocationAttr:
    if span is None:
        return UnknownLoc()
    return FileLineColLoc(StringAttr(span.file), IntAttr(span.line), IntAttr(span.column))
