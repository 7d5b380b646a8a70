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
    return span_of_location(op.location)


def nearest_span(op: Operation | None) -> Span | None:
    """The place of the operation or of the nearest one around it that has one."""
    while op is not None:
        span = span_of(op)
        if span is not None:
            return span
        op = op.parent_op()
    return None


def span_of_location(location: Attribute) -> Span | None:
    """The place in the source that is meant; of several, the first."""
    match location:
        case FileLineColLoc():
            return Span(location.filename.data, location.line.data, location.column.data)
        case NameLoc():
            return span_of_location(location.location)
        case CallSiteLoc():
            return span_of_location(location.callee)
        case FusedLoc(locations=ArrayAttr() as parts):
            spans = (span_of_location(part) for part in parts)
            return next((span for span in spans if span is not None), None)
        case _:
            return None


def location_of(span: Span | None) -> LocationAttr:
    if span is None:
        return UnknownLoc()
    return FileLineColLoc(StringAttr(span.file), IntAttr(span.line), IntAttr(span.column))
