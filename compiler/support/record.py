"""Dataclasses that are quick to make.

A compiler in Python is started for each file that it compiles, and makes its classes anew each
time. `dataclass(frozen=True)` writes six methods as text and compiles them, 0.4 ms for each class:
with two hundred classes a tenth of a second before the first line of C is read. Here only
`__init__` is written so; the other methods are the same few functions for all classes.

The result is a dataclass (`fields`, `replace`, patterns by position), with these differences:
- that a record does not change is checked by the type checker, not while running;
- a record whose class has no other word on it is equal to what has its class and equal fields.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform, overload

T = TypeVar("T")


@overload
def record(cls: type[T]) -> type[T]: ...


@overload
def record(*, eq: bool) -> Callable[[type[T]], type[T]]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(
    cls: type[T] | None = None, *, eq: bool = True
) -> type[T] | Callable[[type[T]], type[T]]:
    """A value that never changes: equal where the fields are, or with `eq=False` only to itself."""

    def make(cls: type[T]) -> type[T]:
        made = _made(cls)
        if eq:
            _compare_by_fields(made)
        return made

    return make if cls is None else make(cls)


@dataclass_transform(eq_default=False, field_specifiers=(field,))
def entity(cls: type[T]) -> type[T]:
    """A thing that may change and is equal to itself only."""
    return _made(cls)


def _made(cls: type[T]) -> type[T]:
    if not cls.__doc__:
        cls.__doc__ = cls.__name__  # else dataclass writes a signature, for half a class's time
    made = dataclass(eq=False, repr=False)(cls)
    if "__repr__" not in cls.__dict__:
        cls.__repr__ = _text
    return made


def _text(self: Any) -> str:
    shown = (f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if f.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _compare_by_fields(cls: type) -> None:
    names = [f.name for f in fields(cls) if f.compare]
    key: Callable[[Any], Any] = attrgetter(*names) if names else lambda _: ()

    def equal(self: Any, other: object) -> bool:
        return key(self) == key(other) if type(self) is type(other) else NotImplemented

    def value_hash(self: Any) -> int:
        return hash(key(self))

    for name, method in {"__eq__": equal, "__hash__": value_hash}.items():
        if name not in cls.__dict__:
            setattr(cls, name, method)
