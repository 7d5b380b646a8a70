"""An argument that is memory: arrays, pointers, bytes, places for results.

The memory of what is given is passed as it is, and held until the call is over.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from polyopt.backend.called.arguments import C_TYPES, Argument, Known, described
from polyopt.backend.called.extents import evaluate
from polyopt.backend.called.given_arrays import array_of
from polyopt.backend.called.layouts import (
    Layout,
    element_of_pointer,
    fits,
    is_pair,
    layout_of_ctype,
    layout_of_dtype,
    numpy_name,
)
from polyopt.backend.called.places import Out
from polyopt.backend.called.signature import Parameter

if TYPE_CHECKING:
    from numpy.typing import NDArray

LETTERS = {
    "i8": "bb",
    "u8": "BB",
    "i16": "hh",
    "u16": "HH",
    "i32": "ii",
    "u32": "II",
    "i64": "lq",
    "u64": "LQ",
    "f32": "ff",
    "f64": "dd",
    "f80": "gg",
    "bool": "??",
    "pointer": "LQ",
}
"""The names of an element in the buffer protocol: two, for integers of 64 bits have two."""


_CTYPES_POINTERS: tuple[Any, ...] = (
    ctypes._Pointer,  # pyright: ignore[reportPrivateUsage]
    ctypes.Array,
    ctypes.c_void_p,
    ctypes.c_char_p,
    *ctypes.CFUNCTYPE(None).__bases__,
    type(ctypes.byref(ctypes.c_int())),
)

_BYTES = ("i8", "u8", "void")


class MemoryArgument(Argument):
    """An array (`double a[n][m]`: shape and all are checked) or a pointer (any array of its
    element, a ctypes pointer, or None where C says that it may be null). Of a struct the layouts
    are compared. A memref's dynamic extents go behind its pointer."""

    def __init__(self, function: str, parameter: Parameter):
        super().__init__(function, parameter)
        self.dtype = numpy_name(parameter.element)
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
        if value is None and not self.is_array:
            return self._null()
        if isinstance(value, _CTYPES_POINTERS) and not self.parameter.passes_sizes:
            self._check_pointer(value)
            return (value,)
        if isinstance(value, bytes) and self._takes_bytes() and not self.is_array:
            return (value,)
        array = self._cell(value) if isinstance(value, Out) else self._array(value)
        if array is None:
            refused = self.refused(self.expected, value)
            raise TypeError(f"{refused}{hint}") if (hint := self._hint(value)) else refused
        array = self._in_parts(array)
        self._check(array, value, known)
        # ctypes holds the array, and with it whatever it is a view of, until the call is over.
        return (array.ctypes, *(array.shape[d] for d in self.passed_sizes))

    def _hint(self, value: Any) -> str:
        """What makes of a value one that is taken."""
        if isinstance(value, str) and self._takes_bytes():
            return "; text.encode() gives bytes"
        if isinstance(value, list | tuple) and self.dtype is not None:
            return f"; numpy.array(…, '{self.dtype}') makes one"
        return ""

    def _null(self) -> Sequence[Any]:
        if not self.parameter.is_nullable:
            raise self.refused_null(self.expected)
        return (None,)

    def _cell(self, place: Out) -> NDArray[Any]:
        if self.parameter.is_const or self.is_array or self.dtype is None:
            raise self.refused(self.expected, place)
        try:
            return place.cell(self.dtype)
        except ValueError as error:
            raise self.wrong(str(error)) from None

    def _array(self, value: Any) -> NDArray[Any] | None:
        try:
            array = array_of(value)
        except BufferError as error:
            raise TypeError(
                f"{self}: expected {self.expected}, got {described(value)}, "
                f"which does not give its memory: {error}"
            ) from None
        if array is None or array is value or self.parameter.element not in ("i8", "u8"):
            return array
        # Characters have a sign for C, and none for what Python holds text in.
        is_text = array.dtype.str[1:] in ("u1", "i1", "S1") and not hasattr(value, "dtype")
        if not is_text or not array.flags.c_contiguous:
            return array
        return array.view(self.parameter.element.replace("i8", "i1").replace("u8", "u1"))

    def _in_parts(self, array: NDArray[Any]) -> NDArray[Any]:
        """Complex numbers where C has pairs, `double z[n][2]` or a struct of two: the real and the
        imaginary parts lie as C wants them."""
        if array.dtype.kind != "c" or not array.ndim or not array.flags.c_contiguous:
            return array
        part, layout = f"f{array.dtype.itemsize // 2}", self.parameter.layout
        element = f"f{4 * array.dtype.itemsize}"
        if layout is not None and is_pair(layout, element):
            return array.view([(one.name, part) for one in layout.members])
        if self.parameter.element == element and tuple(self.parameter.shape[-1:]) == ("2",):
            return array.view(part).reshape(*array.shape, 2)
        return array

    def _takes_bytes(self) -> bool:
        return self.parameter.is_const and self.parameter.element in _BYTES

    def _check(self, array: NDArray[Any], value: Any, known: Known) -> None:
        layout = self.parameter.layout
        if self._takes_no_array or (self.dtype is not None and array.dtype != self.dtype):
            raise self._other_elements(array, value)
        if layout is not None:
            given = layout_of_dtype(array.dtype)
            if given is None or not fits(layout, given):
                raise self._other_elements(array, value, given)
        if self.is_array:
            self._check_shape(array.shape, known)
        if not array.flags.c_contiguous:
            raise self.wrong("the array is not C-contiguous; numpy.ascontiguousarray copies it")
        if not array.flags.aligned:
            raise self.wrong("the elements of the array are not aligned")
        if not self.parameter.is_const and not array.flags.writeable:
            raise self.wrong("the array is read-only, and the function may write to it")

    def _other_elements(
        self, array: NDArray[Any], value: Any, layout: Layout | None = None
    ) -> TypeError:
        """A view is told by what it is a view of."""
        is_array = array is value or hasattr(value, "dtype")
        if is_array and layout is None:
            advice = self._other_numbers(array)
            if advice and array.dtype.kind == "c":
                got = f"an array of {array.dtype}"
                return TypeError(f"{self}: expected {self.expected}, got {got}{advice}")
            return TypeError(f"{self.refused(self.expected, value)}{advice}")
        what = "an array" if is_array else type(value).__name__
        return TypeError(f"{self}: expected {self.expected}, got {what} of {layout or array.dtype}")

    def _other_numbers(self, array: NDArray[Any]) -> str:
        """How numbers become those that are wanted; a copy of them does where C only reads."""
        wanted = "" if self.dtype is None else self.dtype[0]
        kinds = {"c": "fiuc", "b": "biu"}.get(wanted, "fiu")
        is_number = wanted != "" and wanted in kinds and array.dtype.kind in kinds
        return f"; astype('{self.dtype}') makes one" if is_number else ""

    def _check_shape(self, shape: tuple[int, ...], known: Known) -> None:
        extents = [evaluate(extent, known) for extent in self.parameter.shape]
        for text, extent in zip(self.parameter.shape, extents, strict=True):
            if extent is not None and extent < 0:
                raise self.wrong(f"its extent {text} is {extent}, and no array is that short")
        if len(shape) != len(extents):
            noun = "dimension" if len(extents) == 1 else "dimensions"
            raise self.wrong(f"expected {len(extents)} {noun}, got {len(shape)}")
        if any(e is not None and e != size for e, size in zip(extents, shape, strict=True)):
            wanted = ["?" if extent is None else str(extent) for extent in extents]
            got = _shape_text(list(map(str, shape)))
            raise self.wrong(f"expected the shape {_shape_text(wanted)}, got {got}")

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


def _shape_text(extents: list[str]) -> str:
    """As Python writes a tuple."""
    return f"({', '.join(extents)}{',' if len(extents) == 1 else ''})"
