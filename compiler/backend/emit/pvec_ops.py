"""pvec: masks, comparisons and selections lane by lane, and accesses with steps."""

from __future__ import annotations

from polyopt.backend.emit import memrefs
from polyopt.backend.emit.function import FunctionEmitter
from polyopt.backend.emit.llvm_types import byte_size, is_float, llvm_type, mangled
from polyopt.backend.emit.memref_ops import access_suffix
from polyopt.backend.emit.registry import EmitterTable
from polyopt.dialects import pvec


def emit_range_mask(f: FunctionEmitter, op: pvec.RangeMaskOp) -> None:
    """Both ends are brought into the vector first, so that 32 bits hold them."""
    lanes = pvec.lanes_of(op.mask)
    type = f"<{lanes} x i32>"
    numbers = f"<{', '.join(f'i32 {lane}' for lane in range(lanes))}>"
    lower, upper = (_spread_end(f, f.value(end), lanes, type) for end in (op.lower, op.upper))
    above = f.temp(f"icmp sge {type} {numbers}, {lower}")
    below = f.temp(f"icmp slt {type} {numbers}, {upper}")
    f.define(op.mask, f"and <{lanes} x i1> {above}, {below}")


def _spread_end(f: FunctionEmitter, end: str, lanes: int, type: str) -> str:
    least = f.module.intrinsic("llvm.smin.i64", "i64", "i64, i64")
    greatest = f.module.intrinsic("llvm.smax.i64", "i64", "i64, i64")
    above = f.shared(f"call i64 {greatest}(i64 {end}, i64 0)")
    inside = f.shared(f"call i64 {least}(i64 {above}, i64 {lanes})")
    narrow = f.shared(f"trunc i64 {inside} to i32")
    first = f.shared(f"insertelement {type} poison, i32 {narrow}, i64 0")
    return f.shared(f"shufflevector {type} {first}, {type} poison, {type} zeroinitializer")


def emit_select(f: FunctionEmitter, op: pvec.SelectOp) -> None:
    flags = f.fast_flags(None) if is_float(op.result.type) else ""
    values = f"{f.typed(op.then)}, {f.typed(op.orelse)}"
    f.define(op.result, f"select {flags}{f.typed(op.mask)}, {values}")


def emit_cmpi(f: FunctionEmitter, op: pvec.CmpiOp) -> None:
    f.define(op.mask, f"icmp {op.predicate.data} {f.typed(op.lhs)}, {f.value(op.rhs)}")


def emit_cmpf(f: FunctionEmitter, op: pvec.CmpfOp) -> None:
    flags = f.fast_flags(None)
    type = llvm_type(op.lhs.type)
    f.define(
        op.mask, f"fcmp {flags}{op.predicate.data} {type} {f.value(op.lhs)}, {f.value(op.rhs)}"
    )


_CONVERSIONS = {"extsi": "sext", "extui": "zext", "trunci": "trunc"}
"""LLVM's names, where they are others."""


def emit_convert(f: FunctionEmitter, op: pvec.ConvertOp) -> None:
    mnemonic = _CONVERSIONS.get(op.kind.data, op.kind.data)
    f.define(op.result, f"{mnemonic} {f.typed(op.source)} to {llvm_type(op.result.type)}")


def emit_strided_load(f: FunctionEmitter, op: pvec.StridedLoadOp) -> None:
    pointers, mask = _lane_addresses(f, op, pvec.lanes_of(op.result))
    lanes, type = pvec.lanes_of(op.result), llvm_type(op.result.type)
    m = f.memref(op.memref)
    name = f"llvm.masked.gather.{mangled(op.result.type)}.v{lanes}p0"
    function = f.module.intrinsic(name, type, f"<{lanes} x ptr>, <{lanes} x i1>, {type}")
    f.define(
        op.result,
        f"call {type} {function}(<{lanes} x ptr> align {m.align} {pointers}, {mask}, "
        f"{type} poison){access_suffix(f, op, m)}",
    )


def emit_strided_store(f: FunctionEmitter, op: pvec.StridedStoreOp) -> None:
    pointers, mask = _lane_addresses(f, op, pvec.lanes_of(op.value))
    lanes, type = pvec.lanes_of(op.value), llvm_type(op.value.type)
    m = f.memref(op.memref)
    name = f"llvm.masked.scatter.{mangled(op.value.type)}.v{lanes}p0"
    function = f.module.intrinsic(name, "void", f"{type}, <{lanes} x ptr>, <{lanes} x i1>")
    f.emit(
        f"call void {function}({f.typed(op.value)}, <{lanes} x ptr> align {m.align} {pointers}, "
        f"{mask}){access_suffix(f, op, m)}"
    )


def _lane_addresses(
    f: FunctionEmitter, op: pvec.StridedLoadOp | pvec.StridedStoreOp, lanes: int
) -> tuple[str, str]:
    """The lanes' pointers and the mask. The first lane's element need not exist: nothing is
    promised about its address."""
    m = f.memref(op.memref)
    first, step = "0", "0"
    for index, each, stride in zip(op.indices, op.steps.get_values(), m.strides, strict=True):
        first = _plus(f, first, _times(f, f.value(index), stride))
        step = _plus(f, step, _times(f, str(each), stride))
    element = llvm_type(m.element)
    base = f.shared(f"getelementptr {element}, ptr {m.pointer}, i64 {first}")
    numbers = ", ".join(f"i64 {lane}" for lane in range(lanes))
    type = f"<{lanes} x i64>"
    head = f.shared(f"insertelement {type} poison, i64 {step}, i64 0")
    spread = f.shared(
        f"shufflevector {type} {head}, {type} poison, <{lanes} x i32> zeroinitializer"
    )
    offsets = f.shared(f"mul {type} {spread}, <{numbers}>")
    pointers = f.shared(f"getelementptr {element}, ptr {base}, {type} {offsets}")
    mask = f"<{lanes} x i1> splat (i1 true)" if op.mask is None else f.typed(op.mask)
    return pointers, mask


def _times(f: FunctionEmitter, factor: str, stride: str) -> str:
    if factor == "0":
        return "0"
    if stride == "1":
        return factor
    return stride if factor == "1" else f.shared(f"mul i64 {factor}, {stride}")


def _plus(f: FunctionEmitter, left: str, right: str) -> str:
    if left == "0":
        return right
    return left if right == "0" else f.shared(f"add i64 {left}, {right}")


def emit_prefetch(f: FunctionEmitter, op: pvec.PrefetchOp) -> None:
    """To all levels of cache, as data."""
    pointer = memrefs.element_address(f, f.memref(op.memref), op.indices)
    function = f.module.intrinsic("llvm.prefetch.p0", "void", "ptr, i32, i32, i32")
    f.emit(f"call void {function}(ptr {pointer}, i32 {int(op.write is not None)}, i32 3, i32 1)")


def emit_misalignment(f: FunctionEmitter, op: pvec.MisalignmentOp) -> None:
    m = f.memref(op.memref)
    pointer = memrefs.element_address(f, m, op.indices)
    element, lanes = byte_size(m.element), op.lanes.value.data
    address = f.temp(f"ptrtoint ptr {pointer} to i64")
    behind = f.temp(f"and i64 {address}, {lanes * element - 1}")
    f.define(op.result, f"lshr exact i64 {behind}, {element.bit_length() - 1}")


def emit_stream_fence(f: FunctionEmitter, op: pvec.StreamFenceOp) -> None:
    f.emit(f"call void {f.module.intrinsic('llvm.x86.sse.sfence', 'void', '')}()")


EMITTERS: EmitterTable = {
    pvec.RangeMaskOp: emit_range_mask,
    pvec.SelectOp: emit_select,
    pvec.CmpiOp: emit_cmpi,
    pvec.CmpfOp: emit_cmpf,
    pvec.ConvertOp: emit_convert,
    pvec.StridedLoadOp: emit_strided_load,
    pvec.StridedStoreOp: emit_strided_store,
    pvec.PrefetchOp: emit_prefetch,
    pvec.MisalignmentOp: emit_misalignment,
    pvec.StreamFenceOp: emit_stream_fence,
}
