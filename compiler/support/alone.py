"""One compilation at a time in a process.

isl has one context for the process, with one count of operations and one limit on them: a phase of
another thread would set the limit under which this one works, and what it computed would depend on
who else compiles. Python's limit on recursion is the process's too. A child that is forked while
another thread compiles has neither that thread nor its limits.
"""

from __future__ import annotations

import os
from _thread import RLock, get_ident
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_after_fork: list[Callable[[], None]] = []


class _Turn:
    """Whose turn it is."""

    def __init__(self) -> None:
        self.lock = RLock()
        self.owners: list[int] = []


_turn = _Turn()


@contextmanager
def alone() -> Generator[None]:
    """No other thread is in such a block while this one is; a thread may be in several."""
    turn = _turn
    with turn.lock:
        turn.owners.append(get_ident())
        try:
            yield
        finally:
            turn.owners.pop()


def one_at_a_time(function: Callable[P, T]) -> Callable[P, T]:
    """The function, each call of it `alone`."""

    @wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> T:
        with alone():
            return function(*args, **kwargs)

    return called


def reset_after_fork(reset: Callable[[], None]) -> None:
    """To be called in a child whose parent was at work in another thread."""
    _after_fork.append(reset)


def _begin_anew() -> None:
    global _turn
    if _turn.owners and _turn.owners[-1] != get_ident():
        _turn = _Turn()
        for reset in _after_fork:
            reset()


os.register_at_fork(after_in_child=_begin_anew)
