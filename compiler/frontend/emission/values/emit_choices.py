"""`?:`: a selection where both values may be computed, else control flow."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import Attribute, Block, SSAValue

from polyopt.frontend.emission.emission import Emission
from polyopt.frontend.emission.values.emit_conditions import as_condition, branch
from polyopt.frontend.language.c_types import FloatType, IntType, PointerType
from polyopt.frontend.language.ir_types import scalar_type
from polyopt.frontend.tree.constants import fold, truth
from polyopt.frontend.tree.typed_tree import (
    Binary,
    Compare,
    Conditional,
    Convert,
    Expr,
    FloatConst,
    Held,
    IntConst,
    Load,
    Unary,
    Variable,
)


def choose_value(emission: Emission, expr: Conditional) -> SSAValue:
    known = truth(fold(expr.condition))
    if known is not None:
        return emission.expressions.value(expr.if_true if known else expr.if_false)
    if is_simple(expr.if_true) and is_simple(expr.if_false):
        return _select(emission, expr)
    type: Attribute = scalar_type(expr.type)
    end = emission.builder.merge(type)
    if_true, if_false = Block(), Block()
    branch(emission, expr.condition, if_true, if_false)
    for block, arm in ((if_true, expr.if_true), (if_false, expr.if_false)):
        if block in emission.builder.reached:
            emission.builder.enter(block)
            known_before = dict(emission.places.lengths)
            value = emission.expressions.value(arm)
            emission.places.lengths = known_before  # behind it, control may come from elsewhere
            emission.builder.at(expr.span)
            emission.builder.jump(end, value)
    emission.builder.enter(end)
    return end.args[0]


def _select(emission: Emission, expr: Conditional) -> SSAValue:
    condition = as_condition(emission, expr.condition)
    if_true = emission.expressions.value(expr.if_true)
    if_false = emission.expressions.value(expr.if_false)
    emission.builder.at(expr.span)
    return emission.builder.add(arith.SelectOp(condition, if_true, if_false)).result


def choose_effect(emission: Emission, expr: Conditional) -> None:
    if_true, if_false, end = Block(), Block(), Block()
    branch(emission, expr.condition, if_true, if_false)
    for block, arm in ((if_true, expr.if_true), (if_false, expr.if_false)):
        if block in emission.builder.reached:
            emission.builder.enter(block)
            emission.expressions.effect(arm)
            emission.builder.jump(end)
    emission.builder.enter_if_reached(end)


def is_simple(expr: Expr) -> bool:
    """May the value be computed whether it is needed or not: no loads, no effects, nothing that
    can trap, and cheap?"""
    match expr:
        case IntConst() | FloatConst() | Held():
            return not isinstance(expr.type, PointerType)
        case Load(place=Variable(symbol=symbol)):
            return symbol.kind == "parameter" and not symbol.is_modified
        case Convert(value=value):
            return isinstance(expr.type, IntType | FloatType) and is_simple(value)
        case Unary(operand=operand):
            return is_simple(operand)
        case Binary(operator=operator, left=left, right=right):
            divides = operator in ("/", "%") and isinstance(expr.type, IntType)
            return not divides and is_simple(left) and is_simple(right)
        case Compare(left=left, right=right):
            return is_simple(left) and is_simple(right)
        case _:
            return False
