"""C arithmetic as `arith` operations: which one depends on the type of the operands.

Signed `+ - *` cannot overflow and carry nsw, but with -fwrapv; unsigned ones wrap.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, i32, i64
from xdsl.ir import Attribute, SSAValue

from polyopt.dialects import cmem
from polyopt.frontend.emission.ir_builder import IRBuilder, bit_width
from polyopt.frontend.language.c_types import CType, FloatType, IntType, PointerType
from polyopt.frontend.language.ir_types import float_type

NSW = arith.IntegerOverflowAttr([arith.IntegerOverflowFlag.NSW])
WRAPS = arith.IntegerOverflowAttr("none")

_MAY_OVERFLOW = {"+": arith.AddiOp, "-": arith.SubiOp, "*": arith.MuliOp}
_SIGNED = {"/": arith.DivSIOp, "%": arith.RemSIOp, ">>": arith.ShRSIOp}
_UNSIGNED = {"/": arith.DivUIOp, "%": arith.RemUIOp, ">>": arith.ShRUIOp}
_BITS = {"&": arith.AndIOp, "|": arith.OrIOp, "^": arith.XOrIOp, "<<": arith.ShLIOp}
_FLOATS = {"+": arith.AddfOp, "-": arith.SubfOp, "*": arith.MulfOp, "/": arith.DivfOp}
_ORDERED = {"==": "oeq", "!=": "une", "<": "olt", ">": "ogt", "<=": "ole", ">=": "oge"}
_ORDER = {"<": "lt", ">": "gt", "<=": "le", ">=": "ge"}


def binary(
    builder: IRBuilder, operator: str, left: SSAValue, right: SSAValue, type: CType
) -> SSAValue:
    """`left operator right`, both of this type."""
    if isinstance(type, FloatType):
        return builder.add(_FLOATS[operator](left, right)).result
    assert isinstance(type, IntType)
    properties: dict[str, Attribute] = {}
    if operator in _MAY_OVERFLOW:
        kind = _MAY_OVERFLOW[operator]
        properties["overflowFlags"] = NSW if type.signed and not builder.wrapping else WRAPS
    elif operator in _BITS:
        return builder.add(_BITS[operator](left, right)).results[0]
    else:
        kind = (_SIGNED if type.signed else _UNSIGNED)[operator]
    op = kind.create(operands=[left, right], result_types=[left.type], properties=properties)
    return builder.add(op).results[0]


def negate(builder: IRBuilder, value: SSAValue, type: CType) -> SSAValue:
    if isinstance(type, FloatType):
        return builder.add(arith.NegfOp(value)).result
    return binary(builder, "-", builder.constant(0, type), value, type)


def compare(
    builder: IRBuilder, operator: str, left: SSAValue, right: SSAValue, type: CType
) -> SSAValue:
    """The i1 of a comparison of two numbers of this type."""
    if isinstance(type, FloatType):
        return builder.add(arith.CmpfOp(left, right, _ORDERED[operator])).result
    assert isinstance(type, IntType)
    return builder.add(arith.CmpiOp(left, right, _predicate(operator, type.signed))).result


def compare_pointers(
    builder: IRBuilder, operator: str, left: SSAValue, right: SSAValue
) -> SSAValue:
    left = builder.add(cmem.PtrToIntOp(left)).result
    right = builder.add(cmem.PtrToIntOp(right)).result
    return builder.add(arith.CmpiOp(left, right, _predicate(operator, False))).result


def _predicate(operator: str, signed: bool) -> str:
    if operator in _ORDER:
        return ("s" if signed else "u") + _ORDER[operator]
    return "eq" if operator == "==" else "ne"


def is_nonzero(builder: IRBuilder, value: SSAValue, type: CType) -> SSAValue:
    match type:
        case FloatType():
            return compare(builder, "!=", value, builder.real(0.0, type), type)
        case PointerType():
            address = builder.add(cmem.PtrToIntOp(value)).result
            zero = builder.integer(0, i64)
            return builder.add(arith.CmpiOp(address, zero, "ne")).result
        case _:
            return compare(builder, "!=", value, builder.constant(0, type), type)


def convert(builder: IRBuilder, value: SSAValue, source: CType, to: CType) -> SSAValue:
    """The scalar value converted between types (C 6.3.1, 6.3.2.3); not to _Bool."""
    match source, to:
        case IntType(), IntType():
            return _convert_integer(builder, value, source.signed, to.bits)
        case IntType(), FloatType():
            cast = arith.SIToFPOp if source.signed else arith.UIToFPOp
            return builder.add(cast(value, float_type(to))).result
        case FloatType(), IntType():
            return _float_to_integer(builder, value, to)
        case FloatType(), FloatType():
            return _convert_float(builder, value, source, to)
        case PointerType(), IntType():
            address = builder.add(cmem.PtrToIntOp(value)).result
            return _convert_integer(builder, address, False, to.bits)
        case IntType(), PointerType():
            address = _convert_integer(builder, value, source.signed, 64)
            return builder.add(cmem.IntToPtrOp(address)).result
        case _:
            return value


def _convert_integer(builder: IRBuilder, value: SSAValue, signed: bool, bits: int) -> SSAValue:
    width = bit_width(value)
    if bits == width:
        return value
    to = IntegerType(bits)
    if bits < width:
        return builder.add(arith.TruncIOp(value, to)).result
    extend = arith.ExtSIOp if signed else arith.ExtUIOp
    return builder.add(extend(value, to)).result


def resize(builder: IRBuilder, value: SSAValue, to: IntegerType) -> SSAValue:
    """The integer in another width: cut, or with zeros before it."""
    return _convert_integer(builder, value, False, to.width.data)


def _float_to_integer(builder: IRBuilder, value: SSAValue, to: IntType) -> SSAValue:
    """Truncation toward zero. Types narrower than the machine's conversion are reached through
    a wider signed one, which is what other C compilers on x86-64 give out of range too."""
    if to.size >= 8:
        cast = arith.FPToSIOp if to.signed else arith.FPToUIOp
        return builder.add(cast(value, IntegerType(to.bits))).result
    wide = i64 if to.size == 4 and not to.signed else i32
    integer = builder.add(arith.FPToSIOp(value, wide)).result
    return _convert_integer(builder, integer, True, to.bits)


def _convert_float(
    builder: IRBuilder, value: SSAValue, source: FloatType, to: FloatType
) -> SSAValue:
    if source.size == to.size:
        return value
    if to.size > source.size:
        return builder.add(arith.ExtFOp(value, float_type(to))).result
    return builder.add(arith.TruncFOp(value, float_type(to))).result
