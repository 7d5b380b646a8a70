"""Looking ahead in tokens that are all there: one access of a list.

A parser looks six times at each token. pycparser does so through a buffer that it fills as it goes,
and tells a name from a type's at each look anew; here the same answers come sooner. A name is
looked up again where a scope, or what a name means, has changed since.
"""

from __future__ import annotations

from collections.abc import Sequence

from pycparser.c_lexer import Token
from pycparser.c_parser import CParser

_NAMES = ("ID", "TYPEID")


class ParserOfTokens(CParser):
    """What follows a member function of `CParser` in name takes its place."""

    _ahead: Sequence[Token] = ()
    _place = 0
    """Of the next token."""

    def _begin(self, tokens: Sequence[Token]) -> None:
        """These are parsed, from the first."""
        self._ahead, self._place = tokens, 0

    def _peek(self, k: int = 1) -> Token | None:
        place = self._place + k - 1
        if place >= len(self._ahead):
            return None
        token = self._ahead[place]
        if token.type in _NAMES and token is not self._typedef_checked_token:
            self._classify_identifier(token)
        return token

    def _peek_type(self, k: int = 1) -> str | None:
        place = self._place + k - 1
        if place >= len(self._ahead):
            return None
        token = self._ahead[place]
        if token.type in _NAMES and token is not self._typedef_checked_token:
            self._classify_identifier(token)
        return token.type

    def _accept(self, token_type: str) -> Token | None:
        token = self._peek()
        if token is None or token.type != token_type:
            return None
        self._place += 1
        return token

    def _advance(self) -> Token:
        token = self._peek()
        if token is None:
            self._parse_error("At end of input", self.clex.filename)
        self._place += 1
        return token

    def _mark(self) -> int:
        return self._place

    def _reset(self, mark: int) -> None:
        self._place = mark
