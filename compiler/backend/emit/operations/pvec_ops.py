"""pvec: masks, comparisons and selections lane by lane, and accesses with steps."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import vector
from xdsl.dialects.builtin import IntegerType, VectorType
from xdsl.ir import SSAValue
from xdsl.utils.hints import isa

from polyopt.backend.emit import group_sums, memrefs
from polyopt.backend.emit.float_to_integer import truncate
from polyopt.backend.emit.function import FunctionEmitter
from polyopt.backend.emit.lane_bits import has_lane_bits, lanes_below
from polyopt.backend.emit.llvm_types import byte_size, is_float, llvm_type, mangled
from polyopt.backend.emit.masked_pointers import aligned_pointer, pointer_parameter
from polyopt.backend.emit.operations.look_up import emit_look_up
from polyopt.backend.emit.operations.memref_ops import access_suffix
from polyopt.backend.emit.registry import EmitterTable
from polyopt.dialects import pvec


def emit_range_mask(f: FunctionEmitter, op: pvec.RangeMaskOp) -> None:
    """Both ends are brought into the vector first, so that 32 bits hold them."""
    lanes = pvec.lanes_of(op.mask)
    type = f"<{lanes} x i32>"
    numbers = f"<{', '.join(f'i32 {lane}' for lane in range(lanes))}>"
    lower, upper = (_end_inside(f, f.value(end), lanes) for end in (op.lower, op.upper))
    if has_lane_bits(f, lanes):
        outside = f.temp(f"xor <{lanes} x i1> {lanes_below(f, lower, lanes)}, splat (i1 true)")
        f.define(op.mask, f"and <{lanes} x i1> {outside}, {lanes_below(f, upper, lanes)}")
        return
    lower, upper = (_in_all_lanes(f, end, lanes) for end in (lower, upper))
    above = f.temp(f"icmp sge {type} {numbers}, {lower}")
    below = f.temp(f"icmp slt {type} {numbers}, {upper}")
    f.define(op.mask, f"and <{lanes} x i1> {above}, {below}")


def _end_inside(f: FunctionEmitter, end: str, lanes: int) -> str:
    least = f.module.intrinsic("llvm.smin.i64", "i64", "i64, i64")
    greatest = f.module.intrinsic("llvm.smax.i64", "i64", "i64, i64")
    above = f.temp(f"call i64 {greatest}(i64 {end}, i64 0)")
    return f.temp(f"call i64 {least}(i64 {above}, i64 {lanes})")


def _in_all_lanes(f: FunctionEmitter, end: str, lanes: int) -> str:
    type = f"<{lanes} x i32>"
    narrow = f.temp(f"trunc i64 {end} to i32")
    first = f.temp(f"insertelement {type} poison, i32 {narrow}, i64 0")
    return f.temp(f"shufflevector {type} {first}, {type} poison, {type} zeroinitializer")


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
    if op.kind.data in ("fptosi", "fptoui"):
        signed = op.kind.data == "fptosi"
        source, target = op.source.type, op.result.type
        f.bind(op.result, truncate(f, f.value(op.source), source, target, signed=signed))
        return
    mnemonic = _CONVERSIONS.get(op.kind.data, op.kind.data)
    f.define(op.result, f"{mnemonic} {f.typed(op.source)} to {llvm_type(op.result.type)}")


def emit_quotient(f: FunctionEmitter, op: pvec.QuotientOp) -> None:
    """Whatever the module permits: a product with a reciprocal may be less than the quotient."""
    type, lanes = llvm_type(op.result.type), pvec.lanes_of(op.result)
    through, sign = f"<{lanes} x {llvm_type(op.through)}>", "u" if op.unsigned else "s"
    left, right = (
        f.temp(f"{sign}itofp {type} {f.value(one)} to {through}") for one in (op.lhs, op.rhs)
    )
    divided = f.temp(f"fdiv {through} {left}, {right}")
    f.define(op.result, f"fpto{sign}i {through} {divided} to {type}")


_WIDE_BITS = 512
"""Only these are gathered by one instruction, if the CPU is quick at it: else element by element is
faster. Elements are never scattered by one instruction, but where there is a mask."""


def emit_strided_load(f: FunctionEmitter, op: pvec.StridedLoadOp) -> None:
    lanes = pvec.lanes_of(op.result)
    if op.mask is None and not _is_wide(f, op):
        _load_each(f, op, _element_pointers(f, op, lanes))
    else:
        _gather(f, op, _lane_pointers(f, op, lanes))


def emit_strided_store(f: FunctionEmitter, op: pvec.StridedStoreOp) -> None:
    lanes, type = pvec.lanes_of(op.value), llvm_type(op.value.type)
    m = f.memref(op.memref)
    if op.mask is None:
        for lane, pointer in enumerate(_element_pointers(f, op, lanes)):
            value = f.temp(f"extractelement {f.typed(op.value)}, i64 {lane}")
            f.emit(
                f"store {llvm_type(m.element)} {value}, ptr {pointer}, align {m.align}"
                f"{access_suffix(f, op, m)}"
            )
        return
    f.module.has_gathers = True
    name = f"llvm.masked.scatter.{mangled(op.value.type)}.v{lanes}p0"
    places = pointer_parameter(f, f"<{lanes} x ptr>")
    function = f.module.intrinsic(name, "void", f"{type}, {places}, <{lanes} x i1>")
    pointers = aligned_pointer(f, f"<{lanes} x ptr>", _lane_pointers(f, op, lanes), m.align)
    f.emit(
        f"call void {function}({f.typed(op.value)}, {pointers}, "
        f"{f.typed(op.mask)}){access_suffix(f, op, m)}"
    )


def emit_gather(f: FunctionEmitter, op: pvec.GatherOp) -> None:
    m = f.memref(op.memref)
    lanes, element = pvec.lanes_of(op.result), llvm_type(m.element)
    if op.mask is None and not _is_wide(f, op):
        places = [_looked_up(f, op, lane) for lane in range(lanes)]
        pointers = [f.temp(f"getelementptr {element}, ptr {m.pointer}, i64 {at}") for at in places]
        _load_each(f, op, pointers)
        return
    base, offsets = _uniform_and_each(f, op)
    _gather(f, op, f.temp(f"getelementptr {element}, ptr {base}, {offsets}"))


def _uniform_and_each(f: FunctionEmitter, op: pvec.GatherOp) -> tuple[str, str]:
    """The pointer that all lanes begin at, and how many elements each one goes on from there, with
    its type: of 32 bits where one index of so many says it, so that one instruction gathers all
    lanes. Which element the pointer is at, and whether it exists, is not known."""
    m, lanes = f.memref(op.memref), pvec.lanes_of(op.result)
    type = f"<{lanes} x i64>"
    uniform, each = "0", list[tuple[SSAValue, str]]()
    for index, stride in zip(op.indices, m.strides, strict=True):
        if isinstance(index.owner, vector.BroadcastOp):
            one = f.value(index.owner.source)
            if (narrow := llvm_type(index.owner.source.type)) != "i64":
                one = f.temp(f"sext {narrow} {one} to i64")
            uniform = _plus(f, uniform, _times(f, one, stride))
        else:
            each.append((index, stride))
    base = m.pointer
    if uniform != "0":
        base = f.temp(f"getelementptr {llvm_type(m.element)}, ptr {base}, i64 {uniform}")
    match each:
        case []:
            return base, f"{type} zeroinitializer"
        case [(index, "1")]:
            return base, f.typed(index)
        case _:
            return base, f"{type} {_sum_of(f, each, type, lanes)}"


def _sum_of(
    f: FunctionEmitter, terms: Sequence[tuple[SSAValue, str]], type: str, lanes: int
) -> str:
    total: str | None = None
    for index, stride in terms:
        is_narrow = llvm_type(index.type) != type
        wide = f.temp(f"sext {f.typed(index)} to {type}") if is_narrow else f.value(index)
        if stride != "1":
            wide = f.temp(f"mul {type} {wide}, {_spread(f, type, stride, lanes)}")
        total = wide if total is None else f.temp(f"add {type} {total}, {wide}")
    assert total is not None
    return total


def _looked_up(f: FunctionEmitter, op: pvec.GatherOp, lane: int) -> str:
    """How many elements there are from the array's beginning to that of one lane."""
    place = "0"
    for index, stride in zip(op.indices, f.memref(op.memref).strides, strict=True):
        one = f.temp(f"extractelement {f.typed(index)}, i64 {lane}")
        assert isa(index.type, VectorType[IntegerType])
        if (element := llvm_type(index.type.element_type)) != "i64":
            one = f.temp(f"sext {element} {one} to i64")
        place = _plus(f, place, _times(f, one, stride))
    return place


def _is_wide(f: FunctionEmitter, op: pvec.StridedLoadOp | pvec.GatherOp) -> bool:
    bits = 8 * pvec.lanes_of(op.result) * byte_size(f.memref(op.memref).element)
    return bits >= _WIDE_BITS and not f.module.options.untaken_vectors()


def _gather(f: FunctionEmitter, op: pvec.StridedLoadOp | pvec.GatherOp, pointers: str) -> None:
    lanes, type = pvec.lanes_of(op.result), llvm_type(op.result.type)
    m = f.memref(op.memref)
    f.module.has_gathers = True
    name = f"llvm.masked.gather.{mangled(op.result.type)}.v{lanes}p0"
    places = pointer_parameter(f, f"<{lanes} x ptr>")
    function = f.module.intrinsic(name, type, f"{places}, <{lanes} x i1>, {type}")
    aligned = aligned_pointer(f, f"<{lanes} x ptr>", pointers, m.align)
    mask = f"<{lanes} x i1> splat (i1 true)" if op.mask is None else f.typed(op.mask)
    f.define(
        op.result,
        f"call {type} {function}({aligned}, {mask}, {type} poison){access_suffix(f, op, m)}",
    )


def _load_each(
    f: FunctionEmitter, op: pvec.StridedLoadOp | pvec.GatherOp, pointers: Sequence[str]
) -> None:
    m = f.memref(op.memref)
    element, type = llvm_type(m.element), llvm_type(op.result.type)
    suffix = access_suffix(f, op, m)
    result = "poison"
    for lane, pointer in enumerate(pointers):
        value = f.temp(f"load {element}, ptr {pointer}, align {m.align}{suffix}")
        insertion = f"insertelement {type} {result}, {element} {value}, i64 {lane}"
        if lane < len(pointers) - 1:
            result = f.temp(insertion)
        else:
            f.define(op.result, insertion)


def _first_and_step(
    f: FunctionEmitter, op: pvec.StridedLoadOp | pvec.StridedStoreOp
) -> tuple[str, str]:
    """The pointer to the first lane's element, which need not exist: nothing is promised about
    its address; and how many elements there are from lane to lane."""
    m = f.memref(op.memref)
    first, step = "0", "0"
    for index, each, stride in zip(op.indices, op.steps.get_values(), m.strides, strict=True):
        first = _plus(f, first, _times(f, f.value(index), stride))
        step = _plus(f, step, _times(f, str(each), stride))
    element = llvm_type(m.element)
    return f.temp(f"getelementptr {element}, ptr {m.pointer}, i64 {first}"), step


def _element_pointers(
    f: FunctionEmitter, op: pvec.StridedLoadOp | pvec.StridedStoreOp, lanes: int
) -> list[str]:
    base, step = _first_and_step(f, op)
    element = llvm_type(f.memref(op.memref).element)
    offsets = [_times(f, str(lane), step) for lane in range(lanes)]
    return [f.temp(f"getelementptr {element}, ptr {base}, i64 {offset}") for offset in offsets]


def _lane_pointers(
    f: FunctionEmitter, op: pvec.StridedLoadOp | pvec.StridedStoreOp, lanes: int
) -> str:
    base, step = _first_and_step(f, op)
    type = f"<{lanes} x i64>"
    numbers = ", ".join(f"i64 {lane}" for lane in range(lanes))
    offsets = f.temp(f"mul {type} {_spread(f, type, step, lanes)}, <{numbers}>")
    element = llvm_type(f.memref(op.memref).element)
    return f.temp(f"getelementptr {element}, ptr {base}, {type} {offsets}")


def _spread(f: FunctionEmitter, type: str, number: str, lanes: int) -> str:
    head = f.temp(f"insertelement {type} poison, i64 {number}, i64 0")
    return f.temp(f"shufflevector {type} {head}, {type} poison, <{lanes} x i32> zeroinitializer")


def _times(f: FunctionEmitter, factor: str, stride: str) -> str:
    if _is_number(factor) and _is_number(stride):
        return str(int(factor) * int(stride))
    if factor == "0":
        return "0"
    if stride == "1":
        return factor
    return stride if factor == "1" else f.temp(f"mul i64 {factor}, {stride}")


def _is_number(text: str) -> bool:
    return not text.startswith("%")


def _plus(f: FunctionEmitter, left: str, right: str) -> str:
    if left == "0":
        return right
    if _is_number(left) and _is_number(right):
        return str(int(left) + int(right))
    return left if right == "0" else f.temp(f"add i64 {left}, {right}")


def emit_prefetch(f: FunctionEmitter, op: pvec.PrefetchOp) -> None:
    """To all levels of cache, as data. What is fetched ahead may lie behind the array."""
    pointer = memrefs.element_address(f, f.memref(op.memref), op.indices, is_there=False)
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
    pvec.QuotientOp: emit_quotient,
    pvec.StridedLoadOp: emit_strided_load,
    pvec.StridedStoreOp: emit_strided_store,
    pvec.GatherOp: emit_gather,
    pvec.LookUpOp: emit_look_up,
    pvec.PrefetchOp: emit_prefetch,
    pvec.MisalignmentOp: emit_misalignment,
    pvec.StreamFenceOp: emit_stream_fence,
    **group_sums.EMITTERS,
}
