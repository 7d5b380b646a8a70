"""Scripts of loop transformations: text -> lines of steps, with the place of every word.

    scop kernel_gemm            # the function; a second SCoP in it is kernel_gemm:2
    interchange S1.k S1.j       # one step on a line, loops by their names in the C source
    fuse S0.i S1.i; shift S1.i 1      # steps of one line are checked together
    split S1.j where j < n / 2  # what follows `where` is a condition in isl's syntax

A word is a loop (`S1.i`, `S1:2.i`), a statement (`S1`, `S1:2`), an integer, or one of the
language's own words. Which words a step takes is its form (`steps.py`); this file knows the lines
only. What is wrong is a CompileError at its word.
"""

from __future__ import annotations

import re
from functools import cached_property

from polyopt.support.diagnostics import CompileError, SourceMap, Span
from polyopt.support.record import record

_WORD = re.compile(r"[^\s;]+")
_INTEGER = re.compile(r"[+-]?\d+")
_SCOP = re.compile(r"[A-Za-z_][\w.]*(:\d+)?")
_ADDRESS = re.compile(r"(?P<statement>[A-Za-z_]\w*)(?::(?P<part>\d+))?(?:\.(?P<loop>\w+))?")
WHERE = "where"


@record
class Word:
    text: str
    span: Span

    @cached_property
    def kind(self) -> str:
        """A letter, for the forms of steps: "N" an integer, "L" a loop, "S" a statement or a
        word of the language, "?" none of them."""
        if _INTEGER.fullmatch(self.text):
            return "N"
        address = _ADDRESS.fullmatch(self.text)
        if address is None:
            return "?"
        return "L" if address["loop"] else "S"

    @property
    def number(self) -> int:
        return int(self.text)

    @cached_property
    def address(self) -> tuple[str, str | None, int | None]:
        """(statement, loop, part) of a loop or a statement."""
        found = _ADDRESS.fullmatch(self.text)
        assert found is not None
        return found["statement"], found["loop"], int(found["part"]) if found["part"] else None


@record
class ScriptStep:
    """`words` are those after the step's name, but for a condition after `where`. `written`: how it
    was asked for, where that was not in a script."""

    name: Word
    words: tuple[Word, ...]
    condition: Word | None = None
    written: str | None = None

    @property
    def loops(self) -> list[Word]:
        return [word for word in self.words if word.kind == "L"]

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(word.number for word in self.words if word.kind == "N")

    @property
    def text(self) -> str:
        if self.written is not None:
            return self.written
        words = [self.name.text, *(word.text for word in self.words)]
        if self.condition is not None:
            words += [WHERE, self.condition.text]
        return " ".join(words)


@record
class Section:
    """What is to be done with one SCoP: its name, and the lines of steps. Without a name it is
    for the only SCoP that there is."""

    scop: Word | None
    lines: tuple[tuple[ScriptStep, ...], ...]

    @property
    def span(self) -> Span:
        return self.scop.span if self.scop is not None else self.lines[0][0].name.span


@record
class Script:
    """`sources` quotes the text in messages."""

    sections: tuple[Section, ...]
    sources: SourceMap


def parse_script(text: str, file: str) -> Script:
    """The sections of the script; `file` is its name in messages. Raises CompileError for what
    is no script; whether the steps exist is not asked here."""
    sources = SourceMap()
    sources.add(file, text)
    sections = list[Section]()
    scop: Word | None = None
    lines = list[tuple[ScriptStep, ...]]()
    try:
        for number, line in enumerate(text.splitlines(), 1):
            steps = _steps(line.partition("#")[0], file, number)
            if steps and steps[0].name.text == "scop":
                if scop is not None or lines:
                    sections.append(Section(scop, tuple(lines)))
                scop, lines = _scop_name(steps), []
            elif steps:
                lines.append(steps)
    except CompileError as error:
        error.sources = sources
        raise
    if scop is not None or lines:
        sections.append(Section(scop, tuple(lines)))
    return Script(tuple(sections), sources)


def _steps(line: str, file: str, number: int) -> tuple[ScriptStep, ...]:
    steps = list[ScriptStep]()
    start = 0
    for part in line.split(";"):
        words = [
            Word(found.group(), Span(file, number, start + found.start() + 1))
            for found in _WORD.finditer(part)
        ]
        if words:
            steps.append(_step(words, part))
        start += len(part) + 1
    return tuple(steps)


def _step(words: list[Word], part: str) -> ScriptStep:
    name, *rest = words
    position = next((k for k, word in enumerate(rest) if word.text == WHERE), None)
    if position is None:
        return ScriptStep(name, tuple(rest))
    if position + 1 == len(rest):
        raise CompileError("no condition after 'where'", rest[position].span)
    text = re.split(rf"\b{WHERE}\b", part, maxsplit=1)[1].strip()
    return ScriptStep(name, tuple(rest[:position]), Word(text, rest[position + 1].span))


def _scop_name(steps: tuple[ScriptStep, ...]) -> Word:
    words = steps[0].words
    if len(steps) != 1 or len(words) != 1 or _SCOP.fullmatch(words[0].text) is None:
        raise CompileError(
            "'scop' needs one name", steps[0].name.span, "scop FUNCTION, or scop FUNCTION:2"
        )
    return words[0]


def suggestion(wanted: str, known: list[str]) -> str:
    """What a hint says to somebody who wrote a name that is none of `known`."""
    from difflib import get_close_matches

    close = get_close_matches(wanted, known, n=1)
    return f"did you mean '{close[0]}'?" if close else f"there are {', '.join(known)}"
