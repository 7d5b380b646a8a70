"""The C library's headers that come with polyopt, and what of them a program leaves unused.

A small program includes hundreds of prototypes and calls five. The others are dropped before the
parser sees them; types and variables stay.
"""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

from pycparser.c_lexer import Token

HEADERS = Path(__file__).parent / "include"
_PREFIX = f"{HEADERS}{os.sep}"
_OPENING = ("LPAREN", "LBRACKET", "LBRACE")
_CLOSING = ("RPAREN", "RBRACKET", "RBRACE")


def is_library_header(file: str) -> bool:
    return file.startswith(_PREFIX)


def without_unused_prototypes(tokens: list[Token]) -> list[Token]:
    """The tokens without the library's prototypes of functions that the program never names."""
    named = {
        token.value.removeprefix("__builtin_")
        for token in tokens
        if token.type == "ID" and not token.filename.startswith(_PREFIX)
    }
    out: list[Token] = []
    position = 0
    while position < len(tokens):
        if not tokens[position].filename.startswith(_PREFIX):
            out.append(tokens[position])
            position += 1
            continue
        end = _declaration_end(tokens, position)
        declaration = tokens[position:end]
        name = _declared_function(declaration)
        if name is None or name in named:
            out += declaration
        position = end
    return out


def _declaration_end(tokens: list[Token], position: int) -> int:
    """The position behind the declaration that starts here."""
    depth = 0
    for index in range(position, len(tokens)):
        type = tokens[index].type
        depth += (type in _OPENING) - (type in _CLOSING)
        if depth == 0 and type == "SEMI":
            return index + 1
    return len(tokens)


def _declared_function(declaration: list[Token]) -> str | None:
    """The name that a prototype declares: the first one with a bracket behind."""
    if declaration[0].type == "TYPEDEF" or declaration[-1].type != "SEMI":
        return None
    for token, following in pairwise(declaration):
        if token.type == "LBRACE":
            return None
        if token.type == "ID" and following.type == "LPAREN":
            return token.value
    return None
