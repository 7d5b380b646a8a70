"""Modules that are imported for what may be needed are loaded when it is.

Libraries import at their head what one of their functions takes: of temporary files, archives,
other processes and the name of the platform a compilation needs nothing. Put off, a module stands
in `sys.modules` as one that has no contents yet; whoever looks for something in it gets what the
module has, loaded by then. Where a library keeps some of it from the start, it keeps what stands
for that.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib import import_module
from types import ModuleType
from typing import Any


def put_modules_off(names: Iterable[str], *, kept_by: str = "") -> None:
    """From now on, in this process, where they are not loaded yet. Whoever imports one only asks
    for its attributes: it is no package, or one of which nobody imports a part. The module
    `kept_by` asks for some, and uses them later."""
    for name in names:
        if name not in sys.modules:
            module = sys.modules[name] = _ModuleOnDemand(name)
            vars(module)["_kept_by"] = kept_by


class _ModuleOnDemand(ModuleType):
    """What stands for a module until something of it is looked up."""

    def __getattr__(self, name: str) -> Any:
        asking = sys._getframe(1).f_globals.get("__name__")  # pyright: ignore[reportPrivateUsage]
        if asking == vars(self)["_kept_by"]:
            if name == "__path__":  # of a package, whose parts an import would look for
                raise AttributeError(name)
            return _AttributeOnDemand(self, name)
        return getattr(self._loaded(), name)

    def __dir__(self) -> list[str]:
        return dir(self._loaded())

    def _loaded(self) -> ModuleType:
        name = self.__name__
        if sys.modules.get(name) is self:
            del sys.modules[name]
        return import_module(name)


class _AttributeOnDemand:
    """What stands for an attribute of such a module until something of that is looked up, or it is
    called."""

    def __init__(self, module: ModuleType, name: str):
        self._of = (module, name)

    def __getattr__(self, name: str) -> Any:
        return getattr(getattr(*self._of), name)

    def __call__(self, *given: Any, **named: Any) -> Any:
        return getattr(*self._of)(*given, **named)
