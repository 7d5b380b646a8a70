"""Arguments against parameters: the call of a function that is known, or of a value."""

from __future__ import annotations

from dataclasses import replace

from pycparser import c_ast

from polyopt.frontend.checking.checker import Checker, span_of
from polyopt.frontend.checking.doubts.doubtful_arguments import (
    doubt_memset,
    doubt_null,
    doubt_restrict,
)
from polyopt.frontend.checking.doubts.doubtful_formats import doubt_format
from polyopt.frontend.checking.operands.check_conversions import convert, decay
from polyopt.frontend.checking.operands.check_names import refer
from polyopt.frontend.checking.operands.union_values import argument_value
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import FunctionType, PointerType, RecordType, VoidType
from polyopt.frontend.language.conversions import promote_argument
from polyopt.frontend.tree.typed_tree import Call, Expr, Symbol, Variable


def call_symbol(
    checker: Checker, node: c_ast.FuncCall, symbol: Symbol, arguments: list[c_ast.Node]
) -> Expr:
    """The call of a function that is known."""
    callee = refer(checker, symbol, span_of(node))
    return call_value(checker, node, callee, arguments)


def call_value(
    checker: Checker, node: c_ast.FuncCall, callee: Expr, arguments: list[c_ast.Node]
) -> Expr:
    if not (isinstance(callee, Variable) and callee.symbol.kind == "function"):
        callee = decay(callee)
    type = callee.type.target if isinstance(callee.type, PointerType) else callee.type
    if not isinstance(type, FunctionType):
        hint = None
        if isinstance(callee.type, PointerType) and isinstance(node.name, c_ast.ID):
            hint = f"an element of it is {node.name.name}[…]"
        checker.error(f"called value of type '{callee.type}' is no function", node, hint)
    _check_result(checker, node, type)
    name = f"'{callee.symbol.name}'" if isinstance(callee, Variable) else "function"
    if not type.prototyped:
        type = replace(type, parameters=())
    values = _check_arguments(checker, node, arguments, type, name)
    if isinstance(callee, Variable):
        doubt_format(checker, callee.symbol, values, span_of(node))
        doubt_memset(checker, callee.symbol.name, values, span_of(node))
        doubt_null(checker, callee.symbol, values, span_of(node))
    doubt_restrict(checker, type, values, span_of(node))
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
            value = argument_value(checker, value, parameter, span_of(argument), what)
        elif not isinstance(value.type, RecordType):
            value = convert(value, promote_argument(value.type))
        values.append(value)
    return values
