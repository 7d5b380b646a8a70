"""GNU C's builtin functions: what each takes, and what it means in the typed tree.

    of the library    __builtin_memcpy is memcpy (`library_functions`)
    known here        constants, questions about types and expressions: __builtin_constant_p
    operations        `Builtin` nodes: counting bits, classes of floating-point numbers
    overflow          the exact result and the one that is stored are compared
    for the compiler  hints: __builtin_expect, __builtin_prefetch

Names that are not among them are `None`: they may be functions of the program.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from pycparser import c_ast

from polyopt.frontend import c_types as ct
from polyopt.frontend.c_types import (
    CType,
    FloatType,
    IntType,
    PointerType,
    RecordType,
)
from polyopt.frontend.check_arguments import call_symbol
from polyopt.frontend.check_conversions import assign_conversion, convert, decay
from polyopt.frontend.checker import Checker, span_of
from polyopt.frontend.constants import fold, fold_integer
from polyopt.frontend.conversions import are_compatible, common_type
from polyopt.frontend.expression_effects import has_effect
from polyopt.frontend.extended import is_number
from polyopt.frontend.library_functions import library_type, never_returns
from polyopt.frontend.typed_tree import (
    Builtin,
    Comma,
    Compare,
    ComplexConst,
    Conditional,
    Convert,
    Expr,
    FloatConst,
    Held,
    IntConst,
    Let,
    Logical,
    StringConst,
    Symbol,
)

Arguments = list[c_ast.Node]
Reader = Callable[[Checker, c_ast.FuncCall, Arguments], Expr]
PREFIX = "__builtin_"


def check_builtin(
    checker: Checker, node: c_ast.FuncCall, name: str, arguments: Arguments
) -> Expr | None:
    """The meaning of a call by this name, which the program has not declared."""
    if not name.startswith("__"):
        return None
    short = name.removeprefix(PREFIX)
    reader = READERS.get(short) if name.startswith(PREFIX) else None
    if reader is not None:
        function, fewest = reader
        if len(arguments) < fewest:
            checker.error(f"'{name}' takes {fewest} arguments, not {len(arguments)}", node)
        return function(checker, node, arguments)
    for prefix, sentence in _REFUSED.items():
        if name.startswith(prefix):
            checker.error(f"'{name}' is not supported: {sentence}", node)
    return None


def library_symbol(checker: Checker, name: str, node: c_ast.Node) -> Symbol | None:
    """The function of the library that this name is known for; it is declared."""
    known = checker.scopes.stack[0].names.get(name)
    if known is not None:
        return known if known.kind == "function" else None
    type = library_type(name)
    if type is None:
        return None
    symbol = Symbol(name, type, span_of(node), "function", "external", name)
    symbol.is_noreturn = never_returns(name)
    checker.scopes.stack[0].names[name] = symbol
    return symbol


_REFUSED = {
    "__sync_": "there is no such atomic operation",
    "__atomic_": "there is no such atomic operation",
    "__c11_atomic": "there is no such atomic operation",
    "__builtin_shuffle": "there are no vectors; loops become vectors",
    "__builtin_convertvector": "there are no vectors; loops become vectors",
    "__builtin_ia32": "there are no vectors; loops become vectors",
    "__builtin_setjmp": "use setjmp of <setjmp.h>",
    "__builtin_longjmp": "use longjmp of <setjmp.h>",
    "__builtin_apply": "calls are written as calls",
    "__builtin_return": "calls are written as calls",
    "__builtin_va_arg_pack": "pass a va_list",
    "__builtin_eh": "there are no exceptions",
    "__builtin_dwarf": "there are no exceptions",
    "__builtin_init_dwarf": "there are no exceptions",
    "__builtin_unwind": "there are no exceptions",
}


def value_of(checker: Checker, node: c_ast.Node, type: CType) -> Expr:
    """An argument, converted as if it were given to a parameter of this type."""
    return assign_conversion(
        checker, checker.expressions.value(node), type, span_of(node), "argument"
    )


# Known here


def _expect(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
    value = value_of(checker, arguments[0], ct.LONG)
    others = [checker.expressions.value(argument) for argument in arguments[1:]]
    effects = [other for other in others if has_effect(other)]
    return Comma(ct.LONG, span_of(node), [*effects, value]) if effects else value


def _unreachable(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
    return Builtin(ct.VOID, span_of(node), "unreachable", [])


def _trap(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
    return Builtin(ct.VOID, span_of(node), "trap", [])


def _assume_aligned(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
    """The pointer; with an offset, or a number that is no alignment, nothing is promised of it."""
    pointer = convert(checker.expressions.value(arguments[0]), PointerType(ct.VOID))
    others = [checker.expressions.value(one) for one in arguments[1:]]
    alignment = fold_integer(others[0])
    if alignment is None or alignment < 1 or alignment & (alignment - 1):
        checker.error("the alignment is not a constant power of two", arguments[1])
    if len(others) > 1:
        return pointer
    return Builtin(pointer.type, span_of(node), "assume_aligned", [pointer, others[0]])


def _constant_p(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
    value = checker.expressions.operand(arguments[0])
    known = isinstance(value, StringConst) or isinstance(fold(decay(value)), int | float)
    return IntConst(ct.INT, span_of(node), int(known))


def _types_compatible(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
    types: list[CType] = []
    for argument in arguments[:2]:
        assert isinstance(argument, c_ast.Typename)
        types.append(ct.unqualified(checker.types.read(argument)))
    left, right = types
    is_enum = [isinstance(t, IntType) and t.name.startswith("enum") for t in types]
    same = are_compatible(left, right)
    if all(is_enum) or any(is_enum):
        same = str(left) == str(right) or (not all(is_enum) and same)
    return IntConst(ct.INT, span_of(node), int(same))


def _choose(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
    chosen = arguments[1 if checker.expressions.constant(arguments[0]) else 2]
    return checker.expressions.operand(chosen)


def _object_size(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
    """Nothing is known of how large what a pointer points to is."""
    kind = checker.expressions.constant(arguments[1])
    return IntConst(ct.ULONG, span_of(node), 0 if kind & 2 else ct.ULONG.maximum)


def _classify_type(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
    match checker.expressions.value(arguments[0]).type:
        case ct.VoidType():
            number = 0
        case IntType():
            number = 1
        case PointerType():
            number = 5
        case FloatType():
            number = 8
        case ct.ComplexType():
            number = 9
        case RecordType(record=record):
            number = 12 if record.kind == "struct" else 13
        case _:
            number = -1
    return IntConst(ct.INT, span_of(node), number)


def _float(type: CType, value: float) -> tuple[Reader, int]:
    def read(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
        return FloatConst(type, span_of(node), value)

    return read, 0


def _line(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
    return IntConst(ct.INT, span_of(node), span_of(node).line)


def _prefetch(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
    """The caches know better; what the address does is done."""
    return Convert(ct.VOID, span_of(node), checker.expressions.value(arguments[0]))


def _assume(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
    checker.expressions.value(arguments[0])
    return Convert(ct.VOID, span_of(node), IntConst(ct.INT, span_of(node), 0))


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


# Operations


def _bits(name: str, operand: IntType, result: CType = ct.INT) -> tuple[Reader, int]:
    """An operation on the bits of an integer of this type."""

    def read(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
        value = value_of(checker, arguments[0], operand)
        known = fold_integer(value)
        number = None if known is None else bits_of_constant(name, known, operand)
        if number is not None:
            return IntConst(result, span_of(node), number)
        return Builtin(result, span_of(node), name, [value])

    return read, 1


def bits_of_constant(name: str, value: int, type: IntType) -> int | None:
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


def _alloca(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
    size = value_of(checker, arguments[0], ct.ULONG)
    if checker.function is None:
        checker.error("alloca outside of functions", node)
    return Builtin(PointerType(ct.VOID), span_of(node), "alloca", [size])


def _address(name: str) -> tuple[Reader, int]:
    def read(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
        if checker.expressions.constant(arguments[0]) != 0:
            checker.error(f"'{PREFIX}{name}' of a caller's caller is not supported", node)
        return Builtin(PointerType(ct.VOID), span_of(node), name, [])

    return read, 1


# Overflow


def _overflow(operator: str, type: IntType | None = None) -> tuple[Reader, int]:
    """`add_overflow(a, b, &result)`: the exact result wrapped to the type of what is pointed to,
    and whether that changed it. `type`: both operands are converted to it first."""

    def read(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
        left, right = (_integer(checker, argument, type) for argument in arguments[:2])
        target = checker.expressions.value(arguments[2])
        to = target.type.target if isinstance(target.type, PointerType) else None
        if not isinstance(to, IntType) or to.is_bool or to.const:
            checker.error(f"'{target.type}' does not point to an integer", arguments[2])
        return Builtin(ct.INT, span_of(node), f"{operator}_overflow", [left, right, target])

    return read, 3


_EXACT: dict[str, Callable[[int, int], int]] = {
    "add": int.__add__,
    "sub": int.__sub__,
    "mul": int.__mul__,
}


def _overflow_p(operator: str) -> tuple[Reader, int]:
    """`add_overflow_p(a, b, c)`: would it change in the type of c?"""

    def read(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
        left, right, like = (_integer(checker, argument, None) for argument in arguments[:3])
        first, second = fold_integer(left), fold_integer(right)
        assert isinstance(like.type, IntType)
        if first is not None and second is not None:
            exact = _EXACT[operator](first, second)
            return IntConst(ct.INT, span_of(node), int(like.type.wrap(exact) != exact))
        return Builtin(ct.INT, span_of(node), f"{operator}_overflow_p", [left, right, like])

    return read, 3


def _integer(checker: Checker, node: c_ast.Node, type: IntType | None) -> Expr:
    value = checker.expressions.value(node)
    if type is not None:
        return assign_conversion(checker, value, type, span_of(node), "argument")
    if not isinstance(value.type, IntType):
        checker.error(f"an integer is needed, not a value of type '{value.type}'", node)
    return value


# The library


def _library(name: str, dropped: int = 0) -> tuple[Reader, int]:
    """The library's function; `dropped`: so many arguments at the end are for its checks."""

    def read(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
        symbol = library_symbol(checker, name, node)
        assert symbol is not None
        kept = arguments[: len(arguments) - dropped] if dropped else arguments
        return call_symbol(checker, node, symbol, kept)

    return read, dropped


def _formatted(name: str, before: int) -> tuple[Reader, int]:
    """`__builtin___sprintf_chk(s, flag, size, format, ...)`: two or one behind the first."""
    count = 1 if name.startswith(("printf", "vprintf", "fprintf", "vfprintf")) else 2

    def read(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
        symbol = library_symbol(checker, name, node)
        assert symbol is not None
        kept = arguments[:before] + arguments[before + count :]
        return call_symbol(checker, node, symbol, kept)

    return read, before + count


def _sized(name: str, result: CType = ct.INT) -> dict[str, tuple[Reader, int]]:
    """An operation for int, long and long long."""
    signed = name in ("ffs", "clrsb")
    types = (ct.INT, ct.LONG, ct.LLONG) if signed else (ct.UINT, ct.ULONG, ct.ULLONG)
    return {
        name + suffix: _bits(name, type, result)
        for suffix, type in zip(("", "l", "ll"), types, strict=True)
    }


def _overflows() -> dict[str, tuple[Reader, int]]:
    found: dict[str, tuple[Reader, int]] = {}
    for operator in ("add", "sub", "mul"):
        found[f"{operator}_overflow"] = _overflow(operator)
        found[f"{operator}_overflow_p"] = _overflow_p(operator)
        for letter, types in (
            ("s", (ct.INT, ct.LONG, ct.LLONG)),
            ("u", (ct.UINT, ct.ULONG, ct.ULLONG)),
        ):
            for suffix, type in zip(("", "l", "ll"), types, strict=True):
                found[f"{letter}{operator}{suffix}_overflow"] = _overflow(operator, type)
    return found


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
    "expect": (_expect, 2),
    "expect_with_probability": (_expect, 3),
    "unreachable": (_unreachable, 0),
    "trap": (_trap, 0),
    "assume_aligned": (_assume_aligned, 2),
    "constant_p": (_constant_p, 1),
    "types_compatible_p": (_types_compatible, 2),
    "choose_expr": (_choose, 3),
    "object_size": (_object_size, 2),
    "dynamic_object_size": (_object_size, 2),
    "classify_type": (_classify_type, 1),
    "LINE": (_line, 0),
    "complex": (_complex, 2),
    "prefetch": (_prefetch, 1),
    "assume": (_assume, 1),
    "alloca": (_alloca, 1),
    "alloca_with_align": (_alloca, 1),
    "fpclassify": (_fpclassify, 6),
    "frame_address": _address("frame_address"),
    "return_address": _address("return_address"),
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
    **_overflows(),
    **{
        name: _comparison(operator)
        for name, operator in {
            "isgreater": ">",
            "isgreaterequal": ">=",
            "isless": "<",
            "islessequal": "<=",
            "islessgreater": "<>",
            "isunordered": "unordered",
        }.items()
    },
    **{
        f"__{name}_chk": _library(name, 1)
        for name in (
            "memcpy memmove memset mempcpy strcpy strcat strncpy strncat stpcpy stpncpy".split()
        )
    },
    **{
        f"__{name}_chk": _formatted(name, before)
        for name, before in {
            "sprintf": 1,
            "snprintf": 2,
            "vsprintf": 1,
            "vsnprintf": 2,
            "printf": 0,
            "fprintf": 1,
            "vprintf": 0,
            "vfprintf": 1,
        }.items()
    },
}
