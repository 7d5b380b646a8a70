"""polyopt: a multi-level polyhedral compiler framework on xDSL."""

# `polyopt.compile` is found on first use: this file runs before every other of the package, so an
# import here would cost every tool and close circles.
from __future__ import annotations

TYPE_CHECKING = False  # that of typing, whose import takes longer than all that tools need here

if __name__ != "polyopt":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt'")

if TYPE_CHECKING:
    from typing import Any

    from polyopt import api as api
    from polyopt.backend.called.places import Out as Out
    from polyopt.backend.called.places import out as out
    from polyopt.backend.loaded.thread_count import threads as threads
    from polyopt.driver.cache import control
    from polyopt.driver.programs.program import CheckFailed as CheckFailed
    from polyopt.driver.programs.program import Program as Program
    from polyopt.driver.programs.program import compile as compile
    from polyopt.driver.programs.program import stubs as stubs
    from polyopt.driver.programs.schedule import Schedule as Schedule
    from polyopt.driver.programs.schedule import schedule as schedule
    from polyopt.tools.notebook import load_ipython_extension as load_ipython_extension

    cache = control
    __version__: str


__all__ = [
    "CheckFailed",
    "Out",
    "Program",
    "Schedule",
    "__version__",
    "api",
    "cache",
    "compile",
    "out",
    "schedule",
    "stubs",
    "threads",
]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    if name in ("compile", "Program", "CheckFailed", "stubs"):
        from polyopt.driver.programs import program

        return getattr(program, name)
    if name in ("Out", "out"):
        from polyopt.backend.called import places

        return getattr(places, name)
    if name == "threads":
        from polyopt.backend.loaded.thread_count import threads

        return threads
    if name == "cache":
        from polyopt.driver.cache import control

        return control
    if name in ("schedule", "Schedule"):
        from polyopt.driver.programs import schedule

        return getattr(schedule, name)
    if name == "load_ipython_extension":
        from polyopt.tools import notebook

        return notebook.load_ipython_extension
    if name == "api":
        from importlib import import_module

        return import_module("polyopt.api")
    if name == "__version__":
        from polyopt.tools.version import installed_version

        return installed_version()
    raise AttributeError(f"module 'polyopt' has no attribute {name!r}")
