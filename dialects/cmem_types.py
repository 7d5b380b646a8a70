"""The types of memory as C sees it."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import FixedBitwidthType, MemRefType
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, SSAValue

PTR = LLVMPointerType()


def memref_type(value: SSAValue) -> MemRefType[Attribute]:
    """The type of a value that is known to be a memref."""
    assert value.type.name == MemRefType.name
    return cast("MemRefType[Attribute]", value.type)


def element_type(value: SSAValue) -> Attribute:
    """The element type of a value that is known to be a memref."""
    return memref_type(value).element_type


def bytes_in_memory(type: FixedBitwidthType) -> int:
    """How far apart elements are: a power of two; a `long double` of 80 bits takes 16 bytes."""
    size = (type.bitwidth + 7) // 8
    return 1 << (size - 1).bit_length()
