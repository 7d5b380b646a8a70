"""What other packages add to polyopt by entry points: found by name, loaded when asked for.

    [project.entry-points."polyopt.schedulers"]
    mine = "my_package.schedulers:schedule_mine"

Installed packages are looked through once, and only when a name is none of ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

from polyopt.support.diagnostics import CompileError
from polyopt.support.noted import note_unrepeatable

SCHEDULERS = "polyopt.schedulers"
TILE_MODELS = "polyopt.tile_models"
COST_MODELS = "polyopt.cost_models"

T = TypeVar("T")


@cache
def plugin_names(group: str, taken: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The names that packages give in the group. Raises CompileError for one that is `taken`, or
    given by two packages."""
    from importlib.metadata import entry_points

    found: dict[str, str] = {}
    for entry in entry_points(group=group):
        source = entry.dist.name if entry.dist is not None else "a package"
        if entry.name in taken:
            raise CompileError(f"'{entry.name}' of {source} ({group}) is polyopt's own name")
        if found.get(entry.name, source) != source:
            raise CompileError(
                f"{found[entry.name]} and {source} both have '{entry.name}' ({group})"
            )
        found[entry.name] = source
    return tuple(found)


def load_plugin(group: str, name: str) -> Any:
    """The object of a name in the group; CompileError where it cannot be loaded."""
    from importlib.metadata import entry_points

    note_unrepeatable(f"'{name}' is another package's, which may change")
    (entry, *_) = entry_points(group=group, name=name)
    try:
        return entry.load()
    except Exception as error:
        raise CompileError(
            f"'{name}' ({group}, {entry.value}) cannot be loaded: {type(error).__name__}: {error}"
        ) from error


def chosen(group: str, name: str, own: Mapping[str, T], what: str) -> T:
    """Ours of this name, or what a package adds to the group under it. Raises CompileError for a
    name that nobody has."""
    if name in own:
        return own[name]
    known = plugin_names(group, tuple(own))
    if name not in known:
        raise CompileError(f"unknown {what} '{name}'", hint=f"one of {', '.join((*own, *known))}")
    return load_plugin(group, name)
