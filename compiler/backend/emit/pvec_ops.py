"""pvec: masks, comparisons and selections lane by lane."""

from __future__ import annotations

from polyopt.backend.emit import memrefs
from polyopt.backend.emit.function import FunctionEmitter
from polyopt.backend.emit.llvm_types import is_float, llvm_type
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


def emit_prefetch(f: FunctionEmitter, op: pvec.PrefetchOp) -> None:
    """To all levels of cache, as data."""
    pointer = memrefs.element_address(f, f.memref(op.memref), op.indices)
    function = f.module.intrinsic("llvm.prefetch.p0", "void", "ptr, i32, i32, i32")
    f.emit(f"call void {function}(ptr {pointer}, i32 {int(op.write is not None)}, i32 3, i32 1)")


EMITTERS: EmitterTable = {
    pvec.RangeMaskOp: emit_range_mask,
    pvec.SelectOp: emit_select,
    pvec.CmpiOp: emit_cmpi,
    pvec.CmpfOp: emit_cmpf,
    pvec.PrefetchOp: emit_prefetch,
}
