"""Places in the C source that operations come from."""

from __future__ import annotations

from xdsl.dialects.builtin import FileLineColLoc
from xdsl.ir import Operation

from polyopt.support.diagnostics import Span


def span_of(op: Operation) -> Span | None:
    location = op.location
    if not isinstance(location, FileLineColLoc):
        return None
    return Span(location.filename.data, location.line.data, location.column.data)
