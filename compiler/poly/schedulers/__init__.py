"""Schedulers: (SCoP, dependences, options) -> a schedule tree that keeps the dependences.

Each is one function in one file, found by name (`polyopt.poly.schedulers.names`); the files are
loaded on demand. A scheduler may fail to find anything better; it then gives the SCoP's own
schedule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from polyopt.poly.schedulers.names import SCHEDULERS as NAMES
from polyopt.poly.schedulers.names import scheduler_named

if TYPE_CHECKING:
    from polyopt.poly.schedulers.interface import Scheduler

if __name__ != "polyopt.poly.schedulers":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.poly.schedulers'")

SCHEDULERS: Mapping[str, Callable[[], Scheduler]] = {
    name: partial(scheduler_named, name) for name in NAMES
}
