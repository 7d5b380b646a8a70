"""Old-style definitions: `int f(a, b) char a; { ... }` (C 6.9.1).

Such a function has no prototype: who calls it promotes the arguments, and each is converted to the
type of its parameter when it arrives. Where a prototype is visible all the same, arguments come as
that one says.
"""

from __future__ import annotations

from dataclasses import replace

from pycparser import c_ast

from polyopt.frontend.checking.checker import Checker, span_of
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import FunctionType
from polyopt.frontend.language.conversions import promote_argument
from polyopt.frontend.tree.scope import Scope
from polyopt.frontend.tree.typed_tree import Symbol


def is_old_style(node: c_ast.FuncDecl) -> bool:
    """Are the parameters names alone?"""
    return node.args is not None and isinstance(node.args.params[0], c_ast.ID)


def read_old_style(
    checker: Checker, node: c_ast.FuncDef, declarator: c_ast.FuncDecl
) -> tuple[FunctionType, list[Symbol], Scope]:
    """The type, the parameters in the order of the names, and their scope; what is not declared
    is an int."""
    result = checker.types.read_result(declarator)
    assert declarator.args is not None
    checker.scopes.push()
    declared: dict[str, Symbol] = {}
    for declaration in node.param_decls or []:
        if not isinstance(declaration, c_ast.Decl) or declaration.name is None:
            continue
        declared[declaration.name] = checker.types.read_parameter(declaration)
    parameters: list[Symbol] = []
    for name in declarator.args.params:
        assert isinstance(name, c_ast.ID)
        symbol = declared.pop(name.name, None)
        if symbol is None:
            symbol = Symbol(name.name, ct.INT, span_of(name), "parameter", is_defined=True)
            symbol.declared = ct.INT
            checker.scopes.current.names[name.name] = symbol
        parameters.append(symbol)
    scope = checker.scopes.pop()
    for stranger in declared.values():
        checker.error(f"'{stranger.name}' is declared, but it is no parameter", stranger.span)
    promoted = tuple(promote_argument(ct.unqualified(symbol.type)) for symbol in parameters)
    return FunctionType(result, promoted, prototyped=False), parameters, scope


def passed_types(
    checker: Checker, known: FunctionType, parameters: list[Symbol], node: c_ast.Decl
) -> FunctionType:
    """The type by which the arguments of a definition arrive: what is known of the function when
    it is defined."""
    if not known.prototyped and not parameters:
        return replace(known, parameters=())
    if len(known.parameters) != len(parameters):
        checker.error(
            f"definition with {len(parameters)} parameters of a function declared with "
            f"{len(known.parameters)}",
            node,
        )
    return known
