"""Conversions as nodes: from lvalues to values, to the common type, as if by assignment."""

from __future__ import annotations

from math import trunc

from polyopt.frontend.checking.checker import Checker
from polyopt.frontend.checking.doubts.doubtful_conversions import doubt_conversion, doubt_promotion
from polyopt.frontend.checking.doubts.doubtful_values import doubt_literal
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import (
    ArrayType,
    ComplexType,
    CType,
    FloatType,
    FunctionType,
    IntType,
    Member,
    PointerType,
    RecordType,
    VoidType,
    unqualified,
)
from polyopt.frontend.language.conversions import are_compatible, promote
from polyopt.frontend.language.extended import is_finite, is_number
from polyopt.frontend.tree.constants import fold, fold_integer, round_number
from polyopt.frontend.tree.typed_atomics import atomic_load
from polyopt.frontend.tree.typed_tree import (
    AddressOf,
    Comma,
    ComplexConst,
    Convert,
    Expr,
    FloatConst,
    IntConst,
    Load,
    Lvalue,
    MemberOf,
    PartOf,
    Subscript,
    Symbol,
    Variable,
)
from polyopt.support.diagnostics import Span


def convert(value: Expr, type: CType) -> Expr:
    """The value in another type; a constant stays one."""
    type = unqualified(type)
    if unqualified(value.type) == type:
        return value
    match value, type:
        case IntConst(), IntType():
            return IntConst(type, value.span, type.wrap(value.value))
        case ((IntConst() | FloatConst()), FloatType()) if not isinstance(value.type, PointerType):
            return FloatConst(type, value.span, round_number(value.value, type))
        case ((IntConst() | FloatConst()), ComplexType(part=part)) if ct.is_real(value.type):
            return ComplexConst(type, value.span, round_number(value.value, part), 0.0)
        case ComplexConst(real=real, imaginary=imaginary), ComplexType(part=part):
            parts = (round_number(real, part), round_number(imaginary, part))
            return ComplexConst(type, value.span, *parts)
        case ComplexConst(real=real, imaginary=imaginary, type=ComplexType(part=part)), _ if (
            ct.is_real(type) and not (isinstance(type, IntType) and type.is_bool)
        ):
            return convert(FloatConst(part, value.span, real), type)
        case _:
            return Convert(type, value.span, value)


_QUALIFIERS = {"const": "const", "volatile": "volatile", "atomic": "_Atomic"}
"""The fields of types, and their words."""


def part_of_complex(checker: Checker, value: Expr, span: Span, *, is_imaginary: bool) -> Expr:
    """The part of a number that is a value: a real one has an imaginary part of zero."""
    type = unqualified(value.type)
    match value:
        case _ if not ct.is_arithmetic(type):
            checker.error(f"a part of a value of type '{type}', which is no number", span)
        case ComplexConst(real=real, imaginary=imaginary):
            assert isinstance(type, ComplexType)
            return FloatConst(type.part, span, imaginary if is_imaginary else real)
        case _ if isinstance(type, ComplexType):
            return PartOf(type.part, span, value, is_imaginary)
        case _ if is_imaginary:
            zero = convert(IntConst(ct.INT, span, 0), type)
            return Comma(type, span, [Convert(ct.VOID, span, value), zero])
        case _:
            return value


def decay(expr: Expr) -> Expr:
    """The value of an expression: an lvalue is loaded, an array or function becomes its
    address (C 6.3.2.1)."""
    if not isinstance(expr, Lvalue):
        return expr
    match expr.type:
        case ArrayType(element=element):
            mark_modified(expr)
            return AddressOf(PointerType(element), expr.span, expr)
        case FunctionType() as function:
            return AddressOf(PointerType(function), expr.span, expr)
        case VoidType():
            return Convert(ct.VOID, expr.span, expr)
        case type if type.atomic:
            mark_modified(expr)
            return atomic_load(expr)
        case type:
            return convert(Load(unqualified(type), expr.span, expr), promoted_bits(expr))


def promoted_bits(place: Expr) -> CType:
    """The type of the value of an lvalue: of a bit-field, that to which it is promoted
    (C 6.3.1.1), by its width."""
    type = unqualified(place.type)
    if not isinstance(place, MemberOf) or place.member.bits is None:
        return type
    assert isinstance(type, IntType)
    if place.member.bits > ct.INT.bits:
        return promote(type)
    return ct.INT if type.signed or place.member.bits < ct.INT.bits else ct.UINT


def mark_modified(place: Expr) -> Symbol | None:
    """Somebody may store to the variable that the place is part of: that one."""
    while isinstance(place, MemberOf | Subscript):
        place = place.base
    if isinstance(place, Variable):
        place.symbol.is_modified = True
        return place.symbol
    return None


def is_null_constant(expr: Expr) -> bool:
    """An integer constant expression of value 0, or one cast to void * (C 6.3.2.3)."""
    if isinstance(expr, Convert) and expr.type == PointerType(ct.VOID):
        return is_null_constant(expr.value)
    if isinstance(expr, IntConst) and isinstance(expr.type, PointerType):
        return expr.type == PointerType(ct.VOID) and expr.value == 0
    return fold_integer(expr) == 0


def assign_conversion(
    checker: Checker, value: Expr, to: CType, at: Span, what: str, field: Member | None = None
) -> Expr:
    """The value converted as if by assignment (C 6.5.16.1), to a member if `field` is one; `what`
    names the occasion."""
    source = value.type
    if isinstance(source, VoidType):
        checker.error("void value is not ignored as it ought to be", at)
    if ct.is_arithmetic(to) and ct.is_arithmetic(source):
        held = to if field is None else ct.held_by(field)
        _check_constant(checker, value, held, at)
        doubt_conversion(checker, value, held, at)
        doubt_promotion(checker, value, to, at)
        return convert(value, to)
    match to, source:
        case IntType(), PointerType() if to.is_bool:
            return convert(value, to)
        case PointerType(), IntType() if is_null_constant(value):
            return convert(value, to)
        case PointerType(), PointerType():
            _check_pointers(checker, value, to, source, at, what)
            doubt_literal(checker, value, to, at)
            return convert(value, to)
        case (PointerType(), IntType()) | (IntType(), PointerType()):
            kind = "pointer from integer" if isinstance(to, PointerType) else "integer from pointer"
            hint = _address_hint(value, to)
            checker.warn("int-conversion", f"{what} makes {kind} without a cast", at, hint)
            return convert(value, to)
        case RecordType(), RecordType() if to.record is source.record:
            return value
        case _:
            checker.error(f"incompatible types: {what} of '{unqualified(to)}' from '{source}'", at)


def _address_hint(value: Expr, to: CType) -> str | None:
    """For a variable in whose place a pointer to it is wanted."""
    if not isinstance(value, Load) or not isinstance(value.place, Variable):
        return None
    if not isinstance(to, PointerType) or not are_compatible(unqualified(to.target), value.type):
        return None
    return f"its address is &{value.place.symbol.name}"


def _check_pointers(
    checker: Checker, value: Expr, to: PointerType, source: PointerType, at: Span, what: str
) -> None:
    if is_null_constant(value):
        return
    left, right = to.target, source.target
    compatible = are_compatible(_bare(left), _bare(right))
    if not compatible and _is_other_sign(_bare(left), _bare(right)):
        message = f"{what} of '{unqualified(to)}' from '{source}' differs in sign"
        checker.warn("pointer-sign", message, at)
        return
    if not compatible and not (isinstance(left, VoidType) or isinstance(right, VoidType)):
        checker.warn(
            "incompatible-pointer-types",
            f"{what} of '{unqualified(to)}' from incompatible pointer type '{source}'",
            at,
        )
        return
    if isinstance(left, FunctionType):
        return
    lost = [q for q in _QUALIFIERS if _has(right, q) and not _has(left, q)]
    if lost:
        checker.warn(
            "discarded-qualifiers",
            f"{what} of '{unqualified(to)}' from '{source}' discards '{_QUALIFIERS[lost[0]]}'",
            at,
        )


def _is_other_sign(left: CType, right: CType) -> bool:
    if not isinstance(left, IntType) or not isinstance(right, IntType):
        return False
    return left.size == right.size and left.is_bool == right.is_bool and left.rank == right.rank


def _bare(type: CType) -> CType:
    if isinstance(type, ArrayType):
        return ArrayType(_bare(type.element), type.length)
    return unqualified(type)


def _has(type: CType, qualifier: str) -> bool:
    while isinstance(type, ArrayType):
        type = type.element
    return bool(getattr(type, qualifier))


def _check_constant(checker: Checker, value: Expr, to: CType, at: Span) -> None:
    """Warn where a constant does not keep its value. That -1 becomes the largest unsigned
    number, and 0xffffffff the int -1, is meant, unless somebody asks."""
    if not isinstance(to, IntType) or to.is_bool or not ct.is_arithmetic(value.type):
        return
    known = fold(value)
    if isinstance(known, int):
        least = to.minimum if to.signed else -(1 << to.bits)
        if not least <= known < 1 << to.bits:
            checker.warn("overflow", f"{known} becomes {to.wrap(known)} as '{to}'", at)
    elif is_number(known) and is_finite(known) and not to.minimum <= trunc(known) <= to.maximum:
        checker.warn("overflow", f"{float(known):g} is outside '{to}'", at)
