"""The lines of a file of numbers and tags, read one after the other: OpenScop's and ScopLib's."""

from __future__ import annotations

import re
from dataclasses import dataclass

import islpy as isl

from polyopt.support.diagnostics import CompileError, Span

_NUMBER = re.compile(r"[+-]?\d")
"""What isl takes for a number, and for no name."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_']*")


def _is_read(name: str) -> bool:
    """Words of isl's own notation are not."""
    try:
        isl.Set(f"[{name}] -> {{ : {name} >= 0 }}")
    except isl.Error:
        return False
    return True


@dataclass
class Lines:
    """The lines that say something, one after the other."""

    text: str
    file: str
    number: int = 0

    def __post_init__(self) -> None:
        self._lines = self.text.splitlines()

    @property
    def span(self) -> Span:
        return Span(self.file, max(1, min(self.number, len(self._lines))))

    def error(self, message: str, hint: str | None = None) -> CompileError:
        return CompileError(message, self.span, hint)

    def has(self, line: str) -> bool:
        """Whether such a line is still to come; if so, it is the current one."""
        left = (one.strip() for one in self._lines[self.number :])
        for number, one in enumerate(left, self.number + 1):
            if one == line:
                self.number = number
                return True
        return False

    @property
    def is_more(self) -> bool:
        """Whether any line that says something is still to come."""
        left = self._lines[self.number :]
        return any(line.partition("#")[0].strip() for line in left)

    def peek(self, wanted: str) -> str:
        before = self.number
        line = self.next(wanted)
        self.number = before
        return line

    def next(self, wanted: str) -> str:
        while self.number < len(self._lines):
            line = self._lines[self.number].partition("#")[0].strip()
            self.number += 1
            if line:
                return line
        raise self.error(f"the file ends where {wanted} should be")

    def integers(self, wanted: str) -> list[int]:
        words = self.next(wanted).split()
        try:
            return [int(word) for word in words]
        except ValueError:
            raise self.error(f"expected {wanted}, got '{' '.join(words)}'") from None

    def integer(self, wanted: str) -> int:
        found = self.integers(wanted)
        if len(found) != 1:
            raise self.error(f"expected {wanted}, one number")
        return found[0]

    def count(self, wanted: str) -> int:
        found = self.integer(wanted)
        if found < 0:
            raise self.error(f"{wanted} is negative")
        return found

    def generic(self) -> tuple[str, list[str]]:
        """A tag and the lines in it that say something; a `#` is only a comment at the start of
        a line, as C text may have it."""
        tag = self.next("a <tag>")
        if not (tag.startswith("<") and tag.endswith(">")) or tag.startswith("</"):
            raise self.error(f"expected a <tag>, got '{tag}'")
        name, content = tag[1:-1], list[str]()
        while self.number < len(self._lines):
            line = self._lines[self.number].strip()
            self.number += 1
            if line == f"</{name}>":
                return name, content
            if line and not line.startswith("#"):
                content.append(line)
        raise self.error(f"the file ends where </{name}> should be")

    def parameters(self, words: list[str]) -> tuple[str, ...]:
        """The names of parameters, which isl's notation can say."""
        for word in words:
            if words.count(word) > 1:
                raise self.error(f"there are two parameters '{word}'")
            if not (_NAME.fullmatch(word) and _is_read(word)):
                raise self.error(f"'{word}' is no name for a parameter")
        return tuple(words)

    def names_by_number(self, content: list[str]) -> dict[int, str]:
        """Of a generic such as <arrays>: how many there are, then a number and a name each."""
        found = dict[int, str]()
        for line in content[1:]:
            words = line.split()
            if len(words) < 2 or not words[0].isdecimal() or _NUMBER.match(words[1]):
                raise self.error(f"expected an array's number and name, got '{line}'")
            found[int(words[0])] = words[1]
        return found
