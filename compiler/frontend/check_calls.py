"""Calls, the names they are made by, and GNU C's builtin functions."""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn

from pycparser import c_ast

from polyopt.frontend import c_types as ct
from polyopt.frontend import check_builtins, check_variable_arguments
from polyopt.frontend.c_types import FunctionType, PointerType, RecordType, VoidType
from polyopt.frontend.check_builtins import library_symbol
from polyopt.frontend.check_conversions import assign_conversion, convert, decay
from polyopt.frontend.checker import Checker, span_of
from polyopt.frontend.constants import Address, fold
from polyopt.frontend.conversions import promote_argument
from polyopt.frontend.known_names import LIBRARY_NAMES, hint_for
from polyopt.frontend.typed_tree import (
    AddressOf,
    Call,
    Dereference,
    Expr,
    IntConst,
    MemberOf,
    Symbol,
    Variable,
)


def unknown_name(checker: Checker, node: c_ast.Node, name: str, *, is_call: bool) -> NoReturn:
    what = "call of undeclared function" if is_call else "use of undeclared name"
    known = [*checker.scopes.visible_names(), *LIBRARY_NAMES]
    checker.error(f"{what} '{name}'", node, hint_for(name, known))


def check_call(checker: Checker, node: c_ast.FuncCall) -> Expr:
    arguments: list[c_ast.Node] = node.args.exprs if node.args else []
    if isinstance(node.name, c_ast.ID) and _is_alloca(checker, node.name.name):
        reader, _ = check_builtins.READERS["alloca"]
        return reader(checker, node, arguments)
    if isinstance(node.name, c_ast.ID) and checker.scopes.find(node.name.name) is None:
        checker.check_lost(node.name.name)
        builtin = _builtin(checker, node, node.name.name, arguments)
        if builtin is not None:
            return builtin
        return call_symbol(checker, node, _implicit(checker, node, node.name.name), arguments)
    return _call(checker, node, checker.expressions.operand(node.name), arguments)


def _is_alloca(checker: Checker, name: str) -> bool:
    """No library has it: it is the compiler's, whether it is declared or not."""
    if name != "alloca":
        return False
    known = checker.scopes.find(name)
    return known is None or (known.kind == "function" and not known.is_defined)


def call_symbol(
    checker: Checker, node: c_ast.FuncCall, symbol: Symbol, arguments: list[c_ast.Node]
) -> Expr:
    """The call of a function that is known."""
    callee = checker.expressions.reference(symbol, span_of(node))
    return _call(checker, node, callee, arguments)


def _implicit(checker: Checker, node: c_ast.FuncCall, name: str) -> Symbol:
    """The function that an undeclared name becomes when it is called: one of the library that GNU
    C knows, or `int name()`."""
    if checker.options.std.endswith("23"):
        unknown_name(checker, node, name, is_call=True)
    hint = hint_for(name, [*checker.scopes.visible_names(), *LIBRARY_NAMES])
    known = library_symbol(checker, name, node)
    checker.warn(
        "implicit-function-declaration",
        f"implicit declaration of function '{name}'",
        node,
        hint,
    )
    if known is None:
        type = FunctionType(ct.INT, (), prototyped=False)
        known = Symbol(name, type, span_of(node), "function", "external", name)
        known.is_implicit = True
        checker.scopes.stack[0].names[name] = known
    return known


def _call(
    checker: Checker, node: c_ast.FuncCall, callee: Expr, arguments: list[c_ast.Node]
) -> Expr:
    if not (isinstance(callee, Variable) and callee.symbol.kind == "function"):
        callee = decay(callee)
    type = callee.type.target if isinstance(callee.type, PointerType) else callee.type
    if not isinstance(type, FunctionType):
        checker.error(f"called value of type '{callee.type}' is no function", node)
    _check_result(checker, node, type)
    name = f"'{callee.symbol.name}'" if isinstance(callee, Variable) else "function"
    if not type.prototyped:
        type = replace(type, parameters=())
    values = _check_arguments(checker, node, arguments, type, name)
    return Call(ct.unqualified(type.result), span_of(node), callee, values, len(type.parameters))


def _check_result(checker: Checker, node: c_ast.FuncCall, type: FunctionType) -> None:
    if isinstance(type.result, RecordType) and not ct.is_complete(type.result):
        checker.error(f"call returns incomplete type '{type.result}'", node)


def _check_arguments(
    checker: Checker, node: c_ast.Node, arguments: list[c_ast.Node], type: FunctionType, name: str
) -> list[Expr]:
    wanted, given = len(type.parameters), len(arguments)
    if type.prototyped and (given < wanted or (given > wanted and not type.variadic)):
        least = "at least " * type.variadic
        plural = "" if wanted == 1 else "s"
        checker.error(f"{name} takes {least}{wanted} argument{plural}, not {given}", node)
    values: list[Expr] = []
    for position, argument in enumerate(arguments):
        value = checker.expressions.value(argument)
        if isinstance(value.type, VoidType):
            checker.error("void value is not ignored as it ought to be", argument)
        if position < wanted:
            what = f"argument {position + 1} of {name}"
            parameter = type.parameters[position]
            value = assign_conversion(checker, value, parameter, span_of(argument), what)
        elif not isinstance(value.type, RecordType):
            value = convert(value, promote_argument(value.type))
        values.append(value)
    return values


def _builtin(
    checker: Checker, node: c_ast.FuncCall, name: str, arguments: list[c_ast.Node]
) -> Expr | None:
    if name == "offsetof":
        return _offset_of(checker, node, arguments)
    found = check_variable_arguments.check_builtin(checker, node, name, arguments)
    if found is None:
        found = check_builtins.check_builtin(checker, node, name, arguments)
    if found is not None or not name.startswith(check_builtins.PREFIX):
        return found
    library = check_builtins.library_symbol(checker, name.removeprefix(check_builtins.PREFIX), node)
    if library is not None:
        return call_symbol(checker, node, library, arguments)
    checker.error(f"'{name}' is not supported", node)


def _offset_of(checker: Checker, node: c_ast.FuncCall, arguments: list[c_ast.Node]) -> Expr:
    """`offsetof(type, member)`: the address of the member of an object at address 0."""
    span = span_of(node)
    name = arguments[0]
    assert isinstance(name, c_ast.Typename)
    type = checker.types.read(name)
    null = IntConst(PointerType(type), span, 0)
    place = _designated(checker, arguments[1], Dereference(type, span, null))
    address = fold(AddressOf(PointerType(place.type), span, place))
    if not isinstance(address, Address):
        checker.error("offsetof needs a constant member", node)
    return IntConst(ct.ULONG, span, address.offset)


def _designated(checker: Checker, node: c_ast.Node, base: Expr) -> Expr:
    match node:
        case c_ast.ArrayRef():
            array = _designated(checker, node.name, base)
            index = checker.expressions.value(node.subscript)
            return checker.expressions.subscript(array, index, span_of(node))
        case c_ast.StructRef():
            base = _designated(checker, node.name, base)
            name = node.field.name
        case _:
            assert isinstance(node, c_ast.ID)
            name = node.name
    member = base.type.record.find(name) if isinstance(base.type, RecordType) else None
    if member is None:
        checker.error(f"'{base.type}' has no member '{name}'", node)
    return MemberOf(member.type, span_of(node), base, member)
