"""The lines of a file and their directives (C 6.10): the text that is in force, in runs of tokens.

    line                what becomes of it
    text                waits, with its macros, for the next directive that may change their meaning
    #if … #endif        of a group the part whose condition holds is read; of the others no tokens
                        are made: `SourceText` knows where the next part begins
    #define, #undef     pcpp's, as is everything about macros
    #include            the runs of the file that is named
    others              the reader's: pragmas, lines, errors

pcpp's own loop makes tokens of all lines and hands each token through a generator for each file
that is open: a header that includes itself for each type that it is written for took its whole
text each time. A file that is one `#ifndef NAME` is not read again where NAME is a macro, and one
that has a part for the other case is (pcpp takes it for guarded too).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import NoReturn

from pcpp import Preprocessor
from pcpp.parser import LexToken

from polyopt.frontend.tokens.token_lines import (
    FileMark,
    LineAndColumn,
    Position,
    SourceText,
    token_lines,
)
from polyopt.frontend.tokens.token_text import SPACE, without_comment
from polyopt.support.diagnostics import CompileError, Span
from polyopt.support.record import entity

NO_MACRO = "#"
_OPENING = ("if", "ifdef", "ifndef")
_FURTHER = ("elif", "elifdef", "elifndef")
_MEANT_BY_MACROS = frozenset({"define", "undef", "include", "include_next", "pragma", "line"})
"""Directives before which the macros of the text in front are expanded, as they stand there."""


@entity
class _Group:
    """An `#if` that is open: its line, whether one of its parts was taken, and its `#else` read."""

    line: list[LexToken]
    is_taken: bool
    is_last: bool = False


@entity
class _File:
    """A file that is being read. `guard` is the macro of an `#ifndef` around all of it, and
    NO_MACRO where there is none; None as long as nothing has been read."""

    path: str
    position: Position
    groups: list[_Group] = field(default_factory=list[_Group])
    guard: str | None = None


class DirectiveReader(Preprocessor):
    """pcpp's macros, under our own reading of lines. What is wrong is a `CompileError`."""

    def __init__(self) -> None:
        super().__init__()
        self.files: list[_File] = []
        self._texts: dict[str, SourceText] = {}
        self._directive: LexToken | None = None

    # What a reader of C adds

    def begins(self, text: str, shown: str) -> None:
        """A file of this text is about to be read."""
        raise NotImplementedError

    def included_file(self, operands: list[LexToken], *, following: bool) -> tuple[str, str] | None:
        """The text and the path of the file that is meant; None where it has been read before."""
        raise NotImplementedError

    def left(self) -> None:
        """The file that was included has been read."""
        raise NotImplementedError

    def other_directive(self, directive: LexToken, operands: list[LexToken]) -> bool:
        """Do what it says; whether its line stays in the text."""
        raise NotImplementedError

    def condition(self, operands: list[LexToken]) -> bool:
        """Whether an `#if` with these operands is true."""
        raise NotImplementedError

    def spelt(self, text: str) -> str:
        """The text with its trigraphs replaced, where the language has them."""
        raise NotImplementedError

    def is_wanted(self, name: str) -> bool:
        """Whether a `#define` of this name is heeded."""
        raise NotImplementedError

    keeps_comments = False
    """Whether those of the text stay in it; directives have none."""

    marks_files = False
    """Whether the tokens of a file begin with a `FileMark`."""

    # Runs of a text

    def tokenize(self, text: str) -> list[LexToken]:
        """The tokens of what stands in no file, such as a macro's definition."""
        lines = token_lines(self.lexer, SourceText.of(text), Position(""))
        tokens = [token for line in lines for token in line]
        return tokens[:-1] if tokens and tokens[-1].value == "\n" else tokens

    def runs(self, text: str, path: str, shown: str) -> Iterator[list[LexToken]]:
        """The tokens in force of a file, macros expanded, and of all that it includes."""
        source = self._texts.get(text)
        if source is None:
            source = self._texts[text] = SourceText.of(self.spelt(text))
        self.define(f'__FILE__ "{shown}"')
        self.begins(text, shown)
        file = _File(path, Position(shown, keeps_comments=self.keeps_comments))
        self.files.append(file)
        if self.marks_files:
            yield [FileMark.of(shown)]
        waiting: list[LexToken] = []
        for line in token_lines(self.lexer, source, file.position):
            at = next((k for k, token in enumerate(line) if token.type not in SPACE), None)
            if at is None or line[at].value != "#":
                if at is not None and not file.groups:
                    file.guard = NO_MACRO
                waiting += line
                continue
            line = [without_comment(token) for token in line]
            words = self.tokenstrip(line[at + 1 :])
            if not words:
                continue
            self._directive = directive = words[0]
            operands, name = self.tokenstrip(words[1:]), directive.value
            if self._is_conditional(file, source, line, at, name, operands):
                continue
            if not file.groups:
                file.guard = NO_MACRO
            if waiting and (name in _MEANT_BY_MACROS or name.isdigit()):
                yield self.expand_macros(waiting)
                waiting = []
            if name in ("include", "include_next"):
                yield from self._included(operands, following=name == "include_next")
            elif name in ("define", "undef"):
                self._change_macros(directive, operands)
            elif name == "pragma" and operands and operands[0].value == "once":
                self.include_once[path] = None
            elif self.other_directive(directive, operands):
                yield line
        if waiting:
            yield self.expand_macros(waiting)
        self.files.pop()
        for group in file.groups:
            start = group.line[0]
            self.fail(f"unterminated {_text_of(group.line)}", span_of(start))
        if file.guard not in (None, NO_MACRO):
            self.include_once.setdefault(path, file.guard)

    def _included(self, operands: list[LexToken], *, following: bool) -> Iterator[list[LexToken]]:
        if operands and operands[0].value != "<" and operands[0].type != self.t_STRING:
            operands = self.tokenstrip(self.expand_macros(operands))
        found = self.included_file(operands, following=following)
        if found is None:
            return
        text, path = found
        name_before = self.macros.get("__FILE__")
        yield from self.runs(text, path, self.shown_path(path))
        if name_before is not None:
            self.macros["__FILE__"] = name_before
        self.left()

    def shown_path(self, path: str) -> str:
        """What people call the file."""
        return path

    def _change_macros(self, directive: LexToken, operands: list[LexToken]) -> None:
        name = self._macro_name(directive, operands)
        if directive.value == "undef":
            self.undef(operands)
        elif self.is_wanted(name):
            self.define(operands)

    def _macro_name(self, directive: LexToken, operands: list[LexToken]) -> str:
        if not operands or operands[0].type != "CPP_ID":
            self.fail(f"#{directive.value} needs a name", span_of(directive))
        if operands[0].value == "defined":
            self.fail("'defined' cannot be a macro", span_of(directive))
        return operands[0].value

    # Conditions

    def _is_conditional(
        self,
        file: _File,
        source: SourceText,
        line: list[LexToken],
        at: int,
        name: str,
        operands: list[LexToken],
    ) -> bool:
        """Whether the directive belongs to a group; what is not in force behind it is skipped."""
        groups = file.groups
        if name in _OPENING:
            is_taken = self._holds(name, operands)
            if not groups:
                is_first = file.guard is None
                file.guard = _guarding(name, operands) if is_first else NO_MACRO
            groups.append(_Group(line, is_taken))
        elif name in (*_FURTHER, "else", "endif"):
            is_taken = self._part_is_taken(file, name, operands)
        else:
            return False
        if not is_taken:
            file.position.skip_to = source.part_behind(line[at].lexpos)
        return True

    def _part_is_taken(self, file: _File, name: str, operands: list[LexToken]) -> bool:
        """Whether the text behind an `#elif`, `#else` or `#endif` is in force."""
        assert self._directive is not None
        span = span_of(self._directive)
        if not file.groups:
            self.fail(f"misplaced #{name}", span)
        group = file.groups[-1]
        if name == "endif":
            file.groups.pop()
            return True
        if len(file.groups) == 1:
            file.guard = NO_MACRO
        if group.is_last:
            self.fail(f"#{name} after #else", span, hint=f"the group began in line {_row(group)}")
        group.is_last = name == "else"
        if group.is_taken:
            return False
        group.is_taken = group.is_last or self._holds(name.removeprefix("el"), operands)
        return group.is_taken

    def _holds(self, name: str, operands: list[LexToken]) -> bool:
        assert self._directive is not None
        if name == "if":
            if not operands:
                self.fail("#if without an expression", span_of(self._directive))
            return self.condition(operands)
        is_macro = self._macro_name(self._directive, operands) in self.macros
        return is_macro == (name == "ifdef")

    def directive_span(self) -> Span:
        assert self._directive is not None
        return span_of(self._directive)

    def on_error(self, file: str, line: int, msg: str) -> NoReturn:
        self.fail(msg[:1].lower() + msg[1:], span_at(file, line))

    def fail(self, message: str, span: Span, hint: str | None = None) -> NoReturn:
        raise CompileError(message, span, hint)


def _guarding(name: str, operands: list[LexToken]) -> str:
    """The macro whose absence the condition is, of an `#ifndef NAME` or `#if !defined NAME`."""
    words = [token.value for token in operands if token.type not in SPACE]
    if name == "if" and words[:2] == ["!", "defined"]:
        words = [word for word in words[2:] if word not in ("(", ")")]
        return words[0] if len(words) == 1 else NO_MACRO
    return words[0] if name == "ifndef" else NO_MACRO


def _text_of(line: list[LexToken]) -> str:
    return "".join(token.value for token in line).strip()


def _row(group: _Group) -> int:
    return int(group.line[0].lineno)


def span_of(token: LexToken) -> Span:
    return span_at(token.source, token.lineno)


def span_at(file: str, line: int) -> Span:
    return Span(file, int(line), line.column if isinstance(line, LineAndColumn) else 0)
