"""Which expressions change anything, or can be observed: the others may be evaluated or not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import cast

from polyopt.frontend.tree.typed_statements import StatementExpression
from polyopt.frontend.tree.typed_tree import (
    Assign,
    Binary,
    Builtin,
    Call,
    Dereference,
    Expr,
    Load,
    Subscript,
    Update,
    VaArg,
    VaStart,
)

PURE_BUILTINS = frozenset(
    "constant_p popcount clz ctz ffs parity clrsb bswap16 bswap32 bswap64 isnan signbit isinf "
    "isinf_sign isfinite isnormal isunordered complex frame_address return_address".split()
)
"""Those that change nothing, and stop nothing."""


def has_effect(expr: Expr) -> bool:
    """May evaluating the expression change anything, or be observed?"""
    if isinstance(expr, Assign | Update | Call | VaStart | VaArg | StatementExpression):
        return True
    if isinstance(expr, Builtin) and expr.name not in PURE_BUILTINS:
        return True
    if isinstance(expr, Load) and expr.place.type.volatile:
        return True
    return any(has_effect(operand) for operand in _operands(expr))


def is_defined(expr: Expr) -> bool:
    """Can the expression be evaluated where C does not evaluate it? Places behind pointers may not
    be there, and divisors may be zero."""
    if has_effect(expr) or isinstance(expr, Dereference | Subscript):
        return False
    if isinstance(expr, Binary) and expr.operator in ("/", "%"):
        return False
    return all(is_defined(operand) for operand in _operands(expr))


def _operands(expr: Expr) -> Iterator[Expr]:
    for each in fields(expr):
        value = getattr(expr, each.name)
        if isinstance(value, Expr):
            yield value
        elif isinstance(value, list):
            yield from cast("list[Expr]", value)
