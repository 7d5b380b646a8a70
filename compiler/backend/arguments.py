"""One argument of a C function: what Python values it takes, and what is passed for them."""

from __future__ import annotations

import ctypes
import operator
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from polyopt.backend.extents import evaluate
from polyopt.backend.layouts import (
    element_of_pointer,
    fits,
    layout_of_ctype,
    layout_of_dtype,
)
from polyopt.backend.signature import Parameter, Signature
from polyopt.support.record import entity

if TYPE_CHECKING:
    from numpy.typing import NDArray

C_TYPES: dict[str, Any] = {
    "i8": ctypes.c_int8,
    "u8": ctypes.c_uint8,
    "i16": ctypes.c_int16,
    "u16": ctypes.c_uint16,
    "i32": ctypes.c_int32,
    "u32": ctypes.c_uint32,
    "i64": ctypes.c_int64,
    "u64": ctypes.c_uint64,
    "f32": ctypes.c_float,
    "f64": ctypes.c_double,
    "bool": ctypes.c_bool,
    "pointer": ctypes.c_void_p,
    "void": None,
}

_DTYPES = {
    "i8": "int8",
    "u8": "uint8",
    "i16": "int16",
    "u16": "uint16",
    "i32": "int32",
    "u32": "uint32",
    "i64": "int64",
    "u64": "uint64",
    "f32": "float32",
    "f64": "float64",
    "bool": "bool",
    "pointer": "uintp",
}

_CTYPES_POINTERS: tuple[Any, ...] = (
    ctypes._Pointer,  # pyright: ignore[reportPrivateUsage]
    ctypes.Array,
    ctypes.c_void_p,
    ctypes.c_char_p,
    *ctypes.CFUNCTYPE(None).__bases__,
    type(ctypes.byref(ctypes.c_int())),
)

_BYTES = ("i8", "u8", "void")

Known = Mapping[str, int]
"""The integer arguments of the call by name: what extents are computed from."""


def integers_among(signature: Signature, values: Sequence[Any]) -> dict[str, int]:
    """The values of the integer parameters, as far as they are integers."""
    known: dict[str, int] = {}
    for parameter, value in zip(signature.parameters, values, strict=True):
        if parameter.kind == "scalar" and parameter.element[0] in "iu":
            try:
                known[parameter.name] = operator.index(value)
            except TypeError:
                continue
    return known


def argument_of(function: str, parameter: Parameter) -> Argument:
    """How the parameter of this function takes its value."""
    if parameter.kind != "scalar":
        return MemoryArgument(function, parameter)
    if parameter.element == "bool":
        return TruthArgument(function, parameter)
    kind = RealArgument if parameter.element[0] == "f" else IntegerArgument
    return kind(function, parameter)


@entity
class Argument(ABC):
    """`types` are the ctypes of what `convert` gives."""

    function: str
    parameter: Parameter

    @property
    def types(self) -> Sequence[Any]:
        return [C_TYPES[self.parameter.element]]

    @abstractmethod
    def convert(self, value: Any, known: Known) -> Sequence[Any]:
        """What is passed for the value; TypeError or ValueError where it does not fit."""

    def refused(self, expected: str, value: object) -> TypeError:
        return TypeError(f"{self}: expected {expected}, got {_described(value)}")

    def wrong(self, problem: str) -> ValueError:
        return ValueError(f"{self}: {problem}")

    def __str__(self) -> str:
        return f"{self.function}: argument '{self.parameter.name}' ({self.parameter})"


def _described(value: object) -> str:
    """A value's type and, of an array, its dtype."""
    if value is None:
        return "None"
    dtype = getattr(value, "dtype", None)
    if dtype is not None and getattr(value, "shape", ()) != ():
        return f"an array of {dtype}"
    return type(value).__name__


class RealArgument(Argument):
    """A float or what converts to one; text does not count, although `float` takes it."""

    def convert(self, value: Any, known: Known) -> Sequence[Any]:
        if isinstance(value, str | bytes | bytearray):
            raise self.refused("a number", value)
        try:
            return (float(value),)
        except (TypeError, ValueError):
            raise self.refused("a number", value) from None


class IntegerArgument(Argument):
    """An integer in the range of its C type; a float is not one."""

    def convert(self, value: Any, known: Known) -> Sequence[Any]:
        try:
            number = operator.index(value)
        except TypeError:
            raise self.refused("an integer", value) from None
        width = int(self.parameter.element[1:])
        least = 0 if self.parameter.element[0] == "u" else -(1 << (width - 1))
        greatest = least + (1 << width) - 1
        if not least <= number <= greatest:
            raise self.wrong(f"{number} does not fit: it has to be in {least}..{greatest}")
        return (number,)


class TruthArgument(Argument):
    def convert(self, value: Any, known: Known) -> Sequence[Any]:
        return (bool(value),)


class MemoryArgument(Argument):
    """An array (`double a[n][m]`: shape and all are checked) or a pointer (any array of its
    element, a ctypes pointer, or None where C says that it may be null). Of a struct the layouts
    are compared. A memref's dynamic extents go behind its pointer."""

    def __init__(self, function: str, parameter: Parameter):
        super().__init__(function, parameter)
        self.dtype = _DTYPES.get(parameter.element)
        self.is_array = parameter.kind == "array"
        extents = enumerate(parameter.shape)
        self.passed_sizes = [d for d, e in extents if not e] if parameter.passes_sizes else []

    @property
    def types(self) -> Sequence[Any]:
        return [ctypes.c_void_p, *[ctypes.c_int64] * len(self.passed_sizes)]

    @property
    def expected(self) -> str:
        array = f"a NumPy array of {self._element}" if self._element else "a NumPy array"
        if self._takes_no_array:
            array = ""
        if self.is_array:
            return array
        ways = [array, "a ctypes pointer", "None" if self.parameter.is_nullable else ""]
        *most, last = [way for way in ways if way]
        return f"{', '.join(most)} or {last}" if most else last

    @property
    def _element(self) -> str | None:
        return str(self.parameter.layout) if self.parameter.layout else self.dtype

    @property
    def _takes_no_array(self) -> bool:
        """A struct of which nothing is known, or a function."""
        is_struct = self.parameter.element == "struct" and self.parameter.layout is None
        return is_struct or self.parameter.element == "function"

    def convert(self, value: Any, known: Known) -> Sequence[Any]:
        import numpy as np

        if isinstance(value, np.ndarray):
            array = cast("NDArray[Any]", value)
            self._check(array, known)
            return (array.ctypes.data, *(array.shape[d] for d in self.passed_sizes))
        if value is None and not self.is_array:
            if not self.parameter.is_nullable:
                raise TypeError(
                    f"{self}: expected {self.expected}, got None, which C does not allow: "
                    f"`*_Nullable {self.parameter.name}` does, or a comparison with NULL"
                )
            return (None,)
        if isinstance(value, _CTYPES_POINTERS) and not self.parameter.passes_sizes:
            self._check_pointer(value)
            return (value,)
        if isinstance(value, bytes) and self._takes_bytes():
            return (value,)
        raise self.refused(self.expected, value)

    def _takes_bytes(self) -> bool:
        return self.parameter.is_const and self.parameter.element in _BYTES

    def _check(self, array: NDArray[Any], known: Known) -> None:
        layout = self.parameter.layout
        if self._takes_no_array or (self.dtype is not None and array.dtype != self.dtype):
            raise self.refused(self.expected, array)
        if layout is not None:
            given = layout_of_dtype(array.dtype)
            if given is None or not fits(layout, given):
                found = f"an array of {given or array.dtype}"
                raise TypeError(f"{self}: expected {self.expected}, got {found}")
        if self.is_array:
            self._check_shape(array.shape, known)
        if not array.flags.c_contiguous:
            raise self.wrong("the array is not C-contiguous; numpy.ascontiguousarray copies it")
        if not array.flags.aligned:
            raise self.wrong("the elements of the array are not aligned")
        if not self.parameter.is_const and not array.flags.writeable:
            raise self.wrong("the array is read-only, and the function may write to it")

    def _check_shape(self, shape: tuple[int, ...], known: Known) -> None:
        extents = [evaluate(extent, known) for extent in self.parameter.shape]
        if len(shape) != len(extents):
            raise self.wrong(f"expected {len(extents)} dimensions, got {len(shape)}")
        if any(e is not None and e != size for e, size in zip(extents, shape, strict=True)):
            wanted = ", ".join("?" if extent is None else str(extent) for extent in extents)
            raise self.wrong(f"expected the shape ({wanted}), got ({', '.join(map(str, shape))})")

    def _check_pointer(self, pointer: Any) -> None:
        """A typed pointer must be to elements of this type; `void *` may be to anything."""
        if isinstance(pointer, ctypes.c_char_p) and self.parameter.element not in _BYTES:
            raise self.refused(self.expected, pointer)
        target = element_of_pointer(pointer)
        if target is None:
            return
        if self.dtype and target is not C_TYPES[self.parameter.element]:
            raise self.refused(self.expected, pointer)
        layout = self.parameter.layout
        if layout is not None:
            given = layout_of_ctype(target)
            if given is None or not fits(layout, given):
                found = f"a pointer to {given or target.__name__}"
                raise TypeError(f"{self}: expected {self.expected}, got {found}")
