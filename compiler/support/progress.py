"""What takes long says what it does, on a terminal or in a notebook; elsewhere it is quiet."""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType
from typing import Any, Self

PATIENCE = 2.0
"""Seconds before anything is said."""


class Progress:
    """One line on standard error that tells what goes on, gone when it is over."""

    def __init__(self, what: str):
        self._what = what
        self._began = monotonic()
        self._status: Any = None

    def __enter__(self) -> Self:
        return self

    def say(self, line: str) -> None:
        """Something has been done."""
        seconds = monotonic() - self._began
        if seconds < PATIENCE or not is_looked_on():
            return
        text = f"{self._what}, {seconds:.0f} s: {line}"
        if self._status is None:
            self._status = _status(text)
            self._status.start()
        else:
            self._status.update(text)

    def rest(self) -> None:
        """Nothing is shown until something is said again: a line that moves takes time, too."""
        if self._status is not None:
            self._status.stop()
            self._status = None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.rest()


class _Line:
    """A line that is written over: what a notebook shows that has no widgets."""

    def __init__(self, text: str):
        self._text = text
        self._width = 0

    def start(self) -> None:
        self.update(self._text)

    def update(self, text: str) -> None:
        self._width = max(self._width, len(text))
        print(f"\r{text.ljust(self._width)}", end="", file=sys.stderr, flush=True)

    def stop(self) -> None:
        print(f"\r{' ' * self._width}\r", end="", file=sys.stderr, flush=True)


def _status(text: str) -> Any:
    """What shows the text: on a terminal, or by a notebook's widgets where it has some, rich's."""
    from importlib.util import find_spec

    if "ipykernel" in sys.modules and find_spec("ipywidgets") is None:
        return _Line(text)
    from rich.console import Console

    return Console(stderr=True, highlight=False, markup=False).status(text)


def is_looked_on() -> bool:
    """Whether somebody looks on."""
    return sys.stderr.isatty() or "ipykernel" in sys.modules
