"""The list of schedulers: ours, and those that packages add by the entry point
`polyopt.schedulers`. Names cost nothing; the files behind them, and isl, are loaded on use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from polyopt.support.plugins import SCHEDULERS as GROUP
from polyopt.support.plugins import load_plugin, plugin_names

if TYPE_CHECKING:
    from collections.abc import Callable

    import islpy as isl

    from polyopt.poly.dependences import Dependences
    from polyopt.poly.schedulers.interface import Scheduler, SchedulerOptions
    from polyopt.poly.scop import Scop

_PLACES = {
    "identity": "identity:schedule_identity",
    "isl": "isl_scheduler:schedule_with_isl",
    "feautrier": "isl_scheduler:schedule_with_feautrier",
    "locality": "locality_scheduler:schedule_for_locality",
    "poly-ast": "poly_ast:schedule_poly_ast",
    "matrix": "matrix:schedule_with_matrix",
    "tile-simd": "tile_simd:schedule_tile_simd",
}

SCHEDULERS = tuple(_PLACES)
"""Our own."""

_PROGRAMS = {"pluto": "pluto:schedule_with_pluto"}

PROGRAMS = tuple(_PROGRAMS)
"""Those that are programs of others, where these are on the PATH."""


def plugin_schedulers() -> tuple[str, ...]:
    """The names of those that other packages add."""
    return plugin_names(GROUP, (*SCHEDULERS, *PROGRAMS))


def all_schedulers() -> tuple[str, ...]:
    return (*SCHEDULERS, *PROGRAMS, *plugin_schedulers())


def is_scheduler(name: str) -> bool:
    return name in SCHEDULERS or name in PROGRAMS or name in plugin_schedulers()


def scheduler_named(name: str) -> Scheduler:
    """The scheduler; the name is one of `all_schedulers`."""
    place = _PLACES.get(name) or _PROGRAMS.get(name)
    if place is None:
        return _giving_schedules(load_plugin(GROUP, name))
    file, _, function = place.partition(":")
    return getattr(import_module(f"polyopt.poly.schedulers.{file}"), function)


def _giving_schedules(scheduler: Callable[..., object]) -> Scheduler:
    """A package's scheduler; TypeError where it gives something else, as a tree of loops is."""

    def schedule(scop: Scop, dependences: Dependences, options: SchedulerOptions) -> isl.Schedule:
        import islpy as isl

        found = scheduler(scop, dependences, options)
        if not isinstance(found, isl.Schedule):
            what = "nothing" if found is None else f"'{type(found).__name__}'"
            raise TypeError(f"it gives {what}, no isl.Schedule (api.build_schedule makes one)")
        return found

    return schedule
