"""Updates of variables narrower than int, in their own type.

    unsigned char x;  x ^= a + b;     ->     x = x ^ (unsigned char)(a + b)

C computes them as int, and stores what fits. The lower bits of sums, differences, products and of
`& | ^` are made of the lower bits of their operands alone, so both give the same, and what is
accumulated is seen: a check sum in a byte is a reduction, in as many lanes as there are bytes.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import SSAValue

from polyopt.frontend.emission.ir_builder import IRBuilder
from polyopt.frontend.emission.values.emit_arithmetic import binary, convert
from polyopt.frontend.language.c_types import IntType
from polyopt.frontend.tree.typed_tree import Binary, Convert, Expr, Update, Variable

_OF_LOWER_BITS = frozenset("+-*&|^")


def narrow_operand(expr: Update) -> Expr | None:
    """What the variable is combined with, if its own type is wide enough to do so. Constants are
    left as they are: counters are recognised by what they are in C."""
    type_, value = expr.type, expr.value
    if expr.right is None or not isinstance(expr.place, Variable):
        return None
    if not isinstance(type_, IntType) or type_.bits >= 32 or type_.is_bool:
        return None
    if not isinstance(value, Convert) or not isinstance(combined := value.value, Binary):
        return None
    if combined.operator not in _OF_LOWER_BITS or not _holds(combined.type, type_):
        return None
    left = combined.left
    while isinstance(left, Convert) and _holds(left.type, type_):
        left = left.value
    return combined.right if left is expr.old and _holds(left.type, type_) else None


def narrow_update(
    builder: IRBuilder,
    expr: Update,
    operand: Expr,
    old: SSAValue,
    value: Callable[[Expr], SSAValue],
) -> SSAValue:
    """The new value, `value` that of an expression."""
    type_, stored = expr.type, expr.value
    assert isinstance(type_, IntType)
    assert isinstance(stored, Convert)
    combined = stored.value
    assert isinstance(combined, Binary)
    while isinstance(operand, Convert) and _holds(operand.type, type_) and _is_int(operand.value):
        operand = operand.value
    term = convert(builder, value(operand), operand.type, type_)
    natural = IntType(type_.name, type_.size, False, type_.rank)
    return binary(builder, combined.operator, old, term, natural)


def _is_int(expr: Expr) -> bool:
    return isinstance(expr.type, IntType) and not expr.type.is_bool


def _holds(type_: object, narrow: IntType) -> bool:
    """Are all bits of `narrow` in it?"""
    return isinstance(type_, IntType) and type_.bits >= narrow.bits and not type_.is_bool
