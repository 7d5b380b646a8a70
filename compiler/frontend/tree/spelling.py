"""Integer expressions of a declaration as C text: the extents of arrays."""

from __future__ import annotations

from polyopt.frontend.tree.typed_tree import Binary, Convert, Expr, IntConst, Load, Variable

_BINDING = {"*": 2, "/": 2, "%": 2, "+": 1, "-": 1}


def spell_expression(expr: Expr, least: int = 0) -> str | None:
    """The text over names and integers; None for anything but arithmetic. Brackets stand where
    the operator binds less than `least`."""
    match expr:
        case IntConst(value=value):
            return str(value)
        case Load(place=Variable(symbol=symbol)):
            return symbol.name
        case Convert(value=value):
            return spell_expression(value, least)
        case Binary(operator=operator, left=left, right=right) if operator in _BINDING:
            binding = _BINDING[operator]
            first, second = spell_expression(left, binding), spell_expression(right, binding + 1)
            if first is None or second is None:
                return None
            text = f"{first} {operator} {second}"
            return f"({text})" if binding < least else text
        case _:
            return None
