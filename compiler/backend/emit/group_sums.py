"""pvec: sums over groups of neighbouring lanes, by the operations that machines have for them."""

from __future__ import annotations

from xdsl.ir import SSAValue

from polyopt.backend.emit.function import FunctionEmitter
from polyopt.backend.emit.llvm_types import llvm_type
from polyopt.backend.emit.registry import EmitterTable
from polyopt.dialects.pvec_group_sums import UNSIGNED, GroupDistanceOp, GroupDotOp
from polyopt.dialects.pvec_lanes import lanes_of, vector_type

_PAIRS = {128: "sse2.pmadd.wd", 256: "avx2.pmadd.wd", 512: "avx512.pmaddw.d.512"}
_DISTANCES = {128: "sse2.psad.bw", 256: "avx2.psad.bw", 512: "avx512.psad.bw.512"}
_REGISTERS = {512: 64, 256: 32, 128: 16}
"""The bytes of a register, by its bits, widest first."""


def emit_group_dot(f: FunctionEmitter, op: GroupDotOp) -> None:
    lanes, target = lanes_of(op.acc), f.module.options.target()
    bits = 32 * lanes
    is_one_register = bits in _PAIRS and bits <= target.vector_bits
    if is_one_register and op.group == 2:
        result, factor = llvm_type(op.sum.type), llvm_type(op.lhs.type)
        function = f.module.intrinsic(f"llvm.x86.{_PAIRS[bits]}", result, f"{factor}, {factor}")
        both = f.temp(f"call {result} {function}({f.typed(op.lhs)}, {f.typed(op.rhs)})")
        f.define(op.sum, f"add {result} {both}, {f.value(op.acc)}")
    elif is_one_register and target.sums_bytes:
        _emit_byte_dot(f, op, bits)
    else:
        _emit_each(f, op)


def _emit_byte_dot(f: FunctionEmitter, op: GroupDotOp, bits: int) -> None:
    """The machine multiplies a byte without sign by one with a sign. With t = x ^ 128, which is
    x + 128 without a sign of an x with one, and x - 128 with a sign of an x without one:

        x y = t y - 128 y       both with signs             x y = x t - x (-128)       both without
    """
    lhs, rhs = op.lhs, op.rhs
    if op.rhs_kind.data == UNSIGNED:
        lhs, rhs = rhs, lhs
    if op.lhs_kind.data != op.rhs_kind.data:
        f.bind(op.sum, _sum_of_fours(f, op, f.value(op.acc), f.value(lhs), f.value(rhs), bits))
        return
    bytes_, result = llvm_type(lhs.type), llvm_type(op.sum.type)
    bias = "splat (i8 -128)"
    if op.lhs_kind.data == UNSIGNED:
        turned = f.temp(f"xor {bytes_} {f.value(rhs)}, {bias}")
        factors, others = (f.value(lhs), turned), (f.value(lhs), bias)
    else:
        turned = f.temp(f"xor {bytes_} {f.value(lhs)}, {bias}")
        factors, others = (turned, f.value(rhs)), (bias, f.value(rhs))
    total = _sum_of_fours(f, op, f.value(op.acc), *factors, bits)
    beyond = _sum_of_fours(f, op, "zeroinitializer", *others, bits)
    f.define(op.sum, f"sub {result} {total}, {beyond}")


def _sum_of_fours(
    f: FunctionEmitter, op: GroupDotOp, acc: str, unsigned: str, signed: str, bits: int
) -> str:
    """What LLVM took as words until it took them as bytes: it still knows the old form."""
    type_, bytes_ = llvm_type(op.sum.type), llvm_type(op.lhs.type)
    function = f.module.intrinsic(
        f"llvm.x86.avx512.vpdpbusd.{bits}", type_, f"{type_}, {type_}, {type_}"
    )
    words = [f.temp(f"bitcast {bytes_} {one} to {type_}") for one in (unsigned, signed)]
    return f.temp(f"call {type_} {function}({type_} {acc}, {type_} {words[0]}, {type_} {words[1]})")


def _emit_each(f: FunctionEmitter, op: GroupDotOp) -> None:
    """One lane of all groups after the other."""
    lanes, type_ = lanes_of(op.acc), llvm_type(op.sum.type)
    total = f.value(op.acc)
    for lane in range(op.group):
        factors = [
            _every(f, one, lane, op.group, type_, is_signed=kind.data != UNSIGNED)
            for one, kind in ((op.lhs, op.lhs_kind), (op.rhs, op.rhs_kind))
        ]
        product = f.temp(f"mul {type_} {factors[0]}, {factors[1]}")
        total = f.temp(f"add {type_} {total}, {product}")
    assert lanes * op.group == lanes_of(op.lhs)
    f.bind(op.sum, total)


def _every(
    f: FunctionEmitter, value: SSAValue, first: int, step: int, type_: str, *, is_signed: bool
) -> str:
    count = lanes_of(value) // step
    whole, places = (
        llvm_type(value.type),
        ", ".join(f"i32 {first + step * k}" for k in range(count)),
    )
    picked = f.temp(f"shufflevector {f.typed(value)}, {whole} poison, <{count} x i32> <{places}>")
    narrow = whole.replace(f"<{lanes_of(value)} x", f"<{count} x")
    return f.temp(f"{'sext' if is_signed else 'zext'} {narrow} {picked} to {type_}")


def emit_group_distance(f: FunctionEmitter, op: GroupDistanceOp) -> None:
    """By as few registers as the machine has for it."""
    target = f.module.options.target()
    whole, type_ = lanes_of(op.lhs), llvm_type(op.sum.type)
    bits, part = next(
        (bits, size)
        for bits, size in _REGISTERS.items()
        if bits <= target.vector_bits and whole % size == 0
    )
    sums: list[str] = []
    lanes = lanes_of(op.acc) * part // whole
    element = llvm_type(vector_type(op.sum).element_type)
    words, bytes_, wide = f"<{part // 8} x i64>", f"<{part} x i8>", f"<{lanes} x {element}>"
    function = f.module.intrinsic(f"llvm.x86.{_DISTANCES[bits]}", words, f"{bytes_}, {bytes_}")
    for first in range(0, whole, part):
        sides = [_part(f, one, first, part) for one in (op.lhs, op.rhs)]
        found = f.temp(f"call {words} {function}({bytes_} {sides[0]}, {bytes_} {sides[1]})")
        sums.append(found if wide == words else f.temp(f"bitcast {words} {found} to {wide}"))
    f.define(op.sum, f"add {type_} {_joined(f, sums, lanes, element)}, {f.value(op.acc)}")


def _part(f: FunctionEmitter, value: SSAValue, first: int, count: int) -> str:
    if count == lanes_of(value):
        return f.value(value)
    places = ", ".join(f"i32 {first + k}" for k in range(count))
    return f.temp(
        f"shufflevector {f.typed(value)}, {llvm_type(value.type)} poison, "
        f"<{count} x i32> <{places}>"
    )


def _joined(f: FunctionEmitter, parts: list[str], lanes: int, element: str) -> str:
    """Registers side by side, two and two."""
    while len(parts) > 1:
        places = ", ".join(f"i32 {k}" for k in range(2 * lanes))
        parts = [
            f.temp(
                f"shufflevector <{lanes} x {element}> {low}, <{lanes} x {element}> {high}, "
                f"<{2 * lanes} x i32> <{places}>"
            )
            for low, high in zip(parts[::2], parts[1::2], strict=True)
        ]
        lanes *= 2
    (whole,) = parts
    return whole


EMITTERS: EmitterTable = {GroupDotOp: emit_group_dot, GroupDistanceOp: emit_group_distance}
