"""C types as IR types: scalars, memrefs with their extents."""

from __future__ import annotations

from functools import cache

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    Float32Type,
    Float64Type,
    Float80Type,
    FunctionType,
    IntegerType,
    MemRefType,
    i8,
)
from xdsl.ir import Attribute

from polyopt.dialects.cmem import PTR
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import (
    CType,
    FloatType,
    IntType,
    RecordType,
)

_INTEGERS = {size: IntegerType(8 * size) for size in (1, 2, 4, 8, 16)}
_FLOATS: dict[int, Float32Type | Float64Type | Float80Type] = {
    4: Float32Type(),
    8: Float64Type(),
    16: Float80Type(),
}


def scalar_type(type: CType) -> Attribute:
    """The IR type of a value of scalar type; a _Bool is an i8 that holds 0 or 1."""
    match type:
        case IntType(size=size):
            return _INTEGERS[size]
        case FloatType(size=size):
            return _FLOATS[size]
        case _:
            return PTR


def integer_type(type: CType) -> IntegerType:
    assert isinstance(type, IntType)
    return _INTEGERS[type.size]


def float_type(type: CType) -> Float32Type | Float64Type | Float80Type:
    assert isinstance(type, FloatType)
    return _FLOATS[type.size]


def storage_type(type: CType) -> MemRefType[Attribute]:
    """The memref that holds an object: an array keeps its shape, records are bytes."""
    extents, element = ct.array_shape(type)
    if isinstance(element, RecordType):
        size = DYNAMIC_INDEX if ct.is_variable_length(type) else ct.size_of(type)
        return memref_type((size,), i8)
    return memref_type(tuple(_static(e) for e in extents), scalar_type(element))


def view_type(type: CType, *, rows: bool) -> MemRefType[Attribute]:
    """The memref through which an array of this type is accessed; where `rows`, that of a
    pointer to such arrays, of unknown number."""
    extents, element = ct.array_shape(type)
    shape = tuple(_static(e) for e in extents)
    return memref_type((DYNAMIC_INDEX, *shape) if rows else shape, scalar_type(element))


@cache
def memref_type(shape: tuple[int, ...], element: Attribute) -> MemRefType[Attribute]:
    return MemRefType(element, shape)


def _static(extent: int | ct.VariableLength | None) -> int:
    return extent if isinstance(extent, int) else DYNAMIC_INDEX


@cache
def function_type(inputs: tuple[Attribute, ...], outputs: tuple[Attribute, ...]) -> FunctionType:
    return FunctionType.from_lists(inputs, outputs)
