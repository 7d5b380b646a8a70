"""math: what the machine has as an instruction becomes an intrinsic, the rest calls libm.

A libm call never sets errno as far as the optimiser knows (-fno-math-errno). Without permission
to approximate it is `nobuiltin`: LLVM neither folds it nor replaces it, `pow(x, 2.0)` included,
so that the result is bit for bit that of the C library.
"""

from __future__ import annotations

from xdsl.dialects import math
from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import Float32Type, Float64Type
from xdsl.ir import Attribute, Operation

from polyopt.backend.emit.errors import unsupported
from polyopt.backend.emit.function import FunctionEmitter
from polyopt.backend.emit.llvm_types import element_of, float_literal, llvm_type, mangled
from polyopt.backend.emit.registry import Emitter, EmitterTable
from polyopt.backend.emit.vector_math import (
    ATTRIBUTES,
    hindering_flags,
    vector_form,
    vector_forms_attribute,
)
from polyopt.dialects.shaped_types import is_vector

_INTRINSICS: dict[type[Operation], str] = {
    math.AbsFOp: "fabs",
    math.CeilOp: "ceil",
    math.CopySignOp: "copysign",
    math.FloorOp: "floor",
    math.FmaOp: "fma",
    math.RoundEvenOp: "roundeven",
    math.RoundOp: "round",
    math.SqrtOp: "sqrt",
    math.TruncOp: "trunc",
    math.CtPopOp: "ctpop",
}

_INTRINSICS_WITH_FLAG: dict[type[Operation], str] = {
    math.AbsIOp: "abs",
    math.CountLeadingZerosOp: "ctlz",
    math.CountTrailingZerosOp: "cttz",
}

_LIBM: dict[type[Operation], str] = {
    math.AcosOp: "acos",
    math.AcoshOp: "acosh",
    math.AsinOp: "asin",
    math.AsinhOp: "asinh",
    math.Atan2Op: "atan2",
    math.AtanOp: "atan",
    math.AtanhOp: "atanh",
    math.CbrtOp: "cbrt",
    math.CosOp: "cos",
    math.CoshOp: "cosh",
    math.ErfOp: "erf",
    math.Exp2Op: "exp2",
    math.ExpM1Op: "expm1",
    math.ExpOp: "exp",
    math.Log10Op: "log10",
    math.Log1pOp: "log1p",
    math.Log2Op: "log2",
    math.LogOp: "log",
    math.PowFOp: "pow",
    math.SinOp: "sin",
    math.SinhOp: "sinh",
    math.TanOp: "tan",
    math.TanhOp: "tanh",
}


def _fastmath(op: Operation) -> FastMathFlagsAttr | None:
    attribute = op.properties.get("fastmath")
    return attribute if isinstance(attribute, FastMathFlagsAttr) else None


def _intrinsic(name: str) -> Emitter:
    def emit(f: FunctionEmitter, op: Operation) -> None:
        value = op.results[0]
        type = llvm_type(value.type)
        parameters = ", ".join([type] * len(op.operands))
        function = f.module.intrinsic(f"llvm.{name}.{mangled(value.type)}", type, parameters)
        arguments = ", ".join(f.typed(operand) for operand in op.operands)
        flags = f.fast_flags(_fastmath(op)) if "fastmath" in op.properties else ""
        f.define(value, f"call {flags}{type} {function}({arguments})")

    return emit


def _intrinsic_with_flag(name: str) -> Emitter:
    """Intrinsics whose last argument says that the extreme operand is poison: here it is not."""

    def emit(f: FunctionEmitter, op: Operation) -> None:
        value = op.results[0]
        type = llvm_type(value.type)
        function = f.module.intrinsic(f"llvm.{name}.{mangled(value.type)}", type, f"{type}, i1")
        f.define(value, f"call {type} {function}({f.typed(op.operands[0])}, i1 false)")

    return emit


def _libm(name: str) -> Emitter:
    def emit(f: FunctionEmitter, op: Operation) -> None:
        value = op.results[0]
        operands = [f.value(operand) for operand in op.operands]
        if not is_vector(value.type):
            f.define(value, _libm_call(f, op, name, value.type, operands))
            return
        element = value.type.element_type
        vector, lanes = llvm_type(value.type), value.type.get_shape()[0]
        if f.module.may("afn", _fastmath(op)):
            whole = vector_form(f.module, name, llvm_type(element), len(operands), lanes)
            if whole is not None:
                arguments = ", ".join(f"{vector} {operand}" for operand in operands)
                flags = f.fast_flags(_fastmath(op))
                group = f.module.attribute_group(ATTRIBUTES)
                f.define(value, f"call {flags}{vector} @{whole}({arguments}) {group}")
                return
        result = "poison"
        for lane in range(lanes):
            parts = [f.temp(f"extractelement {vector} {text}, i64 {lane}") for text in operands]
            part = f.temp(_libm_call(f, op, name, element, parts))
            insertion = f"insertelement {vector} {result}, {llvm_type(element)} {part}, i64 {lane}"
            if lane < lanes - 1:
                result = f.temp(insertion)
            else:
                f.define(value, insertion)

    return emit


def _libm_call(
    f: FunctionEmitter, op: Operation, name: str, element: Attribute, operands: list[str]
) -> str:
    if isinstance(element, Float32Type):
        name += "f"
    elif not isinstance(element, Float64Type):
        raise unsupported(op, f"the C library has no '{name}' for '{element}'")
    fastmath = _fastmath(op)
    type = llvm_type(element)
    function = f.module.intrinsic(name, type, ", ".join([type] * len(operands)))
    known, hindering = " nobuiltin", frozenset[str]()
    if f.module.may("afn", fastmath):
        known = vector_forms_attribute(f, name, type, len(operands))
        hindering = hindering_flags(name) if known else hindering
    group = f.module.attribute_group(f"{ATTRIBUTES}{known}")
    arguments = ", ".join(f"{type} {operand}" for operand in operands)
    flags = f.fast_flags(fastmath, without=hindering)
    return f"call {flags}{type} {function}({arguments}) {group}"


def emit_rsqrt(f: FunctionEmitter, op: math.RsqrtOp) -> None:
    type = llvm_type(op.result.type)
    flags = f.fast_flags(op.fastmath)
    function = f.module.intrinsic(f"llvm.sqrt.{mangled(op.result.type)}", type, type)
    root = f.temp(f"call {flags}{type} {function}({f.typed(op.operand)})")
    one = float_literal(1.0, element_of(op.result.type))
    if is_vector(op.result.type):
        one = f"splat ({llvm_type(op.result.type.element_type)} {one})"
    f.define(op.result, f"fdiv {flags}{type} {one}, {root}")


def emit_fpowi(f: FunctionEmitter, op: math.FPowIOp) -> None:
    type, power = llvm_type(op.result.type), llvm_type(op.rhs.type)
    name = f"llvm.powi.{mangled(op.result.type)}.{mangled(op.rhs.type)}"
    function = f.module.intrinsic(name, type, f"{type}, {power}")
    flags = f.fast_flags(op.fastmath)
    f.define(op.result, f"call {flags}{type} {function}({f.typed(op.lhs)}, {f.typed(op.rhs)})")


_IPOWI = """\
define internal {type} @{name}({type} %base, {type} %exponent) nounwind memory(none) {{
entry:
  %negative = icmp slt {type} %exponent, 0
  br i1 %negative, label %fraction, label %loop

fraction:
  %odd = and {type} %exponent, 1
  %twice = shl {type} %odd, 1
  %sign = sub {type} 1, %twice
  %is.one = icmp eq {type} %base, 1
  %is.minus.one = icmp eq {type} %base, -1
  %if.minus.one = select i1 %is.minus.one, {type} %sign, {type} 0
  %unit = select i1 %is.one, {type} 1, {type} %if.minus.one
  ret {type} %unit

loop:
  %power = phi {type} [ %base, %entry ], [ %square, %loop ]
  %rest = phi {type} [ %exponent, %entry ], [ %half, %loop ]
  %result = phi {type} [ 1, %entry ], [ %next, %loop ]
  %bit = trunc {type} %rest to i1
  %multiplied = mul {type} %result, %power
  %next = select i1 %bit, {type} %multiplied, {type} %result
  %square = mul {type} %power, %power
  %half = lshr {type} %rest, 1
  %done = icmp eq {type} %half, 0
  br i1 %done, label %exit, label %loop

exit:
  ret {type} %next
}}
"""


def emit_ipowi(f: FunctionEmitter, op: math.IPowIOp) -> None:
    """By squaring; a negative power is 0 but for the bases 1 and -1."""
    if is_vector(op.result.type):
        raise unsupported(op, "integer powers of vectors")
    type = llvm_type(op.result.type)
    name = f"polyopt.ipowi.{type}"
    f.module.declarations[name] = _IPOWI.format(type=type, name=name)
    f.define(op.result, f"call {type} @{name}({f.typed(op.lhs)}, {f.typed(op.rhs)})")


EMITTERS: EmitterTable = {
    **{op: _intrinsic(name) for op, name in _INTRINSICS.items()},
    **{op: _intrinsic_with_flag(name) for op, name in _INTRINSICS_WITH_FLAG.items()},
    **{op: _libm(name) for op, name in _LIBM.items()},
    math.FPowIOp: emit_fpowi,
    math.IPowIOp: emit_ipowi,
    math.RsqrtOp: emit_rsqrt,
}
