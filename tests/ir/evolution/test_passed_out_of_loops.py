"""A counter that is passed to the block behind its loop is there what it was last, and no counter
of a loop that has been left."""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser

from polyopt.driver.units.module_texts import make_context
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.evolution.scalar_evolution import Evolution
from polyopt.ir.expressions.integer_expr import Counter

TEXT = """
builtin.module {
  func.func @f() -> i32 {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %ten = arith.constant 10 : i32
    cf.br ^head(%zero : i32)
  ^head(%i : i32):
    %more = arith.cmpi slt, %i, %ten : i32
    cf.cond_br %more, ^body, ^behind(%i : i32)
  ^body:
    %next = arith.addi %i, %one overflow<nsw> : i32
    cf.br ^head(%next : i32)
  ^behind(%last : i32):
    cf.br ^second(%last : i32)
  ^second(%j : i32):
    %again = arith.cmpi slt, %j, %ten : i32
    cf.cond_br %again, ^third, ^end(%j : i32)
  ^third:
    %after = arith.addi %j, %one overflow<nsw> : i32
    cf.br ^second(%after : i32)
  ^end(%all : i32):
    func.return %all : i32
  }
}
"""


def test_what_leaves_a_loop_is_no_counter_of_it() -> None:
    module = Parser(make_context(), TEXT).parse_module()
    function = next(op for op in module.walk() if isinstance(op, FuncOp))
    evolution = Evolution(ControlFlow(function.body))
    blocks = list(function.body.blocks)
    behind, end = blocks[3], blocks[6]
    for block in (behind, end):
        seen = evolution.signed(block.args[0], block)
        assert not any(isinstance(atom, Counter) for atom in seen.all_atoms())
    assert evolution.signed(behind.args[0], behind).as_constant == 10
