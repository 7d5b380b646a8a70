"""Operators with two operands: which types they take, to which type both are converted
(C 6.5.5 to 6.5.15)."""

from __future__ import annotations

from typing import NoReturn

from polyopt.frontend.checking.checker import Checker
from polyopt.frontend.checking.doubts.doubtful_conversions import (
    doubt_comparison,
    doubt_conversion,
    doubt_promotion,
)
from polyopt.frontend.checking.doubts.doubtful_values import doubt_same
from polyopt.frontend.checking.operands.check_conversions import convert, is_null_constant
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import (
    ComplexType,
    CType,
    FunctionType,
    IntType,
    PointerType,
    RecordType,
    VoidType,
    unqualified,
)
from polyopt.frontend.language.conversions import are_compatible, common_type, composite, promote
from polyopt.frontend.tree.complex_constants import complex_result, constant_parts
from polyopt.frontend.tree.constants import fold_integer
from polyopt.frontend.tree.typed_tree import (
    Binary,
    Compare,
    ComplexConst,
    Expr,
    PointerAdd,
    PointerDifference,
)
from polyopt.support.diagnostics import Span

_INTEGRAL = {"%", "&", "|", "^"}
_SHIFTS = {"<<", ">>"}
_COMPARISONS = {"==", "!=", "<", ">", "<=", ">="}


class OperatorChecker:
    def __init__(self, checker: Checker):
        self.checker = checker

    def binary(self, op: str, left: Expr, right: Expr, span: Span) -> Expr:
        """`left op right` of two values."""
        if op in _COMPARISONS:
            return self._comparison(op, left, right, span)
        if op in ("+", "-") and not (ct.is_arithmetic(left.type) and ct.is_arithmetic(right.type)):
            return self._pointer_arithmetic(op, left, right, span)
        integral = op in _INTEGRAL or op in _SHIFTS
        for side in (left, right):
            if isinstance(side.type, VoidType):
                self.checker.error("void value is not ignored as it ought to be", side.span)
        allowed = ct.is_integer if integral else ct.is_arithmetic
        if not (allowed(left.type) and allowed(right.type)):
            self.bad_operands(op, left, right, span)
        if op in _SHIFTS:
            left = convert(left, promote(left.type))
            right = convert(right, promote(right.type))
            self._check_shift(left, right, span)
        else:
            common = common_type(left.type, right.type)
            for side in (left, right):
                doubt_promotion(self.checker, side, common, span)
                doubt_conversion(self.checker, side, common, span)
            if isinstance(common, ComplexType):
                return self._complex(op, left, right, common, span)
            left, right = convert(left, common), convert(right, common)
        if op in ("/", "%") and ct.is_integer(left.type) and fold_integer(right) == 0:
            self.checker.warn("div-by-zero", "division by zero", span)
        return Binary(left.type, span, op, left, right)

    def _complex(self, op: str, left: Expr, right: Expr, type: ComplexType, span: Span) -> Expr:
        """An operand that is real stays so, but in front of `/` (C11 G.5)."""
        to = [type if isinstance(e.type, ComplexType) else type.part for e in (left, right)]
        left, right = convert(left, type if op == "/" else to[0]), convert(right, to[1])
        parts = [constant_parts(left), constant_parts(right)]
        if parts[0] is not None and parts[1] is not None:
            known = complex_result(op, parts[0], parts[1], type.part)
            if known is not None:
                return ComplexConst(type, span, *known)
        return Binary(type, span, op, left, right)

    def _check_shift(self, left: Expr, right: Expr, span: Span) -> None:
        amount = fold_integer(right)
        assert isinstance(left.type, IntType)
        if amount is not None and not 0 <= amount < left.type.bits:
            self.checker.warn(
                "shift-count", f"shift by {amount} of a value of {left.type.bits} bits", span
            )

    def _pointer_arithmetic(self, op: str, left: Expr, right: Expr, span: Span) -> Expr:
        if op == "+" and isinstance(right.type, PointerType):
            left, right = right, left
        if not isinstance(left.type, PointerType):
            self.bad_operands(op, left, right, span)
        target = left.type.target
        if not isinstance(target, VoidType | FunctionType) and not ct.is_complete(target):
            self.checker.error(f"arithmetic on a pointer to incomplete type '{target}'", span)
        if isinstance(target, VoidType | FunctionType):
            self.checker.warn("pointer-arith", f"arithmetic on a pointer to '{target}'", span)
        if ct.is_integer(right.type):
            return PointerAdd(left.type, span, left, right, op == "-")
        if op == "-" and isinstance(right.type, PointerType):
            if not are_compatible(unqualified(target), unqualified(right.type.target)):
                self.bad_operands(op, left, right, span)
            return PointerDifference(ct.LONG, span, left, right)
        self.bad_operands(op, left, right, span)

    def _comparison(self, op: str, left: Expr, right: Expr, span: Span) -> Expr:
        doubt_same(self.checker, op, left, right, span)
        if ct.is_arithmetic(left.type) and ct.is_arithmetic(right.type):
            doubt_comparison(self.checker, op, left, right, span)
            common = common_type(left.type, right.type)
            if isinstance(common, ComplexType) and op not in ("==", "!="):
                self.checker.error("complex numbers have no order", span)
            return Compare(ct.INT, span, op, convert(left, common), convert(right, common))
        pointers = [isinstance(side.type, PointerType) for side in (left, right)]
        if not any(pointers) or not (ct.is_scalar(left.type) and ct.is_scalar(right.type)):
            self.bad_operands(op, left, right, span)
        floating = ct.FloatType | ComplexType
        if isinstance(left.type, floating) or isinstance(right.type, floating):
            self.bad_operands(op, left, right, span)
        if not all(pointers):
            number = right if pointers[0] else left
            if not is_null_constant(number):
                self.checker.warn("int-conversion", "comparison of pointer and integer", span)
        elif not self._are_comparable(left, right):
            self.checker.warn(
                "incompatible-pointer-types",
                f"comparison of distinct pointer types '{left.type}' and '{right.type}'",
                span,
            )
        for side, other in ((left, right), (right, left)):
            if op in ("==", "!=") and is_null_constant(other):
                self.checker.note_null_test(side)
        to = PointerType(ct.VOID)
        return Compare(ct.INT, span, op, convert(left, to), convert(right, to))

    def _are_comparable(self, left: Expr, right: Expr) -> bool:
        assert isinstance(left.type, PointerType)
        assert isinstance(right.type, PointerType)
        a, b = unqualified(left.type.target), unqualified(right.type.target)
        void = isinstance(a, VoidType) or isinstance(b, VoidType)
        null = is_null_constant(left) or is_null_constant(right)
        return void or null or are_compatible(a, b)

    def bad_operands(self, op: str, left: Expr, right: Expr, span: Span) -> NoReturn:
        for side in (left, right):
            if isinstance(side.type, VoidType):
                self.checker.error("void value is not ignored as it ought to be", side.span)
        self.checker.error(f"invalid operands of '{op}': '{left.type}' and '{right.type}'", span)

    def conditional_type(self, left: Expr, right: Expr, span: Span) -> CType:
        """The type of `?:` from its arms (C 6.5.15)."""
        if ct.is_arithmetic(left.type) and ct.is_arithmetic(right.type):
            return common_type(left.type, right.type)
        match left.type, right.type:
            case (VoidType(), _) | (_, VoidType()):
                return ct.VOID
            case RecordType(record=a), RecordType(record=b) if a is b:
                return left.type
            case PointerType(), _ if is_null_constant(right):
                return left.type
            case _, PointerType() if is_null_constant(left):
                return right.type
            case (PointerType(), IntType()) | (IntType(), PointerType()):
                self.checker.warn(
                    "int-conversion", "arms of '?:' are a pointer and an integer", span
                )
                return left.type if isinstance(left.type, PointerType) else right.type
            case PointerType(target=a), PointerType(target=b):
                const, volatile = a.const or b.const, a.volatile or b.volatile
                if isinstance(a, VoidType) or isinstance(b, VoidType):
                    target: CType = ct.VOID
                elif are_compatible(unqualified(a), unqualified(b)):
                    target = composite(unqualified(a), unqualified(b))
                else:
                    self.checker.warn(
                        "incompatible-pointer-types",
                        f"arms of '?:' have types '{left.type}' and '{right.type}'",
                        span,
                    )
                    target = ct.VOID
                return PointerType(ct.qualified(target, const=const, volatile=volatile))
            case _:
                self.checker.error(
                    f"arms of '?:' have types '{left.type}' and '{right.type}'", span
                )
