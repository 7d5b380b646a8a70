"""Expressions as operations: in one order, wherever the values lie in memory."""

from itertools import permutations

from xdsl.dialects import arith, test
from xdsl.dialects.builtin import IndexType, UnknownLoc
from xdsl.ir import Block, Region

from polyopt.ir.integer_expr import Expr, Floor, Unknown
from polyopt.passes.scop.expression_code import ExpressionCode

INDEX = IndexType()


def test_factors_of_one_name_are_in_the_order_of_their_values():
    first, second = Block(arg_types=[INDEX]), Block()
    Region([first, second])
    loads = [test.TestOp(result_types=[INDEX, INDEX]) for _ in range(2)]
    second.add_ops(loads)
    values = [first.args[0], *loads[0].results, *loads[1].results]
    for value in values:
        value.name_hint = "count"
    for order in permutations(map(Unknown, values)):
        block = Block()
        code = ExpressionCode(block, UnknownLoc())
        code.index(Expr({order: 1}))
        factors = [one for op in block.ops for one in op.operands]
        assert [one for one in factors if one in values] == values
        assert len(list(block.ops)) == len(values) - 1


def test_names_come_first_and_computed_factors_by_their_text():
    block = Block(arg_types=[INDEX, INDEX])
    b, a = block.args
    b.name_hint, a.name_hint = "b", "a"
    halves = [Floor(Expr.of(Unknown(one)), 2) for one in (a, b)]
    for order in permutations((Unknown(b), Unknown(a), *halves)):
        into = Block()
        ExpressionCode(into, UnknownLoc()).index(Expr({order: 1}))
        divided = [op.operands[0] for op in into.ops if isinstance(op, arith.FloorDivSIOp)]
        assert divided == [a, b]
        *_, with_a, with_b = (op for op in into.ops if isinstance(op, arith.MuliOp))
        assert (with_a.rhs, with_b.rhs) == (a, b)
