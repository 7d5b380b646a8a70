"""Pragmas that hold for what stands behind them, whatever that is:

    #pragma GCC visibility push(hidden)          the names that are declared, till `pop`
    #pragma GCC diagnostic ignored "-Wshadow"    the warnings of gcc, till a `pop` of their own
    #pragma clang diagnostic ...                 the same
    #pragma GCC system_header                    no warnings in the rest of the file
    #pragma GCC target("avx2")                   what the CPU has for the functions behind it, till
    #pragma GCC pop_options                      what held at the last `push_options` holds again
    #pragma weak name                            this name, wherever it is declared
    #pragma STDC FP_CONTRACT OFF                 no a*b+c is rounded once, in the whole file
    #pragma clang fp contract(off)               the same
    #pragma GCC optimize("fp-contract=off")      the same, and __attribute__((optimize(...)))
    #pragma GCC optimize("no-strict-aliasing")   types tell no memory apart, in the whole file
    #pragma GCC optimize("wrapv")                signed integers wrap around, in the whole file

`_Pragma("...")` is the same as a line. Each event is kept with its offset in the text that the
parser reads, so that headers take part in the order in which they were included; a place in a file
finds what holds there by the offset of the token that stands there.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Literal

from polyopt.frontend.language.literals import parse_string
from polyopt.support.diagnostics import CompileError, Span

Severity = Literal["ignored", "warning", "error"]
_VISIBILITY = re.compile(r"push \( (default|hidden|internal|protected) \)$")
_WEAK = re.compile(r"(\w+)(?: = (\w+))?$")
_SEVERITIES: dict[str, Severity] = {
    "ignored": "ignored",
    "warning": "warning",
    "error": "error",
    "fatal": "error",
}

PragmaPlace = tuple[str, int, int]


class StandingPragmas:
    """What has been said so far, while the text is read; what holds where, when it has been read.

    `weak`: the other name of each that is weak, "" where it has none, and where that was said.
    `complaints`: pragmas that say nothing that we understand.
    `is_uncontracted`: somewhere products and sums are not to be computed as one. That they may be
    is a permission, which a file without it need not know the scopes of (C17 6.5p8, 7.12.2). So it
    is with types that tell memory apart (`puns`: they do not), and with overflow (`wraps`)."""

    def __init__(self) -> None:
        self.weak: dict[str, tuple[str, Span]] = {}
        self.complaints: list[tuple[str, Span]] = []
        self.is_uncontracted = False
        self.puns = False
        self.wraps = False
        self._visibilities: list[tuple[int, str]] = []
        self._open_visibilities: list[str] = []
        self._targets: list[tuple[int, tuple[str, ...]]] = []
        self._target: tuple[str, ...] = ()
        self._pushed_targets: list[tuple[str, ...]] = []
        self._severities: list[tuple[int, dict[str, Severity]]] = []
        self._severity: dict[str, Severity] = {}
        self._pushed: list[dict[str, Severity]] = []
        self._system_from: dict[str, int] = {}
        self._marks: list[tuple[Span, int]] = []
        self._order: dict[str, tuple[list[tuple[int, int]], list[int]]] | None = None

    def apply(self, words: Sequence[str], span: Span, offset: int) -> None:
        """Go on behind this pragma: the words behind `#pragma`."""
        match words:
            case ["GCC", "visibility", *said]:
                self._visibility(" ".join(said), span, offset)
            case ["GCC" | "clang", "diagnostic", *said]:
                self._diagnostic(said, span, offset)
            case ["GCC" | "clang", "system_header"]:
                self._system_from.setdefault(span.file, span.line)
            case ["GCC", "error", text]:
                raise CompileError(f"#pragma GCC error {text}", span)
            case ["weak", *said]:
                self._weak(" ".join(said), span)
            case ["STDC", "FP_CONTRACT", "OFF"] | ["clang", "fp", "contract", "(", "off", ")"]:
                self.is_uncontracted = True
            case ["GCC", "optimize", *said]:
                self.give_up(said)
            case [
                "GCC",
                ("target" | "push_options" | "pop_options" | "reset_options") as what,
                *said,
            ]:
                self._targets_change(what, [word for word in said if word[0] == '"'])
                self._targets.append((offset, self._target))
                self._marks.append((span, offset))
            case ["STDC", "FENV_ACCESS", "ON"]:
                told = "rounding is to nearest and exceptions are not kept, whatever <fenv.h> does"
                self.complaints.append((f"#pragma STDC FENV_ACCESS ON: {told}", span))
            case _:
                pass

    def give_up(self, options: Sequence[str]) -> None:
        """Some function is to be compiled without what these options of gcc take back, as the
        literals of a pragma or an attribute; others are advice."""
        for option in options:
            self.is_uncontracted |= "fp-contract=off" in option
            self.puns |= "no-strict-aliasing" in option
            self.wraps |= "wrapv" in option or "no-strict-overflow" in option

    def _targets_change(self, what: str, said: Sequence[str]) -> None:
        match what:
            case "target":
                self._target = (*self._target, *said)
            case "push_options":
                self._pushed_targets.append(self._target)
            case "pop_options":
                self._target = self._pushed_targets.pop() if self._pushed_targets else ()
            case _:
                self._target = ()

    def _visibility(self, said: str, span: Span, offset: int) -> None:
        pushed = _VISIBILITY.match(said)
        if pushed is not None:
            self._open_visibilities.append(pushed.group(1))
        elif said == "pop":
            if not self._open_visibilities:
                raise CompileError("#pragma GCC visibility pop has no push before it", span)
            self._open_visibilities.pop()
        else:
            hint = "push(default), push(hidden), push(internal), push(protected), or pop"
            raise CompileError("#pragma GCC visibility says nothing that is known", span, hint)
        holds = self._open_visibilities[-1] if self._open_visibilities else ""
        self._visibilities.append((offset, holds))
        self._marks.append((span, offset))

    def _diagnostic(self, said: Sequence[str], span: Span, offset: int) -> None:
        match said:
            case ["push"]:
                self._pushed.append(self._severity)
                return
            case ["pop"]:
                self._severity = self._pushed.pop() if self._pushed else {}
            case [("ignored" | "warning" | "error" | "fatal") as kind, text, *_] if text[0] == '"':
                name = parse_string(text)[:-1].decode("utf-8", "replace")
                if not name.startswith("-W"):
                    self.complaints.append((f"#pragma diagnostic: {text} is no -W option", span))
                    return
                name = name.removeprefix("-W")
                severity = dict(self._severity)
                severity.pop(name, None)  # the last one holds, and stands last
                severity[name] = _SEVERITIES[kind]
                self._severity = severity
            case _:
                words = " ".join(said)
                self.complaints.append((f"#pragma diagnostic: '{words}' is not known", span))
                return
        self._severities.append((offset, self._severity))
        self._marks.append((span, offset))

    def _weak(self, said: str, span: Span) -> None:
        form = _WEAK.match(said)
        if form is None:
            self.complaints.append(("#pragma weak expects a name, or 'name = other'", span))
            return
        self.weak[form.group(1)] = (form.group(2) or "", span)

    # When the text has been read

    def place(self, starts: list[int], places: list[PragmaPlace]) -> None:
        """The tokens of the text begin at these offsets, and come from these places."""
        if not self._marks:
            return
        entries: dict[str, dict[tuple[int, int], int]] = {}
        for offset, (file, line, column) in zip(starts, places, strict=True):
            entries.setdefault(file, {}).setdefault((line, column), offset)
        for span, offset in self._marks:
            entries.setdefault(span.file, {}).setdefault((span.line, span.column), offset)
        self._order = {}
        for file, offsets in entries.items():
            known = sorted(offsets.items())
            self._order[file] = [at for at, _ in known], [offset for _, offset in known]

    def visibility_at(self, span: Span) -> str:
        """What a name that is declared there is to be, "" where nobody says."""
        if not self._visibilities:
            return ""
        index = self._before(self._visibilities, span)
        return self._visibilities[index][1] if index >= 0 else ""

    def targets_at(self, span: Span) -> tuple[str, ...]:
        """The literals that say what the CPU has for a function there."""
        index = self._before(self._targets, span) if self._targets else -1
        return self._targets[index][1] if index >= 0 else ()

    @property
    def asks(self) -> bool:
        """Does some pragma ask for warnings?"""
        return any("ignored" != said for _, chosen in self._severities for said in chosen.values())

    def severity_at(self, names: Sequence[str], span: Span) -> Severity | None:
        """What becomes of a warning there that goes by these names; None: what the options say."""
        if span.line >= self._system_from.get(span.file, span.line + 1):
            return "ignored"
        if not self._severities:
            return None
        index = self._before(self._severities, span)
        chosen = self._severities[index][1] if index >= 0 else {}
        last: Severity | None = None
        for name, said in chosen.items():
            last = said if name in names else last
        return last

    def _before(self, events: Sequence[tuple[int, object]], span: Span) -> int:
        """Which event is the last one before the token that stands there."""
        assert self._order is not None
        lines, offsets = self._order.get(span.file, ([], []))
        position = bisect_right(lines, (span.line, span.column)) - 1
        if position < 0:
            return -1
        offset = offsets[position]
        return bisect_right(events, offset, key=lambda event: event[0]) - 1
