"""What stores: `=`, `op=`, `++` and `--` (C 6.5.2.4, 6.5.3.1, 6.5.16)."""

from __future__ import annotations

from pycparser import c_ast

from polyopt.frontend.checking.calls.check_atomics import is_exact, update_atomic, update_in_turns
from polyopt.frontend.checking.checker import Checker, span_of
from polyopt.frontend.checking.doubts.doubtful_conversions import doubt_conversion
from polyopt.frontend.checking.operands.check_conversions import (
    assign_conversion,
    convert,
    promoted_bits,
)
from polyopt.frontend.checking.operands.check_places import modifiable
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import PointerType, unqualified
from polyopt.frontend.tree.constants import fold_integer
from polyopt.frontend.tree.typed_atomics import atomic_store
from polyopt.frontend.tree.typed_tree import (
    Assign,
    ComplexConst,
    Expr,
    FloatConst,
    Held,
    IntConst,
    MemberOf,
    Update,
)
from polyopt.support.diagnostics import Span


def read_assignment(checker: Checker, node: c_ast.Assignment) -> Expr:
    place = modifiable(checker, node.lvalue)
    span = span_of(node)
    value = checker.expressions.value(node.rvalue)
    if node.op == "=":
        field = place.member if isinstance(place, MemberOf) else None
        value = assign_conversion(checker, value, place.type, span, "assignment", field)
        if place.type.atomic:
            return atomic_store(place, value, span)
        return Assign(unqualified(place.type), span, place, value)
    return update(checker, place, node.op[:-1], value, span, is_postfix=False)


def read_increment(checker: Checker, node: c_ast.UnaryOp) -> Expr:
    place = modifiable(checker, node.expr)
    one = IntConst(ct.INT, span_of(node), 1)
    operator = node.op[-1]
    return update(checker, place, operator, one, span_of(node), node.op.startswith("p"))


def update(
    checker: Checker,
    place: Expr,
    op: str,
    value: Expr,
    span: Span,
    is_postfix: bool,
    *,
    swapped: bool = False,
) -> Expr:
    """`place op= value`; where `swapped`, the new value is `value op place`."""
    type = unqualified(place.type)
    if place.type.atomic and not swapped and is_exact(op, type, value.type):
        return update_atomic(place, op, value, span, is_postfix=is_postfix)
    old = Held(promoted_bits(place), place.span)
    operand = right = None
    known = fold_integer(value)
    if known is not None:
        value = IntConst(value.type, value.span, known)
    if not isinstance(value, IntConst | FloatConst | ComplexConst):
        operand, right = value, Held(value.type, value.span)
    left, second = (right or value, old) if swapped else (old, right or value)
    operators = checker.expressions.operators
    result = operators.binary(op, left, second, span)
    if isinstance(type, PointerType) != isinstance(result.type, PointerType):
        operators.bad_operands(f"{op}=", place, value, span)
    if not ct.is_scalar(type):
        operators.bad_operands(f"{op}=", place, value, span)
    if ct.is_arithmetic(result.type) and ct.is_arithmetic(type):
        doubt_conversion(checker, result, type, span)
    result = convert(result, type)
    update = Update(type, span, place, old, operand, right, result, is_postfix)
    return update_in_turns(update) if place.type.atomic else update
