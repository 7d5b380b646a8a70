"""Values that are used for what they are hardly meant for, or not at all."""

from __future__ import annotations

from polyopt.frontend.checking.checker import Checker
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import CType, FunctionType, PointerType, VoidType
from polyopt.frontend.tree.expression_effects import has_effect
from polyopt.frontend.tree.typed_tree import (
    AddressOf,
    Call,
    Comma,
    Conditional,
    Convert,
    Expr,
    IntConst,
    Load,
    PointerAdd,
    StringConst,
    Variable,
    variable_of,
)
from polyopt.support.diagnostics import Span


def doubt_address(checker: Checker, value: AddressOf) -> None:
    """`if (f)`: the address of what has one is never null, unless it is weak."""
    place = value.place
    if isinstance(place, Variable) and "weak" not in place.symbol.marks:
        message = f"the address of '{place.symbol.name}' is always true"
        checker.warn("address", message, value.span)


def doubt_subscript(checker: Checker, index: Expr, at: Span) -> None:
    if ct.unqualified(index.type) == ct.CHAR and not isinstance(index, IntConst):
        hint = "make it an unsigned char"
        checker.warn("char-subscripts", "array subscript of type 'char'", at, hint)


def doubt_cast(checker: Checker, source: CType, to: CType, at: Span) -> None:
    """A cast that takes away what says that something is not to be changed."""
    if not isinstance(source, PointerType) or not isinstance(to, PointerType):
        return
    for qualifier in ("const", "volatile"):
        if _has(source.target, qualifier) and not _has(to.target, qualifier):
            message = f"cast from '{source}' to '{ct.unqualified(to)}' discards '{qualifier}'"
            checker.warn("cast-qual", message, at)
            return


def _has(type: CType, qualifier: str) -> bool:
    return not isinstance(type, FunctionType) and bool(getattr(type, qualifier))


def doubt_literal(checker: Checker, value: Expr, to: PointerType, at: Span) -> None:
    """`char *p = "text"`: the text may not be stored to."""
    if isinstance(value, AddressOf) and isinstance(value.place, StringConst):
        if not to.target.const and not isinstance(to.target, VoidType):
            message = f"a string literal as '{ct.unqualified(to)}'"
            checker.warn("write-strings", message, at, "make it a pointer to const char")


def doubt_same(checker: Checker, op: str, left: Expr, right: Expr, at: Span) -> None:
    """`x == x`; of floating point it asks for a NaN. What stands in one place is a macro's, which
    compares other things elsewhere."""
    if left.span == right.span or not isinstance(left, Load) or not isinstance(right, Load):
        return
    one, other = left.place, right.place
    if isinstance(one, Variable) and isinstance(other, Variable) and one.symbol is other.symbol:
        if not isinstance(one.type, ct.FloatType) and not one.type.volatile:
            always = "true" if op in ("==", "<=", ">=") else "false"
            message = f"comparison of '{one.symbol.name}' with itself is always {always}"
            checker.warn("tautological-compare", message, at)


def doubt_returned(checker: Checker, value: Expr) -> None:
    """The address of a local variable leads nowhere once its function has ended."""
    while isinstance(value, Convert | PointerAdd):
        value = value.value if isinstance(value, Convert) else value.pointer
    if not isinstance(value, AddressOf):
        return
    symbol = variable_of(value.place)
    if symbol is not None and symbol.kind in ("local", "parameter"):
        message = f"the address of the local variable '{symbol.name}' is returned"
        hint = "it is gone when the function ends; make it static, or allocate it"
        checker.warn("return-local-addr", message, value.span, hint)


def doubt_effect(checker: Checker, value: Expr, at: Span) -> None:
    """An expression stands as a statement."""
    if isinstance(value, Call):
        callee = value.callee
        if isinstance(callee, Variable) and callee.symbol.must_use:
            message = f"the result of '{callee.symbol.name}' is to be looked at"
            checker.warn("unused-result", message, at)
        return
    if isinstance(value.type, VoidType):
        return
    if isinstance(value, Conditional | Comma) and has_effect(value):
        return
    if not has_effect(value):
        checker.warn("unused-value", "statement without effect", at)
