"""memref: storage and accesses (what only gives a memref another shape is in `memref_shapes`).

Loads and stores say the natural alignment of the element, or what an `alignment` attribute
promises. A buffer from `memref.alloc` comes from the C library and may be freed by C.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, BoolAttr, IntegerAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.backend.emit import buffers, memref_shapes, memrefs
from polyopt.backend.emit.errors import unsupported
from polyopt.backend.emit.function import FunctionEmitter
from polyopt.backend.emit.llvm_types import (
    LINE_BYTES,
    VECTOR_BYTES,
    byte_size,
    is_integer,
    llvm_type,
)
from polyopt.backend.emit.memref_shapes import require_row_major
from polyopt.backend.emit.memrefs import MemRef
from polyopt.backend.emit.metadata import type_tag
from polyopt.backend.emit.registry import EmitterTable
from polyopt.dialects.cmem import HIDDEN_STEP, memref_type

_MALLOC_ALIGN = 16
_FOLLOWED = 40
"""So many values a subscript is followed back through, at most."""
_SCATTERING = (
    arith.ShRUIOp,
    arith.ShRSIOp,
    arith.AndIOp,
    arith.DivSIOp,
    arith.DivUIOp,
    arith.RemSIOp,
    arith.RemUIOp,
)
_LARGE_BYTES = 8 * LINE_BYTES


def alignment(op: Operation, natural: int) -> int:
    """The alignment that the operation states, or the natural one."""
    stated = op.properties.get("alignment") or op.attributes.get("alignment")
    return stated.value.data if isa(stated, IntegerAttr) else natural


def access_suffix(f: FunctionEmitter, op: Operation, m: MemRef) -> str:
    """What is known of an access beside its address: aliasing, its type, and that caches need not
    keep it."""
    suffix = f.access_suffix(f.scopes_of(op, m))
    if f.module.has_strict_types:
        suffix += type_tag(f.module.metadata, llvm_type(m.element))
    stated = op.properties.get("nontemporal")
    if stated is not None and isa(stated, BoolAttr) and stated.value.data:
        suffix += f", !nontemporal {f.module.metadata.node('i32 1')}"
    return suffix


def emit_load(f: FunctionEmitter, op: memref.LoadOp) -> None:
    load(f, op, op.memref, op.indices, "load")


def load(
    f: FunctionEmitter,
    op: Operation,
    source: SSAValue,
    indices: Sequence[SSAValue],
    mnemonic: str,
) -> None:
    m = f.memref(source)
    if _is_narrow(m):
        f.widened = True
        f.looks_up |= any(_is_looked_up(index) for index in indices)
    pointer = memrefs.address(f, m, _seen(f, op, indices))
    suffix = access_suffix(f, op, m)
    f.define(
        op.results[0],
        f"{mnemonic} {llvm_type(m.element)}, ptr {pointer}, align {alignment(op, m.align)}{suffix}",
    )


def _seen(f: FunctionEmitter, op: Operation, indices: Sequence[SSAValue]) -> list[str]:
    """The indices, frozen where LLVM is not to see by how much they change (`HIDDEN_STEP`)."""
    values = [f.value(index) for index in indices]
    if HIDDEN_STEP not in op.attributes:
        return values
    return [f.temp(f"freeze i64 {value}") if value[0] == "%" else value for value in values]


def emit_store(f: FunctionEmitter, op: memref.StoreOp) -> None:
    store(f, op, op.value, op.memref, op.indices, "store")


def store(
    f: FunctionEmitter,
    op: Operation,
    value: SSAValue,
    target: SSAValue,
    indices: Sequence[SSAValue],
    mnemonic: str,
) -> None:
    m = f.memref(target)
    f.widened |= _is_narrow(m)
    pointer = memrefs.element_address(f, m, indices)
    suffix = access_suffix(f, op, m)
    f.emit(f"{mnemonic} {f.typed(value)}, ptr {pointer}, align {alignment(op, m.align)}{suffix}")


def _is_narrow(m: MemRef) -> bool:
    return is_integer(m.element) and bool(m.sizes) and m.align < 4


def _is_looked_up(index: SSAValue) -> bool:
    """The subscript is made of data, of some bits of a number, or of a quotient, perhaps by way of
    variables."""
    pending, seen = [index], set[SSAValue]()
    while pending and len(seen) < _FOLLOWED:
        value = pending.pop()
        op = value.owner
        if value in seen or isinstance(op, Block):
            continue
        seen.add(value)
        if isinstance(op, _SCATTERING):
            return True
        if not isinstance(op, memref.LoadOp):
            pending += op.operands
        elif op.indices:
            return True
        elif isinstance(op.memref.owner, memref.AllocaOp):
            users = [use.operation for use in op.memref.uses]
            pending += [one.value for one in users if isinstance(one, memref.StoreOp)]
    return False


def emit_alloca(f: FunctionEmitter, op: memref.AllocaOp) -> None:
    type = memref_type(op.memref)
    require_row_major(op, type)
    element = type.element_type
    shape = type.get_shape()
    if DYNAMIC_INDEX not in shape:
        array = llvm_type(element)
        size = byte_size(element)
        for extent in reversed(shape):
            array = f"[{extent} x {array}]"
            size *= extent
        natural = max(byte_size(element), _placement(size))
        pointer = f.stack_slot(array, alignment(op, natural), op.memref.name_hint)
        sizes = [str(extent) for extent in shape]
        f.memrefs[op.memref] = memrefs.row_major(f, pointer, element, sizes)
        return
    sizes = memrefs.static_sizes(type, [f.length(size) for size in op.dynamic_sizes])
    count = "1"
    for size in sizes:
        count = memrefs.product(f, count, size or "1")
    align = alignment(op, max(byte_size(element), VECTOR_BYTES))
    pointer = f.temp(
        f"alloca {llvm_type(element)}, i64 {count}, align {align}", op.memref.name_hint
    )
    f.memrefs[op.memref] = memrefs.row_major(f, pointer, element, sizes)


def _placement(size: int) -> int:
    """Where a local array of this size is best put. At the start of a cache line its vectors cross
    from no line to the next; that takes a few instructions in each call."""
    if size >= _LARGE_BYTES:
        return LINE_BYTES
    return VECTOR_BYTES if size >= VECTOR_BYTES else 1


def emit_alloc(f: FunctionEmitter, op: memref.AllocOp) -> None:
    type = memref_type(op.memref)
    require_row_major(op, type)
    element = type.element_type
    sizes = memrefs.static_sizes(type, [f.value(size) for size in op.dynamic_sizes])
    count = "1"
    for size in sizes:
        count = memrefs.product(f, count, size or "1")
    size = memrefs.product(f, count, str(byte_size(element)))
    align = alignment(op, _MALLOC_ALIGN)
    if align <= _MALLOC_ALIGN:
        function = f.module.intrinsic("malloc", "noalias ptr", "i64")
        call = f"call noalias ptr {function}(i64 {size})"
    else:
        function = f.module.intrinsic("aligned_alloc", "noalias ptr", "i64, i64")
        padded = f.temp(f"add i64 {size}, {align - 1}")
        whole = f.temp(f"and i64 {padded}, {-align}")
        call = f"call noalias align {align} ptr {function}(i64 {align}, i64 {whole})"
    if buffers.is_passing(op, align):
        pointer = buffers.emit_passing(f, op, size, call)
    else:
        pointer = f.temp(call, op.memref.name_hint)
    f.memrefs[op.memref] = memrefs.row_major(f, pointer, element, sizes)


def emit_dealloc(f: FunctionEmitter, op: memref.DeallocOp) -> None:
    function = f.module.intrinsic("free", "void", "ptr")
    pointer = f.memref(op.memref).pointer
    buffers.free_passing(f, pointer, f"call void {function}(ptr {pointer})")


def emit_copy(f: FunctionEmitter, op: memref.CopyOp) -> None:
    source, target = f.memref(op.source), f.memref(op.destination)
    known = target if None in source.sizes else source
    if not (source.is_row_major and target.is_row_major):
        raise unsupported(op, "only row-major memrefs are copied")
    count = memrefs.element_count(f, known)
    size = memrefs.product(f, count, str(byte_size(source.element)))
    emit_memcpy(f, target.pointer, source.pointer, size, source.align)


def emit_memcpy(f: FunctionEmitter, target: str, source: str, size: str, align: int) -> None:
    function = f.module.intrinsic(
        "llvm.memcpy.p0.p0.i64", "void", "ptr noalias writeonly, ptr noalias readonly, i64, i1"
    )
    f.emit(
        f"call void {function}(ptr align {align} {target}, ptr align {align} {source}, "
        f"i64 {size}, i1 false){f.access_suffix(())}"
    )


EMITTERS: EmitterTable = {
    memref.LoadOp: emit_load,
    memref.StoreOp: emit_store,
    memref.AllocaOp: emit_alloca,
    memref.AllocOp: emit_alloc,
    memref.DeallocOp: emit_dealloc,
    memref.CopyOp: emit_copy,
    **memref_shapes.EMITTERS,
}
