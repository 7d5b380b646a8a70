"""Builtin operations on numbers: their bits, classes of floating-point numbers, comparisons that
are false of what is no number, complex numbers of two parts. Of constants they are constants."""

from __future__ import annotations

import math

from pycparser import c_ast

from polyopt.frontend.checking.calls.builtin_reader import PREFIX, Arguments, Reader, value_of
from polyopt.frontend.checking.checker import Checker, span_of
from polyopt.frontend.checking.operands.check_conversions import convert
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import CType, FloatType, IntType
from polyopt.frontend.language.conversions import common_type
from polyopt.frontend.language.extended import is_number
from polyopt.frontend.tree.constants import fold, fold_integer
from polyopt.frontend.tree.typed_tree import (
    Builtin,
    Compare,
    ComplexConst,
    Conditional,
    Expr,
    FloatConst,
    Held,
    IntConst,
    Let,
    Logical,
)


def _float(type: CType, value: float) -> tuple[Reader, int]:
    def read(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
        return FloatConst(type, span_of(node), value)

    return read, 0


def _complex(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
    """`__builtin_complex(real, imaginary)`: of a zero, the sign is kept."""
    parts = [checker.expressions.value(argument) for argument in arguments[:2]]
    type = ct.unqualified(parts[0].type)
    if not isinstance(type, FloatType) or ct.unqualified(parts[1].type) != type:
        checker.error("the parts of a complex number are of one floating-point type", node)
    real, imaginary = (fold(part) for part in parts)
    if is_number(real) and is_number(imaginary):
        return ComplexConst(ct.COMPLEX_OF[type], span_of(node), real, imaginary)
    return Builtin(ct.COMPLEX_OF[type], span_of(node), "complex", parts)


def _bits(name: str, operand: IntType, result: CType = ct.INT) -> tuple[Reader, int]:
    """An operation on the bits of an integer of this type."""

    def read(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
        value = value_of(checker, arguments[0], operand)
        known = fold_integer(value)
        number = None if known is None else _bits_of_constant(name, known, operand)
        if number is not None:
            return IntConst(result, span_of(node), number)
        return Builtin(result, span_of(node), name, [value])

    return read, 1


def _bits_of_constant(name: str, value: int, type: IntType) -> int | None:
    """The result for a constant; None where there is none."""
    bits = value & ((1 << type.bits) - 1)
    match name:
        case "popcount":
            return bits.bit_count()
        case "parity":
            return bits.bit_count() & 1
        case "ffs":
            return (bits & -bits).bit_length()
        case "clz":
            return type.bits - bits.bit_length() if bits else None
        case "ctz":
            return (bits & -bits).bit_length() - 1 if bits else None
        case "clrsb":
            return type.bits - 1 - (value if value >= 0 else ~value).bit_length()
        case _:
            size = int(name.removeprefix("bswap")) // 8
            return int.from_bytes((value & ((1 << type.bits) - 1)).to_bytes(size, "little"), "big")


def _float_class(name: str) -> tuple[Reader, int]:
    """isnan and its like: of the type that the argument has."""

    def read(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
        value = checker.expressions.value(arguments[0])
        if isinstance(value.type, IntType):
            value = convert(value, ct.DOUBLE)
        if not isinstance(value.type, FloatType):
            checker.error(f"'{PREFIX}{name}' of a value of type '{value.type}'", node)
        known = fold(value)
        if isinstance(known, float):
            return IntConst(ct.INT, span_of(node), _class_of_constant(name, known, value.type))
        return Builtin(ct.INT, span_of(node), name, [value])

    return read, 1


def _typed_class(name: str, type: FloatType) -> tuple[Reader, int]:
    def read(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
        return Builtin(ct.INT, span_of(node), name, [value_of(checker, arguments[0], type)])

    return read, 1


def _class_of_constant(name: str, value: float, type: FloatType) -> int:
    least = 2.0**-126 if type.size == ct.FLOAT.size else 2.0**-1022
    match name:
        case "isnan":
            return int(math.isnan(value))
        case "isinf":
            return int(math.isinf(value))
        case "isinf_sign":
            return int(math.copysign(1, value)) if math.isinf(value) else 0
        case "isfinite":
            return int(math.isfinite(value))
        case "isnormal":
            return int(math.isfinite(value) and abs(value) >= least)
        case _:
            return int(math.copysign(1, value) < 0)


def _fpclassify(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
    """`fpclassify(nan, infinite, normal, subnormal, zero, x)`"""
    span = span_of(node)
    value = checker.expressions.value(arguments[5])
    if not isinstance(value.type, FloatType):
        checker.error(f"'__builtin_fpclassify' of a value of type '{value.type}'", node)
    held = Held(value.type, span)
    answers = [value_of(checker, argument, ct.INT) for argument in arguments[:5]]
    zero = convert(IntConst(ct.INT, span, 0), value.type)
    tests: list[Expr] = [
        Builtin(ct.INT, span, "isnan", [held]),
        Builtin(ct.INT, span, "isinf", [held]),
        Compare(ct.INT, span, "==", held, zero),
        Builtin(ct.INT, span, "isnormal", [held]),
    ]
    result = answers[3]
    order = (answers[0], answers[1], answers[4], answers[2])
    for test, answer in reversed(list(zip(tests, order, strict=True))):
        result = Conditional(ct.INT, span, test, answer, result)
    return Let(ct.INT, span, held, value, result)


def _comparison(operator: str) -> tuple[Reader, int]:
    """isless and its like: false where one operand is not a number."""

    def read(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
        span = span_of(node)
        left, right = (checker.expressions.value(argument) for argument in arguments[:2])
        if not (ct.is_real(left.type) and ct.is_real(right.type)):
            checker.error(f"comparison of '{left.type}' and '{right.type}'", node)
        common = common_type(left.type, right.type)
        left, right = convert(left, common), convert(right, common)
        if operator == "unordered":
            return Builtin(ct.INT, span, "isunordered", [left, right])
        if operator != "<>":
            return Compare(ct.INT, span, operator, left, right)
        held, other = Held(common, span), Held(common, span)
        either = Logical(
            ct.INT,
            span,
            "||",
            Compare(ct.INT, span, "<", held, other),
            Compare(ct.INT, span, ">", held, other),
        )
        return Let(ct.INT, span, held, left, Let(ct.INT, span, other, right, either))

    return read, 2


def _sized(name: str, result: CType = ct.INT) -> dict[str, tuple[Reader, int]]:
    """An operation for int, long and long long."""
    signed = name in ("ffs", "clrsb")
    types = (ct.INT, ct.LONG, ct.LLONG) if signed else (ct.UINT, ct.ULONG, ct.ULLONG)
    return {
        name + suffix: _bits(name, type, result)
        for suffix, type in zip(("", "l", "ll"), types, strict=True)
    }


def _classes() -> dict[str, tuple[Reader, int]]:
    found = {
        name: _float_class(name)
        for name in ("isnan", "isinf", "isinf_sign", "isfinite", "isnormal", "signbit")
    }
    found["finite"] = _float_class("isfinite")
    for suffix, type in (("f", ct.FLOAT), ("l", ct.LDOUBLE)):
        for name in ("isnan", "isinf", "signbit"):
            found[name + suffix] = _typed_class(name, type)
        found["finite" + suffix] = _typed_class("isfinite", type)
    return found


def _numbers() -> dict[str, tuple[Reader, int]]:
    found: dict[str, tuple[Reader, int]] = {}
    for suffix, type in (("", ct.DOUBLE), ("f", ct.FLOAT), ("l", ct.LDOUBLE)):
        found["inf" + suffix] = found["huge_val" + suffix] = _float(type, math.inf)
        found["nan" + suffix] = found["nans" + suffix] = _float(type, math.nan)
    return found


READERS: dict[str, tuple[Reader, int]] = {
    "complex": (_complex, 2),
    "fpclassify": (_fpclassify, 6),
    "bswap16": _bits("bswap16", ct.USHORT, ct.USHORT),
    "bswap32": _bits("bswap32", ct.UINT, ct.UINT),
    "bswap64": _bits("bswap64", ct.ULONG, ct.ULONG),
    "bswap128": _bits("bswap128", ct.UINT128, ct.UINT128),
    **_sized("popcount"),
    **_sized("clz"),
    **_sized("ctz"),
    **_sized("ffs"),
    **_sized("parity"),
    **_sized("clrsb"),
    **_classes(),
    **_numbers(),
    "isgreater": _comparison(">"),
    "isgreaterequal": _comparison(">="),
    "isless": _comparison("<"),
    "islessequal": _comparison("<="),
    "islessgreater": _comparison("<>"),
    "isunordered": _comparison("unordered"),
}
