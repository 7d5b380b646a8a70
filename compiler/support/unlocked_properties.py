"""Cached properties are computed without a lock, as from Python 3.12 on.

Python 3.11 takes a lock around each first look, for the sake of threads that look at once. A
compilation has one thread, and six thousand first looks. Of two threads each computes the same.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

_MISSING = object()


def unlock_properties() -> None:
    """For this process, which has to be ours alone; again, and without locks, it does nothing."""
    if not hasattr(cached_property[Any](str), "lock"):
        return
    general: Any = getattr(cached_property, "__get__")
    if general.__module__ == __name__:
        return

    def get(self: Any, instance: object, owner: type | None = None) -> Any:
        try:
            known = instance.__dict__
        except AttributeError:
            return general(self, instance, owner)
        if self.attrname is None:
            return general(self, instance, owner)
        value: Any = known.get(self.attrname, _MISSING)
        if value is _MISSING:
            value = self.func(instance)
            try:
                known[self.attrname] = value
            except TypeError:  # of a class, whose names are not changed in this way
                return general(self, instance, owner)
        return value

    get.__module__ = __name__
    setattr(cached_property, "__get__", get)
