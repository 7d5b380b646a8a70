"""How far apart the iterations of a loop touch memory: rows of known length are flat."""

import pytest
from oracles.affine_trace import parse_module
from xdsl.dialects import func

from polyopt.passes.judge.nest_reader import read_parts
from polyopt.poly.cost.nest_cost import core_cycles
from polyopt.support.core_model import CoreCosts
from polyopt.support.target import Target

TEXT = """
func.func @f(%x: memref<{x}>, %z: memref<1000xi8>) {{
  affine.for %i = 0 to 1000 {{
    %a = affine.load %x[{at}] : memref<{x}>
    affine.store %a, %z[%i] : memref<1000xi8>
  }}
  func.return
}}
"""


def cycles(type: str, at: str) -> float:
    (function,) = parse_module(TEXT.format(x=type, at=at)).ops
    assert isinstance(function, func.FuncOp)
    target = Target.named("x86-64-v4")
    parts = read_parts(function.body.block.ops, {}, target, CoreCosts.of(target), any_order=False)
    return sum(core_cycles(one, CoreCosts.of(target)) for one in parts)


@pytest.mark.parametrize(
    ("type", "at", "flat"),
    [("1000x4xi8", "%i, 3", "%i * 4 + 3"), ("500x2x3xi8", "0, %i, 1", "%i * 3 + 1")],
)
def test_rows_of_known_length_are_flat(type: str, at: str, flat: str):
    assert cycles(type, at) == cycles("4000xi8", flat)


def test_rows_of_unknown_length_are_elsewhere():
    assert cycles("?x?xi8", "%i, 3") > cycles("1000x4xi8", "%i, 3")
