"""Builtin functions that are answered as they are read: questions about types and constants, hints
for the compiler."""

from __future__ import annotations

from pycparser import c_ast

from polyopt.frontend.checking.calls.builtin_reader import PREFIX, Arguments, Reader, value_of
from polyopt.frontend.checking.calls.object_sizes import object_size
from polyopt.frontend.checking.checker import Checker, span_of
from polyopt.frontend.checking.operands.check_conversions import convert, decay
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import CType, FloatType, IntType, PointerType, RecordType
from polyopt.frontend.language.conversions import are_compatible
from polyopt.frontend.tree.constants import fold, fold_integer
from polyopt.frontend.tree.expression_effects import has_effect, is_defined
from polyopt.frontend.tree.typed_tree import Builtin, Comma, Convert, Expr, IntConst, StringConst


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
    if isinstance(value, StringConst):
        return IntConst(ct.INT, span_of(node), 1)
    value = decay(value)
    known = isinstance(fold(value), int | float)
    if known or not _may_become_known(checker, value):
        return IntConst(ct.INT, span_of(node), int(known))
    return Builtin(ct.INT, span_of(node), "constant_p", [value])


def _may_become_known(checker: Checker, value: Expr) -> bool:
    """Whether optimisation may find out that it is one number, and may be asked (GCC: "never 1 of
    what has side effects", and not without optimisation)."""
    if checker.function is None or checker.wants_constants or not checker.options.optimises:
        return False
    is_number = ct.is_scalar(value.type) and not isinstance(value.type, ct.ComplexType)
    return is_number and is_defined(value)


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
    kind = checker.expressions.constant(arguments[1])
    pointer = checker.expressions.value(arguments[0])
    return IntConst(ct.ULONG, span_of(node), object_size(pointer, kind))


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


def _function(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
    """The name of the function around; outside of all there is none."""
    return _text(checker, node, checker.function.name if checker.function else "")


def _file(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
    return _text(checker, node, span_of(node).file)


def _text(checker: Checker, node: c_ast.FuncCall, text: str) -> Expr:
    data = text.encode(errors="surrogateescape") + b"\0"
    array = ct.ArrayType(ct.qualified(checker.char, const=True), len(data))
    return decay(StringConst(array, span_of(node), data))


def _line(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
    return IntConst(ct.INT, span_of(node), span_of(node).line)


def _prefetch(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
    """The address, whether it will be written to (no), and how long it is wanted (3: for long)."""
    numbers = [fold_integer(checker.expressions.value(one)) for one in arguments[1:3]]
    write, term = (*(number or 0 for number in numbers), *(0, 3)[len(numbers) :])
    operands: list[Expr] = [
        value_of(checker, arguments[0], PointerType(ct.qualified(ct.VOID, const=True))),
        IntConst(ct.INT, span_of(node), write & 1),
        IntConst(ct.INT, span_of(node), term & 3),
    ]
    return Builtin(ct.VOID, span_of(node), "prefetch", operands)


def _clear_cache(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
    """What is written is seen by the CPU as instructions, too, on this machine."""
    values = [checker.expressions.value(one) for one in arguments[:2]]
    return Comma(ct.VOID, span_of(node), [Convert(ct.VOID, one.span, one) for one in values])


def _assume(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
    checker.expressions.value(arguments[0])
    return Convert(ct.VOID, span_of(node), IntConst(ct.INT, span_of(node), 0))


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
    "FILE": (_file, 0),
    "FUNCTION": (_function, 0),
    "prefetch": (_prefetch, 1),
    "__clear_cache": (_clear_cache, 2),
    "assume": (_assume, 1),
    "alloca": (_alloca, 1),
    "alloca_with_align": (_alloca, 1),
    "frame_address": _address("frame_address"),
    "return_address": _address("return_address"),
}
