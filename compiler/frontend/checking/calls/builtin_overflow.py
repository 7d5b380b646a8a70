"""Builtin arithmetic that says whether it overflows: the exact result and the one that is stored
are compared."""

from __future__ import annotations

from collections.abc import Callable

from pycparser import c_ast

from polyopt.frontend.checking.calls.builtin_reader import Arguments, Reader
from polyopt.frontend.checking.checker import Checker, span_of
from polyopt.frontend.checking.operands.check_conversions import assign_conversion
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import IntType, PointerType
from polyopt.frontend.tree.constants import fold_integer
from polyopt.frontend.tree.typed_tree import Builtin, Expr, IntConst


def _overflow(operator: str, type: IntType | None = None) -> tuple[Reader, int]:
    """`add_overflow(a, b, &result)`: the exact result wrapped to the type of what is pointed to,
    and whether that changed it. `type`: both operands are converted to it first."""

    def read(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
        left, right = (_integer(checker, argument, type) for argument in arguments[:2])
        target = checker.expressions.value(arguments[2])
        to = target.type.target if isinstance(target.type, PointerType) else None
        if not isinstance(to, IntType) or to.is_bool or to.const:
            checker.error(f"'{target.type}' does not point to an integer", arguments[2])
        return Builtin(ct.INT, span_of(node), f"{operator}_overflow", [left, right, target])

    return read, 3


_EXACT: dict[str, Callable[[int, int], int]] = {
    "add": int.__add__,
    "sub": int.__sub__,
    "mul": int.__mul__,
}


def _overflow_p(operator: str) -> tuple[Reader, int]:
    """`add_overflow_p(a, b, c)`: would it change in the type of c?"""

    def read(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
        left, right, like = (_integer(checker, argument, None) for argument in arguments[:3])
        first, second = fold_integer(left), fold_integer(right)
        assert isinstance(like.type, IntType)
        if first is not None and second is not None:
            exact = _EXACT[operator](first, second)
            return IntConst(ct.INT, span_of(node), int(like.type.wrap(exact) != exact))
        return Builtin(ct.INT, span_of(node), f"{operator}_overflow_p", [left, right, like])

    return read, 3


def _integer(checker: Checker, node: c_ast.Node, type: IntType | None) -> Expr:
    value = checker.expressions.value(node)
    if type is not None:
        return assign_conversion(checker, value, type, span_of(node), "argument")
    if not isinstance(value.type, IntType):
        checker.error(f"an integer is needed, not a value of type '{value.type}'", node)
    return value


def _overflows() -> dict[str, tuple[Reader, int]]:
    found: dict[str, tuple[Reader, int]] = {}
    for operator in ("add", "sub", "mul"):
        found[f"{operator}_overflow"] = _overflow(operator)
        found[f"{operator}_overflow_p"] = _overflow_p(operator)
        for letter, types in (
            ("s", (ct.INT, ct.LONG, ct.LLONG)),
            ("u", (ct.UINT, ct.ULONG, ct.ULLONG)),
        ):
            for suffix, type in zip(("", "l", "ll"), types, strict=True):
                found[f"{letter}{operator}{suffix}_overflow"] = _overflow(operator, type)
    return found


READERS: dict[str, tuple[Reader, int]] = _overflows()
