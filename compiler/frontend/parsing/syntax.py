"""Preprocessor tokens -> pycparser's syntax tree, in the places of the original files.

The parser reads one text, joined from the tokens; a `PlacedLexer` gives each of its tokens the
place that the preprocessor knew. Syntax errors say what was expected where.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from string import ascii_letters
from typing import NoReturn

from pcpp.parser import LexToken
from pycparser.c_ast import FileAST, Node
from pycparser.c_lexer import CLexer, Token
from pycparser.c_parser import Coord

from polyopt.frontend.language.c_types import BUILT_IN
from polyopt.frontend.messages.known_names import hint_for
from polyopt.frontend.messages.recovery import Errors, is_about_type, is_consequence
from polyopt.frontend.messages.standing_pragmas import StandingPragmas
from polyopt.frontend.options import Standard
from polyopt.frontend.parsing.broken_pieces import (
    end_of_declaration,
    end_of_item,
    names_in_declaration,
    names_in_item,
    tags_in,
)
from polyopt.frontend.parsing.gnu_nodes import Broken
from polyopt.frontend.parsing.gnu_spellings import (
    bracket_sizes,
    nullable_names,
    span_of_token,
    standard_tokens,
)
from polyopt.frontend.parsing.gnu_syntax import GnuParser
from polyopt.frontend.parsing.misspelt import (
    DECLARING_WORDS,
    STATEMENT_WORDS,
    TYPE_BEGINNINGS,
    is_lost_word,
    refuse_statement,
)
from polyopt.frontend.parsing.pragma_pack import PackState, with_limits
from polyopt.frontend.tokens.library_headers import without_unused_declarations
from polyopt.frontend.tokens.names import is_name, matches_in
from polyopt.frontend.tokens.token_lines import LineAndColumn
from polyopt.frontend.tokens.token_text import must_stay_separate
from polyopt.support.diagnostics import CompileError, Missing, Span

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
_LEXICAL = {
    "Unmatched '": "unterminated character constant",
    "Illegal character '\"'": "unterminated string",
    "Illegal character '\\\\'": "stray '\\'",
}
_CLOSING = ("';'", "','", "')'", "']'", "'}'")
_STATEMENTS = frozenset(
    "FOR WHILE DO IF ELSE SWITCH CASE DEFAULT RETURN BREAK CONTINUE GOTO".split()
)
_QUALIFIERS = ("CONST", "VOLATILE", "RESTRICT", "STATIC", "EXTERN", "REGISTER")
_BASIC_TYPES = ("char", "double", "float", "int", "long", "short", "unsigned", "void")


_SINGLE = {
    **{"(": "LPAREN", ")": "RPAREN", "{": "LBRACE", "}": "RBRACE"},
    **{",": "COMMA", ";": "SEMI", "]": "RBRACKET"},
}
_BEGINS_WORD = frozenset(f"{ascii_letters}_") - frozenset("LuU")
_DIGITS = re.compile(r"(?:0|[1-9][0-9]*)(?![\w.'])").match
_LITERAL = re.compile(
    r"""(?P<prefix>u8|[LuU]|)(?:(?P<string>"(?:[^"\\\n]|\\[^\n])*")|'\\[^a-zA-Z0-9\n]')"""
).match
"""Strings, and characters by an escape that is no letter or number: pycparser refuses many of those
that C gives no meaning."""
_PREFIXES = {"": "", "L": "W", "u8": "U8", "u": "U16", "U": "U32"}


class PlacedLexer(CLexer):
    """The lexer of a text joined from preprocessor tokens."""

    starts: list[int]
    places: list[tuple[str, int, int]]
    lines: list[int]
    tokens: list[Token]
    is_gnu: bool
    nullable: frozenset[Span]
    packs: list[tuple[int, int]]
    standing: StandingPragmas

    def load(self, tokens: Iterable[LexToken], filename: str) -> str:
        """The text to parse; pragmas are left out, of those that hold for what stands behind them
        is kept what they say from there on."""
        self.packs = []
        self.standing = StandingPragmas()
        pack = PackState()
        self.starts = [0]
        self.places = [(filename, 1, 1)]
        parts: list[str] = []
        offset = 0
        before: LexToken | None = None
        pragma: list[LexToken] | None = None
        line_is_empty = True
        for token in tokens:
            value: str = token.value
            if token.type in ("CPP_WS", "CPP_LINECONT"):
                if "\n" in value:
                    if pragma is not None and _is_pack(pragma):
                        pack.apply("".join(t.value for t in pragma[2:]), _span(pragma[0]))
                        self.packs.append((offset, pack.limit))
                    elif pragma is not None:
                        words = [t.value for t in pragma[2:]]
                        self.standing.apply(words, _span(pragma[0]), offset)
                    pragma, line_is_empty = None, True
                    parts.append("\n")
                else:
                    parts.append(" ")
                offset += 1
                before = None
                continue
            if pragma is None and line_is_empty and value == "#":
                pragma = []
            line_is_empty = False
            if pragma is not None:
                pragma.append(token)
                continue
            if before is not None and must_stay_separate(before, token):
                parts.append(" ")
                offset += 1
            span = _span(token)
            self.starts.append(offset)
            self.places.append((span.file, span.line, span.column))
            parts.append(value)
            offset += len(value)
            before = token
        self.standing.place(self.starts, self.places)
        text = "".join(parts)
        self.lines = [0, *(m.end() for m in re.finditer("\n", text))]
        return text

    def input(self, text: str, filename: str = "") -> None:
        super().input(text, filename)
        tokens = bracket_sizes(without_unused_declarations(self._read_all()))
        self.nullable = nullable_names(tokens)
        self.tokens = standard_tokens(tokens, is_gnu=self.is_gnu)

    def _match_token(self) -> Token | None:
        """What no other token can begin like needs no look at all the expressions: brackets,
        words that are no prefix of a literal, and numbers of nothing but digits."""
        if not self._in_attribute:
            text, at = self._lexdata, self._pos
            value = text[at]
            kind = _SINGLE.get(value)
            if kind is None and (value in _BEGINS_WORD or is_name(value)):
                word = matches_in(text)(text, at)
                assert word is not None
                if value in _BEGINS_WORD or not word.group().isascii():
                    value = word.group()
                    kind = self._keyword_map.get(value, "ID")
            if "0" <= value <= "9" and (number := _DIGITS(text, at)) is not None:
                value, kind = number.group(), "INT_CONST_DEC"
            if value in "\"'LuU" and (found := _LITERAL(text, at)) is not None:
                value = found.group()
                sort = "CHAR_CONST" if found["string"] is None else "STRING_LITERAL"
                kind = f"{_PREFIXES[found['prefix']]}{sort}"
            if kind is not None:
                token = self._make_token(kind, value, at)
                self._pos = at + len(value)
                return token
        return super()._match_token()

    def token_before(self, token: Token | None) -> Token | None:
        """The token that stands before this one (None: the last one)."""
        for index in range(len(self.tokens) - 1, 0, -1):
            if self.tokens[index] is token:
                return self.tokens[index - 1]
        return self.tokens[-1] if token is None and self.tokens else None

    def token_behind(self, token: Token) -> Token | None:
        for index in range(len(self.tokens) - 2, -1, -1):
            if self.tokens[index] is token:
                return self.tokens[index + 1]
        return None

    def place(self, line: int, column: int) -> tuple[str, int, int]:
        """The place in the original files of a place in the joined text."""
        offset = self.lines[line - 1] + column - 1
        index = bisect_right(self.starts, offset) - 1
        file, row, start = self.places[index]
        return file, row, start + offset - self.starts[index]

    def _read_all(self) -> list[Token]:
        tokens: list[Token] = []
        behind_number = (0, 0)
        limits: list[int] = []
        while (token := self.token()) is not None:
            start = (token.lineno, token.column)
            if token.type in ("ID", "IF") and start == behind_number:
                self._join_suffix(tokens[-1], token)
                continue
            if token.type.startswith(("INT_CONST", "FLOAT_CONST")):
                behind_number = (token.lineno, token.column + len(token.value))
            if self.packs:
                offset = self.lines[start[0] - 1] + start[1] - 1
                known = bisect_right(self.packs, offset, key=lambda pack: pack[0]) - 1
                limits.append(self.packs[known][1] if known >= 0 else 0)
            token.filename, token.lineno, token.column = self.place(*start)
            tokens.append(token)
        return with_limits(tokens, limits) if self.packs else tokens

    def _join_suffix(self, number: Token, suffix: Token) -> None:
        """GNU C's imaginary numbers: `2.0i`, `2.0if`."""
        if suffix.value.lower().strip("fl") in ("i", "j"):
            if number.type.startswith("INT_CONST"):
                raise CompileError(
                    "complex numbers of integers are not supported",
                    span_of_token(number),
                    f"write {number.value}.0{suffix.value}",
                )
            number.value += suffix.value
            return
        raise CompileError(
            f"invalid suffix '{suffix.value}' on number {number.value}", span_of_token(number)
        )


def _is_pack(pragma: list[LexToken]) -> bool:
    """`# pragma pack ...`"""
    return [token.value for token in pragma[1:3]] == ["pragma", "pack"]


def _span(token: LexToken) -> Span:
    line: int = token.lineno
    return Span(token.source, int(line), line.column if isinstance(line, LineAndColumn) else 1)


class PlacedParser(GnuParser):
    """pycparser with messages for people."""

    def __init__(self, std: Standard) -> None:
        self._label: Token | None = None
        self._errors = Errors()
        super().__init__(lexer=PlacedLexer, dialect="c23" if std.endswith("23") else "legacy")
        self.placed.is_gnu = std.startswith("gnu")

    @property
    def placed(self) -> PlacedLexer:
        assert isinstance(self.clex, PlacedLexer)
        return self.clex

    def parse_tokens(
        self, tokens: Iterable[LexToken], filename: str, errors: Errors | None = None
    ) -> FileAST:
        """The tree of all that is not wrong; what is, is added to `errors`, or raised."""
        self._errors = Errors() if errors is None else errors
        text = self.placed.load(tokens, filename)
        try:
            tree = self.parse(text, filename)
        except RecursionError:
            token = self._peek()
            place = self.placed.place(token.lineno, token.column) if token else (filename, 1, 1)
            raise CompileError("the program is nested too deeply here", Span(*place)) from None
        if errors is None:
            self._errors.raise_all()
        return tree

    def _parse_translation_unit(self) -> list[Node]:
        """All declarations; what is wrong in one does not keep the others from being read."""
        declarations: list[Node] = []
        while self._peek() is not None:
            start = self._mark()
            try:
                self._refuse_statement()
                self._refuse_lost_word(self._peek())
                declarations += self._parse_external_declaration()
            except CompileError as error:
                wrong = self._mark()
                del self._scope_stack[1:]
                self._note(error)
                tokens = self.placed.tokens
                end = end_of_declaration(tokens, start, wrong)
                if self._may_be_statement(start):
                    end = self._behind_statements(start, wrong)
                self._reset(end)
                self._lose(tokens[start : self._mark()], names_in_declaration)
        return declarations

    def _may_be_statement(self, start: int) -> bool:
        """Where a brace was too many, the rest of a body stands outside of functions."""
        kind, *behind = (token.type for token in self.placed.tokens[start : start + 2])
        declares = ("ID", "TIMES", *TYPE_BEGINNINGS)
        return kind in _STATEMENTS or (kind == "ID" and not any(one in declares for one in behind))

    def _refuse_statement(self) -> None:
        token = self._peek()
        if token is not None and token.type in _STATEMENTS:
            text = f"'{token.value}' stands outside of functions"
            raise CompileError(text, span_of_token(token), "is a '}' too many before it?")

    def _refuse_lost_word(self, word: Token | None) -> None:
        """`statc int x;`, `API int f(void)`: what is unknown is the word in front of the type."""
        if word is None or not self._may_be_type(word):
            return
        if is_lost_word(self.placed.token_before(word), self.placed.token_behind(word)):
            self._unknown_type(word)

    def _behind_statements(self, start: int, wrong: int) -> int:
        """The place of the next declaration: what stands before it follows from the first error."""
        tokens = self.placed.tokens
        place = end_of_item(tokens, start, wrong, lacks_semicolon=False)
        while place < len(tokens) and not self._starts_declaration(tokens[place]):
            if tokens[place].type == "RBRACE":
                place += 1
                continue
            end = end_of_item(tokens, place, place, lacks_semicolon=False)
            if tokens[place].type == "ID" and tokens[end - 1].type == "RBRACE":
                break  # a function that says no type
            place = max(end, place + 1)
        return place

    def _note(self, error: CompileError) -> None:
        if not is_consequence(error.diagnostic, self._errors.lost):
            self._errors.add(error)

    def _lose(
        self, tokens: Sequence[Token], names: Callable[[Sequence[Token]], Iterator[str]]
    ) -> None:
        """What a piece that is wrong would have declared."""
        self._errors.lost.update(names(tokens))
        self._errors.lost_tags.update(tags_in(tokens))
        self._typedef_checked_token = None

    def _parse_translation_unit_or_empty(self) -> FileAST:
        self._begin(self.placed.tokens)
        for name in ("__builtin_va_list", *BUILT_IN):
            self._add_typedef_name(name, None)
        return super()._parse_translation_unit_or_empty()

    def _see_label(self) -> None:
        """In front of a colon a type's name is a label's: they have a name space of their own."""
        token = self._peek()
        if token is not None and token.type == "TYPEID" and self._peek_type(2) == "COLON":
            token.type, self._label = "ID", token

    def _classify_identifier(self, tok: Token | None) -> None:
        if tok is None or tok is not self._label:
            super()._classify_identifier(tok)
        else:
            self._typedef_checked_token = tok

    def _parse_block_item(self) -> Node | list[Node]:
        """What follows an item that is wrong is read all the same."""
        self._see_label()
        start, depth = self._mark(), len(self._scope_stack)
        try:
            return super()._parse_block_item()
        except CompileError as error:
            wrong, tokens = self._mark(), self.placed.tokens
            if wrong >= len(tokens):
                raise
            del self._scope_stack[depth:]
            self._note(error)
            lacks_semicolon = isinstance(error.diagnostic.hint, Missing) and (
                error.diagnostic.hint.meant == ";"
            )
            end = end_of_item(tokens, start, wrong, lacks_semicolon=lacks_semicolon)
            self._reset(end)
            declares = is_about_type(error.diagnostic)
            named = partial(names_in_item, is_of_type=self._starts_declaration, declares=declares)
            self._lose(tokens[start:end], named)
            return Broken(self._tok_coord(tokens[start]))

    def _parse_statement(self) -> Node:
        self._see_label()
        return super()._parse_statement()

    # Statements that are blocks: an enumerator declared in a condition hides a type's name no
    # longer than the statement goes on (C 6.8.4, 6.8.5).

    def _parse_selection_statement(self) -> Node:
        self._push_scope()
        statement = super()._parse_selection_statement()
        self._pop_scope()
        return statement

    def _parse_iteration_statement(self) -> Node:
        self._push_scope()
        statement = super()._parse_iteration_statement()
        self._pop_scope()
        return statement

    def _expect(self, token_type: str) -> Token:
        token = self._peek()
        if token is not None and token.type == "TYPEID" and token_type == "ID":
            token.type = "ID"  # a label or an inner name that is a type's name outside
        if token is None or token.type != token_type:
            self._unexpected(token, _WORDS.get(token_type))
        return self._advance()

    def _parse_struct_or_union_specifier(self) -> Node:
        record = super()._parse_struct_or_union_specifier()
        token = self._peek()
        if token is not None and token.value in _BASIC_TYPES:
            before = self.placed.token_before(token)
            if before is not None and before.type == "RBRACE":
                raise _missing(";", before, f"'{token.value}'")
        return record

    def _lex_error_func(self, msg: str, line: int, column: int) -> None:
        file, row, start = self.placed.place(line, column)
        if msg.startswith("Comments"):
            msg = "Unterminated comment"  # whole ones do not come so far
        hint = "text stands in double quotes" if msg.startswith("Invalid char constant") else None
        text = _LEXICAL.get(msg, msg[:1].lower() + msg[1:])
        raise CompileError(text, Span(file, row, start), hint)

    def _parse_error(self, msg: str, coord: Coord | str | None) -> NoReturn:
        if not isinstance(coord, Coord) or msg.startswith("before:") or msg.startswith("Invalid"):
            self._unexpected(self._peek(), "an expression" if msg == "Invalid expression" else None)
        raise CompileError(
            msg[:1].lower() + msg[1:], Span(coord.file, coord.line, coord.column or 0)
        )

    def _may_be_type(self, name: Token) -> bool:
        """A name that is not declared, in front of another one; outside of functions these cannot
        be but a type and what is of it."""
        is_outside = len(self._scope_stack) == 1
        is_known = any(name.value in scope for scope in self._scope_stack)
        return name.type == "ID" and (is_outside or not is_known)

    def _lost_type(self, before: Token, token: Token) -> Token | None:
        """The name that can be nothing but a type's where this token does not fit behind that one:
        `lost x`, `lost *`, `lost * const`, and `const lost *`, where it seemed to be declared."""
        first = self.placed.token_before(before)
        if token.type in _QUALIFIERS and before.type == "TIMES" and first is not None:
            return first if self._may_be_type(first) else None
        if token.type not in ("ID", "TIMES") or before.type != "ID":
            return None
        return before if self._may_be_type(before) or self._is_only_qualified(first) else None

    def _is_only_qualified(self, token: Token | None) -> bool:
        """Whether a declaration has begun with this qualifier, without a type so far."""
        if token is None or token.type not in _QUALIFIERS:
            return False
        while token is not None and token.type in _QUALIFIERS:
            token = self.placed.token_before(token)
        return token is None or token.type in ("SEMI", "LBRACE", "RBRACE", "LPAREN", "COMMA")

    def _unclosed(self, token: Token | None) -> Token | None:
        """The last '{' up to this token that no '}' belongs to."""
        depth = 0
        while token is not None:
            depth += {"RBRACE": 1, "LBRACE": -1}.get(token.type, 0)
            if depth < 0:
                return token
            token = self.placed.token_before(token)
        return None

    def _unknown_type(self, name: Token) -> NoReturn:
        known = [word for scope in self._scope_stack for word in scope if scope[word]]
        hint = hint_for(name.value, [*known, *DECLARING_WORDS, *STATEMENT_WORDS])
        if hint is None and name.value.isupper():
            hint = "if it is a macro, the header is missing that defines it"
        raise CompileError(f"unknown type name '{name.value}'", span_of_token(name), hint)

    def _unexpected(self, token: Token | None, expected: str | None) -> NoReturn:
        before = self.placed.token_before(token)
        found = f"'{token.value}'" if token else "end of file"
        lost = self._lost_type(before, token) if before and token else None
        if lost is not None:
            self._unknown_type(lost)
        self._refuse_lost_word(before)
        self._refuse_lost_word(token)
        hint = None
        if expected == "';'" and before and before.type in ("LBRACE", "RBRACE", "SEMI", "COLON"):
            expected = "a statement"
        if len(self._scope_stack) > 1:
            last = token if expected == "';'" else None
            refuse_statement(before, last, self.placed.token_before, self._may_be_type)
        if expected == "';'" and token and token.type == "LBRACE":
            hint = "a function cannot be defined inside another one"
        if expected == "'}'" and token is None and (open_brace := self._unclosed(before)):
            found += f", for the '{{' in line {span_of_token(open_brace).line}"
        message = f"expected {expected} before {found}" if expected else f"unexpected {found}"
        at = before if expected in _CLOSING and before else token or before
        if at is None:
            raise CompileError(message, hint=hint)
        # What is missing is missing right behind the token before.
        span = span_of_token(at)
        if at is before and before is not None:
            span = replace(span, column=span.column + len(before.value))
            if hint is None and expected is not None:
                hint = Missing.of(expected.strip("'"))
        raise CompileError(message, span, hint)


def _missing(what: str, before: Token, found: str) -> CompileError:
    """What is missing is missing right behind the token before."""
    span = span_of_token(before)
    span = replace(span, column=span.column + len(before.value))
    return CompileError(f"expected '{what}' before {found}", span, Missing.of(what))
