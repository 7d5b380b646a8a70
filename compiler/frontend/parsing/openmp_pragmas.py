"""Lines of `#pragma omp` taken out of the preprocessor's tokens, each as tokens of its own.

The parser sees `#pragma omp 7` in the place of the seventh, and the checker looks up what it says:
tokens with their places, macros expanded. `_Pragma("omp …")` is such a line too. Where pragmas of
OpenMP are not asked for they are dropped, as others are, with a warning like any unknown one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from copy import copy
from dataclasses import field

from pcpp.parser import LexToken

from polyopt.dialects.loop_pragmas import CLAUSES
from polyopt.frontend.language.literals import parse_string
from polyopt.frontend.messages.warnings import Warnings
from polyopt.frontend.tokens.token_lines import LineAndColumn
from polyopt.support.diagnostics import Span
from polyopt.support.record import entity

_SPACE = ("CPP_WS", "CPP_LINECONT")
_KNOWN = frozenset("STDC GCC clang once pack message polyopt push_macro pop_macro weak".split())
"""The first words of pragmas that mean something to us, or nothing to anyone else."""
_STANDING = ("GCC", "STDC", "clang", "pack", "weak")
"""Those of pragmas that hold for the text behind them, which the lexer reads."""


@entity
class PragmaReader:
    """`lines` are those of OpenMP that have been read so far, `serial` the places of those that say
    `polyopt serial`, `loops` the places and the words of those that ask for something else.
    `expand` replaces the macros in tokens, `tokenize` makes tokens of text."""

    warnings: Warnings
    expand: Callable[[list[LexToken]], list[LexToken]]
    tokenize: Callable[[str], list[LexToken]]
    openmp: bool
    lines: list[list[LexToken]] = field(default_factory=list[list[LexToken]])
    serial: list[Span] = field(default_factory=list[Span])
    loops: list[tuple[Span, str]] = field(default_factory=list[tuple[Span, str]])

    def read(self, tokens: Iterable[LexToken]) -> Iterator[LexToken]:
        """The tokens, with one in the place of each line."""
        tokens = iter(tokens)
        line_is_empty = True
        for token in tokens:
            if line_is_empty and token.value == "#":
                yield from self._line(token, tokens)
                continue
            if token.type not in _SPACE:
                line_is_empty = False
            elif "\n" in token.value:
                line_is_empty = True
            if token.value == "_Pragma":
                yield from self._operator(token, tokens)
            else:
                yield token

    def _line(self, sign: LexToken, tokens: Iterator[LexToken]) -> Iterator[LexToken]:
        """A directive that the preprocessor left: OpenMP's, or another's, which stays."""
        line: list[LexToken] = []
        end: LexToken | None = None
        for token in tokens:
            if token.type in _SPACE and "\n" in token.value and token.type != "CPP_LINECONT":
                end = token
                break
            line.append(token)
        solid = _solid(line)
        if solid and solid[0].value == "pragma":
            found = list(self._pragma(solid[1:], sign))
            yield from found or [sign, *line]
        else:
            yield from [sign, *line]
        if end is not None:
            yield end

    def _operator(self, word: LexToken, tokens: Iterator[LexToken]) -> Iterator[LexToken]:
        """`_Pragma("…")`: a line of its own."""
        taken: list[LexToken] = []
        while len(_solid(taken)) < 3:
            token = next(tokens, None)
            if token is None:
                break
            taken.append(token)
        solid = _solid(taken)
        if [token.value for token in solid[::2]] != ["(", ")"] or solid[1].type != "CPP_STRING":
            yield word
            yield from taken
            return
        text = parse_string(solid[1].value)[:-1].decode("utf-8", "surrogateescape")
        line = _solid(self.tokenize(text))
        for token in line:
            token.lineno, token.source = word.lineno, word.source
        found = list(self._pragma(line, word))
        if not found and line and line[0].value in _STANDING:
            found = [_spelled(word, "CPP_POUND", "#"), _spelled(word, "CPP_ID", "pragma"), *line]
        if found:
            end = _spelled(word, "CPP_WS", "\n")
            yield from (end, *found, end)

    def _pragma(self, line: list[LexToken], at: LexToken) -> Iterator[LexToken]:
        first = line[0].value if line else ""
        if first == "omp" and self.openmp:
            self.lines.append([line[0], *_solid(self.expand(line[1:]))])
            token = copy(at)
            token.type, token.value = "CPP_ID", f"#pragma omp {len(self.lines) - 1}"
            yield token
        elif first == "polyopt":
            words = [token.value for token in _solid(self.expand(line[1:]))]
            self._polyopt(words, place_of(at))
        elif line and first not in _KNOWN:
            words = " ".join(token.value for token in line[:2])
            self.warnings.add("unknown-pragmas", f"ignoring '#pragma {words}'", place_of(at))

    def _polyopt(self, words: list[str], at: Span) -> None:
        if words == ["serial"]:
            self.serial.append(at)
        elif words and words[0] in CLAUSES:
            self.loops.append((at, " ".join(words)))
        else:
            first = words[0] if words else ""
            message = f"'#pragma polyopt {first}' is not known"
            message = message if words else "'#pragma polyopt' asks for nothing"
            self.warnings.add("polyopt-pragmas", message, at, _meant(first))


def _meant(word: str) -> str:
    from difflib import get_close_matches

    known = sorted({*CLAUSES, "serial"})
    close = get_close_matches(word, known, 1)
    return f"did you mean '{close[0]}'?" if close else f"there are {', '.join(known)}"


def _spelled(at: LexToken, type: str, value: str) -> LexToken:
    token = copy(at)
    token.type, token.value = type, value
    return token


def _solid(tokens: Iterable[LexToken]) -> list[LexToken]:
    """Without space and comments."""
    return [
        token
        for token in tokens
        if token.type not in _SPACE and not token.type.startswith("CPP_COMMENT")
    ]


def place_of(token: LexToken) -> Span:
    line = token.lineno
    return Span(token.source, int(line), line.column if isinstance(line, LineAndColumn) else 0)
