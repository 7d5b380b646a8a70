"""The extents of memrefs as expressions, and where an element lies."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FixedBitwidthType,
    IndexType,
    MemRefType,
    NoneAttr,
)
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, Block, SSAValue

from polyopt.dialects import cmem
from polyopt.dialects.cmem import memref_type
from polyopt.dialects.cmem_types import bytes_in_memory
from polyopt.ir.expressions.integer_expr import ONE, ZERO, Expr
from polyopt.ir.expressions.readings import Readings


def element_bytes(type: Attribute) -> int | None:
    """The size of an element in memory."""
    if isinstance(type, LLVMPointerType | IndexType):
        return 8
    if isinstance(type, FixedBitwidthType):
        return bytes_in_memory(type)
    return None


def extents(array: SSAValue, readings: Readings, at: Block) -> list[Expr | None] | None:
    """The number of elements in each dimension, None where it is not known; None altogether for
    a memref that is not row-major or that comes from an operation we do not know."""
    type = memref_type(array)
    if not is_row_major(type):
        return None
    sizes = dynamic_sizes(array)
    shape = type.get_shape()
    if sizes is None:
        sizes = [None] * shape.count(DYNAMIC_INDEX)
    pending = list(sizes)
    result: list[Expr | None] = []
    for extent in shape:
        if extent != DYNAMIC_INDEX:
            result.append(Expr.constant(extent))
            continue
        size = pending.pop(0)
        result.append(None if size is None else readings.signed(size, at))
    return result


def has_even_rows(array: SSAValue, lanes: int) -> bool:
    """Is the extent of the last dimension a multiple of the lanes, so that vectors which begin at
    multiples of the lanes are aligned in all rows where they are in one?"""
    shape = memref_type(array).get_shape()
    return len(shape) == 1 or (shape[-1] != DYNAMIC_INDEX and shape[-1] % lanes == 0)


def is_row_major(type: MemRefType[Attribute]) -> bool:
    return isinstance(type.layout, NoneAttr)


def dynamic_sizes(array: SSAValue) -> list[SSAValue | None] | None:
    """The value of each dynamic extent, None for the unknown first one of a view."""
    match array.owner:
        case cmem.ViewOp() as view:
            sizes: list[SSAValue | None] = list(view.sizes)
            shape = memref_type(array).get_shape()
            return [None, *sizes] if shape and shape[0] == DYNAMIC_INDEX else sizes
        case memref.AllocaOp() | memref.AllocOp() as allocation:
            return list(allocation.dynamic_sizes)
        case _:
            return None


def strides(shape: Sequence[Expr | None]) -> list[Expr] | None:
    """How many elements apart neighbours in each dimension are."""
    result = [ONE]
    for extent in reversed(shape[1:]):
        if extent is None:
            return None
        result.append(result[-1] * extent)
    return result[::-1] if shape else []


def linear_offset(shape: Sequence[Expr | None], indices: Sequence[Expr]) -> Expr | None:
    """The place of an element, in elements from the first."""
    factors = strides(shape)
    if factors is None:
        return None
    return sum((index * factor for index, factor in zip(indices, factors, strict=True)), ZERO)


def byte_offset(
    array: SSAValue, indices: Sequence[Expr], readings: Readings, at: Block
) -> Expr | None:
    """The place of an element, in bytes from the first."""
    shape = extents(array, readings, at)
    size = element_bytes(cmem.element_type(array))
    if shape is None or size is None:
        return None
    offset = linear_offset(shape, indices)
    return None if offset is None else offset * size
