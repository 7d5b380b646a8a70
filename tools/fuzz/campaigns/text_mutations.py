"""Texts with small mistakes in them: what a file may hold that somebody or something has spoilt.

Works on words, numbers, signs and lines of any language.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from polyopt.tools.fuzz.programs.choices import Choices, table

MISTAKES = table(
    "mistake",
    word_left_out=10,
    word_twice=6,
    words_exchanged=8,
    another_word=14,
    another_number=16,
    extreme_number=12,
    another_sign=10,
    line_left_out=8,
    line_twice=5,
    lines_exchanged=5,
    cut_off=3,
    stray_byte=5,
    bracket=5,
    nothing_left=1,
)
EXTREMES = (
    "0 1 -1 2 3 -2 7 127 128 255 256 65536 2147483647 -2147483648 2147483648 4294967295 "
    "9223372036854775807 -9223372036854775808 18446744073709551616 "
    "340282366920938463463374607431768211456"
).split()
SIGNS = "+-*/%&|^~!<>=.,:;?()[]{}#\"'\\@$`"
_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")


def mutated(text: str, choices: Choices) -> str:
    """The text with one to three mistakes."""
    for _ in range(choices.one([1, 1, 1, 2, 3])):
        text = _MISTAKES[choices.pick(MISTAKES)](text, choices.random)
    return text


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text)


def _words(tokens: list[str]) -> list[int]:
    return [k for k, one in enumerate(tokens) if not one.isspace()] or [0]


def _numbers(tokens: list[str]) -> list[int]:
    return [k for k, one in enumerate(tokens) if one.isdecimal()]


def _left_out(text: str, random: Random) -> str:
    tokens = _tokens(text)
    start = random.choice(_words(tokens))
    del tokens[start : start + random.choice([1, 1, 1, 3, 9])]
    return "".join(tokens)


def _twice(text: str, random: Random) -> str:
    tokens = _tokens(text)
    start = random.choice(_words(tokens))
    run = tokens[start : start + random.choice([1, 1, 3, 9])]
    tokens[start:start] = run
    return "".join(tokens)


def _exchanged(text: str, random: Random) -> str:
    tokens = _tokens(text)
    if not tokens:
        return text
    a, b = random.choice(_words(tokens)), random.choice(_words(tokens))
    tokens[a], tokens[b] = tokens[b], tokens[a]
    return "".join(tokens)


def _another_word(text: str, random: Random) -> str:
    tokens = _tokens(text)
    if not tokens:
        return text
    tokens[random.choice(_words(tokens))] = tokens[random.choice(_words(tokens))]
    return "".join(tokens)


def _another_number(text: str, random: Random) -> str:
    tokens = _tokens(text)
    numbers = _numbers(tokens)
    if not numbers:
        return text
    place = random.choice(numbers)
    near = int(tokens[place]) + random.choice([-2, -1, 1, 2, 10])
    tokens[place] = random.choice([str(near), tokens[random.choice(numbers)]])
    return "".join(tokens)


def _extreme_number(text: str, random: Random) -> str:
    tokens = _tokens(text)
    numbers = _numbers(tokens)
    if numbers:
        tokens[random.choice(numbers)] = random.choice(EXTREMES)
    return "".join(tokens)


def _another_sign(text: str, random: Random) -> str:
    tokens = _tokens(text)
    signs = [k for k, one in enumerate(tokens) if len(one) == 1 and one in SIGNS]
    if signs:
        tokens[random.choice(signs)] = random.choice(SIGNS)
    return "".join(tokens)


def _lines(change: Callable[[list[str], int, int], None]) -> Callable[[str, Random], str]:
    def mistake(text: str, random: Random) -> str:
        lines = text.splitlines(keepends=True)
        if not lines:
            return text
        change(lines, random.randrange(len(lines)), random.randrange(len(lines)))
        return "".join(lines)

    return mistake


def _delete(lines: list[str], a: int, _: int) -> None:
    del lines[a]


def _repeat(lines: list[str], a: int, b: int) -> None:
    lines.insert(b, lines[a])


def _swap(lines: list[str], a: int, b: int) -> None:
    lines[a], lines[b] = lines[b], lines[a]


def _cut_off(text: str, random: Random) -> str:
    return text[: random.randrange(len(text) + 1)]


def _stray(text: str, random: Random) -> str:
    place = random.randrange(len(text) + 1)
    stray = random.choice(
        ["\0", "\udcff", "\u00e9", "\t", "\r", "\f", "\\\n", random.choice(SIGNS)]
    )
    return text[:place] + stray + text[place:]


def _bracket(text: str, random: Random) -> str:
    place = random.randrange(len(text) + 1)
    return text[:place] + random.choice("()[]{}<>") * random.choice([1, 1, 2, 2000]) + text[place:]


_MISTAKES: dict[str, Callable[[str, Random], str]] = {
    "word left out": _left_out,
    "word twice": _twice,
    "words exchanged": _exchanged,
    "another word": _another_word,
    "another number": _another_number,
    "extreme number": _extreme_number,
    "another sign": _another_sign,
    "line left out": _lines(_delete),
    "line twice": _lines(_repeat),
    "lines exchanged": _lines(_swap),
    "cut off": _cut_off,
    "stray byte": _stray,
    "bracket": _bracket,
    "nothing left": lambda text, random: "",
}
