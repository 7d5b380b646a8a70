"""`iterator(k = 0 : 4)` in front of the words of a clause (OpenMP 5.0, 2.1.6): they are said again
with each value in the place of the name. Ranges are constants, as a task's places are counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from itertools import product

from pcpp.parser import LexToken

from polyopt.frontend.checking.checker import Checker
from polyopt.frontend.checking.openmp.openmp_expressions import parse_words
from polyopt.frontend.parsing.openmp_pragmas import place_of
from polyopt.frontend.parsing.openmp_syntax import Clause, split_at
from polyopt.support.diagnostics import CompileError

_MOST = 1024
"""How often something is said again at most."""

Values = Mapping[str, range]


def take_iterators(checker: Checker, clause: Clause) -> tuple[Values, list[LexToken]]:
    """The names with their values, and the words behind them."""
    words = clause.words
    if words[0].value != "iterator":
        return {}, words
    head, *rest = split_at(words, ",", at_most=1)
    if not rest or len(head) < 3 or head[1].value != "(":
        checker.error("expected 'iterator(name = begin : end), '", clause.span)
    found: dict[str, range] = {}
    count = 1
    for item in split_at(head[2:-1], ","):
        name, values = _values(checker, item, clause)
        found[name] = values
        count *= len(values)
    if count > _MOST:
        checker.error(f"{count} repetitions are more than {_MOST}", clause.span)
    return found, rest[0]


def _values(checker: Checker, words: list[LexToken], clause: Clause) -> tuple[str, range]:
    """Of `type name = begin : end : step`; the type changes nothing that is said again."""
    named, *values = split_at(words, "=", at_most=1)
    parts = split_at(values[0], ":") if values else []
    if not named or len(parts) not in (2, 3) or not all(parts):
        checker.error("expected 'name = begin : end' or one with a step", clause.span)
    numbers = [_constant(checker, part) for part in parts]
    if len(numbers) == 3 and numbers[2] == 0:
        checker.error("the step is 0", place_of(parts[2][0]))
    return named[-1].value, range(*numbers)


def _constant(checker: Checker, words: list[LexToken]) -> int:
    node = parse_words(checker, words)
    try:
        return checker.expressions.constant(node)
    except CompileError:
        at = place_of(words[0])
    checker.error("an iterator whose range is known only at run time is not supported", at)


def repeated(words: list[LexToken], values: Values) -> Iterator[list[LexToken]]:
    """The words for each value of each name."""
    for numbers in product(*values.values()):
        yield list(_with(words, dict(zip(values, numbers, strict=True))))


def _with(words: Iterable[LexToken], numbers: Mapping[str, int]) -> Iterator[LexToken]:
    for word in words:
        number = numbers.get(word.value)
        if number is None:
            yield word
            continue
        for type, value in _spelling(number):
            token = copy(word)
            token.type, token.value = type, value
            yield token


def _spelling(number: int) -> list[tuple[str, str]]:
    if number >= 0:
        return [("CPP_INTEGER", str(number))]
    digits = ("CPP_INTEGER", str(-number))
    return [("CPP_LPAREN", "("), ("CPP_MINUS", "-"), digits, ("CPP_RPAREN", ")")]
