"""The tokens that are read by a shorter way are those that pycparser reads."""

import random

import pytest
from pycparser.c_lexer import CLexer

from polyopt.frontend.parsing.syntax import PlacedLexer

PIECES = (
    *("a", "L", "u", "u8", "U", "_x1", "$y", "int", "while", "_Bool", "typeof", "nullptr", "0x1f"),
    *("1.5e3f", "07", "12ull", "'c'", "L'c'", "u8'c'", '"s"', 'L"s"', 'u"s"', 'U"s"', 'u8"s"', "‰"),
    *(" ", " ", "\n", "(", ")", "[", "]", "[[", "]]", "{", "}", ",", ";", "...", ".", "->", "--"),
    *("<<=", "?", ":", "::", "@", "\\n", "/*", "//", "'", '"'),
)
Read = list[tuple[str, str, int, int] | tuple[str, int, int]]


def read(kind: type[CLexer], text: str, dialect: str) -> Read:
    found: Read = []

    def wrong(message: str, line: int, column: int) -> None:
        found.append((message, line, column))

    lexer = kind(wrong, dialect="c23" if dialect == "c23" else "legacy")
    CLexer.input(lexer, text)
    while (token := CLexer.token(lexer)) is not None:
        found.append((token.type, token.value, token.lineno, token.column))
    return found


@pytest.mark.parametrize("dialect", ["legacy", "c23"])
@pytest.mark.parametrize("seed", range(4))
def test_random_texts(seed: int, dialect: str):
    draw = random.Random(seed)
    for _ in range(200):
        text = "".join(draw.choice(PIECES) for _ in range(draw.randint(0, 20)))
        assert read(PlacedLexer, text, dialect) == read(CLexer, text, dialect), text


@pytest.mark.parametrize("literal", ['"\\[{%"', 'u8"\\("', "'\\%'", "L'\\ '", 'L"\\‰"'])
def test_escapes_without_a_meaning_are_in_literals(literal: str):
    (token,) = read(PlacedLexer, literal, "legacy")
    assert token[1] == literal
    assert token != read(CLexer, literal, "legacy")[0]
