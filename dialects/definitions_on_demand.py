"""What the class of an operation says of operands, results and attributes is read on demand.

xDSL reads it where the class is made: of each operation of every dialect that is loaded, a tenth of
the start of a compiler that makes operations of one class in five. Put off, the definition is the
same, made of the same class by the same function; what is wrong with one is told when it is used.

Whoever makes an operation asks for its definition first; what else is asked of a class that has no
operation yet is its traits, and to parse one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_ASKED = ("get_irdl_definition", "traits", "parse")


def put_definitions_off() -> None:
    """For all dialects that are imported from now on, in a process that is ours alone."""
    import xdsl.irdl
    from xdsl.irdl import operations

    define: Callable[[type[Any]], type[Any]] = operations.irdl_op_definition
    if define.__module__ == __name__:
        return

    def later(cls: type[Any]) -> type[Any]:
        own = vars(cls)
        _Definition(cls, define, {name: own[name] for name in _ASKED if name in own})
        return cls

    setattr(operations, "irdl_op_definition", later)
    setattr(xdsl.irdl, "irdl_op_definition", later)


_pending: dict[type[Any], _Definition] = {}


class _Definition:
    """What stands in a class until it is defined; `own`: what stood there."""

    __slots__ = ("_cls", "_define", "_own")

    def __init__(
        self, cls: type[Any], define: Callable[[type[Any]], type[Any]], own: dict[str, Any]
    ):
        self._cls, self._define, self._own = cls, define, own
        _pending[cls] = self
        for name in _ASKED:
            if name != "parse" or cls.assembly_format is not None:
                setattr(cls, name, _OnDemand(self, name))

    def make(self) -> None:
        """The class as it would be had nothing been put off, and those that it derives from, whose
        fields it takes over."""
        for cls in reversed(self._cls.__mro__):
            found = _pending.pop(cls, None)
            if found is not None:
                found._make()

    def _make(self) -> None:
        for name in _ASKED:
            if isinstance(vars(self._cls).get(name), _OnDemand):
                delattr(self._cls, name)
        for name, value in self._own.items():
            setattr(self._cls, name, value)
        self._define(self._cls)


class _OnDemand:
    """One name of a class, until somebody looks it up there."""

    __slots__ = ("_definition", "_name")

    def __init__(self, definition: _Definition, name: str):
        self._definition, self._name = definition, name

    def __get__(self, instance: object, owner: type[Any]) -> Any:
        self._definition.make()
        return getattr(owner if instance is None else instance, self._name)
