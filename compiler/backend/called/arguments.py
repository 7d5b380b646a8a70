"""One argument of a C function: what Python values it takes, and what is passed for them.

Numbers are here; memory is `memory_arguments`, functions are `callbacks`.
"""

from __future__ import annotations

import ctypes
import operator
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from polyopt.backend.called.signature import Parameter, Signature, integer_range
from polyopt.support.record import entity


class ComplexNumber(ctypes.Structure):
    """A complex number of C's travels as a struct of its parts does."""

    real: float
    imag: float

    @property
    def value(self) -> complex:
        return complex(self.real, self.imag)

    @value.setter
    def value(self, number: ComplexNumber) -> None:
        self.real, self.imag = number.real, number.imag


class SingleComplex(ComplexNumber):
    _fields_ = (("real", ctypes.c_float), ("imag", ctypes.c_float))


class DoubleComplex(ComplexNumber):
    _fields_ = (("real", ctypes.c_double), ("imag", ctypes.c_double))


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
    "f80": ctypes.c_longdouble,
    "c64": SingleComplex,
    "c128": DoubleComplex,
    "bool": ctypes.c_bool,
    "pointer": ctypes.c_void_p,
    "text": ctypes.c_char_p,
    "void": None,
}

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
        return TypeError(f"{self}: expected {expected}, got {described(value)}")

    def refused_null(self, expected: str) -> TypeError:
        """Of None where the declaration says nothing of a null pointer."""
        return TypeError(
            f"{self}: expected {expected}, got None, which C does not allow: "
            f"`*_Nullable {self.parameter.name}` does, or a comparison with NULL"
        )

    def wrong(self, problem: str) -> ValueError:
        return ValueError(f"{self}: {problem}")

    def __str__(self) -> str:
        return f"{self.function}: argument '{self.parameter.name}' ({self.parameter})"


def described(value: object) -> str:
    """A value's type and, of an array, its dtype."""
    if value is None:
        return "None"
    dtype = None if isinstance(value, type) else getattr(value, "dtype", None)
    if dtype is not None and getattr(value, "shape", ()) != ():
        if is_complex(value):
            parts = f"view('f{dtype.itemsize // 2}') has the real and imaginary parts in turn"
            return f"an array of {dtype}, whose {parts}"
        return f"an array of {dtype}"
    if is_complex(value):
        return f"{type(value).__name__}; C takes .real and .imag as numbers of their own"
    return type(value).__name__


def is_complex(value: Any) -> bool:
    """A complex number of Python, or one or an array of them of NumPy: `float` would take the real
    part of some, and leave the rest with a warning."""
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    return isinstance(value, complex) or kind == "c"


class RealArgument(Argument):
    """A float or what converts to one; text does not count, although `float` takes it."""

    def convert(self, value: Any, known: Known) -> Sequence[Any]:
        if isinstance(value, str | bytes | bytearray) or is_complex(value):
            raise self.refused("a number", value)
        try:
            return (float(value),)
        except (TypeError, ValueError):
            raise self.refused("a number", value) from None


class ComplexArgument(Argument):
    """A complex number or what converts to one, but text, which `complex` takes."""

    def convert(self, value: Any, known: Known) -> Sequence[Any]:
        if isinstance(value, str | bytes | bytearray):
            raise self.refused("a complex number", value)
        try:
            number = complex(value)
        except (TypeError, ValueError):
            raise self.refused("a complex number", value) from None
        return (C_TYPES[self.parameter.element](number.real, number.imag),)


class IntegerArgument(Argument):
    """An integer in the range of its C type; a float is not one."""

    def convert(self, value: Any, known: Known) -> Sequence[Any]:
        try:
            number = operator.index(value)
        except TypeError:
            raise self.refused("an integer", value) from None
        least, greatest = integer_range(self.parameter.element)
        if not least <= number <= greatest:
            raise self.wrong(f"{number} does not fit: it has to be in {least}..{greatest}")
        return (number,)


class TruthArgument(Argument):
    def convert(self, value: Any, known: Known) -> Sequence[Any]:
        return (bool(value),)
