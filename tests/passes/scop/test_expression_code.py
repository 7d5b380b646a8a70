"""Expressions as operations: in one order, wherever the values lie in memory."""

import shutil
import subprocess
from itertools import permutations
from pathlib import Path

import pytest
from xdsl.dialects import arith, test
from xdsl.dialects.builtin import IndexType, IntegerType, UnknownLoc
from xdsl.ir import Block, Region

from polyopt.ir.expressions.integer_expr import Compare, Expr, Floor, Unknown
from polyopt.passes.scop.expression_code import ExpressionCode
from polyopt.tools.polyopt_cc import main

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


@pytest.mark.parametrize(("number", "is_wide"), [((1 << 63) + 20, True), (1 << 40, False)])
def test_what_asks_for_a_wrap_is_computed_without_one(number: int, is_wide: bool):
    """20 n + m <= number, for any n and m of 64 bits."""
    block = Block(arg_types=[INDEX, INDEX])
    n, m = (Expr.of(Unknown(one)) for one in block.args)
    code = ExpressionCode(block, UnknownLoc())
    code.condition(Compare("<=", n * 20 + m - Expr.constant(number)))
    (comparison,) = (op for op in block.ops if isinstance(op, arith.CmpiOp))
    assert (comparison.lhs.type == IntegerType(128)) is is_wide


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize("flags", [["-O3", "-march=native"], ["-O1", "--poly=isl"]])
def test_starts_that_wrap_around(flags: list[str], tmp_path: Path):
    source = Path(__file__).with_name("far_starts.c")
    told = list[str]()
    subprocess.run(["gcc", "-O0", "-ffp-contract=off", source, "-o", tmp_path / "gcc"], check=True)
    options = [*flags, "-ffp-contract=off", "--skip-pass=keep-what-pays"]
    assert main([*options, str(source), "-o", str(tmp_path / "made")]) == 0
    for name in ("gcc", "made"):
        ran = subprocess.run([tmp_path / name], capture_output=True, text=True, check=True)
        told.append(ran.stdout)
    assert told[0] == told[1]
