"""The extents of array parameters: C integer expressions over the other parameters."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache


@cache
def parsed(text: str) -> ast.expr | None:
    """The expression; None of what is none."""
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError:
        return None


def evaluate(text: str, values: Mapping[str, int]) -> int | None:
    """The value of an extent; None where it is unknown: empty, not an expression of sums,
    products and quotients, or over names that are not given."""
    tree = parsed(text.strip())
    try:
        return None if tree is None else _value(tree, values)
    except (KeyError, ZeroDivisionError, TypeError):
        return None


def _value(tree: ast.expr, values: Mapping[str, int]) -> int:
    match tree:
        case ast.Constant(value=int(number)):
            return number
        case ast.Name(id=name):
            return values[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, values)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _value(operand, values)
        case ast.BinOp(left=left, op=op, right=right):
            return _combine(op, _value(left, values), _value(right, values))
        case _:
            raise TypeError


def _combine(op: ast.operator, left: int, right: int) -> int:
    """As C computes: a quotient is rounded towards zero."""
    match op:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.Div():
            return _quotient(left, right)
        case ast.Mod():
            return left - right * _quotient(left, right)
        case _:
            raise TypeError


def _quotient(left: int, right: int) -> int:
    magnitude = abs(left) // abs(right)
    return magnitude if (left < 0) == (right < 0) else -magnitude
