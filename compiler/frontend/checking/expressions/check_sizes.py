"""`sizeof`, `_Alignof` (C 6.5.3.4), and the sizes in the type of a cast."""

from __future__ import annotations

from pycparser import c_ast

from polyopt.frontend.checking.checker import Checker, span_of
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import ArrayType, FunctionType, VoidType
from polyopt.frontend.tree.expression_effects import has_effect
from polyopt.frontend.tree.typed_statements import Block, EvaluateLengths, StatementExpression
from polyopt.frontend.tree.typed_tree import (
    ComputedLength,
    Expr,
    IntConst,
    MemberOf,
    SizeOf,
    Variable,
)
from polyopt.support.diagnostics import Span


def read_sizeof(checker: Checker, node: c_ast.UnaryOp) -> Expr:
    span = span_of(node)
    operand = None
    if isinstance(node.expr, c_ast.Typename):
        measured = checker.types.read(node.expr)
    else:
        operand = checker.expressions.operand(node.expr)
        measured = operand.type
        if isinstance(operand, MemberOf) and operand.member.bits is not None:
            checker.error(f"sizeof of bit-field '{operand.member.name}'", node)
    if isinstance(measured, VoidType | FunctionType):
        # GNU C counts them as bytes.
        return IntConst(ct.ULONG, span, 1)
    if not ct.is_complete(measured):
        checker.error(f"sizeof of '{measured}', which has no size", node)
    if ct.is_variable_length(measured):
        return SizeOf(ct.ULONG, span, measured, operand)
    return IntConst(ct.ULONG, span, ct.size_of(measured))


def read_alignof(checker: Checker, node: c_ast.UnaryOp) -> Expr:
    """Of a type, or in GNU C of an expression: what is known of where it lies."""
    if isinstance(node.expr, c_ast.Typename):
        type = checker.types.read(node.expr)
    else:
        operand = checker.expressions.operand(node.expr)
        type = operand.type
        if isinstance(operand, Variable) and operand.symbol.alignment:
            return IntConst(ct.ULONG, span_of(node), operand.symbol.alignment)
    if not isinstance(type, VoidType | FunctionType | ArrayType) and not ct.is_complete(type):
        checker.error(f"alignment of '{type}', which is incomplete", node)
    return IntConst(ct.ULONG, span_of(node), ct.align_of(type))


def cast_value(value: Expr, span: Span) -> Expr:
    """What a cast gives. Sizes in its type with effects are evaluated where it is, whether anybody
    asks for them or not; the others where they are asked for."""
    value.span = span
    lengths = ct.variable_lengths(value.type)
    if not any(isinstance(one, ComputedLength) and has_effect(one.value) for one in lengths):
        return value
    fixing = Block(span, [EvaluateLengths(span, None, value.type)])
    return StatementExpression(value.type, span, fixing, value)


def chosen_value(value: Expr) -> Expr:
    """An arm of `?:`. Sizes of its type are evaluated where the chosen pointer is used."""
    match value:
        case StatementExpression(value=Expr() as bare, block=Block(items=[EvaluateLengths()])):
            return bare
        case _:
            return value
