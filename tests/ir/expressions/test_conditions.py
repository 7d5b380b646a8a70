"""Conditions of truth values: long chains, and what is too deep to be followed."""

import pytest
from xdsl.dialects import arith
from xdsl.dialects.builtin import i1, i32
from xdsl.ir import Block, Operation, SSAValue

from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.expressions.conditions import condition_of
from polyopt.ir.expressions.integer_conditions import negated
from polyopt.ir.expressions.integer_expr import (
    Both,
    Compare,
    Condition,
    Either,
    Expr,
    Unknown,
    condition_terms,
)


class Values:
    """Each value is itself."""

    def signed(self, value: SSAValue, at: Block) -> Expr:
        return Expr.of(Unknown(value))

    unsigned = signed

    def compared(self, op: arith.CmpfOp) -> Compare | None:
        return None

    def last(self, loop: NaturalLoop, at: Block) -> int | None:
        return None


def built(kind: type[arith.AndIOp | arith.OrIOp | arith.XOrIOp], count: int) -> SSAValue:
    """a0 < b `kind` a1 < b `kind` …, each the left operand of the next."""
    block = Block(arg_types=[i32] * (count + 1))

    def add(op: Operation) -> SSAValue:
        block.add_op(op)
        return op.results[0]

    tests = [add(arith.CmpiOp(one, block.args[count], "slt")) for one in block.args[:count]]
    value, *others = tests
    for one in others:
        value = add(kind(value, one, i1))
    return value


def depth(condition: Condition) -> int:
    match condition:
        case Both(left, right) | Either(left, right):
            return 1 + max(depth(left), depth(right))
        case _:
            return 0


@pytest.mark.parametrize("kind", [arith.AndIOp, arith.OrIOp])
def test_a_chain_is_a_flat_tree(kind: type[arith.AndIOp | arith.OrIOp]):
    value = built(kind, 3000)
    condition = condition_of(value, Values())
    assert len(list(condition_terms(condition))) == 3000
    assert depth(condition) <= 12
    assert depth(negated(condition)) <= 12


def test_one_that_doubles_is_not_followed_far():
    condition = condition_of(built(arith.XOrIOp, 3000), Values())
    assert len(list(condition_terms(condition))) < 5000


def test_a_few_operands_keep_their_order():
    condition = condition_of(built(arith.AndIOp, 3), Values())
    match condition:
        case Both(Both(Compare(), Compare()), Compare()):
            pass
        case _:
            pytest.fail(f"{condition}")
