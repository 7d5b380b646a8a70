"""Reading variable arguments (C 7.16): `va_list` is what the System V ABI lays down, an array of
one struct, so that a list given to a function is the caller's own. `va_copy` is an assignment of
that struct, and `va_end` does nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from pycparser import c_ast

from polyopt.frontend.checking.checker import Checker, span_of
from polyopt.frontend.checking.operands.check_conversions import assign_conversion, decay
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import (
    ArrayType,
    FunctionType,
    PointerType,
    Record,
    RecordType,
    VoidType,
)
from polyopt.frontend.language.conversions import promote_argument
from polyopt.frontend.language.record_layout import Declared, complete_record
from polyopt.frontend.tree.scope import Scope
from polyopt.frontend.tree.typed_tree import (
    Assign,
    Convert,
    Dereference,
    Expr,
    Load,
    Symbol,
    VaArg,
    VaStart,
)
from polyopt.support.diagnostics import Span

NAME = "__builtin_va_list"
_RECORD = Record("struct", "__va_list_tag")
_LIST = RecordType(_RECORD)
complete_record(
    _RECORD,
    [
        Declared("gp_offset", ct.UINT),
        Declared("fp_offset", ct.UINT),
        Declared("overflow_arg_area", PointerType(ct.VOID)),
        Declared("reg_save_area", PointerType(ct.VOID)),
    ],
)


def declare_va_list(scope: Scope) -> None:
    """Declare the type that <stdarg.h> gives a name to."""
    type = ArrayType(_LIST, 1)
    scope.names[NAME] = Symbol(NAME, type, Span("<built-in>", 1), "typedef", is_used=True)


def check_builtin(
    checker: Checker, node: c_ast.FuncCall, name: str, arguments: list[c_ast.Node]
) -> Expr | None:
    """The meaning of one of the macros of <stdarg.h>; None for other names."""
    reader = _READERS.get(name)
    if reader is None:
        return None
    least = 1 if name == "__builtin_va_end" else 2
    if len(arguments) != least:
        macro = name.removeprefix("__builtin_")
        plural = "" if least == 1 else "s"
        checker.error(f"'{macro}' takes {least} argument{plural}, not {len(arguments)}", node)
    return reader(checker, node, arguments)


def knows(name: str) -> bool:
    return name in _READERS


def _start(checker: Checker, node: c_ast.FuncCall, arguments: list[c_ast.Node]) -> Expr:
    """The parameter that is named is the last one, and not evaluated."""
    function = checker.function
    assert function is not None
    assert isinstance(function.type, FunctionType)
    if not function.type.variadic:
        checker.error(
            f"'va_start' in '{function.name}', which takes no variable arguments",
            node,
            "its parameters have to end in ', ...'",
        )
    list = _list(checker, arguments[0])
    checker.expressions.value(arguments[1])
    return VaStart(ct.VOID, span_of(node), list)


def _arg(checker: Checker, node: c_ast.FuncCall, arguments: list[c_ast.Node]) -> Expr:
    list = _list(checker, arguments[0])
    written = arguments[1]
    assert isinstance(written, c_ast.Typename)
    type = ct.unqualified(checker.types.read(written))
    if isinstance(type, VoidType | ArrayType | FunctionType) or not ct.is_complete(type):
        checker.error(f"'va_arg' of type '{type}', which no argument has", written)
    promoted = promote_argument(type)
    if ct.size_of(type) < ct.size_of(promoted):
        checker.error(
            f"'va_arg' of type '{type}', which no argument has",
            written,
            f"what is passed through '...' is promoted to '{promoted}'",
        )
    return VaArg(type, span_of(node), list)


def _copy(checker: Checker, node: c_ast.FuncCall, arguments: list[c_ast.Node]) -> Expr:
    span = span_of(node)
    target, source = (Dereference(_LIST, span, _list(checker, argument)) for argument in arguments)
    return Convert(ct.VOID, span, Assign(_LIST, span, target, Load(_LIST, span, source)))


def _end(checker: Checker, node: c_ast.FuncCall, arguments: list[c_ast.Node]) -> Expr:
    """Nothing is done with it: what is given may be what a function with a prototype takes."""
    span = span_of(arguments[0])
    value = checker.expressions.value(arguments[0])
    given = assign_conversion(checker, value, PointerType(_LIST), span, "argument 1 of 'va_end'")
    return Convert(ct.VOID, span_of(node), given)


def _list(checker: Checker, node: c_ast.Node) -> Expr:
    """The pointer to the list: the address of an array, or a parameter that was one."""
    value = decay(checker.expressions.operand(node))
    target = value.type.target if isinstance(value.type, PointerType) else None
    if not (isinstance(target, RecordType) and target.record is _RECORD):
        checker.error(f"'va_list' expected, not '{value.type}'", node)
    return value


_READERS: dict[str, Callable[[Checker, c_ast.FuncCall, list[c_ast.Node]], Expr]] = {
    "__builtin_va_start": _start,
    "__builtin_va_arg": _arg,
    "__builtin_va_copy": _copy,
    "__builtin_va_end": _end,
}
