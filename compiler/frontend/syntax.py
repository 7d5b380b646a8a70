"""Preprocessor tokens -> pycparser's syntax tree, in the places of the original files.

The parser reads one text, joined from the tokens; a `PlacedLexer` gives each of its tokens the
place that the preprocessor knew, and turns GNU spellings into standard ones. Syntax errors say
what was expected where.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import replace
from typing import NoReturn

from pcpp.parser import LexToken
from pycparser.c_ast import FileAST
from pycparser.c_lexer import CLexer, Token
from pycparser.c_parser import Coord, CParser

from polyopt.frontend.options import Standard
from polyopt.frontend.preprocess import Place, is_continued
from polyopt.frontend.scope import did_you_mean
from polyopt.support.diagnostics import CompileError, Span

# GNU spellings and the tokens they are.
_KEYWORDS = {
    "__restrict": ("RESTRICT", "restrict"),
    "__restrict__": ("RESTRICT", "restrict"),
    "__inline": ("INLINE", "inline"),
    "__inline__": ("INLINE", "inline"),
    "__const": ("CONST", "const"),
    "__const__": ("CONST", "const"),
    "__volatile": ("VOLATILE", "volatile"),
    "__volatile__": ("VOLATILE", "volatile"),
    "__signed": ("SIGNED", "signed"),
    "__signed__": ("SIGNED", "signed"),
    "__alignof__": ("_ALIGNOF", "_Alignof"),
    "__alignof": ("_ALIGNOF", "_Alignof"),
    "__typeof__": ("TYPEOF", "typeof"),
    "__typeof": ("TYPEOF", "typeof"),
    "__builtin_offsetof": ("OFFSETOF", "offsetof"),
}
_UNSUPPORTED = {
    "asm": "inline assembly is not supported",
    "__asm": "inline assembly is not supported",
    "__asm__": "inline assembly is not supported",
    "__int128": "128-bit integers are not supported",
    "__float128": "128-bit floating point is not supported",
    "_Float128": "128-bit floating point is not supported",
    "_Complex": "complex numbers are not supported",
    "__complex__": "complex numbers are not supported",
    "_Imaginary": "complex numbers are not supported",
    "_Atomic": "atomic types are not supported",
    "_Thread_local": "thread-local variables are not supported",
    "__thread": "thread-local variables are not supported",
    "__label__": "local labels are not supported",
    "__auto_type": "__auto_type is not supported",
}
_ATTRIBUTES = ("__attribute__", "__attribute")
# What these ask for changes the meaning of a program; any other attribute is advice.
_BINDING_ATTRIBUTES = re.compile(
    r"^_*(packed|vector_size|ms_struct|mode|cleanup|transparent_union|alias|ifunc|weak|weakref|"
    r"section|constructor|destructor|scalar_storage_order|regparm|ms_abi|sysv_abi|tls_model|"
    r"address_space|may_alias|copy)_*$"
)
_WORDS = {
    "SEMI": "';'",
    "COMMA": "','",
    "COLON": "':'",
    "LPAREN": "'('",
    "RPAREN": "')'",
    "LBRACE": "'{'",
    "RBRACE": "'}'",
    "LBRACKET": "'['",
    "RBRACKET": "']'",
    "EQUALS": "'='",
    "WHILE": "'while'",
    "ID": "a name",
    "TYPEID": "a name",
}
_CLOSING = ("';'", "','", "')'", "']'", "'}'")
_BASIC_TYPES = ("char", "double", "float", "int", "long", "short", "unsigned", "void")


class PlacedLexer(CLexer):
    """The lexer of a text joined from preprocessor tokens."""

    starts: list[int]
    places: list[tuple[str, int, int]]
    lines: list[int]
    seen: list[Token]

    def load(self, tokens: Iterable[LexToken], filename: str) -> str:
        """The text to parse; pragmas are left out."""
        self.starts = [0]
        self.places = [(filename, 1, 1)]
        self.seen = []
        parts: list[str] = []
        offset = 0
        before: LexToken | None = None
        in_pragma = False
        line_is_empty = True
        for token in tokens:
            value: str = token.value
            if token.type in ("CPP_WS", "CPP_LINECONT"):
                if "\n" in value:
                    in_pragma, line_is_empty = False, True
                    parts.append("\n")
                else:
                    parts.append(" ")
                offset += 1
                before = None
                continue
            in_pragma = in_pragma or (line_is_empty and value == "#")
            line_is_empty = False
            if in_pragma:
                continue
            if before is not None and not is_continued(before, token):
                parts.append(" ")
                offset += 1
            line: int = token.lineno
            column = line.column if isinstance(line, Place) else 1
            self.starts.append(offset)
            self.places.append((token.source, int(line), column))
            parts.append(value)
            offset += len(value)
            before = token
        text = "".join(parts)
        self.lines = [0, *(m.end() for m in re.finditer("\n", text))]
        return text

    def token(self) -> Token | None:
        token = self._placed()
        while token is not None and token.type == "ID":
            if token.value in _KEYWORDS:
                token.type, token.value = _KEYWORDS[token.value]
            elif token.value == "__extension__":
                token = self._placed()
                continue
            elif token.value in _ATTRIBUTES:
                self._skip_attribute(token)
                token = self._placed()
                continue
            break
        if token is not None and token.value in _UNSUPPORTED:
            raise CompileError(_UNSUPPORTED[token.value], _token_span(token))
        if token is not None:
            self.seen.append(token)
        return token

    def token_before(self, token: Token | None) -> Token | None:
        """The token that was read before this one (None: the last one)."""
        for index in range(len(self.seen) - 1, 0, -1):
            if self.seen[index] is token:
                return self.seen[index - 1]
        return self.seen[-1] if token is None and self.seen else None

    def place(self, line: int, column: int) -> tuple[str, int, int]:
        """The place in the original files of a place in the joined text."""
        offset = self.lines[line - 1] + column - 1
        index = bisect_right(self.starts, offset) - 1
        file, row, start = self.places[index]
        return file, row, start + offset - self.starts[index]

    def _placed(self) -> Token | None:
        token = super().token()
        if token is not None:
            token.filename, token.lineno, token.column = self.place(token.lineno, token.column)
        return token

    def _skip_attribute(self, keyword: Token) -> None:
        depth = 0
        while True:
            token = self._placed()
            if token is None:
                raise CompileError("unterminated attribute", _token_span(keyword))
            if token.type == "ID" and depth == 2 and _BINDING_ATTRIBUTES.match(token.value):
                raise CompileError(
                    f"attribute '{token.value}' is not supported", _token_span(token)
                )
            depth += {"LPAREN": 1, "RPAREN": -1}.get(token.type, 0)
            if depth == 0:
                return


class PlacedParser(CParser):
    """pycparser with messages for people."""

    def __init__(self, std: Standard) -> None:
        super().__init__(lexer=PlacedLexer, dialect="c23" if std.endswith("23") else "legacy")

    @property
    def placed(self) -> PlacedLexer:
        assert isinstance(self.clex, PlacedLexer)
        return self.clex

    def parse_tokens(self, tokens: Iterable[LexToken], filename: str) -> FileAST:
        text = self.placed.load(tokens, filename)
        return self.parse(text, filename)

    def _expect(self, token_type: str) -> Token:
        token = self._peek()
        if token is None or token.type != token_type:
            self._unexpected(token, _WORDS.get(token_type))
        return self._advance()

    def _lex_error_func(self, msg: str, line: int, column: int) -> None:
        file, row, start = self.placed.place(line, column)
        text = msg[:1].lower() + msg[1:]
        raise CompileError(text, Span(file, row, start))

    def _parse_error(self, msg: str, coord: Coord | str | None) -> NoReturn:
        if not isinstance(coord, Coord) or msg.startswith("before:") or msg.startswith("Invalid"):
            self._unexpected(self._peek(), "an expression" if msg == "Invalid expression" else None)
        raise CompileError(
            msg[:1].lower() + msg[1:], Span(coord.file, coord.line, coord.column or 0)
        )

    def _unexpected(self, token: Token | None, expected: str | None) -> NoReturn:
        before = self.placed.token_before(token)
        found = f"'{token.value}'" if token else "end of file"
        if token and before and before.type == "ID" and token.type in ("ID", "TIMES"):
            known = [name for scope in self._scope_stack for name in scope if scope[name]]
            raise CompileError(
                f"unknown type name '{before.value}'",
                _token_span(before),
                did_you_mean(before.value, [*known, *_BASIC_TYPES]),
            )
        message = f"expected {expected} before {found}" if expected else f"unexpected {found}"
        at = before if expected in _CLOSING and before else token or before
        if at is None:
            raise CompileError(message)
        # What is missing is missing right behind the token before.
        span = _token_span(at)
        if at is before and before is not None:
            span = replace(span, column=span.column + len(before.value))
        raise CompileError(message, span)


def _token_span(token: Token) -> Span:
    return Span(token.filename, token.lineno, token.column)
