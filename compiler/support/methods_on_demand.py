"""Methods that `dataclasses` writes as text are compiled when they are first looked up.

`dataclass` writes up to six methods for a class and compiles each. Loading xDSL it does so 1,200
times, a sixth of the start of the compiler, and next to none of them is called in one run: few
classes of a compiler are printed, and of most no instance is made. Put off, a method is the same:
compiled of the same text, with the same names around it, and put where it belongs. What is written
twice is compiled once.

Of a class without a docstring `dataclass` makes one of how it is called, for which it looks up its
`__init__`: that is put off, too.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable
from functools import partial
from types import CodeType
from typing import Any

PUT_OFF = frozenset(
    ("__init__", "__repr__", "__eq__", "__hash__", "__setattr__", "__delattr__"),
)
_FORM = re.compile(r"def __create_fn__\([^\n]*\):\n def (\w+)\(")
"""How the text of one method begins, up to Python 3.12; it ends by returning that."""

_codes: dict[str, CodeType] = {}


def put_methods_off() -> None:
    """From now on, in this process. `exec` is the name that `dataclasses` calls; where a version of
    Python calls something else, or writes another form of text, nothing is put off."""
    setattr(dataclasses, "exec", _execute)
    if hasattr(dataclasses, "inspect"):
        setattr(dataclasses, "inspect", _LaterSignatures())


class _LaterSignatures:
    """`inspect`, which reads signatures when they are asked for as words."""

    def __getattr__(self, name: str) -> Any:
        return getattr(inspect, name)

    def signature(self, cls: type, **how: Any) -> _LaterSignature:
        return _LaterSignature(partial(inspect.signature, cls, **how), cls)


class _LaterSignature(str):
    """What `dataclass` takes for text, and puts behind the name of a class."""

    __slots__ = ("_cls", "_read")

    def __new__(cls, read: Callable[[], inspect.Signature], of: type) -> _LaterSignature:
        made = super().__new__(cls)
        made._read, made._cls = read, of
        return made

    def __str__(self) -> str:
        return self

    def replace(self, *_: Any, **__: Any) -> _LaterSignature:
        return self

    def __radd__(self, name: str) -> _DocstringOnDemand:
        return _DocstringOnDemand(self._cls, name, self._read)


class _DocstringOnDemand:
    """What stands for the docstring of a class until it is looked up there."""

    __slots__ = ("_cls", "_name", "_read")

    def __init__(self, cls: type, name: str, read: Callable[[], inspect.Signature]):
        self._cls, self._name, self._read = cls, name, read

    def __get__(self, instance: object, owner: type) -> str:
        try:
            how = str(self._read()).replace(" -> None", "")
        except (TypeError, ValueError):
            how = ""
        text = self._name + how
        if vars(self._cls).get("__doc__") is self:
            type.__setattr__(self._cls, "__doc__", text)
        return text


def _execute(text: str, names: dict[str, Any], made: dict[str, Any]) -> None:
    """What `exec` does with text, or what will do it."""
    form = _FORM.match(text)
    if form is None or form[1] not in PUT_OFF or not text.endswith(f"\n return {form[1]}"):
        _compiled(text, names, made)
        return

    def create(**known: Any) -> _MethodOnDemand:
        return _MethodOnDemand(form[1], text, names, known)

    made["__create_fn__"] = create


def _compiled(text: str, names: dict[str, Any], made: dict[str, Any]) -> None:
    code = _codes.get(text)
    if code is None:
        code = _codes[text] = compile(text, "<string>", "exec", dont_inherit=True)
    exec(code, names, made)


class _MethodOnDemand:
    """What stands for a method until it is looked up in its class, or called by what wraps it."""

    __slots__ = ("__name__", "__qualname__", "_is_named", "_known", "_method", "_names", "_text")

    def __init__(self, name: str, text: str, names: dict[str, Any], known: dict[str, Any]):
        self.__name__ = self.__qualname__ = name
        self._text = text
        self._names = names
        self._known = known
        self._method: Any = None
        self._is_named = False

    def __call__(self, *args: Any) -> Any:
        return self._real()(*args)

    def __get__(self, instance: object, owner: type) -> Any:
        method = self._real()
        for cls in owner.__mro__:
            if cls.__dict__.get(self.__name__) is self:
                if not self._is_named:
                    self._is_named = True
                    method.__qualname__ = f"{cls.__qualname__}.{self.__name__}"
                type.__setattr__(cls, self.__name__, method)
        return method.__get__(instance, owner)

    @property
    def __signature__(self) -> Any:
        """For `inspect`, which finds this behind what wraps it."""
        from inspect import signature

        return signature(self._real())

    def _real(self) -> Any:
        if self._method is None:
            made = dict[str, Any]()
            _compiled(self._text, self._names, made)
            self._method = made["__create_fn__"](**self._known)
        return self._method
