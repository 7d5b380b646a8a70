"""memref: operations that cost nothing, or an addition: they give a memref another shape."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, NoneAttr
from xdsl.dialects.utils import get_dynamic_index_list
from xdsl.ir import Attribute, Operation, SSAValue

from polyopt.backend.emit import memrefs
from polyopt.backend.emit.errors import unsupported
from polyopt.backend.emit.function import FunctionEmitter
from polyopt.backend.emit.memrefs import make_memref
from polyopt.backend.emit.registry import EmitterTable
from polyopt.dialects.cmem import memref_type
from polyopt.dialects.shaped_types import is_memref


def require_row_major(op: Operation, type: MemRefType[Attribute]) -> None:
    if not isinstance(type.layout, NoneAttr):
        raise unsupported(op, f"'{type}' has a layout other than row-major")


def emit_dim(f: FunctionEmitter, op: memref.DimOp) -> None:
    sizes = f.memref(op.source).sizes
    index = f.value(op.index)
    if not index.isdigit():
        raise unsupported(op, "the dimension is not a constant")
    size = sizes[int(index)] if int(index) < len(sizes) else None
    if size is None:
        raise unsupported(op, f"the size of dimension {index} is not known")
    f.bind(op.result, size)


def emit_rank(f: FunctionEmitter, op: memref.RankOp) -> None:
    f.bind(op.rank, str(len(f.memref(op.source).sizes)))


def emit_cast(f: FunctionEmitter, op: memref.CastOp) -> None:
    """The same memref: what is known of its sizes stays known, what the type says is added."""
    if not is_memref(op.dest.type):
        raise unsupported(op, "a memref of unknown rank")
    source = f.memref(op.source)
    sizes = [
        size if extent == DYNAMIC_INDEX else str(extent)
        for size, extent in zip(source.sizes, op.dest.type.get_shape(), strict=True)
    ]
    f.memrefs[op.dest] = make_memref(
        source.pointer,
        source.element,
        sizes,
        source.strides,
        source.scopes,
        source.is_row_major,
    )


def emit_get_global(f: FunctionEmitter, op: memref.GetGlobalOp) -> None:
    type = memref_type(op.memref)
    require_row_major(op, type)
    pointer = f.module.symbol(op.name_.string_value())
    sizes = [str(extent) for extent in type.get_shape()]
    f.memrefs[op.memref] = memrefs.row_major(f, pointer, type.element_type, sizes)


def emit_view(f: FunctionEmitter, op: memref.ViewOp) -> None:
    type = memref_type(op.result)
    source = f.memref(op.source)
    pointer = f.temp(
        f"getelementptr inbounds i8, ptr {source.pointer}, {f.typed(op.byte_shift)}",
        op.result.name_hint,
    )
    sizes = memrefs.static_sizes(type, [f.value(size) for size in op.sizes])
    f.memrefs[op.result] = memrefs.row_major(f, pointer, type.element_type, sizes, source.scopes)


def emit_assume_alignment(f: FunctionEmitter, op: memref.AssumeAlignmentOp) -> None:
    source = f.memref(op.memref)
    function = f.module.intrinsic("llvm.assume", "void", "i1")
    align = op.alignment.value.data
    f.emit(f'call void {function}(i1 true) [ "align"(ptr {source.pointer}, i64 {align}) ]')
    f.memrefs[op.result] = source


def emit_subview(f: FunctionEmitter, op: memref.SubviewOp) -> None:
    """The elements `offsets + i * strides`; dimensions of size 1 may be dropped from it."""
    source = f.memref(op.source)
    offsets = _operands(f, op.static_offsets.get_values(), op.offsets)
    sizes = _operands(f, op.static_sizes.get_values(), op.sizes)
    steps = _operands(f, op.static_strides.get_values(), op.strides)
    strides = [
        memrefs.product(f, step, stride) for step, stride in zip(steps, source.strides, strict=True)
    ]
    pointer = memrefs.address(f, source, offsets)
    kept = _kept_dimensions(op, sizes, memref_type(op.result).get_num_dims())
    f.memrefs[op.result] = make_memref(
        pointer,
        source.element,
        [sizes[dim] for dim in kept],
        [strides[dim] for dim in kept],
        source.scopes,
    )


def _operands(f: FunctionEmitter, static: Sequence[int], dynamic: Sequence[SSAValue]) -> list[str]:
    mixed = get_dynamic_index_list(static, dynamic, DYNAMIC_INDEX)
    return [str(item) if isinstance(item, int) else f.value(item) for item in mixed]


def _kept_dimensions(op: memref.SubviewOp, sizes: Sequence[str], rank: int) -> list[int]:
    """All dimensions but the first ones of size 1, as many as the result has fewer."""
    dropped = [dim for dim, size in enumerate(sizes) if size == "1"][: len(sizes) - rank]
    if len(dropped) != len(sizes) - rank:
        raise unsupported(op, f"its {len(sizes)} sizes do not make a memref of rank {rank}")
    return [dim for dim in range(len(sizes)) if dim not in dropped]


def emit_reinterpret_cast(f: FunctionEmitter, op: memref.ReinterpretCastOp) -> None:
    """The memref of these sizes and strides from the same address on."""
    source = f.memref(op.source)
    if any(offset != "0" for offset in _operands(f, op.static_offsets.get_values(), op.offsets)):
        raise unsupported(op, "an offset other than 0")
    sizes = _operands(f, op.static_sizes.get_values(), op.sizes)
    strides = _operands(f, op.static_strides.get_values(), op.strides)
    f.memrefs[op.result] = make_memref(
        source.pointer, source.element, sizes, strides, source.scopes
    )


EMITTERS: EmitterTable = {
    memref.AssumeAlignmentOp: emit_assume_alignment,
    memref.CastOp: emit_cast,
    memref.DimOp: emit_dim,
    memref.GetGlobalOp: emit_get_global,
    memref.RankOp: emit_rank,
    memref.ReinterpretCastOp: emit_reinterpret_cast,
    memref.SubviewOp: emit_subview,
    memref.ViewOp: emit_view,
}
