"""pvec.look_up: bytes of a table at places that bytes say, by shuffles of registers.

AVX-512 (VBMI) picks of 64 bytes by the low six bits of a number, of two such registers by seven;
of four by the eighth, which is the sign. AVX2 picks of 16 by the low four, in each half of a
register; which 16 it is of the table, comparisons say. Numbers with a sign it takes for none at
all, and so their low bits alone are asked where tables are that long.
"""

from __future__ import annotations

from collections.abc import Sequence

from polyopt.backend.emit.function import FunctionEmitter
from polyopt.backend.emit.masked_pointers import aligned_pointer, pointer_parameter
from polyopt.backend.emit.operations.memref_ops import access_suffix
from polyopt.dialects import pvec
from polyopt.dialects.shaped_types import is_memref

_BYTES = 64
"""Of a register that is shuffled by bytes."""
_HALF = 16
"""Of what AVX2 shuffles as a whole."""
_SIGNED = 128
"""Numbers from here on have the sign set."""
_SHUFFLES = {16: "llvm.x86.ssse3.pshuf.b.128", 32: "llvm.x86.avx2.pshuf.b"}


def emit_look_up(f: FunctionEmitter, op: pvec.LookUpOp) -> None:
    if f.module.options.target().shuffles_bytes:
        _emit_in_lines(f, op)
    else:
        _emit_in_halves(f, op)


def _emit_in_halves(f: FunctionEmitter, op: pvec.LookUpOp) -> None:
    lanes, size = pvec.lanes_of(op.result), _size(op)
    width = max(lanes, _HALF)
    numbers, type = _resized(f, f.value(op.numbers), lanes, width), f"<{width} x i8>"
    is_long = size > _SIGNED
    low = f.temp(f"and {type} {numbers}, splat (i8 {_HALF - 1})") if is_long else numbers
    above = "ugt" if is_long else "sgt"
    shuffle = f.module.intrinsic(_SHUFFLES[width], type, f"{type}, {type}")
    picked = [
        f.temp(f"call {type} {shuffle}({type} {_spread_part(f, op, first, width)}, {type} {low})")
        for first in range(0, size, _HALF)
    ]
    # Of neighbours, then of pairs of them: which one, the number says.
    span = _HALF
    while len(picked) > 1:
        pairs = list[str]()
        for k in range(0, len(picked) - 1, 2):
            last = span * (k + 1) - 1
            border = f"splat (i8 {last if last < _SIGNED else last - 2 * _SIGNED})"
            is_behind = f.temp(f"icmp {above} {type} {numbers}, {border}")
            both = f"{type} {picked[k + 1]}, {type} {picked[k]}"
            pairs.append(f.temp(f"select <{width} x i1> {is_behind}, {both}"))
        picked = [*pairs, *picked[2 * len(pairs) :]]
        span *= 2
    f.define(op.result, _part(type, picked[0], range(lanes)))


def _spread_part(f: FunctionEmitter, op: pvec.LookUpOp, first: int, width: int) -> str:
    """16 bytes of the table, or what there is of them, in each half; what comes behind is any."""
    m, count = f.memref(op.table), min(_HALF, _size(op) - first)
    type = f"<{count} x i8>"
    pointer = f.temp(f"getelementptr i8, ptr {m.pointer}, i64 {first}")
    part = f.temp(f"load {type}, ptr {pointer}, align 1{access_suffix(f, op, m)}")
    return f.temp(_part(type, part, [k % _HALF % count for k in range(width)]))


def _resized(f: FunctionEmitter, value: str, lanes: int, width: int) -> str:
    if lanes == width:
        return value
    places = [k if k < lanes else 0 for k in range(width)]
    return f.temp(_part(f"<{lanes} x i8>", value, places))


def _part(type: str, value: str, places: Sequence[int]) -> str:
    order = ", ".join(f"i32 {place}" for place in places)
    return f"shufflevector {type} {value}, {type} poison, <{len(places)} x i32> <{order}>"


def _size(op: pvec.LookUpOp) -> int:
    assert is_memref(op.table.type)
    (size,) = op.table.type.get_shape()
    return size


def _emit_in_lines(f: FunctionEmitter, op: pvec.LookUpOp) -> None:
    f.needs_vectors(8 * _BYTES)
    lanes, type = pvec.lanes_of(op.result), f"<{_BYTES} x i8>"
    numbers = _resized(f, f.value(op.numbers), lanes, _BYTES)
    size = _size(op)
    parts = [_part_of_table(f, op, first, size) for first in range(0, size, _BYTES)]
    one = f.module.intrinsic("llvm.x86.avx512.permvar.qi.512", type, f"{type}, {type}")
    two = f.module.intrinsic("llvm.x86.avx512.vpermi2var.qi.512", type, f"{type}, {type}, {type}")

    def picked(parts: Sequence[str]) -> str:
        if len(parts) == 1:
            return f"call {type} {one}({type} {parts[0]}, {type} {numbers})"
        return f"call {type} {two}({type} {parts[0]}, {type} {numbers}, {type} {parts[1]})"

    result = picked(parts[:2])
    if len(parts) > 2:
        low, high = f.temp(result), f.temp(picked(parts[2:]))
        is_high = f.temp(f"icmp slt {type} {numbers}, zeroinitializer")
        result = f"select <{_BYTES} x i1> {is_high}, {type} {high}, {type} {low}"
    if lanes < _BYTES:
        result = _part(type, f.temp(result), range(lanes))
    f.define(op.result, result)


def _part_of_table(f: FunctionEmitter, op: pvec.LookUpOp, first: int, size: int) -> str:
    m, type = f.memref(op.table), f"<{_BYTES} x i8>"
    pointer = f.temp(f"getelementptr i8, ptr {m.pointer}, i64 {first}")
    if first + _BYTES <= size:
        return f.temp(f"load {type}, ptr {pointer}, align 1{access_suffix(f, op, m)}")
    place = pointer_parameter(f, "ptr")
    function = f.module.intrinsic(
        f"llvm.masked.load.v{_BYTES}i8.p0", type, f"{place}, <{_BYTES} x i1>, {type}"
    )
    there = ", ".join(f"i1 {'true' if first + k < size else 'false'}" for k in range(_BYTES))
    return f.temp(
        f"call {type} {function}({aligned_pointer(f, 'ptr', pointer, 1)}, "
        f"<{_BYTES} x i1> <{there}>, {type} zeroinitializer){access_suffix(f, op, m)}"
    )
