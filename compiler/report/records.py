"""Remarks and verdicts for other programs: as JSON, and as the record of optimisations that clang
writes, which its viewers (opt-viewer, Compiler Explorer, editors) read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from polyopt.report.loop_verdict import LoopVerdict
from polyopt.support.diagnostics import Span
from polyopt.support.remarks import Remark

VERSION = 1
"""Of the JSON: another one where a field is taken away or means something else."""

_TAGS = {"applied": "!Passed", "missed": "!Missed", "analysis": "!Analysis"}
_UNKNOWN = "<unknown>"


def as_json(remarks: Sequence[Remark], verdicts: Sequence[LoopVerdict] = ()) -> str:
    """One object: `version`, `remarks`, and `loops` with a verdict for each, where they were asked
    for."""
    document = {
        "version": VERSION,
        "remarks": [_remark(one) for one in remarks],
        "loops": [_verdict(one) for one in verdicts],
    }
    return json.dumps(document, indent=1, ensure_ascii=False)


def _remark(remark: Remark) -> dict[str, Any]:
    return {
        "kind": remark.kind,
        "id": remark.id,
        "message": remark.message,
        "function": remark.function,
        **_place(remark.span),
        **({"numbers": dict(remark.numbers)} if remark.numbers else {}),
    }


def _verdict(verdict: LoopVerdict) -> dict[str, Any]:
    return {
        "function": verdict.loop.function,
        "loop": verdict.loop.name,
        **_place(verdict.loop.start),
        "last_line": verdict.loop.end.line,
        "status": verdict.status,
        "headline": verdict.headline,
        "details": list(verdict.details),
        "scop": verdict.scop,
    }


def _place(span: Span | None) -> dict[str, Any]:
    if span is None:
        return {"file": None, "line": None, "column": None}
    return {"file": span.file, "line": span.line, "column": span.column}


def as_yaml(remarks: Iterable[Remark]) -> str:
    """A document for each remark, as LLVM writes them. What has no function is given one that no
    program has, for viewers want one."""
    return "".join(_document(one) for one in remarks)


def _document(remark: Remark) -> str:
    lines = [
        f"--- {_TAGS.get(remark.kind, '!Analysis')}",
        "Pass:            polyopt",
        f"Name:            {_quoted(remark.id)}",
    ]
    if remark.span is not None:
        place = remark.span
        lines.append(
            f"DebugLoc:        {{ File: {_quoted(place.file)}, Line: {place.line}, "
            f"Column: {place.column} }}"
        )
    lines += [
        f"Function:        {_quoted(remark.function or _UNKNOWN)}",
        "Args:",
        f"  - String:          {_quoted(remark.message)}",
        "...",
    ]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """In YAML: single quotes where nothing but these is special, else as JSON, which is YAML."""
    if text.isprintable() and text.isascii():
        return "'" + text.replace("'", "''") + "'"
    return json.dumps(text)
