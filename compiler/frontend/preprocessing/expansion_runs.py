"""The tokens between two directives, in runs whose macros can be expanded by themselves.

pcpp replaces each macro within the whole list and copies what follows it to look for arguments:
the square of the list's length. Behind a `;` or a brace outside of parentheses no macro waits for
its arguments. Macros may open parentheses of their own: then a run goes on.

    TWICE(a); | f(b; c); | OPEN d; e ) ; |

Most lists that it is given, the bodies of macros above all, name no macro: they stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator

from pcpp.parser import LexToken

_SHORTEST = 256
_ENDS = frozenset(";{}")
_COUNTED = frozenset(("__LINE__", "__COUNTER__"))
"""What pcpp replaces beside the macros."""


def names_no_macro(tokens: Iterable[LexToken], macros: Container[str]) -> bool:
    """Whether pcpp replaces none of the tokens."""
    for token in tokens:
        if token.type == "CPP_ID":
            name = token.value
            if name in macros or name in _COUNTED:
                return False
    return True


def marked(tokens: list[LexToken]) -> list[LexToken]:
    """The same tokens, each with the list of macros that it came from, which pcpp fills."""
    for token in tokens:
        if "expanded_from" not in token.__dict__:
            token.expanded_from = []
    return tokens


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
