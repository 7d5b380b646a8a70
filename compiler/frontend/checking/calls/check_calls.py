"""Calls, the names they are made by, and GNU C's builtin functions."""

from __future__ import annotations

from pycparser import c_ast

from polyopt.frontend.checking.calls import check_atomics, check_builtins, check_variable_arguments
from polyopt.frontend.checking.calls.builtin_library import library_symbol
from polyopt.frontend.checking.calls.builtin_reader import PREFIX
from polyopt.frontend.checking.calls.check_arguments import call_symbol, call_value
from polyopt.frontend.checking.calls.fortified_calls import fortified
from polyopt.frontend.checking.checker import Checker, span_of
from polyopt.frontend.checking.operands.check_names import unknown_name
from polyopt.frontend.checking.operands.check_places import subscript
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import FunctionType, PointerType, RecordType
from polyopt.frontend.language.library_functions import library_type
from polyopt.frontend.messages.known_names import LIBRARY_NAMES, hint_for
from polyopt.frontend.tree.constants import Address, fold
from polyopt.frontend.tree.typed_tree import (
    AddressOf,
    Dereference,
    Expr,
    IntConst,
    MemberOf,
    Symbol,
)


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
    call = call_value(checker, node, checker.expressions.operand(node.name), arguments)
    return fortified(checker, call) if checker.options.fortify else call


def _is_alloca(checker: Checker, name: str) -> bool:
    """No library has it: it is the compiler's, whether it is declared or not."""
    if name != "alloca":
        return False
    known = checker.scopes.find(name)
    return known is None or (known.kind == "function" and not known.is_defined)


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


def _builtin(
    checker: Checker, node: c_ast.FuncCall, name: str, arguments: list[c_ast.Node]
) -> Expr | None:
    if name == "offsetof":
        return _offset_of(checker, node, arguments)
    found = check_variable_arguments.check_builtin(checker, node, name, arguments)
    if found is None:
        found = check_atomics.check_builtin(checker, node, name, arguments)
    if found is None:
        found = check_builtins.check_builtin(checker, node, name, arguments)
    if found is not None or not name.startswith(PREFIX):
        return found
    library = library_symbol(checker, name.removeprefix(PREFIX), node)
    if library is not None:
        return call_symbol(checker, node, library, arguments)
    checker.error(f"'{name}' is not supported", node)


def is_known_builtin(name: str) -> bool:
    """A call by this name has a meaning that the program need not declare."""
    if name == "__builtin_offsetof":
        return True
    if check_variable_arguments.knows(name) or check_atomics.knows(name):
        return True
    short = name.removeprefix(PREFIX)
    if short != name and short in check_builtins.READERS:
        return True
    return library_type(short) is not None or short == "alloca"


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
            return subscript(checker, array, index, span_of(node), may_be_end=True)
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
