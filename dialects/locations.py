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
from xdsl.ir import Attribute

from polyopt.support.diagnostics import Span


def span_of(location: Attribute) -> Span | None:
    """The place in the source that a location names; of several, the first."""
    match location:
        case FileLineColLoc():
            return Span(location.filename.data, location.line.data, location.column.data)
        case NameLoc():
            return span_of(location.location)
        case CallSiteLoc():
            return span_of(location.callee)
        case FusedLoc(locations=ArrayAttr() as parts):
            spans = (span_of(part) for part in parts)
            return next((span for span in spans if span is not None), None)
        case _:
            return None


def location_of(span: Span | None) -> LocationAttr:
    if span is None:
        return UnknownLoc()
    return FileLineColLoc(StringAttr(span.file), IntAttr(span.line), IntAttr(span.column))
