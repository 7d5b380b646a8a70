"""Functions of Python as functions of C: an argument that is a pointer to a function.

C may keep the pointer, so what is made for a callable lives as long as the C function does that it
was given to, and the same callable gets the same pointer. C cannot be left by an exception: the
function gives nothing (0), C goes on, and the first exception is raised when C has come back: from
the call that the callable was given to, or where C has kept it, from the one that C calls it in.
"""

from __future__ import annotations

import ctypes
import operator
import sys
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from types import CodeType
from typing import Any

from polyopt.backend.called.arguments import C_TYPES, Argument, Known
from polyopt.backend.called.signature import C_NAMES, Parameter, integer_range

_POINTERS: tuple[Any, ...] = (ctypes.c_void_p, *ctypes.CFUNCTYPE(None).__bases__)


class _UnderWay(threading.local):
    """For the calls of C that this thread is in, what Python's functions raised meanwhile."""

    def __init__(self) -> None:
        self.raised: list[list[BaseException]] = []


_under_way = _UnderWay()

CALLS: set[CodeType] = set()
"""The code of the calls of C that ask for `late` exceptions when C has come back."""

late: list[tuple[int, BaseException]] = []
"""What functions raised that C had kept, each with the thread that waits for C to come back."""


def raise_late() -> None:
    """What C had no answer for in a call of this thread, the first of it."""
    mine = [one for one in late if one[0] == threading.get_ident()]
    for one in mine:
        late.remove(one)
    if mine:
        raise mine[0][1]


@contextmanager
def raising_later() -> Generator[None]:
    """Around a call of C: what Python's functions raise in it is raised behind it."""
    mine: list[BaseException] = []
    _under_way.raised.append(mine)
    try:
        yield
    finally:
        _under_way.raised.pop()
    if mine:
        raise mine[0]


class FunctionArgument(Argument):
    """A callable of Python, a function pointer of ctypes, or None where C says that it may be null.
    The callable gets numbers, pointers to numbers as ctypes pointers, other addresses as
    integers."""

    def __init__(self, function: str, parameter: Parameter):
        super().__init__(function, parameter)
        self._kept: dict[object, Any] = {}
        kinds = [_passed(name) for name in parameter.function]
        self._type = ctypes.CFUNCTYPE(*kinds) if kinds else None

    @property
    def types(self) -> Sequence[Any]:
        return [ctypes.c_void_p]

    @property
    def expected(self) -> str:
        ways = ["a function"] if self._type is not None else []
        ways += ["a ctypes pointer"]
        ways += ["None"] if self.parameter.is_nullable else []
        return " or ".join([", ".join(ways[:-1]), ways[-1]] if ways[1:] else ways)

    def convert(self, value: Any, known: Known) -> Sequence[Any]:
        if value is None and self.parameter.is_nullable:
            return (None,)
        given: Any = value
        if isinstance(value, _POINTERS):
            return (ctypes.cast(given, ctypes.c_void_p),)
        if value is None:
            raise self.refused_null(self.expected)
        if self._type is None or not callable(given):
            raise self.refused(self.expected, value)
        return (ctypes.cast(self._pointer(given), ctypes.c_void_p),)

    def _pointer(self, called: Any) -> Any:
        key = _key(called)
        if key in self._kept:
            return self._kept[key]
        assert self._type is not None
        result = self.parameter.function[0]

        def guarded(*arguments: Any) -> Any:
            try:
                return self._returned(called(*arguments), result)
            except BaseException as error:
                _note(error)
                return 0 if result != "void" else None

        pointer = self._type(guarded)
        self._kept[key] = pointer
        return pointer

    def _returned(self, value: Any, element: str) -> Any:
        """What C gets; the error says whose result it is."""
        try:
            return _result(value, element)
        except (TypeError, ValueError) as error:
            wanted = "an integer" if element[0] in "iu" else C_NAMES.get(element, element)
            problem = f": {error}" if isinstance(error, ValueError) else ""
            raise type(error)(
                f"{self}: the function returned {value!r}, which is not {wanted}{problem}"
            ) from None


def _passed(name: str) -> Any:
    if name.endswith("*"):
        make: Any = ctypes.POINTER
        return make(C_TYPES[name[:-1]])
    return C_TYPES.get(name, ctypes.c_void_p)


def _key(called: Callable[..., Any]) -> object:
    """Equal for what is the same function; methods of one object are. What is made of it holds it,
    so that no other has its place in memory."""
    try:
        hash(called)
    except TypeError:
        return id(called)
    return called


def _result(value: Any, element: str) -> Any:
    """What C gets. TypeError where it is nothing of that type, which ctypes would only print;
    ValueError for an integer of which it would only take the low bits."""
    if element == "void":
        return None
    type = C_TYPES[element]
    if element[0] in "iu":
        least, greatest = integer_range(element)
        number = operator.index(value)
        if not least <= number <= greatest:
            what = f"{C_NAMES[element]}, in {least}..{greatest}"
            raise ValueError(f"{number} does not fit what the function has to return: {what}")
    return type(value).value


def _note(error: BaseException) -> None:
    """It is shown where nobody waits for it: C called from a thread of its own."""
    if _under_way.raised:
        _under_way.raised[-1].append(error)
    elif _is_waited_for():
        late.append((threading.get_ident(), error))
    else:
        import traceback

        print("Exception in a function that C called:", file=sys.stderr)
        traceback.print_exception(error)


def _is_waited_for() -> bool:
    """Whether this thread is in a call of C that asks for what was raised."""
    import inspect

    frame = inspect.currentframe()
    while frame is not None:
        if frame.f_code in CALLS:
            return True
        frame = frame.f_back
    return False
