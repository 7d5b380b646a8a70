"""A value is what another one is some iterations later only if both are made in the same way."""

import pytest
from oracles.affine_native import parse_affine
from xdsl.dialects import func
from xdsl.ir import SSAValue

from polyopt.ir.control.control_flow import ControlFlow
from polyopt.passes.prepare.loop_forms.same_later import SameLater

TEXT = """
func.func @f(%n : i32, %m : i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 2 : i32
  cf.br ^header(%zero, %m, %n : i32, i32, i32)
^header(%i : i32, %state : i32, %other : i32):
  %goes_on = arith.cmpi slt, %i, %n : i32
  cf.cond_br %goes_on, ^body, ^end
^body:
  %next = arith.addi %i, %one overflow<nsw> : i32
  %further = arith.addi %next, %one overflow<nsw> : i32
  %here = arith.xori %i, %m : i32
  %there = arith.xori %next, %m : i32
  %changed = arith.xori %state, %m : i32
  %j = arith.addi %i, %step overflow<nsw> : i32
  cf.br ^header(%j, %changed, %state : i32, i32, i32)
^end:
  func.return
}"""

SAME = [("i", "next"), ("next", "further"), ("here", "there"), ("m", "m")]
OTHERS = [
    ("i", "further"),
    ("here", "changed"),
    ("state", "changed"),
    ("changed", "state"),
    ("state", "other"),
    ("state", "state"),
    ("m", "n"),
    ("m", "next"),
]


@pytest.mark.parametrize(("first", "other"), [*SAME, *OTHERS])
def test_values_one_turn_apart(first: str, other: str):
    function = parse_affine(TEXT).body.block.first_op
    assert isinstance(function, func.FuncOp)
    flow = ControlFlow(function.body)
    (loop,) = flow.loops.all_loops()
    values = [value for block in flow.cfg.blocks for value in block.args]
    results = [one for op in function.walk() for one in op.results]
    named = {value.name_hint: value for value in (*values, *results)}

    def from_memory(first: SSAValue, other: SSAValue, turn: int) -> bool:
        return False

    same = SameLater(loop, loop.header.args[0], 1, from_memory)
    assert same.holds(named[first], named[other], 1) == ((first, other) in SAME)
