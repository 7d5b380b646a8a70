"""Warnings of passes: what the user may have meant otherwise, found after the front end is done.

A pass calls `warn(...)`; who runs it collects. With no collector a warning goes nowhere.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

from polyopt.support.diagnostics import Diagnostic

_current: ContextVar[list[Diagnostic] | None] = ContextVar("warnings", default=None)


@contextmanager
def collect_warnings() -> Generator[list[Diagnostic]]:
    found: list[Diagnostic] = []
    token = _current.set(found)
    try:
        yield found
    finally:
        _current.reset(token)


def warn(warning: Diagnostic) -> None:
    found = _current.get()
    if found is not None and warning not in found:
        found.append(warning)
