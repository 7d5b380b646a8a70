"""Where the time goes: named stretches of work, collected on the way like remarks.

With no collector installed `timed` costs nothing. Stretches may nest; each counts its own whole
time, so the names of nested ones should say where they belong.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field
from time import perf_counter, process_time

from polyopt.support.record import entity


@entity
class Stretch:
    """Seconds by the clock on the wall, and of this process's own work."""

    wall: float = 0.0
    cpu: float = 0.0


@entity
class Timings:
    """By name, in the order of first occurrence."""

    stretches: dict[str, Stretch] = field(default_factory=dict[str, Stretch])

    def render(self) -> str:
        total = Stretch(
            sum(stretch.wall for stretch in self.stretches.values()),
            sum(stretch.cpu for stretch in self.stretches.values()),
        )
        lines = [
            f"{1000 * stretch.wall:8.1f} ms  {1000 * stretch.cpu:8.1f} ms  {name}"
            for name, stretch in {**self.stretches, "total": total}.items()
        ]
        return "\n".join([f"{'wall':>11}  {'processor':>11}", *lines])


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
    wall, cpu = perf_counter(), process_time()
    try:
        yield
    finally:
        stretch = timings.stretches.setdefault(name, Stretch())
        stretch.wall += perf_counter() - wall
        stretch.cpu += process_time() - cpu
