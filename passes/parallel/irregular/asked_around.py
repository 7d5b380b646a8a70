"""What conditions around an operation say of a value: the ends of the range that it is in there.

if (0 <= b && b < m) h[b]++;     0 to m - 1
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import arith, scf
from xdsl.ir import Operation, SSAValue

from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.effects import constant_integer
from polyopt.ir.expressions.integer_expr import (
    ZERO,
    Expr,
)
from polyopt.ir.references.loop_view import LoopView


def asked_ends(
    value: SSAValue, is_signed: bool, at: Operation, view: LoopView
) -> tuple[Expr | None, Expr | None]:
    """The ends that conditions around give to the value, the inner ones first."""
    least: Expr | None = None
    most: Expr | None = None
    for test in _tests_around(at):
        bound = _bound(test, value, is_signed, view)
        if bound is not None:
            end, is_most = bound
            most = end if is_most and most is None else most
            least = end if not is_most and least is None else least
            if is_most and _is_unsigned(test) and is_signed:
                least = ZERO
    if not is_signed and most is not None:
        least = ZERO
    return least, most


def _tests_around(at: Operation) -> Iterator[arith.CmpiOp]:
    """Comparisons that hold where the operation runs."""
    inner, parent = at, at.parent_op()
    while isinstance(parent, scf.IfOp):
        if parent.true_region.is_ancestor(inner):
            yield from _conjuncts(parent.cond)
        inner, parent = parent, parent.parent_op()


def _conjuncts(condition: SSAValue) -> Iterator[arith.CmpiOp]:
    match condition.owner:
        case arith.CmpiOp() as test:
            yield test
        case arith.AndIOp() as both:
            for operand in both.operands:
                yield from _conjuncts(operand)
        case arith.SelectOp() as choice if constant_integer(choice.rhs) == 0:
            yield from _conjuncts(choice.cond)
            yield from _conjuncts(choice.lhs)
        case _:
            return


_TURNED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}


_SWAPPED = {sign + one: sign + other for sign in "su" for one, other in _TURNED.items()}


_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


def _bound(
    test: arith.CmpiOp, value: SSAValue, is_signed: bool, view: LoopView
) -> tuple[Expr, bool] | None:
    """(end, whether it is the upper one) that the comparison gives to the value."""
    word = _PREDICATES[test.predicate.value.data]
    asked, sides = value, [test.lhs, test.rhs]
    if is_signed:
        asked, sides = _same(value), [_same(one) for one in sides]
    if word not in _SWAPPED or asked not in sides:
        return None
    is_left = sides[0] is asked
    other = test.rhs if is_left else test.lhs
    word = word if is_left else _SWAPPED[word]
    number = constant_integer(other)
    at = enclosing_block(test)
    if word[0] == "u":
        # Less than a number without a sign is so as a signed number, too.
        if word not in ("ult", "ule") or (is_signed and (number is None or number < 0)):
            return None
        end = view.evolution.unsigned(other, at)
    else:
        if not is_signed:
            return None
        end = view.evolution.signed(other, at)
    if not view.is_fixed(end):
        return None
    less = {"lt": 1, "gt": -1}.get(word[1:], 0)
    return end - less, word[1] == "l"


def _is_unsigned(test: arith.CmpiOp) -> bool:
    return _PREDICATES[test.predicate.value.data][0] == "u"


def _same(value: SSAValue) -> SSAValue:
    """The value before it was made wider as a subscript."""
    while isinstance(value.owner, arith.IndexCastOp | arith.ExtSIOp):
        value = value.owner.operands[0]
    return value
