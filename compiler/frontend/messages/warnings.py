"""Warnings: each has an id, which `-Wno-<id>` silences, and belongs to those that are always told,
to those of `-Wall` or `-Wextra`, or to those that are told only where they are asked for by name.

A pragma (`#pragma GCC diagnostic`) has the last word for the text behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import field, replace

from polyopt.frontend.messages.standing_pragmas import StandingPragmas
from polyopt.frontend.messages.warning_names import ALWAYS, GROUPS, WALL, WEXTRA, names_of
from polyopt.frontend.options import CFrontendOptions
from polyopt.frontend.tokens.library_headers import is_library_header
from polyopt.support.diagnostics import Diagnostic, SourceMap, Span, by_place
from polyopt.support.record import entity

OF_WHOLE_FUNCTIONS = (
    "implicit-fallthrough",
    "maybe-uninitialized",
    "return-type",
    "switch",
    "switch-enum",
    "uninitialized",
)
"""What shows only where all of a function is understood, besides what is unused."""

_OF_RUNNING = frozenset({"shift-count", "div-by-zero"})
"""What only happens where a program comes by: `n < 32 ? x >> n : 0` is how it is kept from it."""


@entity
class Warnings:
    """Collects the warnings that the user wants to see. `standing`: what pragmas say of places;
    `sources`: the text, where it is at hand."""

    options: CFrontendOptions
    found: list[Diagnostic] = field(default_factory=list[Diagnostic])
    standing: StandingPragmas = field(default_factory=StandingPragmas)
    sources: SourceMap | None = None

    def add(self, id: str, message: str, span: Span, hint: str | None = None) -> None:
        if is_library_header(span.file):
            return
        said = self.standing.severity_at(names_of(id), span)
        if said == "ignored" or (said is None and not self.wants(id)):
            return
        self.found.append(Diagnostic(said or "warning", message, span, hint, id))

    def forget_running(self, start: int) -> None:
        """What was found from there on stands where no program comes by."""
        self.found[start:] = [one for one in self.found[start:] if one.id not in _OF_RUNNING]

    def wants(self, id: str) -> bool:
        """Do the options ask for it?"""
        options = self.options
        if id in options.silenced or id in options.wanted:
            return id in options.wanted
        return (
            id in ALWAYS
            or (id in WALL and options.warnings)
            or (id in WEXTRA and options.extra_warnings)
        )

    def may_tell(self, ids: Iterable[str]) -> bool:
        """Is it worth looking for one of these?"""
        return self.standing.asks or any(self.wants(id) for id in ids)

    def indentation(self, span: Span) -> str | None:
        """The blanks that a line begins with; None where it is not known."""
        line = None if self.sources is None else self.sources.line(span)
        return None if line is None else line[: len(line) - len(line.lstrip())]

    def says_between(self, first: Span, last: Span, words: re.Pattern[str]) -> bool:
        """Do the words stand in the lines from one place to the other?"""
        if self.sources is None or first.file != last.file:
            return False
        for number in range(first.line, last.line + 1):
            line = self.sources.line(replace(first, line=number))
            if line is not None and words.search(line):
                return True
        return False

    def sort(self, start: int) -> None:
        """Those from there on, once each, by their places."""
        self.found[start:] = dict.fromkeys(by_place(self.found[start:]))

    def beside_errors(self, start: int) -> tuple[Diagnostic, ...]:
        """Those from there on that are true of a program parts of which were not understood: not
        what is missing there, a use, a value or a case."""
        missing = {*GROUPS["unused"], *OF_WHOLE_FUNCTIONS} - {"unused-value"}
        return tuple(dict.fromkeys(one for one in self.found[start:] if one.id not in missing))

    def heed(self, standing: StandingPragmas) -> None:
        """The text has been read: its pragmas hold for what was found so far, too."""
        self.standing = standing
        for message, span in standing.complaints:
            self.add("pragmas", message, span)
        self.found[:] = [
            one
            for one in self.found
            if one.id is None
            or one.span is None
            or standing.severity_at(names_of(one.id), one.span) != "ignored"
        ]
