"""How errors and warnings come out: as text, in colours where somebody looks on, or as data.

    text         file:line:column: error: … with the line and a caret, at once
    json         gcc's -fdiagnostics-format=json: one array, at the end
    sarif        SARIF 2.1.0, as editors and code hosts read it, at the end

Everything goes to standard error.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from typing import Any, Literal

from polyopt.support.diagnostics import CompileError, Diagnostic, SourceMap, Span

Format = Literal["text", "json", "sarif"]
When = Literal["auto", "always", "never"]

FORMATS = {
    "text": "text",
    "json": "json",
    "json-stderr": "json",
    "sarif": "sarif",
    "sarif-stderr": "sarif",
}

_COLOURS = {
    "error": "\033[1;31m",
    "internal error": "\033[1;31m",
    "warning": "\033[1;35m",
    "note": "\033[1;36m",
}
_BOLD, _PLAIN, _GREEN = "\033[1m", "\033[0m", "\033[1;32m"
_HEAD = re.compile(
    r"^(?P<place>(?:[^\s:][^:\n]*:\d+(?::\d+)?: |polyopt-cc: )?)(?P<kind>error|"
    r"internal error|warning|note): (?P<text>.*)$"
)


class Reporter:
    """Collects or prints; `close` is called when there is nothing more to say."""

    def __init__(self, format: Format = "text", colour: When = "auto"):
        self.format: Format = format
        self.in_colour = colour == "always" or (colour == "auto" and _is_looked_at())
        self.failed = False
        self._found: list[tuple[Diagnostic, SourceMap | None]] = []

    def report(self, diagnostic: Diagnostic, sources: SourceMap | None = None) -> None:
        self.failed = self.failed or diagnostic.severity == "error"
        if self.format == "text":
            self.say(diagnostic.render(sources))
        else:
            self._found.append((diagnostic, sources))

    def alike(self) -> Reporter:
        """One that has said nothing yet, for a part of the work."""
        other = Reporter(self.format)
        other.in_colour = self.in_colour
        return other

    def absorb(self, other: Reporter) -> None:
        """What is wrong with a part is wrong with the whole."""
        self.failed = self.failed or other.failed
        self._found += other._found

    def note(self, diagnostic: Diagnostic) -> None:
        """What is to be said of the command line."""
        if self.format == "text":
            self.say(f"polyopt-cc: {diagnostic.render()}")
        else:
            self.report(diagnostic)

    def error(self, error: CompileError, program: str | None = None) -> None:
        """All that is wrong, and doubtful beside it; the program's name stands before what has no
        place."""
        self.failed = True
        for diagnostic in error.told:
            if self.format == "text" and diagnostic.span is None and program is not None:
                self.say(f"{program}: {diagnostic.render()}")
            else:
                self.report(diagnostic, error.sources)

    def say(self, text: str) -> None:
        """A message that is no data: in colours where they are wanted."""
        print(coloured(text) if self.in_colour else text, file=sys.stderr)

    def close(self) -> None:
        match self.format:
            case "json":
                content = [_json(*found) for found in self._found]
            case "sarif":
                content = _sarif(self._found)
            case _:
                return
        import json

        print(json.dumps(content), file=sys.stderr)
        self._found.clear()


def _is_looked_at() -> bool:
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stderr.isatty()


def coloured(text: str) -> str:
    """The message in colours: the place bold, the kind as gcc has it, the caret green."""
    lines: list[str] = []
    for line in text.split("\n"):
        head = _HEAD.match(line)
        if head is not None:
            place, kind, rest = head.group("place"), head.group("kind"), head.group("text")
            place = f"{_BOLD}{place}{_PLAIN}" if place else ""
            lines.append(f"{place}{_COLOURS[kind]}{kind}:{_PLAIN} {_BOLD}{rest}{_PLAIN}")
        elif line.strip() and not line.strip(" ~^"):
            lines.append(f"{_GREEN}{line}{_PLAIN}")
        else:
            lines.append(line)
    return "\n".join(lines)


def _json(diagnostic: Diagnostic, sources: SourceMap | None = None) -> dict[str, Any]:
    """One element of gcc's array."""
    made: dict[str, Any] = {
        "kind": diagnostic.severity,
        "message": diagnostic.message,
        "locations": [],
        "children": [],
    }
    span = diagnostic.span
    if span is not None:
        caret: dict[str, Any] = {"file": span.file, "line": span.line}
        if span.column:
            caret |= {
                "column": span.column,
                "display-column": span.column,
                "byte-column": span.column,
            }
        made["locations"] = [{"caret": caret}]
        made["column-origin"] = 1
    fix = diagnostic.fix(sources)
    if span is not None and fix is not None:
        place = {"file": span.file, "line": span.line}
        made["fixits"] = [
            {
                "start": place | {"column": fix.start},
                "next": place | {"column": fix.end},
                "string": fix.text,
            }
        ]
    if diagnostic.hint:
        made["children"].append(
            {"kind": "note", "message": diagnostic.hint, "locations": [], "children": []}
        )
    made["children"] += map(_json, diagnostic.notes)
    if diagnostic.id is not None:
        made["option"] = f"-W{diagnostic.id}"
    return made


def _sarif(found: Sequence[tuple[Diagnostic, SourceMap | None]]) -> dict[str, Any]:
    from importlib.metadata import version

    return {
        "$schema": "https://raw.githubusercontent.com/oasis-tcs/sarif-spec/master/Schemata/"
        "sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "polyopt-cc", "version": version("polyopt")}},
                "results": [_sarif_result(*each) for each in found],
            }
        ],
    }


def _sarif_result(diagnostic: Diagnostic, sources: SourceMap | None) -> dict[str, Any]:
    hint = f" ({diagnostic.hint})" if diagnostic.hint else ""
    made: dict[str, Any] = {
        "ruleId": f"-W{diagnostic.id}" if diagnostic.id else diagnostic.severity,
        "level": diagnostic.severity,
        "message": {"text": diagnostic.message + hint},
    }
    if diagnostic.span is not None:
        made["locations"] = [_sarif_place(diagnostic.span)]
        fix = diagnostic.fix(sources)
        if fix is not None:
            place = _sarif_place(diagnostic.span)["physicalLocation"]
            region = place["region"] | {"startColumn": fix.start, "endColumn": fix.end}
            replacement = {"deletedRegion": region, "insertedContent": {"text": fix.text}}
            change = {"artifactLocation": place["artifactLocation"], "replacements": [replacement]}
            made["fixes"] = [{"artifactChanges": [change]}]
    if diagnostic.notes:
        made["relatedLocations"] = [
            {
                **({} if note.span is None else _sarif_place(note.span)),
                "message": {"text": note.message},
            }
            for note in diagnostic.notes
        ]
    return made


def _sarif_place(span: Span) -> dict[str, Any]:
    region: dict[str, Any] = {"startLine": span.line}
    if span.column:
        region["startColumn"] = span.column
    return {"physicalLocation": {"artifactLocation": {"uri": span.file}, "region": region}}
