"""The tokens of lines are those of pcpp's own lexer, each at its place, but that the prefix of a
literal is a part of it, and that lines are joined before there are tokens."""

import random
from collections.abc import Iterator
from copy import copy

import pytest
from pcpp import Preprocessor
from pcpp.parser import LexToken

from polyopt.frontend.tokens.token_lines import LineAndColumn, Position, SourceText, token_lines

PIECES = (
    *("a", "L", "u8", "U", "_b1", "‰", " 0x1uL ", " 15u ", " 7 "),
    *('"', "'", "L'a'", '"s"', "\\", "\\ \n", "\n"),
    *(" ", "\t", "\r", "/*", "*/", "//", "#", "##", "<<=", "->", "...", "@", "`", "‰", "?"),
    *("(", ")", ",", ";", "{", "%", '"x\\\ny"', "\\\n", "\\\n"),
)
Line = tuple[list[tuple[str, str, int, int, int, str]], int]


def spliced(text: str) -> Iterator[tuple[str, int, int]]:
    """The characters, each with its row and column, without space at the ends of lines and without
    the backslash and the newline that continue one. At the end of the text none is continued."""
    last = len(text.splitlines()) if text.endswith("\\") else None
    for row, line in enumerate(text.splitlines(), 1):
        line = line.rstrip()
        is_continued = line.endswith("\\") and row != last
        kept = line[:-1] if is_continued else f"{line}\n"
        yield from ((letter, row, column) for column, letter in enumerate(kept, 1))


def expected(preprocessor: Preprocessor, text: str) -> Iterator[Line]:
    """What pcpp says of the spliced text; the places are those of the letters."""
    letters = list(spliced(text))
    data = "".join(letter for letter, _, _ in letters).removesuffix("\n")
    for tokens in lexed(preprocessor, data):
        places = [letters[token.lexpos][1:] for token in tokens]
        yield (
            [
                (*_space_for_comment(t), t.lexpos, row, column, "file.c")
                for t, (row, column) in zip(tokens, places, strict=True)
            ],
            places[-1][0],
        )


def lexed(preprocessor: Preprocessor, data: str) -> Iterator[list[LexToken]]:
    """The tokens of pcpp's lexer, a line at a time, the last with a newline where its last token
    is."""
    line: list[LexToken] = []
    for token in preprocessor.tokenize(data):
        line.append(token)
        if token.type == "CPP_WS" and token.value == "\n":
            yield _with_prefixes(line)
            line = []
    if line:
        line = _with_prefixes(line)
        last = copy(line[-1])
        last.type, last.value = "CPP_WS", "\n"
        yield [*line, last]


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


def test_what_continues_a_line_may_stand_in_every_token():
    """As in C 5.1.1.2: lines are joined in phase 2, tokens are made in phase 3."""
    text = "in\\\nt x +\\\n= 1\\ \n2; /\\\n/ no \\\n more\nz\\\n"
    position = Position("file.c")
    lines = list(token_lines(Preprocessor().lexer, SourceText.of(text), position))
    assert [placed(token) for token in lines[0] if token.value != " "] == [
        *(("int", 1, 1), ("x", 2, 3), ("+=", 2, 5), ("12", 3, 3), (";", 4, 2), ("\n", 6, 6)),
    ]
    assert [placed(token) for token in lines[1]] == [("z", 7, 1), ("\n", 7, 1)]


def placed(token: LexToken) -> tuple[str, int, int]:
    place = token.lineno
    assert isinstance(place, LineAndColumn)
    return token.value, int(place), place.column


def test_a_backslash_that_nothing_follows_is_there():
    """It continues no line, and is no token of C: the parser says so."""
    (line,) = token_lines(Preprocessor().lexer, SourceText.of("x \\"), Position("file.c"))
    assert [token.value for token in line] == ["x", " ", "\\", "\n"]


@pytest.mark.parametrize("spelling", ["<:", ":>", "<%", "%>", "%:", "%:%:"])
def test_other_spellings_are_the_same_tokens_at_their_places(spelling: str):
    meant = {"<:": "[", ":>": "]", "<%": "{", "%>": "}", "%:": "#", "%:%:": "##"}[spelling]
    (line,) = token_lines(Preprocessor().lexer, SourceText.of(f"a{spelling}b"), Position("file.c"))
    (usual,) = token_lines(Preprocessor().lexer, SourceText.of(f"a{meant}b"), Position("file.c"))
    assert [(t.type, t.value) for t in line] == [(t.type, t.value) for t in usual]
    assert placed(line[2]) == ("b", 1, 2 + len(spelling))


def test_a_group_that_is_spelt_otherwise_is_skipped():
    text = SourceText.of("%: if 0\nno\n%:else\nyes\n%:endif\n")
    assert text.data[text.part_behind(0) :] == "%:else\nyes\n%:endif"


@pytest.mark.parametrize("space", ["\f", "\v", "\0", "\x1c", "\x85", "\u2028"])
def test_a_line_ends_where_c_says(space: str):
    """And not where Python says: what is in a literal stays there, and rows are counted right."""
    text = SourceText.of(f'{space}\n"a{space}b" c')
    assert [token.value for token in next(iter(lines_with_words(text)))] == [
        f'"a{space}b"',
        " ",
        "c",
        "\n",
    ]


def lines_with_words(text: SourceText) -> Iterator[list[LexToken]]:
    for line in token_lines(Preprocessor().lexer, text, Position("file.c")):
        if any(token.type == "CPP_ID" for token in line):
            assert line[-2].lineno == 2
            yield line
