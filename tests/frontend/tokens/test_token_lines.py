"""The tokens of lines are those of pcpp's own lexer, each at its place, but that the prefix of a
literal is a part of it."""

import random
from bisect import bisect_right
from collections.abc import Iterator
from copy import copy

import pytest
from pcpp import Preprocessor
from pcpp.parser import LexToken

from polyopt.frontend.tokens.token_lines import LineAndColumn, Position, SourceText, token_lines

PIECES = (
    *("a", "L", "u8", "U", "_b1", "‰", " 0x1uL ", " 15u ", " 7 "),
    *('"', "'", "L'a'", '"s"', "\\", "\\ \n", "\n"),
    *(" ", "\t", "\x0c", "\r", "/*", "*/", "//", "#", "##", "<<=", "->", "...", "@", "`", "‰", "?"),
    *("(", ")", ",", ";", "{", "%:", '"x\\\ny"'),
)
Line = tuple[list[tuple[str, str, int, int, int, str]], int]


def expected(preprocessor: Preprocessor, text: str) -> Iterator[Line]:
    """What pcpp says; the rows are counted again."""
    starts = [0]
    for line in text.splitlines():
        starts.append(starts[-1] + len(line.rstrip()) + 1)
    for tokens in map(_with_prefixes, Preprocessor.group_lines(preprocessor, text, "file.c")):
        rows = [bisect_right(starts, token.lexpos) for token in tokens]
        yield (
            [
                (*_space_for_comment(t), t.lexpos, row, t.lexpos - starts[row - 1] + 1, t.source)
                for t, row in zip(tokens, rows, strict=True)
            ],
            rows[-1],
        )


def _with_prefixes(tokens: list[LexToken]) -> list[LexToken]:
    joined: list[LexToken] = []
    for token in tokens:
        is_literal = token.type in ("CPP_STRING", "CPP_CHAR") and token.value[0] in "\"'"
        if is_literal and joined and joined[-1].value in ("L", "u", "U", "u8"):
            prefix = joined.pop()
            token.value, token.lexpos = prefix.value + token.value, prefix.lexpos
            token.lineno = prefix.lineno
        joined.append(token)
    return joined


def _space_for_comment(token: LexToken) -> tuple[str, str]:
    return ("CPP_WS", " ") if "COMMENT" in token.type else (token.type, token.value)


def found(preprocessor: Preprocessor, text: str) -> Iterator[Line]:
    position = Position("file.c")
    for tokens in token_lines(preprocessor.lexer, SourceText.of(text), position):
        told: list[tuple[str, str, int, int, int, str]] = []
        for token in tokens:
            place = token.lineno
            assert isinstance(place, LineAndColumn)
            told.append(
                (token.type, token.value, token.lexpos, int(place), place.column, token.source)
            )
        yield told, position.row


@pytest.mark.parametrize("seed", range(8))
def test_random_texts(seed: int):
    draw = random.Random(seed)
    preprocessor = Preprocessor()
    for _ in range(100):
        text = "".join(draw.choice(PIECES) for _ in range(draw.randint(0, 25)))
        assert list(found(preprocessor, text)) == list(expected(preprocessor, text)), text


def test_a_line_is_where_it_is_said_to_be_when_it_is_read():
    position = Position("one.c")
    lines = token_lines(Preprocessor().lexer, SourceText.of("a\nb c\n"), position)
    assert [(t.lineno, t.source) for t in next(lines)] == [(1, "one.c")] * 2
    position.shift, position.file = 40, "two.c"
    assert [(t.lineno, t.source) for t in next(lines)] == [(42, "two.c")] * 4


def test_a_copy_of_a_token_has_its_fields_and_is_another() -> None:
    (line,) = token_lines(Preprocessor().lexer, SourceText.of("word\n"), Position("file.c"))
    line[0].expanded_from = ["NAME"]
    made = copy(line[0])
    assert type(made) is type(line[0])
    assert vars(made) == vars(line[0])
    assert made.expanded_from is line[0].expanded_from  # as any copy
    made.value = "other"
    assert line[0].value == "word"
