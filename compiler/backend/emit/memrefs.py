"""A memref as LLVM sees it: an address, and what is needed to find an element.

The address of element [i, j, k] is `pointer + i*stride_0 + j*stride_1 + k*stride_2` elements.
Where the trailing dimensions are compact and of constant size they are one array type, indexed in
one instruction; each dimension before them advances the pointer by itself, so that what does not
change in a loop can leave it.

Between blocks and functions a memref is a list of registers: the pointer, the dynamic sizes, the
dynamic strides. The pointer addresses the element [0, ..., 0]: a layout's offset is in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, NoneAttr
from xdsl.ir import Attribute, SSAValue

from polyopt.backend.emit.llvm_types import byte_size, llvm_type
from polyopt.backend.emit.metadata import AliasScope
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record


class Writer(Protocol):
    """What is needed of the function being written."""

    def value(self, value: SSAValue) -> str: ...
    def temp(self, instruction: str) -> str: ...


@record
class MemRef:
    """`sizes` and `strides` are LLVM operands: a decimal number or a name; a size that nobody
    knows is None. The dimensions after `head` are those of the array type `tail`."""

    pointer: str
    element: Attribute
    sizes: tuple[str | None, ...]
    strides: tuple[str, ...]
    head: int
    tail: str
    is_row_major: bool
    scopes: tuple[AliasScope, ...] = ()

    @property
    def align(self) -> int:
        return byte_size(self.element)

    def within(self, scope: AliasScope) -> MemRef:
        """The same memref, its accesses in one more alias scope."""
        return replace(self, scopes=(*self.scopes, scope))


def make_memref(
    pointer: str,
    element: Attribute,
    sizes: Sequence[str | None],
    strides: Sequence[str],
    scopes: tuple[AliasScope, ...] = (),
    is_row_major: bool = False,
) -> MemRef:
    """The memref, with as many dimensions in `tail` as are compact and constant."""
    rank = len(sizes)
    tail = llvm_type(element)
    head = rank
    if rank and strides[-1] == "1":
        head -= 1
        while head and _is_compact_row(sizes[head], strides[head - 1], strides[head]):
            tail = f"[{sizes[head]} x {tail}]"
            head -= 1
    is_row_major = is_row_major or head == 0
    return MemRef(pointer, element, tuple(sizes), tuple(strides), head, tail, is_row_major, scopes)


def _is_compact_row(size: str | None, outer: str, inner: str) -> bool:
    if size is None or not (size.isdigit() and outer.isdigit() and inner.isdigit()):
        return False
    return int(outer) == int(size) * int(inner)


def row_major(
    f: Writer,
    pointer: str,
    element: Attribute,
    sizes: Sequence[str | None],
    scopes: tuple[AliasScope, ...] = (),
) -> MemRef:
    """The compact array of these sizes; only the first may be unknown."""
    strides = ["1"] * len(sizes)
    for dim in range(len(sizes) - 1, 0, -1):
        size = sizes[dim]
        if size is None:
            raise CompileError(f"the size of dimension {dim} is not known")
        strides[dim - 1] = product(f, size, strides[dim])
    return make_memref(pointer, element, sizes, strides, scopes, is_row_major=True)


def product(f: Writer, left: str, right: str) -> str:
    """The product of two extents, folded where it is constant."""
    if left.isdigit() and right.isdigit():
        return str(int(left) * int(right))
    if left == "1":
        return right
    if right == "1":
        return left
    return f.temp(f"mul nsw i64 {left}, {right}")


def static_sizes(type: MemRefType[Attribute], dynamic: Sequence[str | None]) -> list[str | None]:
    """The extents of a type, its dynamic ones taken from `dynamic` in order."""
    rest = iter(dynamic)
    return [next(rest) if extent == DYNAMIC_INDEX else str(extent) for extent in type.get_shape()]


def element_count(f: Writer, memref: MemRef) -> str:
    """How many elements a compact memref has."""
    count = "1"
    for size in memref.sizes:
        if size is None:
            raise CompileError("the size of dimension 0 is not known")
        count = product(f, count, size)
    return count


def element_address(
    f: Writer, memref: MemRef, indices: Sequence[SSAValue], *, is_there: bool = True
) -> str:
    """The pointer to one element. Where a mask may leave it out, it need not be in the array."""
    return address(f, memref, [f.value(index) for index in indices], is_there=is_there)


def address(f: Writer, memref: MemRef, indices: Sequence[str], *, is_there: bool = True) -> str:
    """The pointer to the element whose indices are these operands."""
    step = "getelementptr inbounds" if is_there else "getelementptr"
    pointer = memref.pointer
    head = memref.head
    for index, stride in zip(indices[:head], memref.strides[:head], strict=True):
        if index != "0":
            offset = _scaled(f, index, stride)
            element = llvm_type(memref.element)
            pointer = f.temp(f"{step} {element}, ptr {pointer}, i64 {offset}")
    rest = indices[head:]
    if all(index == "0" for index in rest):
        return pointer
    path = ", ".join(f"i64 {index}" for index in rest)
    return f.temp(f"{step} {memref.tail}, ptr {pointer}, {path}")


def _scaled(f: Writer, index: str, stride: str) -> str:
    if stride == "1":
        return index
    return f.temp(f"mul nsw i64 {index}, {stride}")


# A memref as a list of registers


def _dynamic_strides(type: MemRefType[Attribute]) -> int:
    if isinstance(type.layout, NoneAttr):
        return 0
    strides = type.get_strides()
    if strides is None:
        raise CompileError(f"the LLVM back end cannot address the layout of '{type}'")
    return sum(1 for stride in strides if stride is None)


def register_types(type: MemRefType[Attribute]) -> list[str]:
    dynamic = sum(1 for extent in type.get_shape() if extent == DYNAMIC_INDEX)
    return ["ptr", *["i64"] * (dynamic + _dynamic_strides(type))]


def registers(memref: MemRef, type: MemRefType[Attribute]) -> list[str]:
    """The operands that `register_types` announces; an unknown size is poison."""
    sizes = [
        size or "poison"
        for size, extent in zip(memref.sizes, type.get_shape(), strict=True)
        if extent == DYNAMIC_INDEX
    ]
    if isinstance(type.layout, NoneAttr):
        return [memref.pointer, *sizes]
    declared = type.get_strides() or ()
    strides = [
        stride for stride, known in zip(memref.strides, declared, strict=True) if known is None
    ]
    return [memref.pointer, *sizes, *strides]


def from_registers(f: Writer, type: MemRefType[Attribute], operands: Sequence[str]) -> MemRef:
    """The memref whose registers are `operands`."""
    pointer, *rest = operands
    dynamic = sum(1 for extent in type.get_shape() if extent == DYNAMIC_INDEX)
    sizes = static_sizes(type, rest[:dynamic])
    if isinstance(type.layout, NoneAttr):
        return row_major(f, pointer, type.element_type, sizes)
    strides = iter(rest[dynamic:])
    known = type.get_strides() or ()
    found = [next(strides) if stride is None else str(stride) for stride in known]
    return make_memref(pointer, type.element_type, sizes, found)
