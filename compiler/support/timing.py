"""Where the time goes: named stretches of work, collected on the way like remarks.

With no collector installed `timed` costs nothing. Stretches may nest; each counts its own whole
time, so the names of nested ones should say where they belong.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from time import perf_counter


@dataclass
class Timings:
    """Seconds by name, in the order of first occurrence."""

    seconds: dict[str, float] = field(default_factory=dict[str, float])

    def render(self) -> str:
        total = sum(self.seconds.values())
        lines = [
            f"{1000 * seconds:9.1f} ms {100 * seconds / total if total else 0:5.1f} %  {name}"
            for name, seconds in self.seconds.items()
        ]
        return "\n".join([*lines, f"{1000 * total:9.1f} ms         total"])


_current: ContextVar[Timings | None] = ContextVar("timings", default=None)


@contextmanager
def collect_timings() -> Generator[Timings]:
    timings = Timings()
    token = _current.set(timings)
    try:
        yield timings
    finally:
        _current.reset(token)


@contextmanager
def timed(name: str) -> Generator[None]:
    """Count the time of the block under `name`, also when it raises."""
    timings = _current.get()
    if timings is None:
        yield
        return
    start = perf_counter()
    try:
        yield
    finally:
        timings.seconds[name] = timings.seconds.get(name, 0.0) + perf_counter() - start
