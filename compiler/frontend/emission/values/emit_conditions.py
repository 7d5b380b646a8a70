"""Conditions: an i1 that goes straight into a branch; `&&`, `||` and `!` are control flow."""

from __future__ import annotations

from xdsl.dialects import arith, cf
from xdsl.dialects.builtin import i1
from xdsl.ir import Block, SSAValue

from polyopt.dialects import cmem
from polyopt.frontend.emission.emission import Emission
from polyopt.frontend.emission.values.emit_arithmetic import compare, compare_pointers, is_nonzero
from polyopt.frontend.language.c_types import ComplexType, IntType, PointerType
from polyopt.frontend.language.ir_types import integer_type
from polyopt.frontend.tree.constants import fold, truth
from polyopt.frontend.tree.typed_tree import (
    Builtin,
    Compare,
    Convert,
    Expr,
    Logical,
    Unary,
    alternatives,
)


def as_condition(emission: Emission, expr: Expr) -> SSAValue:
    """Is the value not zero, as an i1."""
    known = truth(fold(expr))
    if known is not None:
        emission.builder.at(expr.span)
        return emission.builder.integer(int(known), i1)
    match expr:
        case Compare():
            return _compare(emission, expr)
        case Unary(operator="!"):
            value = as_condition(emission, expr.operand)
            emission.builder.at(expr.span)
            true = emission.builder.integer(1, i1)
            return emission.builder.add(arith.XOrIOp(value, true)).result
        case Logical():
            return _logical(emission, expr)
        case Convert(value=inner) if isinstance(expr.type, IntType) and (
            is_truth(inner) or expr.type.is_bool
        ):
            return as_condition(emission, inner)
        case Builtin(name="constant_p", operands=[operand]):
            value = emission.expressions.value(operand)
            emission.builder.at(expr.span)
            return emission.builder.add(cmem.IsConstantOp(value)).result
        case _ if isinstance(expr.type, ComplexType):
            return emission.complexes.is_nonzero(expr)
        case _:
            value = emission.expressions.value(expr)
            emission.builder.at(expr.span)
            return is_nonzero(emission.builder, value, expr.type)


def branch(emission: Emission, expr: Expr, if_true: Block, if_false: Block) -> None:
    """Go one way or the other; `&&`, `||` and `!` are control flow."""
    known = truth(fold(expr))
    if known is not None:
        emission.builder.at(expr.span)
        emission.builder.jump(if_true if known else if_false)
        return
    match expr:
        case Unary(operator="!", operand=operand):
            branch(emission, operand, if_false, if_true)
        case Logical(operator=operator):
            *firsts, last = alternatives(expr)
            for one in firsts:
                following = Block()
                if operator == "&&":
                    branch(emission, one, following, if_false)
                else:
                    branch(emission, one, if_true, following)
                if following not in emission.builder.reached:
                    return
                emission.builder.enter(following)
            branch(emission, last, if_true, if_false)
        case _:
            value = as_condition(emission, expr)
            emission.builder.at(expr.span)
            emission.builder.branch(value, if_true, if_false)


def _logical(emission: Emission, expr: Logical) -> SSAValue:
    """All operands decide, each only where those before it have not."""
    end = emission.builder.merge(i1)
    decided = emission.builder.integer(int(expr.operator == "||"), i1)
    *firsts, last = alternatives(expr)
    for one in firsts:
        following = Block()
        value = as_condition(emission, one)
        emission.builder.at(expr.span)
        merge_if = expr.operator == "||"
        _branch_or_merge(emission, value, following, end, decided, merge_if=merge_if)
        emission.builder.enter(following)
    value = as_condition(emission, last)
    emission.builder.at(expr.span)
    emission.builder.jump(end, value)
    emission.builder.enter(end)
    return end.args[0]


def _branch_or_merge(
    emission: Emission,
    first: SSAValue,
    second: Block,
    end: Block,
    decided: SSAValue,
    *,
    merge_if: bool,
) -> None:
    if merge_if:
        op = cf.ConditionalBranchOp(first, end, [decided], second, [])
    else:
        op = cf.ConditionalBranchOp(first, second, [], end, [decided])
    emission.builder.add(op)
    emission.builder.reached |= {second, end}
    emission.builder.block = None


def truth_value(emission: Emission, expr: Expr) -> SSAValue:
    """A condition as an int."""
    condition = as_condition(emission, expr)
    emission.builder.at(expr.span)
    return emission.builder.add(arith.ExtUIOp(condition, integer_type(expr.type))).result


def _compare(emission: Emission, expr: Compare) -> SSAValue:
    if isinstance(expr.left.type, ComplexType):
        return emission.complexes.compare(expr)
    left = emission.expressions.value(expr.left)
    right = emission.expressions.value(expr.right)
    emission.builder.at(expr.span)
    if isinstance(expr.left.type, PointerType):
        return compare_pointers(emission.builder, expr.operator, left, right)
    return compare(emission.builder, expr.operator, left, right, expr.left.type)


def is_truth(expr: Expr) -> bool:
    """Is the value 0 or 1 by its operator?"""
    if isinstance(expr, Unary):
        return expr.operator == "!"
    return isinstance(expr, Compare | Logical)
