"""How a builtin function is read: the checker, the call and its arguments give an expression."""

from __future__ import annotations

from collections.abc import Callable

from pycparser import c_ast

from polyopt.frontend.checking.checker import Checker, span_of
from polyopt.frontend.checking.operands.check_conversions import assign_conversion
from polyopt.frontend.language.c_types import CType
from polyopt.frontend.tree.typed_tree import Expr

Arguments = list[c_ast.Node]
Reader = Callable[[Checker, c_ast.FuncCall, Arguments], Expr]
PREFIX = "__builtin_"


def value_of(checker: Checker, node: c_ast.Node, type: CType) -> Expr:
    """An argument, converted as if it were given to a parameter of this type."""
    return assign_conversion(
        checker, checker.expressions.value(node), type, span_of(node), "argument"
    )
