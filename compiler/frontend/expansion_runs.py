"""The tokens between two directives, in runs whose macros can be expanded by themselves.

pcpp replaces each macro within the whole list and copies what follows it to look for arguments:
the square of the list's length. Behind a `;` or a brace outside of parentheses no macro waits for
its arguments. Macros may open parentheses of their own: then a run goes on.

    TWICE(a); | f(b; c); | OPEN d; e ) ; |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from pcpp.parser import LexToken

_SHORTEST = 256
_ENDS = frozenset(";{}")


def expand_in_runs(
    tokens: list[LexToken], expand: Callable[[list[LexToken]], list[LexToken]]
) -> list[LexToken]:
    """What `expand` makes of the tokens, a run at a time."""
    if len(tokens) <= _SHORTEST:
        return expand(tokens)
    done: list[LexToken] = []
    waiting: list[LexToken] = []
    for run in _runs(tokens):
        expanded = expand(waiting + run)
        waiting = []
        if _depth(expanded) > 0:
            waiting = expanded
        else:
            done += expanded
    return done + waiting


def _runs(tokens: Iterable[LexToken]) -> Iterator[list[LexToken]]:
    run: list[LexToken] = []
    depth = 0
    for token in tokens:
        run.append(token)
        value = token.value
        if value == "(":
            depth += 1
        elif value == ")":
            depth -= 1
        elif value in _ENDS and depth <= 0 and len(run) >= _SHORTEST:
            yield run
            run, depth = [], 0
    if run:
        yield run


def _depth(tokens: Iterable[LexToken]) -> int:
    """How many parentheses are open behind the tokens."""
    depth = 0
    for token in tokens:
        if token.value == "(":
            depth += 1
        elif token.value == ")":
            depth -= 1
    return depth
