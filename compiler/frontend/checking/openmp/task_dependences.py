"""What a task waits for: the clauses `depend` of `task` (OpenMP 5.0, 2.17.11).

    depend(inout: a[i:n], b)      a[i] and b

Of a section, the first element stands for all.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy

from pcpp.parser import LexToken

from polyopt.frontend.checking.checker import Checker
from polyopt.frontend.checking.openmp.openmp_expressions import parse_words
from polyopt.frontend.checking.openmp.openmp_iterators import repeated, take_iterators
from polyopt.frontend.parsing.openmp_syntax import Directive, split_at
from polyopt.frontend.tree.openmp_tree import Depend
from polyopt.frontend.tree.typed_tree import Expr, Load

_WRITES = {"in": False, "out": True, "inout": True, "mutexinoutset": True, "inoutset": True}
"""Kinds of dependences, and whether other tasks wait for them; those that only exclude one another
are put in an order, too."""


def read_dependences(checker: Checker, directive: Directive) -> list[Depend]:
    """The places, in the order of the clauses; a place that iterators repeat is there each time."""
    found: list[Depend] = []
    for clause in directive.all("depend"):
        given, words = take_iterators(checker, clause)
        head, *items = split_at(words, ":", at_most=1)
        kind = "".join(word.value for word in head)
        if not items or kind not in _WRITES:
            message = f"'{kind}' is no kind of dependence that is supported"
            checker.error(message, clause.span, f"one of {', '.join(_WRITES)}")
        for words in split_at(items[0], ","):
            if not words:
                checker.error("expected a place in memory", clause.span)
            for one in repeated(words, given):
                place = _place(checker, list(_starts(one)))
                found.append(Depend(place, _WRITES[kind]))
    return found


def _place(checker: Checker, words: list[LexToken]) -> Expr:
    value = checker.expressions.operand(parse_words(checker, words))
    return value.place if isinstance(value, Load) else value


def _starts(words: list[LexToken]) -> Iterator[LexToken]:
    """`a[i:n]` begins at `a[i]`, and `a[:n]` at `a[0]`."""
    depth, opened = 0, None
    for index, word in enumerate(words):
        depth += (word.value in "([{") - (word.value in ")]}")
        if opened is None and depth == 1 and word.value == "[":
            opened = index
        elif opened is None:
            yield word
        elif depth == 0:
            lower, *length = split_at(words[opened + 1 : index], ":")
            yield words[opened]
            yield from lower if lower or not length else _zero(word)
            yield word
            opened = None


def _zero(like: LexToken) -> Iterator[LexToken]:
    token = copy(like)
    token.type, token.value = "CPP_INTEGER", "0"
    yield token
