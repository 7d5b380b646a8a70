"""Conversions that nobody has written and that may not keep the value: -Wconversion and its parts,
-Wsign-compare, -Wdouble-promotion.

What an expression may be is asked of its operands: `c + d` of two chars keeps its value as a char
where gcc says so (the operands fit, the sum may wrap as the programmer knows), `x & 0xff` fits an
unsigned char, a comparison fits everything.
"""

from __future__ import annotations

from math import isfinite, trunc

from polyopt.frontend.checking.checker import Checker
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import CType, FloatType, IntType
from polyopt.frontend.language.conversions import common_type, promote
from polyopt.frontend.language.extended import Number, is_number
from polyopt.frontend.tree.constants import fold, fold_integer, round_number
from polyopt.frontend.tree.typed_tree import (
    Binary,
    Compare,
    Conditional,
    Convert,
    Expr,
    Held,
    Logical,
    Unary,
)
from polyopt.support.diagnostics import Span

CONVERSIONS = ("conversion", "sign-conversion", "float-conversion")


def doubt_conversion(checker: Checker, value: Expr, to: CType, at: Span) -> None:
    """An arithmetic value becomes one of another arithmetic type without a cast."""
    if not checker.warnings.may_tell(CONVERSIONS):
        return
    source = ct.unqualified(value.type)
    to = ct.unqualified(to)
    if source == to or _is_enumeration(source):
        return
    said = f"conversion from '{source}' to '{to}'"
    known = fold(value)
    if known is not None:
        if isinstance(known, int) or is_number(known):
            _doubt_constant(checker, known, source, to, f"{said} changes the value", at)
        return
    match source, to:
        case IntType(), IntType() if to.is_bool or _fits(value, to):
            return
        case IntType(), IntType() if to.bits < source.bits:
            checker.warn("conversion", f"{said} may change the value", at)
        case IntType(), IntType() if to.signed and not source.signed and to.bits == source.bits:
            checker.warn("sign-conversion", f"{said} may change the sign of the result", at)
        case IntType(signed=True), IntType(signed=False) if not _is_enumeration(to):
            checker.warn("sign-conversion", f"{said} may change the sign of the result", at)
        case FloatType(), IntType() if not to.is_bool:
            checker.warn("float-conversion", f"{said} may change the value", at)
        case IntType(), FloatType() if not _is_exact(value, to):
            checker.warn("conversion", f"{said} may change the value", at)
        case FloatType(), FloatType() if to.size < source.size and not _was_float(value, to):
            checker.warn("float-conversion", f"{said} may change the value", at)
        case _:
            pass


def _doubt_constant(
    checker: Checker, known: Number | int, source: CType, to: CType, said: str, at: Span
) -> None:
    """A constant that is another one in the other type, and does not overflow there."""
    match source, to:
        case IntType(), IntType() if not (to.is_bool or _is_enumeration(to)):
            if -(1 << to.bits) <= known < 0 and not to.signed:
                checker.warn("sign-conversion", said, at)
            elif to.maximum < known < 1 << to.bits:
                id = "conversion" if source.signed else "sign-conversion"
                checker.warn(id, said, at)
        case FloatType(), IntType() if not to.is_bool:
            if isfinite(known) and known != trunc(known) and to.minimum <= known <= to.maximum:
                checker.warn("float-conversion", said, at)
        case _, FloatType() if isfinite(known) and round_number(known, to) != known:
            checker.warn("float-conversion", said, at)
        case _:
            pass


def _is_enumeration(type: CType) -> bool:
    return isinstance(type, IntType) and type.name.startswith("enum ")


def _fits(value: Expr, to: IntType) -> bool:
    """Is each value that this may have one of the type, as far as its operands tell?"""
    source = value.type
    known = fold_integer(value)
    if known is not None:
        return to.minimum <= known <= to.maximum
    if not isinstance(source, IntType):
        return isinstance(value, Compare | Logical)
    if to.minimum <= source.minimum and source.maximum <= to.maximum:
        return True
    match value:
        case Compare() | Logical() | Unary(operator="!"):
            return True
        case Convert(value=inner) if isinstance(inner.type, IntType):
            keeps = source.minimum <= inner.type.minimum and inner.type.maximum <= source.maximum
            return keeps and _fits(inner, to)
        case Binary(operator="&", left=left, right=right):
            return any(_masks(side, to) for side in (left, right)) or (
                _fits(left, to) and _fits(right, to)
            )
        case Binary(operator=">>" | "<<", left=left):
            return _fits(left, to)
        case Binary(operator="%", right=right) if (divisor := fold_integer(right)) is not None:
            least = -abs(divisor) + 1 if source.signed else 0
            return to.minimum <= least and abs(divisor) - 1 <= to.maximum
        case Binary(left=left, right=right):
            return _fits(left, to) and _fits(right, to)
        case Unary(operand=operand):
            return _fits(operand, to)
        case Conditional(if_true=left, if_false=right):
            return _fits(left, to) and _fits(right, to)
        case Held():
            return False
        case _:
            return False


def _masks(side: Expr, to: IntType) -> bool:
    mask = fold_integer(side)
    return mask is not None and 0 <= mask <= to.maximum


def _is_exact(value: Expr, to: FloatType) -> bool:
    """Does the floating-point type have each value of the integer?"""
    digits = {4: 24, 8: 53}.get(to.size, 64)
    if isinstance(value, Convert) and isinstance(value.value.type, IntType):
        value = value.value
    type = value.type
    if isinstance(value, Compare | Logical):
        return True
    return isinstance(type, IntType) and type.bits - type.signed <= digits


def _was_float(value: Expr, to: FloatType) -> bool:
    """Is it of the narrower type, made wider?"""
    return isinstance(value, Convert) and ct.unqualified(value.value.type) == to


def doubt_comparison(checker: Checker, op: str, left: Expr, right: Expr, at: Span) -> None:
    """Two numbers are compared, before they are brought to one type."""
    if not checker.warnings.may_tell(("sign-compare", "type-limits", "float-equal")):
        return
    if op in ("==", "!=") and (
        isinstance(left.type, FloatType) or isinstance(right.type, FloatType)
    ):
        checker.warn("float-equal", f"'{op}' of floating-point numbers is seldom meant", at)
        return
    if not isinstance(left.type, IntType) or not isinstance(right.type, IntType):
        return
    common = common_type(left.type, right.type)
    assert isinstance(common, IntType)
    if common.signed:
        return
    for one, other in ((left, right), (right, left)):
        type = promote(one.type)
        if isinstance(type, IntType) and type.signed and not is_not_negative(one):
            known = fold_integer(other)
            if op in ("==", "!=") and known is not None and known <= type.maximum:
                continue
            message = f"comparison of integers of different signs: '{left.type}' and '{right.type}'"
            checker.warn("sign-compare", message, at)
            return
    _doubt_limits(checker, op, left, right, at)


def doubt_choice(checker: Checker, left: Expr, right: Expr) -> None:
    """The operands of `?:`, before they are brought to one type: a signed one loses its sign where
    the other one has none."""
    if not isinstance(left.type, IntType) or not isinstance(right.type, IntType):
        return
    common = common_type(left.type, right.type)
    if not isinstance(common, IntType) or common.signed or left.type.signed == right.type.signed:
        return
    signed = left if left.type.signed else right
    if not is_not_negative(signed):
        message = f"a value of type '{signed.type}' becomes one of type '{common}', as the other is"
        checker.warn("sign-compare", message, signed.span)


def _doubt_limits(checker: Checker, op: str, left: Expr, right: Expr, at: Span) -> None:
    """`u < 0` of an unsigned u never holds, `u >= 0` always."""
    turned = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
    if fold_integer(left) == 0:
        left, right, op = right, left, turned.get(op, op)
    if fold_integer(right) != 0 or fold_integer(left) is not None or op not in ("<", ">="):
        return
    always = "true" if op == ">=" else "false"
    checker.warn("type-limits", f"'{op} 0' of an unsigned value is always {always}", at)


def is_not_negative(value: Expr) -> bool:
    known = fold_integer(value)
    if known is not None:
        return known >= 0
    if isinstance(value.type, IntType) and (not value.type.signed or value.type.is_bool):
        return True
    match value:
        case Compare() | Logical() | Unary(operator="!"):
            return True
        case Convert(value=inner) if isinstance(inner.type, IntType):
            assert isinstance(value.type, IntType)
            return is_not_negative(inner) and inner.type.maximum <= value.type.maximum
        case Binary(operator="&", left=left, right=right):
            return is_not_negative(left) or is_not_negative(right)
        case Binary(operator="|" | "^" | "/" | "%" | ">>", left=left, right=right):
            return is_not_negative(left) and is_not_negative(right)
        case Conditional(if_true=left, if_false=right):
            return is_not_negative(left) and is_not_negative(right)
        case _:
            return False


def doubt_promotion(checker: Checker, value: Expr, to: CType, at: Span) -> None:
    """A float becomes a double without a cast."""
    if value.type == ct.FLOAT and ct.unqualified(to) == ct.DOUBLE and fold(value) is None:
        checker.warn("double-promotion", "float becomes double without a cast", at)
