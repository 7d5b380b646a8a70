"""arith: integers and floats, comparisons, conversions.

LLVM's instructions have the semantics of arith's; where one is missing it is written out, exactly:
division rounded down or up, extended multiplication.
"""

from __future__ import annotations

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
)
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.backend.emit.errors import unsupported
from polyopt.backend.emit.float_to_integer import truncate
from polyopt.backend.emit.function import FunctionEmitter
from polyopt.backend.emit.llvm_types import (
    dense_literals,
    float_literal,
    integer_literal,
    is_float,
    is_integer,
    llvm_type,
    mangled,
)
from polyopt.backend.emit.memrefs import make_memref
from polyopt.backend.emit.operations.rounded_to_long import emit_rounded
from polyopt.backend.emit.prediction import unpredictable
from polyopt.backend.emit.registry import Emitter, EmitterTable
from polyopt.backend.emit.wide_division import Division, emit_wide_division
from polyopt.dialects import cmem
from polyopt.dialects.loop_facts import rounding_of
from polyopt.dialects.shaped_types import is_memref, is_vector
from polyopt.ir.effects import bit_width, constant_integer

_INTEGER_BINARY: dict[type[Operation], str] = {
    arith.AddiOp: "add",
    arith.MuliOp: "mul",
    arith.ShLIOp: "shl",
    arith.AndIOp: "and",
    arith.OrIOp: "or",
    arith.XOrIOp: "xor",
    arith.ShRSIOp: "ashr",
    arith.ShRUIOp: "lshr",
}

_DIVISIONS: dict[type[Operation], str] = {
    arith.DivSIOp: "sdiv",
    arith.DivUIOp: "udiv",
    arith.RemSIOp: "srem",
    arith.RemUIOp: "urem",
}

_FLOAT_BINARY: dict[type[Operation], str] = {
    arith.AddfOp: "fadd",
    arith.SubfOp: "fsub",
    arith.MulfOp: "fmul",
    arith.DivfOp: "fdiv",
}

_MIN_MAX: dict[type[Operation], str] = {
    arith.MinSIOp: "smin",
    arith.MaxSIOp: "smax",
    arith.MinUIOp: "umin",
    arith.MaxUIOp: "umax",
    arith.MinimumfOp: "minimum",
    arith.MaximumfOp: "maximum",
    arith.MinnumfOp: "minnum",
    arith.MaxnumfOp: "maxnum",
}

_CASTS: dict[type[Operation], str] = {
    arith.ExtSIOp: "sext",
    arith.ExtUIOp: "zext",
    arith.TruncIOp: "trunc",
    arith.ExtFOp: "fpext",
    arith.TruncFOp: "fptrunc",
    arith.SIToFPOp: "sitofp",
    arith.UIToFPOp: "uitofp",
}


def emit_constant(f: FunctionEmitter, op: arith.ConstantOp) -> None:
    type = op.result.type
    value = op.value
    if isinstance(value, IntegerAttr):
        f.bind(op.result, integer_literal(value.value.data, type))
    elif isinstance(value, FloatAttr):
        f.bind(op.result, float_literal(value.value.data, type))
    elif isa(value, DenseIntOrFPElementsAttr):
        f.bind(op.result, _dense(value))
    else:
        raise unsupported(op, f"a constant of type '{type}'")


def _dense(value: DenseIntOrFPElementsAttr) -> str:
    texts = dense_literals(value)
    if all(text == texts[0] for text in texts):
        return f"splat ({texts[0]})"
    return f"<{', '.join(texts)}>"


def _integer_binary(mnemonic: str) -> Emitter:
    def emit(f: FunctionEmitter, op: arith.SignlessIntegerBinaryOperation) -> None:
        left, right = op.operands
        f.define(op.results[0], f"{mnemonic} {_overflow(op)}{f.typed(left)}, {f.value(right)}")

    return emit


def _division(mnemonic: str) -> Emitter:
    emit_plain = _integer_binary(mnemonic)

    def emit(f: FunctionEmitter, op: Division) -> None:
        if not emit_wide_division(f, op):
            emit_plain(f, op)

    return emit


def _overflow(op: Operation, without: str = "") -> str:
    flags = op.properties.get("overflowFlags")
    if not isinstance(flags, arith.IntegerOverflowAttr):
        return ""
    return "".join(f"{flag} " for flag in sorted(flags.data) if flag != without)


def emit_subi(f: FunctionEmitter, op: arith.SubiOp) -> None:
    """`x - c` as `x + -c`, but for the least number c, whose negative is none of its type.

    LLVM writes it so, too, but late: until then a counter that goes down and the subscript above it
    do not share a register. The sum does not keep what the difference promises of unsigned numbers.
    """
    negative = _negative(op.rhs)
    if negative is None:
        f.define(op.result, f"sub {_overflow(op)}{f.typed(op.lhs)}, {f.value(op.rhs)}")
    else:
        f.define(op.result, f"add {_overflow(op, without='nuw')}{f.typed(op.lhs)}, {negative}")


def _negative(value: SSAValue) -> int | None:
    """Of a constant, the number that its sum with is zero; None where its type has no such one."""
    number = constant_integer(value)
    if number is None or number == -(1 << (bit_width(value) - 1)):
        return None
    return -number


_FORBIDDEN: dict[str, frozenset[str]] = {
    "in_order": frozenset({FastMathFlag.REASSOC}),
    "unfused": frozenset({FastMathFlag.ALLOW_CONTRACT}),
}
"""What an operation so restricted is not to do, whatever the module permits."""


def _float_binary(mnemonic: str) -> Emitter:
    def emit(f: FunctionEmitter, op: arith.FloatingPointLikeBinaryOperation) -> None:
        left, right = op.operands
        forbidden = [_FORBIDDEN[word] for word in rounding_of(op)]
        if _divides_product(op):
            forbidden.append(_FORBIDDEN["in_order"])
        flags = f.fast_flags(op.fastmath, without=frozenset[str]().union(*forbidden))
        f.define(op.results[0], f"{mnemonic} {flags}{f.typed(left)}, {f.value(right)}")

    return emit


def _divides_product(op: Operation) -> bool:
    """Of `(b - a) * i / n` programs want that it is b - a where i is n, as of the borders of bins,
    within which something lies or does not. That it is not if b - a is multiplied by 1 / n
    first, once for all i: one product more is cheaper than another bin."""
    return isinstance(op, arith.DivfOp) and isinstance(op.lhs.owner, arith.MulfOp)


def _min_max(name: str) -> Emitter:
    def emit(f: FunctionEmitter, op: Operation) -> None:
        left, right = op.operands
        type = llvm_type(left.type)
        fastmath = op.properties.get("fastmath")
        flags = f.fast_flags(fastmath) if isinstance(fastmath, arith.FastMathFlagsAttr) else ""
        function = f.module.intrinsic(f"llvm.{name}.{mangled(left.type)}", type, f"{type}, {type}")
        f.define(op.results[0], f"call {flags}{type} {function}({f.typed(left)}, {f.typed(right)})")

    return emit


def _cast(mnemonic: str) -> Emitter:
    def emit(f: FunctionEmitter, op: Operation) -> None:
        target = llvm_type(op.results[0].type)
        f.define(op.results[0], f"{mnemonic} {f.typed(op.operands[0])} to {target}")

    return emit


def _truncation(*, signed: bool) -> Emitter:
    def emit(f: FunctionEmitter, op: arith.FPToSIOp | arith.FPToUIOp) -> None:
        source, target = op.input.type, op.result.type
        if isinstance(op, arith.FPToSIOp) and emit_rounded(f, op):
            return
        f.bind(op.result, truncate(f, f.value(op.input), source, target, signed=signed))

    return emit


_ARRAYS = (cmem.ViewOp, memref.AllocaOp)
"""What has numbers of elements as operands."""


def emit_index_cast(f: FunctionEmitter, op: arith.IndexCastOp) -> None:
    """Index is an i64: sign-extended to, truncated from.

    Arrays have one element or more (C11 6.7.6.2p5): what counts elements may as well be extended by
    zeros. LLVM sees then that it is not negative, and so how far subscripts times it go.
    """
    source, target = _width(op.input.type), _width(op.result.type)
    if source == target:
        f.bind(op.result, f.value(op.input))
        return
    if source < target and any(isinstance(u.operation, _ARRAYS) for u in op.result.uses):
        f.bind_length(op.result, f.temp(f"zext {f.typed(op.input)} to {llvm_type(op.result.type)}"))
    mnemonic = "sext" if source < target else "trunc"
    f.define(op.result, f"{mnemonic} {f.typed(op.input)} to {llvm_type(op.result.type)}")


def _width(type: Attribute) -> int:
    return type.width.data if is_integer(type) else 64


def emit_cmpi(f: FunctionEmitter, op: arith.CmpiOp) -> None:
    predicate = arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data]
    f.define(op.result, f"icmp {predicate} {f.typed(op.lhs)}, {f.value(op.rhs)}")


def emit_cmpf(f: FunctionEmitter, op: arith.CmpfOp) -> None:
    predicate = arith.CMPF_COMPARISON_OPERATIONS[op.predicate.value.data]
    flags = f.fast_flags(op.fastmath)
    f.define(op.result, f"fcmp {flags}{predicate} {f.typed(op.lhs)}, {f.value(op.rhs)}")


def emit_select(f: FunctionEmitter, op: arith.SelectOp) -> None:
    """A choice between memrefs chooses each register."""
    condition = f.value(op.cond)
    flags = f.fast_flags(None) if is_float(op.result.type) else ""
    types = f.register_types([op.result.type])
    suffix = unpredictable(f, op.cond)
    chosen = [
        f.temp(
            f"select {flags}i1 {condition}, {type} {left}, {type} {right}{suffix}",
            op.result.name_hint,
        )
        for type, left, right in zip(
            types, f.registers([op.lhs]), f.registers([op.rhs]), strict=True
        )
    ]
    f.bind_registers([op.result], chosen)


def emit_negf(f: FunctionEmitter, op: arith.NegfOp) -> None:
    f.define(op.result, f"fneg {f.fast_flags(op.fastmath)}{f.typed(op.operand)}")


def emit_bitcast(f: FunctionEmitter, op: arith.BitcastOp) -> None:
    """Of a memref: the same bytes read as another type of the same size."""
    source, target = op.input.type, op.result.type
    if is_memref(source) and is_memref(target):
        m = f.memref(op.input)
        element = target.element_type
        f.memrefs[op.result] = make_memref(
            m.pointer, element, m.sizes, m.strides, m.scopes, m.is_row_major
        )
    elif llvm_type(source) == llvm_type(target):
        f.bind(op.result, f.value(op.input))
    else:
        f.define(op.result, f"bitcast {f.typed(op.input)} to {llvm_type(target)}")


def emit_floor_div(f: FunctionEmitter, op: arith.FloorDivSIOp) -> None:
    """The quotient, less one where there is a remainder and the signs differ."""
    _rounded_div(f, op, "slt", "sub")


def emit_ceil_div(f: FunctionEmitter, op: arith.CeilDivSIOp) -> None:
    """The quotient, plus one where there is a remainder and the signs agree."""
    _rounded_div(f, op, "sge", "add")


def _rounded_div(
    f: FunctionEmitter,
    op: arith.FloorDivSIOp | arith.CeilDivSIOp,
    signs: str,
    correction: str,
) -> None:
    type = llvm_type(op.lhs.type)
    left, right = f.value(op.lhs), f.value(op.rhs)
    quotient = f.temp(f"sdiv {type} {left}, {right}")
    remainder = f.temp(f"srem {type} {left}, {right}")
    inexact = f.temp(f"icmp ne {type} {remainder}, 0")
    sign = f.temp(f"xor {type} {left}, {right}")
    matters = f.temp(f"icmp {signs} {type} {sign}, 0")
    corrected = f.temp(f"and i1 {inexact}, {matters}")
    amount = f.temp(f"zext i1 {corrected} to {type}")
    f.define(op.result, f"{correction} {type} {quotient}, {amount}")


def emit_ceil_div_unsigned(f: FunctionEmitter, op: arith.CeilDivUIOp) -> None:
    type = llvm_type(op.lhs.type)
    left, right = f.value(op.lhs), f.value(op.rhs)
    quotient = f.temp(f"udiv {type} {left}, {right}")
    remainder = f.temp(f"urem {type} {left}, {right}")
    inexact = f.temp(f"icmp ne {type} {remainder}, 0")
    amount = f.temp(f"zext i1 {inexact} to {type}")
    f.define(op.result, f"add {type} {quotient}, {amount}")


def emit_add_extended(f: FunctionEmitter, op: arith.AddUIExtendedOp) -> None:
    type = llvm_type(op.lhs.type)
    pair = f"{{ {type}, {llvm_type(op.overflow.type)} }}"
    name = f"llvm.uadd.with.overflow.{mangled(op.lhs.type)}"
    function = f.module.intrinsic(name, pair, f"{type}, {type}")
    both = f.temp(f"call {pair} {function}({f.typed(op.lhs)}, {f.typed(op.rhs)})")
    f.define(op.sum, f"extractvalue {pair} {both}, 0")
    f.define(op.overflow, f"extractvalue {pair} {both}, 1")


def _mul_extended(extension: str) -> Emitter:
    """The product in twice the width, then its halves."""

    def emit(f: FunctionEmitter, op: arith.MulExtendedBase) -> None:
        type: Attribute = op.lhs.type
        if is_vector(type):
            raise unsupported(op, "vectors are not multiplied in twice their width")
        narrow, width = llvm_type(type), _width(type)
        wide = f"i{2 * width}"
        left = f.temp(f"{extension} {f.typed(op.lhs)} to {wide}")
        right = f.temp(f"{extension} {f.typed(op.rhs)} to {wide}")
        full = f.temp(f"mul {wide} {left}, {right}")
        upper = f.temp(f"lshr {wide} {full}, {width}")
        f.define(op.low, f"trunc {wide} {full} to {narrow}")
        f.define(op.high, f"trunc {wide} {upper} to {narrow}")

    return emit


EMITTERS: EmitterTable = {
    arith.ConstantOp: emit_constant,
    **{op: _integer_binary(mnemonic) for op, mnemonic in _INTEGER_BINARY.items()},
    **{op: _division(mnemonic) for op, mnemonic in _DIVISIONS.items()},
    arith.SubiOp: emit_subi,
    **{op: _float_binary(mnemonic) for op, mnemonic in _FLOAT_BINARY.items()},
    **{op: _min_max(name) for op, name in _MIN_MAX.items()},
    **{op: _cast(mnemonic) for op, mnemonic in _CASTS.items()},
    arith.FPToSIOp: _truncation(signed=True),
    arith.FPToUIOp: _truncation(signed=False),
    arith.IndexCastOp: emit_index_cast,
    arith.CmpiOp: emit_cmpi,
    arith.CmpfOp: emit_cmpf,
    arith.SelectOp: emit_select,
    arith.NegfOp: emit_negf,
    arith.BitcastOp: emit_bitcast,
    arith.FloorDivSIOp: emit_floor_div,
    arith.CeilDivSIOp: emit_ceil_div,
    arith.CeilDivUIOp: emit_ceil_div_unsigned,
    arith.AddUIExtendedOp: emit_add_extended,
    arith.MulSIExtendedOp: _mul_extended("sext"),
    arith.MulUIExtendedOp: _mul_extended("zext"),
}
