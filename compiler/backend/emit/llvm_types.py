"""The LLVM spelling of types and constants, and their sizes under the x86-64 System V ABI."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import cache
from math import prod
from typing import Any, TypeGuard, cast

from xdsl.dialects.builtin import (
    BFloat16Type,
    DenseIntOrFPElementsAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    Float80Type,
    Float128Type,
    IndexType,
    IntegerType,
    TensorType,
    VectorType,
)
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute

from polyopt.dialects.shaped_types import is_vector
from polyopt.support.diagnostics import CompileError

_FLOATS: dict[type[Attribute], tuple[str, int, str]] = {
    Float16Type: ("half", 2, "f16"),
    BFloat16Type: ("bfloat", 2, "bf16"),
    Float32Type: ("float", 4, "f32"),
    Float64Type: ("double", 8, "f64"),
    Float80Type: ("x86_fp80", 16, "f80"),
    Float128Type: ("fp128", 16, "f128"),
}

LINE_BYTES = 64
VECTOR_BYTES = 16
"""Of a cache line, and of the vectors that the ABI aligns arrays for."""


def is_integer(type: Attribute) -> TypeGuard[IntegerType[Any, Any]]:
    return isinstance(type, IntegerType)


def element_of(type: Attribute) -> Attribute:
    """The element type of a vector, any other type itself."""
    return type.element_type if is_vector(type) else type


def is_float(type: Attribute) -> bool:
    """A floating-point type, or a vector of one."""
    return element_of(type).__class__ in _FLOATS


@cache
def llvm_type(type: Attribute) -> str:
    """The type of a value that fits one LLVM register (a memref does not: see `memrefs`)."""
    if is_integer(type):
        return f"i{type.width.data}"
    if isinstance(type, IndexType):
        return "i64"
    if isinstance(type, LLVMPointerType):
        return "ptr"
    if type.__class__ in _FLOATS:
        return _FLOATS[type.__class__][0]
    if is_vector(type):
        shape = type.get_shape()
        if len(shape) == 1 and not any(bool(flag) for flag in type.get_scalable_dims()):
            return f"<{shape[0]} x {llvm_type(type.element_type)}>"
    is_tensor = isinstance(type, TensorType)
    hint = "'mlir-opt --one-shot-bufferize' makes memrefs of tensors" if is_tensor else None
    raise CompileError(f"the LLVM back end has no type for '{type}'", hint=hint)


@cache
def mangled(type: Attribute) -> str:
    """The suffix by which an overloaded intrinsic names the type: f64, v4f64, i32, p0."""
    if is_vector(type):
        return f"v{type.get_shape()[0]}{mangled(type.element_type)}"
    if type.__class__ in _FLOATS:
        return _FLOATS[type.__class__][2]
    if isinstance(type, LLVMPointerType):
        return "p0"
    return llvm_type(type)


@cache
def byte_size(type: Attribute) -> int:
    """The bytes from one array element to the next; also the natural alignment."""
    if is_integer(type):
        whole_bytes = (type.width.data + 7) // 8
        return 1 << (whole_bytes - 1).bit_length()
    if isinstance(type, IndexType | LLVMPointerType):
        return 8
    if type.__class__ in _FLOATS:
        return _FLOATS[type.__class__][1]
    if is_vector(type):
        return vector_bits(type) // 8
    raise CompileError(f"the LLVM back end cannot store elements of type '{type}'")


@cache
def vector_bits(type: VectorType[Attribute]) -> int:
    """The size of the register that holds the vector."""
    element = type.element_type
    lane = element.width.data if is_integer(element) else 8 * byte_size(element)
    return lane * prod(type.get_shape())


def integer_literal(value: int, type: Attribute) -> str:
    """i1 is written as a truth value; the sign of other widths does not matter to LLVM."""
    if is_integer(type) and type.width.data == 1:
        return "true" if value & 1 else "false"
    return str(value)


def float_literal(value: float, type: Attribute) -> str:
    """The value rounded to `type`, in decimal where that is exact and in bits elsewhere."""
    if isinstance(type, Float32Type):
        value = _rounded(value, "f")
    elif isinstance(type, Float16Type):
        return f"0xH{struct.pack('>e', value).hex().upper()}"
    elif isinstance(type, BFloat16Type):
        return f"0xR{_bfloat_bits(value):04X}"
    elif not isinstance(type, Float64Type):
        raise CompileError(f"the LLVM back end has no constants of type '{type}'")
    decimal = f"{value:e}"
    if "n" not in decimal and float(decimal) == value:
        return decimal
    return f"0x{struct.pack('>d', value).hex().upper()}"


def dense_literals(value: DenseIntOrFPElementsAttr) -> list[str]:
    """The elements in row-major order, each with its type."""
    element = value.get_element_type()
    type = llvm_type(element)
    values = cast(Sequence[Any], value.get_values())
    if is_float(element):
        return [f"{type} {float_literal(number, element)}" for number in values]
    return [f"{type} {integer_literal(number, element)}" for number in values]


def _rounded(value: float, code: str) -> float:
    try:
        return struct.unpack(code, struct.pack(code, value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def _bfloat_bits(value: float) -> int:
    """The upper half of an f32, rounded to nearest even; a NaN stays one."""
    bits = int.from_bytes(struct.pack(">f", _rounded(value, "f")), "big")
    if value != value:
        return bits >> 16 | 0x40
    return bits + 0x7FFF + (bits >> 16 & 1) >> 16
