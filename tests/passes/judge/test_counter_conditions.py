"""Lanes of loops with conditions on their own counter, and of variables that some ways store."""

import pytest
from oracles.affine_trace import parse_module
from xdsl.dialects import func

from polyopt.passes.judge.nest_reader import read_parts
from polyopt.poly.cost.nest_cost import core_cycles
from polyopt.support.core_model import CoreCosts
from polyopt.support.target import Target

STORED = """
func.func @f(%x: memref<4096xf32>, %y: memref<4096xf32>) {{
  affine.for %i = 0 to 4096 {{
    "affine.if"(%i) <{{condition = affine_set<(d0) : ({condition} >= 0)>}}> ({{
      %a = affine.load %x[%i] : memref<4096xf32>
      affine.store %a, %y[%i] : memref<4096xf32>
      affine.yield
    }}, {{
    }}) : (index) -> ()
  }}
  func.return
}}
"""

HALVES = """
func.func @f(%x: memref<4096xf32>, %y: memref<4096xf32>) {{
  %v = memref.alloca() : memref<f32>
  affine.for %i = 0 to 4096 {{
    %a = affine.load %x[%i] : memref<4096xf32>
    {around}affine.store %a, %v[] : memref<f32>{end}
    %b = affine.load %v[] : memref<f32>
    affine.store %b, %y[%i] : memref<4096xf32>
  }}
  func.return
}}
"""

FIRST = '"affine.if"(%i) <{condition = affine_set<(d0) : (d0 * -1 + 4000 >= 0)>}> ({ '


def cycles(text: str, *, as_written: bool = False) -> float:
    (function,) = parse_module(text).ops
    assert isinstance(function, func.FuncOp)
    target = Target.named("x86-64-v3")
    parts = read_parts(
        function.body.block.ops,
        {},
        target,
        CoreCosts.of(target),
        any_order=True,
        as_written=as_written,
    )
    return sum(core_cycles(one, CoreCosts.of(target)) for one in parts)


@pytest.mark.parametrize("condition", ["d0", "d0 * -1 + 4095"])
def test_a_condition_that_always_holds_decides_nothing(condition: str):
    always = cycles(STORED.format(condition=condition))
    assert always < 0.5 * cycles(STORED.format(condition="d0 - 100"))
    assert always < 0.5 * cycles(STORED.format(condition="d0 * -1 + 4000"))


def test_a_variable_that_some_ways_store_is_of_the_iteration_before():
    stored = HALVES.format(around="", end="")
    some = HALVES.format(around=FIRST, end=" affine.yield }, {}) : (index) -> ()")
    assert cycles(stored) < 0.5 * cycles(some)
    assert cycles(some, as_written=True) < 0.5 * cycles(some)
