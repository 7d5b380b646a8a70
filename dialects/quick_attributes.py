"""Types of vectors and integers, and numbers, that were found right before are not asked again.

A compilation writes down the same few types and numbers some ten thousand times; each time xDSL
makes their parts anew, and verifies them. Attributes never change: where one was made of the same
things before, the new one has its parts.

    VectorType(f64, [8])          as the first of f64 and 8
    IntegerAttr(1, index)         as the first of 1 and index
    IntegerType(64)               as the first of 64

Only of what is given as in these: numbers that are no truth values, and nothing said besides.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from xdsl.dialects.builtin import IntegerAttr, IntegerType, VectorType
from xdsl.ir import Attribute


def quicken_attributes() -> None:
    """For this process, which has to be ours alone; again, it does nothing."""
    if VectorType.__init__.__module__ == __name__:
        return
    for cls, read in ((VectorType, _vector), (IntegerAttr, _number), (IntegerType, _integer)):
        setattr(cls, "__init__", _remembering(cls, read))


def _remembering(
    cls: type[Attribute], read: Callable[[tuple[Any, ...]], Hashable | None]
) -> Callable[..., None]:
    """How one is made. `read`: what it is made of, as a key; None where that is rarer."""
    general: Callable[..., None] = cls.__init__
    known: dict[Hashable, tuple[tuple[str, Any], ...]] = {}
    put = object.__setattr__

    def __init__(self: Any, *given: Any, **rest: Any) -> None:
        key = None if rest or type(self) is not cls else read(given)
        try:
            parts = known.get(key)
        except TypeError:  # of an attribute that has no hash
            key = parts = None
        if parts is None:
            general(self, *given, **rest)
            if key is not None:
                known[key] = tuple(vars(self).items())
            return
        for name, part in parts:
            put(self, name, part)

    __init__.__module__ = __name__
    return __init__


def _vector(given: tuple[Any, ...]) -> Hashable | None:
    if len(given) != 2 or type(given[1]) not in (list, tuple):
        return None
    element, shape = given[0], tuple(given[1])
    return (element, shape) if all([type(extent) is int for extent in shape]) else None


def _number(given: tuple[Any, ...]) -> Hashable | None:
    is_plain = len(given) == 2 and type(given[0]) is int and isinstance(given[1], Attribute)
    return given if is_plain else None


def _integer(given: tuple[Any, ...]) -> Hashable | None:
    return given if len(given) == 1 and type(given[0]) is int else None
