"""The expressions in clauses: tokens of a pragma's line, through the parser of all others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from typing import NoReturn

from pcpp.parser import LexToken
from pycparser import c_ast
from pycparser.c_lexer import Token

from polyopt.frontend.checking.checker import Checker
from polyopt.frontend.parsing.gnu_spellings import span_of_token
from polyopt.frontend.parsing.openmp_pragmas import place_of
from polyopt.frontend.parsing.syntax import PlacedParser
from polyopt.support.diagnostics import CompileError


class _ExpressionParser(PlacedParser):
    """Reads one expression instead of a file."""

    type_names: tuple[str, ...] = ()

    def _parse_translation_unit_or_empty(self) -> c_ast.FileAST:
        self._begin(self.placed.tokens)
        for name in self.type_names:
            self._add_typedef_name(name, None)
        return c_ast.FileAST([self._parse_expression()])

    def _unexpected(self, token: Token | None, expected: str | None) -> NoReturn:
        found = f"'{token.value}'" if token else "the end"
        at = token or self.placed.token_before(None)
        assert at is not None
        raise CompileError(f"expected {expected or 'the end'} before {found}", span_of_token(at))


def parse_words(checker: Checker, words: Iterable[LexToken]) -> c_ast.Node:
    """The syntax of an expression."""
    words = list(words)
    parser = _ExpressionParser(checker.options.std)
    names = [
        symbol.name
        for name in checker.scopes.visible_names()
        if (symbol := checker.scopes.find(name)) is not None and symbol.kind == "typedef"
    ]
    parser.type_names = tuple(names)
    return parser.parse_tokens(words, words[0].source).ext[0]


def parse_type(checker: Checker, words: Sequence[LexToken]) -> c_ast.Typename:
    """The syntax of a type's name: as the operand of `sizeof`."""
    around = [copy(words[0]) for _ in range(3)]
    for token, value in zip(around, ("sizeof", "(", ")"), strict=True):
        token.value = value
    node = parse_words(checker, [*around[:2], *words, around[2]])
    if not isinstance(node, c_ast.UnaryOp) or not isinstance(node.expr, c_ast.Typename):
        checker.error("expected the name of a type", place_of(words[0]))
    return node.expr
