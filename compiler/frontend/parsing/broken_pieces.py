"""Where a piece of a program ends whose syntax is wrong, and what it would have declared.

    x = y + ;                   an item of a block ends behind its ';', a statement with a block
    if (x { y(); } else z();    behind it, and what `else` says
    x = 5 y = 6;                where only ';' is missing: what follows is an item of its own
    for (i = 0 i < n;) y();     the ';' in its head end nothing
    x = y + }                   the end of the block around is not part of it

Declarations outside of functions end likewise, but what follows a body may belong to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from pycparser.c_lexer import Token

_BEHIND_BRACE = ("SEMI", "COMMA", "TIMES", "EQUALS", "LBRACKET")
_TYPES_WITH_BODIES = ("STRUCT", "UNION", "ENUM")
_NESTS = {"LBRACE": 1, "RBRACE": -1}


def end_of_item(tokens: Sequence[Token], start: int, wrong: int, *, lacks_semicolon: bool) -> int:
    """The place behind the item of a block that starts at `start` and is wrong at `wrong`."""
    place, braces, parentheses = start, 0, 0
    has_head = tokens[start].type == "FOR"
    while place < len(tokens):
        kind = tokens[place].type
        nested = braces or parentheses
        if lacks_semicolon and place == wrong > start and not nested:
            return place
        if kind == "RBRACE" and not braces:
            return place
        braces += _NESTS.get(kind, 0)
        parentheses += {"LPAREN": 1, "RPAREN": -1}.get(kind, 0)
        place += 1
        if place <= wrong or braces:
            continue
        if kind == "RBRACE" or (kind == "SEMI" and not (has_head and parentheses > 0)):
            break
    if place < len(tokens) and tokens[place].type == "ELSE":
        return end_of_item(tokens, place + 1, place + 1, lacks_semicolon=False)
    return place


def end_of_declaration(tokens: Sequence[Token], start: int, wrong: int) -> int:
    """The place behind the declaration outside of functions that starts at `start`."""
    is_type = tokens[start].type in (*_TYPES_WITH_BODIES, "TYPEDEF")
    place, braces = start, 0
    while place < len(tokens):
        kind = tokens[place].type
        braces += _NESTS.get(kind, 0)
        place += 1
        if braces > 0 or place <= wrong or kind not in ("SEMI", "RBRACE"):
            continue
        more = tokens[place].type if place < len(tokens) else ""
        goes_on = kind == "RBRACE" and (more in _BEHIND_BRACE or (is_type and more == "ID"))
        if not goes_on:
            break
    return place


def names_in_item(
    tokens: Sequence[Token], is_of_type: Callable[[Token], bool], *, declares: bool
) -> Iterator[str]:
    """What is named behind a type, or from the start on where it `declares`, and labels. It is as
    much as may have been declared."""
    for place, token in enumerate(tokens):
        if is_of_type(token):
            declares = True
        elif token.type == "ID":
            following = tokens[place + 1].type if place + 1 < len(tokens) else ""
            if declares or following == "COLON":
                yield token.value


def names_in_declaration(tokens: Iterable[Token]) -> Iterator[str]:
    """The names outside of braces, and those of enumerators."""
    braces, enumerates = 0, False
    for token in tokens:
        enumerates = enumerates or token.type == "ENUM"
        braces += _NESTS.get(token.type, 0)
        if token.type in ("ID", "TYPEID") and (not braces or enumerates):
            yield token.value


def tags_in(tokens: Sequence[Token]) -> Iterator[str]:
    """The structures whose members stand there."""
    for kind, name, brace in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if kind.type in ("STRUCT", "UNION") and brace.type == "LBRACE":
            yield f"{kind.value} {name.value}"
