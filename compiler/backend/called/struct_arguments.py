"""A struct by value: what Python gives for it, and what it gets back.

    polyopt.compile("typedef struct { double re, im; } Z; Z twice(Z z) { … }").twice((1.0, 2.0))

A record of NumPy or a Structure of ctypes goes where its layout is that of C, and a tuple where it
has a value for each member; what comes back is a record. libffi knows where each part travels, in
registers or in memory, if all that C declares is there: of a union, or of bit-fields, it is not.
"""

from __future__ import annotations

import ctypes
import operator
from collections.abc import Sequence
from functools import cache
from typing import Any

from polyopt.backend.called.arguments import C_TYPES, Argument, Known, is_complex
from polyopt.backend.called.layouts import (
    Layout,
    Member,
    dtype_of,
    fits,
    layout_of_ctype,
    layout_of_dtype,
)
from polyopt.backend.called.signature import Parameter, integer_range


@cache
def structure_of(layout: Layout) -> Any:
    """The Structure of ctypes that lies as the struct does; None where there is none."""
    if not layout.is_whole:
        return None
    fields: list[tuple[str, Any]] = []
    for k, member in enumerate(layout.members):
        kind = _type_of(member)
        if kind is None:
            return None
        fields.append((f"m{k}", kind))
    made: Any = type("Struct", (ctypes.Structure,), {"_fields_": fields})
    lies_so = all(
        getattr(made, name).offset == member.offset
        for (name, _), member in zip(fields, layout.members, strict=True)
    )
    return made if lies_so and fields and ctypes.sizeof(made) == layout.size else None


def _type_of(member: Member) -> Any:
    if member.layout is not None:
        kind = structure_of(member.layout)
    else:
        kind = C_TYPES.get("pointer" if member.element == "function" else member.element)
    if kind is None or 0 in member.shape:
        return None
    for extent in reversed(member.shape):
        kind = kind * extent
    return kind


class StructArgument(Argument):
    def __init__(self, function: str, parameter: Parameter):
        super().__init__(function, parameter)
        assert parameter.layout is not None
        self._layout = parameter.layout
        self._type = structure_of(parameter.layout)

    @property
    def types(self) -> Sequence[Any]:
        return [self._type]

    def convert(self, value: Any, known: Known) -> Sequence[Any]:
        if isinstance(value, ctypes.Structure):
            given = layout_of_ctype(type(value))
            if given is None or not fits(self._layout, given):
                raise self._lies_otherwise(given)
            return (self._type.from_buffer_copy(value),)
        dtype = getattr(value, "dtype", None)
        if dtype is not None and dtype.fields is not None and value.size == 1:
            given = layout_of_dtype(dtype)
            if given is None or not fits(self._layout, given):
                raise self._lies_otherwise(given)
            return (self._type.from_buffer_copy(value.tobytes()),)
        if not isinstance(value, tuple):
            raise self.refused("a record of NumPy, a ctypes Structure, or a tuple", value)
        return (self._type(*self._parts(self._layout, value, "")),)

    def _lies_otherwise(self, given: Layout | None) -> TypeError:
        return TypeError(f"{self}: C has {self._layout}, what is given is {given}")

    def _parts(self, layout: Layout, value: Any, where: str) -> tuple[Any, ...]:
        """What ctypes takes for the members."""
        members = layout.members
        values = self._counted(value, len(members), where)
        names = [f"{where}.{one.name}" if where else one.name for one in members]
        each = zip(members, values, names, strict=True)
        return tuple(self._part(one, one.shape, value, name) for one, value, name in each)

    def _part(self, member: Member, shape: Sequence[int], value: Any, name: str) -> Any:
        if shape:
            if isinstance(value, bytes) and member.element in ("i8", "u8") and not shape[1:]:
                padded = value.ljust(shape[0], b"\0")
                value = memoryview(padded).cast("b" if member.element == "i8" else "B")
            values = self._counted(value, shape[0], name)
            inner = shape[1:]
            return tuple(
                self._part(member, inner, one, f"{name}[{k}]") for k, one in enumerate(values)
            )
        if member.layout is not None:
            return self._parts(member.layout, value, name)
        return self._number(member.element, value, name)

    def _counted(self, value: Any, count: int, name: str) -> Sequence[Any]:
        """The values, if there are so many."""
        where = f"{name}: " if name else ""
        if isinstance(value, str) or not hasattr(value, "__len__"):
            raise self.wrong(f"{where}{count} values are needed, not {value!r}")
        if len(value) != count:
            raise self.wrong(f"{where}{count} values are needed, not {len(value)}")
        return value

    def _number(self, element: str, value: Any, name: str) -> Any:
        """What ctypes takes for a member; it would cut integers off in silence."""
        try:
            if element[0] in "iu":
                number = operator.index(value)
                least, greatest = integer_range(element)
                if not least <= number <= greatest:
                    raise self.wrong(
                        f"{name}: {number} does not fit: it has to be in {least}..{greatest}"
                    )
                return number
            if element == "bool":
                return bool(value)
            if element in ("pointer", "function"):
                return None if value is None else operator.index(value)
            if isinstance(value, str | bytes) or (element[0] == "f" and is_complex(value)):
                raise TypeError
            if element[0] == "c":
                number = complex(value)
                return C_TYPES[element](number.real, number.imag)
            return float(value)
        except TypeError:
            raise self.wrong(f"{name}: {value!r} is no value of type {element}") from None


def record_of(made: ctypes.Structure, layout: Layout) -> Any:
    """What Python gets for a struct: a record of NumPy."""
    import numpy as np

    return np.frombuffer(bytes(made), dtype_of(layout))[0]
