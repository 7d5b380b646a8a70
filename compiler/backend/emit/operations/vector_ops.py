"""vector: one-dimensional vectors in registers.

A vector in memory is as aligned as its element unless an `alignment` attribute promises more:
without that LLVM would assume the whole vector's alignment, and fault.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import vector
from xdsl.ir import Attribute, Operation, SSAValue

from polyopt.backend.emit import memrefs
from polyopt.backend.emit.errors import unsupported
from polyopt.backend.emit.first_lanes import bytes_of_first_lanes, load_first
from polyopt.backend.emit.function import FunctionEmitter
from polyopt.backend.emit.lane_bits import has_lane_bits, lanes_below
from polyopt.backend.emit.llvm_types import is_float, llvm_type, mangled
from polyopt.backend.emit.masked_pointers import aligned_pointer, pointer_parameter
from polyopt.backend.emit.operations.memref_ops import access_suffix, alignment
from polyopt.backend.emit.registry import EmitterTable
from polyopt.dialects.shaped_types import is_vector

_FEW_LANES = 4

_INTEGER_REDUCTIONS = {
    "add": ("add", "add"),
    "mul": ("mul", "mul"),
    "and": ("and", "and"),
    "or": ("or", "or"),
    "xor": ("xor", "xor"),
    "minsi": ("smin", "llvm.smin"),
    "maxsi": ("smax", "llvm.smax"),
    "minui": ("umin", "llvm.umin"),
    "maxui": ("umax", "llvm.umax"),
}

_FLOAT_REDUCTIONS = {
    "minnumf": ("fmin", "llvm.minnum"),
    "maxnumf": ("fmax", "llvm.maxnum"),
    "minimumf": ("fminimum", "llvm.minimum"),
    "maximumf": ("fmaximum", "llvm.maximum"),
}

_FLOAT_CHAINS = {"add": ("fadd", "-0.000000e+00"), "mul": ("fmul", "1.000000e+00")}


def _address(
    f: FunctionEmitter,
    op: Operation,
    base: SSAValue,
    indices: Sequence[SSAValue],
    *,
    is_masked: bool = False,
) -> tuple[str, int, str]:
    """Pointer, alignment and metadata of an access to consecutive elements. The first of those
    that are masked need not exist."""
    m = f.memref(base)
    if not m.strides or m.strides[-1] != "1":
        raise unsupported(op, "the elements are not next to each other in memory")
    pointer = memrefs.element_address(f, m, indices, is_there=not is_masked)
    return pointer, alignment(op, m.align), access_suffix(f, op, m)


def emit_load(f: FunctionEmitter, op: vector.LoadOp) -> None:
    pointer, align, suffix = _address(f, op, op.base, op.indices)
    f.define(op.result, f"load {llvm_type(op.result.type)}, ptr {pointer}, align {align}{suffix}")


def emit_store(f: FunctionEmitter, op: vector.StoreOp) -> None:
    pointer, align, suffix = _address(f, op, op.base, op.indices)
    f.emit(f"store {f.typed(op.vector)}, ptr {pointer}, align {align}{suffix}")


def emit_masked_load(f: FunctionEmitter, op: vector.MaskedLoadOp) -> None:
    pointer, align, suffix = _address(f, op, op.base, op.indices, is_masked=True)
    type, mask = llvm_type(op.result.type), llvm_type(op.mask.type)
    count = bytes_of_first_lanes(f, op.mask, op.result.type)
    if count is not None:
        loaded = load_first(f, pointer, count, op.result.type)
        if f.value(op.pass_thru) == "zeroinitializer":
            f.bind(op.result, loaded)
        else:
            chosen = f"{f.typed(op.mask)}, {type} {loaded}, {f.typed(op.pass_thru)}"
            f.define(op.result, f"select {chosen}")
        return
    name = f"llvm.masked.load.{mangled(op.result.type)}.p0"
    function = f.module.intrinsic(name, type, f"{pointer_parameter(f, 'ptr')}, {mask}, {type}")
    f.define(
        op.result,
        f"call {type} {function}({aligned_pointer(f, 'ptr', pointer, align)}, "
        f"{f.typed(op.mask)}, {f.typed(op.pass_thru)}){suffix}",
    )


def emit_masked_store(f: FunctionEmitter, op: vector.MaskedStoreOp) -> None:
    pointer, align, suffix = _address(f, op, op.base, op.indices, is_masked=True)
    value = op.value_to_store
    name = f"llvm.masked.store.{mangled(value.type)}.p0"
    place = pointer_parameter(f, "ptr")
    parameters = f"{llvm_type(value.type)}, {place}, {llvm_type(op.mask.type)}"
    function = f.module.intrinsic(name, "void", parameters)
    f.emit(
        f"call void {function}({f.typed(value)}, {aligned_pointer(f, 'ptr', pointer, align)}, "
        f"{f.typed(op.mask)}){suffix}"
    )


def emit_broadcast(f: FunctionEmitter, op: vector.BroadcastOp) -> None:
    source, type = op.source, llvm_type(op.vector.type)
    if is_vector(source.type):
        if source.type != op.vector.type:
            raise unsupported(op, f"'{source.type}' is not spread to '{op.vector.type}'")
        f.bind(op.vector, f.value(source))
        return
    if not f.value(source).startswith("%"):
        f.bind(op.vector, f"splat ({f.typed(source)})")
        return
    first = f.temp(f"insertelement {type} poison, {f.typed(source)}, i64 0")
    lanes = f"<{_lanes(op.vector.type)} x i32>"
    f.define(op.vector, f"shufflevector {type} {first}, {type} poison, {lanes} zeroinitializer")


def _lanes(type: Attribute) -> int:
    assert is_vector(type)
    return type.get_shape()[0]


def emit_fma(f: FunctionEmitter, op: vector.FMAOp) -> None:
    type = llvm_type(op.res.type)
    function = f.module.intrinsic(
        f"llvm.fma.{mangled(op.res.type)}", type, f"{type}, {type}, {type}"
    )
    arguments = ", ".join(f.typed(operand) for operand in op.operands)
    f.define(op.res, f"call {f.fast_flags(None)}{type} {function}({arguments})")


def emit_extract(f: FunctionEmitter, op: vector.ExtractOp) -> None:
    position = _position(f, op, op.get_mixed_position())
    f.define(op.result, f"extractelement {f.typed(op.vector)}, i64 {position}")


def emit_insert(f: FunctionEmitter, op: vector.InsertOp) -> None:
    position = _position(f, op, op.get_mixed_position())
    f.define(op.result, f"insertelement {f.typed(op.dest)}, {f.typed(op.source)}, i64 {position}")


def _position(f: FunctionEmitter, op: Operation, positions: Sequence[SSAValue | int]) -> str:
    if len(positions) != 1:
        raise unsupported(op, "only one-dimensional vectors are supported")
    position = positions[0]
    return str(position) if isinstance(position, int) else f.value(position)


def emit_shuffle(f: FunctionEmitter, op: vector.ShuffleOp) -> None:
    mask = op.mask.get_values()
    lanes = ", ".join(f"i32 {lane}" if lane >= 0 else "i32 poison" for lane in mask)
    f.define(
        op.result,
        f"shufflevector {f.typed(op.v1)}, {f.typed(op.v2)}, <{len(mask)} x i32> <{lanes}>",
    )


def emit_create_mask(f: FunctionEmitter, op: vector.CreateMaskOp) -> None:
    """Lane l is set where l < size; the size may be negative or beyond the last lane."""
    if len(op.mask_dim_sizes) != 1:
        raise unsupported(op, "only one-dimensional vectors are supported")
    lanes = _lanes(op.mask_vector.type)
    size = f.value(op.mask_dim_sizes[0])
    if not size.startswith("%"):
        bits = ", ".join("i1 true" if lane < int(size) else "i1 false" for lane in range(lanes))
        f.bind(op.mask_vector, f"<{bits}>")
        return
    # Compare in 32 bits where the lanes in 64 bits would not fit one AVX2 register.
    width = "i64"
    if lanes > _FEW_LANES:
        width = "i32"
        smin = f.module.intrinsic("llvm.smin.i64", "i64", "i64, i64")
        smax = f.module.intrinsic("llvm.smax.i64", "i64", "i64, i64")
        below = f.temp(f"call i64 {smin}(i64 {size}, i64 {lanes})")
        clamped = f.temp(f"call i64 {smax}(i64 {below}, i64 0)")
        if has_lane_bits(f, lanes):
            f.bind(op.mask_vector, lanes_below(f, clamped, lanes))
            return
        size = f.temp(f"trunc i64 {clamped} to i32")
    type = f"<{lanes} x {width}>"
    first = f.temp(f"insertelement {type} poison, {width} {size}, i64 0")
    spread = f.temp(f"shufflevector {type} {first}, {type} poison, <{lanes} x i32> zeroinitializer")
    numbers = ", ".join(f"{width} {lane}" for lane in range(lanes))
    f.define(op.mask_vector, f"icmp slt {type} <{numbers}>, {spread}")


def emit_reduction(f: FunctionEmitter, op: vector.ReductionOp) -> None:
    kind = op.kind.data.value
    if is_float(op.vector.type):
        if kind in _FLOAT_CHAINS:
            _reduce_chain(f, op, *_FLOAT_CHAINS[kind])
            return
        table, flags = _FLOAT_REDUCTIONS, f.fast_flags(op.fastmath)
    else:
        table, flags = _INTEGER_REDUCTIONS, ""
    if kind not in table:
        raise unsupported(op, f"no reduction '{kind}' of '{op.vector.type}'")
    name, combine = table[kind]
    element, type = llvm_type(op.dest.type), llvm_type(op.vector.type)
    function = f.module.intrinsic(
        f"llvm.vector.reduce.{name}.{mangled(op.vector.type)}", element, type
    )
    call = f"call {flags}{element} {function}({f.typed(op.vector)})"
    if op.acc is None:
        f.define(op.dest, call)
        return
    reduced = f.temp(call)
    if not combine.startswith("llvm."):
        f.define(op.dest, f"{combine} {f.typed(op.acc)}, {reduced}")
        return
    both = f.module.intrinsic(
        f"{combine}.{mangled(op.dest.type)}", element, f"{element}, {element}"
    )
    f.define(op.dest, f"call {flags}{element} {both}({f.typed(op.acc)}, {element} {reduced})")


def _reduce_chain(f: FunctionEmitter, op: vector.ReductionOp, name: str, neutral: str) -> None:
    """Sum or product in the order of the lanes, from `acc`; in any order under `reassoc`."""
    element, type = llvm_type(op.dest.type), llvm_type(op.vector.type)
    function = f.module.intrinsic(
        f"llvm.vector.reduce.{name}.{mangled(op.vector.type)}", element, f"{element}, {type}"
    )
    start = neutral if op.acc is None else f.value(op.acc)
    f.define(
        op.dest,
        f"call {f.fast_flags(op.fastmath)}{element} {function}"
        f"({element} {start}, {f.typed(op.vector)})",
    )


def emit_bitcast(f: FunctionEmitter, op: vector.BitcastOp) -> None:
    f.define(op.result, f"bitcast {f.typed(op.source)} to {llvm_type(op.result.type)}")


EMITTERS: EmitterTable = {
    vector.BitcastOp: emit_bitcast,
    vector.BroadcastOp: emit_broadcast,
    vector.CreateMaskOp: emit_create_mask,
    vector.ExtractOp: emit_extract,
    vector.FMAOp: emit_fma,
    vector.InsertOp: emit_insert,
    vector.LoadOp: emit_load,
    vector.MaskedLoadOp: emit_masked_load,
    vector.MaskedStoreOp: emit_masked_store,
    vector.ReductionOp: emit_reduction,
    vector.ShuffleOp: emit_shuffle,
    vector.StoreOp: emit_store,
}
