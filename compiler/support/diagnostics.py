"""Messages for people: file:line:column, the source line, a caret, what to do.

Three ways to fail, never mixed: `CompileError` is the user's (printed, exit status 1),
`Remark` (in `remarks.py`) says what the compiler did or could not do, an assertion is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from polyopt.support.noted import lines_of, read_noted, text_of
from polyopt.support.record import entity, record


@record
class Span:
    """A place in a source file; line and column count from 1, column 0 is "the whole line". Places
    are in order: of files by their names."""

    file: str
    line: int
    column: int = 0

    def __lt__(self, other: Span) -> bool:
        return self._key < other._key

    def __le__(self, other: Span) -> bool:
        return self._key <= other._key

    @property
    def _key(self) -> tuple[str, int, int]:
        return self.file, self.line, self.column

    def __str__(self) -> str:
        column = f":{self.column}" if self.column else ""
        return f"{self.file}:{self.line}{column}"


class Correction(str):
    """A hint that says which word was meant where another stands, `said`."""

    said: str
    meant: str

    @classmethod
    def of(cls, said: str, meant: str) -> Correction:
        made = cls(f"did you mean '{meant}'?")
        made.said, made.meant = said, meant
        return made


class Missing(str):
    """A hint without words: what is missing at the place, where the message says it already."""

    meant: str

    @classmethod
    def of(cls, meant: str) -> Missing:
        made = cls("")
        made.meant = meant
        return made


@record
class Fix:
    """What stands from a column of the place's line up to another one, and what should."""

    start: int
    end: int
    text: str


_WIDEST = 160
"""Of a longer line as much is shown, around the place that is meant."""
_CUT = "..."


@record
class Diagnostic:
    """`severity` is "error", "warning" or "note"; `hint` says what to do; `id` names a warning,
    which `-Wno-<id>` silences. `notes` are about other places that belong to it."""

    severity: str
    message: str
    span: Span | None = None
    hint: str | None = None
    id: str | None = None
    notes: tuple[Diagnostic, ...] = ()

    def render(self, sources: SourceMap | None = None) -> str:
        place = f"{self.span}: " if self.span else ""
        tag = f" [-W{self.id}]" if self.id else ""
        lines = [f"{place}{self.severity}: {self.message}{tag}"]
        text = sources.line(self.span) if sources and self.span else None
        if text is not None and self.span is not None:
            shown, lead = _part_around(text, self.span.column - 1)
            lines.append(f"  {shown}")
            if self.span.column:
                gap = "".join("\t" if c == "\t" else " " for c in lead)
                lines += [f"  {gap}{mark}" for mark in self._marks(sources)]
        if self.hint:
            lines.append(f"  hint: {self.hint}")
        lines += [note.render(sources) for note in self.notes]
        return "\n".join(lines)

    def fix(self, sources: SourceMap | None) -> Fix | None:
        """How the line becomes right, where that is known. What a macro stands for is not in it."""
        text = sources.line(self.span) if sources else None
        if text is None or self.span is None or not self.span.column:
            return None
        column, hint = self.span.column, self.hint
        if isinstance(hint, Missing):
            return Fix(column, column, hint.meant)
        if not isinstance(hint, Correction):
            return None
        behind = column - 1 + len(hint.said)
        is_longer = text[behind : behind + 1].isalnum() or text[behind : behind + 1] in ("_", "$")
        if is_longer or not text.startswith(hint.said, column - 1):
            return None
        return Fix(column, behind + 1, hint.meant)

    def _marks(self, sources: SourceMap | None) -> list[str]:
        """What stands under the line: a caret; under a word that is wrong all of it, and the word
        that is right."""
        fix = self.fix(sources)
        if fix is None or fix.start == fix.end:
            return ["^"]
        return ["^".ljust(fix.end - fix.start, "~"), fix.text]


def _part_around(text: str, place: int) -> tuple[str, str]:
    """What is shown of a line for a place in it (-1: for none), and what stands before that."""
    if len(text) <= _WIDEST:
        return text, text[: max(place, 0)]
    start = min(max(place - _WIDEST // 2, 0), len(text) - _WIDEST)
    before, behind = _CUT * (start > 0), _CUT * (start + _WIDEST < len(text))
    return f"{before}{text[start : start + _WIDEST]}{behind}", before + text[start : max(place, 0)]


class CompileError(Exception):
    """What the user wrote cannot be compiled; carries everything that a person needs.

    `sources` is set by whoever read the text; without it the file is read for quoting. `in_source`:
    it is the text that is wrong, or more than we can read. `warnings`: what was found beside it."""

    sources: SourceMap | None = None
    in_source = False
    more: tuple[Diagnostic, ...] = ()
    warnings: tuple[Diagnostic, ...] = ()

    def __init__(self, message: str, span: Span | None = None, hint: str | None = None):
        super().__init__(message)
        self.diagnostic = Diagnostic("error", message, span, hint)

    def render(self, sources: SourceMap | None = None) -> str:
        known = sources or self.sources or SourceMap()
        return "\n".join(diagnostic.render(known) for diagnostic in self.diagnostics)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All that is wrong: the first thing, and what was found behind it (`more`)."""
        return (self.diagnostic, *self.more)

    @property
    def told(self) -> tuple[Diagnostic, ...]:
        """The errors, and the warnings beside them, by their places; files in the order in which
        they come up."""
        return tuple(by_place([*self.warnings, *self.diagnostics]))


def raise_all(found: Sequence[CompileError]) -> None:
    """The first, which tells of the others, too; nothing where there is none."""
    if found:
        first, *others = found
        first.more = (*first.more, *(d for one in others for d in one.diagnostics))
        raise first


def by_place(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Files in the order in which they come up; what has no place first."""
    spans = {id(one): one.span or Span("", 0) for one in found}
    files = {file: at for at, file in enumerate(dict.fromkeys(s.file for s in spans.values()))}

    def place(one: Diagnostic) -> tuple[int, int, int]:
        span = spans[id(one)]
        return files[span.file] if span.file else -1, span.line, span.column

    return sorted(found, key=place)


@entity
class SourceMap:
    """The text of each source file by name, for quoting."""

    files: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def add(self, name: str, text: str) -> None:
        self.files[name] = lines_of(text)

    def line(self, span: Span | None) -> str | None:
        if span is None:
            return None
        if span.file not in self.files:
            try:
                self.add(span.file, text_of(read_noted(span.file)))
            except OSError:
                return None
        lines = self.files[span.file]
        return lines[span.line - 1].rstrip() if 0 < span.line <= len(lines) else None
