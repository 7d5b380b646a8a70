"""`_Generic` (C 6.5.1.1): the expression whose type the value has."""

from __future__ import annotations

from pycparser import c_ast

from polyopt.frontend.checking.checker import Checker
from polyopt.frontend.language.c_types import CType
from polyopt.frontend.language.conversions import are_compatible
from polyopt.frontend.tree.typed_tree import Expr


def read_generic(checker: Checker, node: c_ast.GenericSelection) -> Expr:
    """The one that is chosen; the others are not looked at."""
    controlling = checker.expressions.value(node.expr).type
    chosen: c_ast.Node | None = None
    otherwise: c_ast.Node | None = None
    types: list[CType] = []
    for association in node.associations:
        if association.type is None:
            if otherwise is not None:
                checker.error("more than one 'default' in _Generic", association)
            otherwise = association.expr
            continue
        type = checker.types.read(association.type)
        if any(are_compatible(type, other) for other in types):
            checker.error(f"_Generic has type '{type}' twice", association)
        types.append(type)
        if are_compatible(type, controlling):
            chosen = association.expr
    chosen = chosen or otherwise
    if chosen is None:
        checker.error(f"no association for type '{controlling}' in _Generic", node)
    return checker.expressions.operand(chosen)
