"""The tokens of a text, line by line, each with its place.

pcpp's lexer and its `group_lines` do the same by a call or two for each token, and a half of what
reading the system's headers takes was that. Here the same expressions are matched in one loop, and
rows are counted on the way: the tokens are those of pcpp, but that their lines know their columns.
Comments are space, as they are to pcpp a step later; where they are asked for, that space knows
what stands there (`comment`).

pcpp copies a macro's tokens wherever it stands, by the copier of Python's that asks an object for
all that it could be; these know how they are copied.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from string import ascii_letters
from typing import TYPE_CHECKING

from pcpp.parser import LexToken

from polyopt.frontend.tokens.conditional_groups import next_parts
from polyopt.frontend.tokens.names import is_name, matches_in
from polyopt.support.noted import lines_of
from polyopt.support.record import entity, record

if TYPE_CHECKING:
    from pcpp.parser import Lexer

_COMMENTS = frozenset(("CPP_COMMENT1", "CPP_COMMENT2"))
_UNIVERSAL = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U(00(?:0[0-9A-Fa-f]|10)[0-9A-Fa-f]{4})")
_UNIVERSAL_WORD = r"(?:{0}|\\u[0-9A-Fa-f]{{4}}|\\U00(?:0[0-9A-Fa-f]|10)[0-9A-Fa-f]{{4}})+"
_NUMBER = r"\.?[0-9](?:[eEpP][+-]|{0}|\.)*"
"""A number with all that C counts to it (6.4.8): no macro is looked for in `1.0F`."""
_BEGINS_WORD = frozenset(f"{ascii_letters}_") - {"L", "u", "U"}
_SIMPLE = {
    **dict.fromkeys(" \t\f\v\0", (re.compile(r"[ \t\f\v\0]+").match, "CPP_WS")),
    **{"\n": (None, "CPP_WS"), "(": (None, "CPP_LPAREN"), ")": (None, "CPP_RPAREN")},
    **{",": (None, "CPP_COMMA"), ";": (None, "CPP_SEMICOLON")},
}
"""How a token goes on that begins so, and its kind: what needs no look at all the expressions."""
_DIGRAPHS = {
    **{"<:": ("[", "CPP_LBRACKET"), ":>": ("]", "CPP_RBRACKET")},
    **{"<%": ("{", "CPP_LCURLY"), "%>": ("}", "CPP_RCURLY")},
    **{"%:": ("#", "CPP_POUND"), "%:%:": ("##", "CPP_DPOUND")},
}
"""Other spellings of tokens (C 6.4.6p3), and which they are."""
_PREFIXED = re.compile(
    r"""(?:u8|[LuU])(?:(?P<CPP_STRING>"(?:[^\\\n]|\\(?:.|\n))*?")|(?P<CPP_CHAR>'(?:[^\\\n]|\\(?:.|\n))*?'))"""
).match
"""The prefix of a literal is a part of it, whatever macro has its name."""


class LineAndColumn(int):
    """A line number that knows its column."""

    column: int


class SourceToken(LexToken):
    """A token of a text. `copy` of it is what it would be anyway: another with the same fields."""

    comment: str = ""

    def __copy__(self) -> SourceToken:
        made = _new_token(SourceToken)
        made.__dict__.update(self.__dict__)
        return made


class FileMark(SourceToken):
    """Space where a file begins, whether or not any of its text is in force."""

    @staticmethod
    def of(file: str) -> FileMark:
        made = FileMark()
        made.type, made.value, made.source = "CPP_WS", "\n", file
        made.lexpos, made.lineno = 0, _place(1, 1)
        return made


_new_token = object.__new__


@entity
class Position:
    """Where a file's lines are said to be: so many lines further, in this file. `row` is that of
    the last line that was read. `skip_to`: where the next line to be read begins, if not behind
    that one. `keeps_comments`: space that was a comment knows it."""

    file: str
    shift: int = 0
    row: int = 0
    skip_to: int | None = None
    keeps_comments: bool = False


@record
class SourceText:
    """A text without the space at its lines' ends and without what continues a line (C 5.1.1.2,
    phase 2), where each line begins, and where no token does behind the last; of conditional
    groups, which part begins where behind which (`next_parts`). A backslash that nothing follows
    continues no line: it is no token either."""

    data: str
    starts: Sequence[int]
    parts: Mapping[int, int]

    @staticmethod
    def of(text: str) -> SourceText:
        pieces = [f"{line.rstrip()}\n".removesuffix("\\\n") for line in lines_of(text)]
        if text.endswith("\\"):
            pieces[-1] += "\\\n"
        data = "".join(pieces).removesuffix("\n")
        return SourceText(
            data, _starts(pieces), next_parts(data) if "#" in data or "%:" in data else {}
        )

    def part_behind(self, sign: int) -> int:
        """Where the line begins behind the part of a group whose `#` is there."""
        return self.parts.get(sign, len(self.data))


def token_lines(lexer: Lexer, text: SourceText, position: Position) -> Iterator[list[LexToken]]:
    """The lines of the text; a line ends with its newline, and one that is continued goes on in the
    same list. A line is read when it is asked for: what `position` says by then holds for it."""
    data, starts = text.data, text.starts
    expressions = [
        (regex.match, [one[1] if one else "" for one in rules]) for regex, rules in lexer.lexre
    ]
    at, row, end, behind = 0, 0, len(data), 0
    has_universal = _UNIVERSAL.search(data) is not None
    word, number = matches_in(data), matches_in(data, _NUMBER)
    line: list[LexToken] = []
    while at < end:
        value = kind = data[at]
        if value in _BEGINS_WORD:
            value, kind = word(data, at).group(), "CPP_ID"  # pyright: ignore[reportOptionalMemberAccess]
        elif value in _SIMPLE:
            expression, kind = _SIMPLE[value]
            if expression is not None:
                value = expression(data, at).group()  # pyright: ignore[reportOptionalMemberAccess]
        elif value in "LuU" and (found := _PREFIXED(data, at)) is not None:
            value, kind = found.group(), found.lastgroup or ""
        elif value in ".0123456789" and (found := number(data, at)) is not None:
            value = found.group()
            kind = "CPP_FLOAT" if "." in value else "CPP_INTEGER"
        elif value in "<:%" and data[at : at + 2] in _DIGRAPHS:
            spelling = "%:%:" if data.startswith("%:%:", at) else data[at : at + 2]
            value, kind = _DIGRAPHS[spelling]
            behind = at + len(spelling)
        else:
            for match, kinds in expressions:
                found = match(data, at)
                if found is not None:
                    value, kind = found.group(), kinds[found.lastindex or 0]
                    break
            else:
                if is_name(value):
                    value, kind = word(data, at).group(), "CPP_ID"  # pyright: ignore[reportOptionalMemberAccess]
        if behind <= at:
            behind = at + len(value)
        if has_universal and (
            value == "\\" or (kind == "CPP_ID" and data.startswith("\\", behind))
        ):
            named = _universal_word(data, at)
            if named is not None:
                (value, behind), kind = named, "CPP_ID"
        token = SourceToken()
        while starts[row] <= at:
            row += 1
        token.type = kind
        token.lexpos = at
        token.lineno = _place(row + position.shift, at - starts[row - 1] + 1)
        token.source = position.file
        if kind in _COMMENTS:
            if position.keeps_comments:
                token.comment = value
            token.type, value = "CPP_WS", " "
        elif kind == "CPP_LINECONT":
            value = value[1:-1]
        token.value = value
        line.append(token)
        at = behind
        if value == "\n" and kind == "CPP_WS":
            position.row = row
            yield line
            line = []
            if position.skip_to is not None:
                at, position.skip_to = position.skip_to, None
                row = bisect_right(starts, at) - 1
    if line:
        last = copy(line[-1])
        last.type, last.value = "CPP_WS", "\n"
        last.lineno = _place(row + position.shift, last.lexpos - starts[row - 1] + 1)
        line.append(last)
        position.row = row
        yield line


def _universal_word(data: str, at: int) -> tuple[str, int] | None:
    """The name that begins there, whose letters may be written as numbers (`caf\\u00e9`), and where
    it ends."""
    found = matches_in(data, _UNIVERSAL_WORD)(data, at)
    if found is None:
        return None
    letters = {
        code.group(): chr(int(code[1] or code[2], 16))
        for code in _UNIVERSAL.finditer(found.group())
    }
    name = _UNIVERSAL.sub(lambda code: letters[code.group()], found.group())
    is_meant = is_name(name) and all(letter >= "\xa0" for letter in letters.values())
    return (name, found.end()) if is_meant else None


def _starts(pieces: list[str]) -> list[int]:
    """Where each line begins, and where no token does behind the last."""
    starts, at = list[int](), 0
    for piece in pieces:
        starts.append(at)
        at += len(piece)
    return [*starts, at + 1]


def _place(line: int, column: int) -> LineAndColumn:
    place = int.__new__(LineAndColumn, line)
    place.column = column
    return place
