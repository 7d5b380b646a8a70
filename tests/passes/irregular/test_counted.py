"""Counted loops are left from their headers alone, and decide there whether they go on."""

import pytest
from oracles.affine_native import parse_affine
from xdsl.dialects import func

from polyopt.ir.control.control_flow import ControlFlow
from polyopt.passes.irregular.exchange import counted

TEXT = """
func.func @f(%n : i32, %c : i1) {{
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^header(%zero : i32)
^header(%i : i32):
  %goes_on = arith.cmpi slt, %i, %n : i32
  {header}
^body:
  {body}
^other:
  cf.br ^again
^again:
  %j = arith.addi %i, %one : i32
  cf.br ^header(%j : i32)
^end:
  func.return
}}"""

GOES_ON = "cf.cond_br %goes_on, ^body, ^end"
LOOPS = {
    "its header": (GOES_ON, "cf.cond_br %c, ^other, ^again", True),
    "its header, the other way round": ("cf.cond_br %goes_on, ^end, ^body", "cf.br ^other", True),
    "its body": ("cf.cond_br %c, ^body, ^other", "cf.cond_br %goes_on, ^again, ^end", False),
    "both": (GOES_ON, "cf.cond_br %c, ^other, ^end", False),
}


@pytest.mark.parametrize(("header", "body", "is_counted"), LOOPS.values(), ids=LOOPS)
def test_loops_that_are_left_from(header: str, body: str, is_counted: bool):
    function = parse_affine(TEXT.format(header=header, body=body)).body.block.first_op
    assert isinstance(function, func.FuncOp)
    flow = ControlFlow(function.body)
    (loop,) = flow.loops.all_loops()
    found = counted(loop)
    assert (found is not None) == is_counted
    if found is not None:
        assert found.counter is loop.header.args[0]
        assert found.body in loop
        assert found.branch.successors[0 if found.stays_if else 1] is found.body
