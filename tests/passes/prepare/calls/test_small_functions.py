"""Which functions are small enough to take the place of their calls, to the operation."""

import pytest
from oracles.affine_native import parse_affine
from xdsl.dialects import func

from polyopt.passes.prepare.calls.inline_calls import (
    _is_small,  # pyright: ignore[reportPrivateUsage]
)


@pytest.mark.parametrize(("largest", "wanted"), [(1, False), (2, False), (3, True), (4, True)])
def test_as_many_operations_as_are_allowed(largest: int, wanted: bool):
    module = parse_affine("""
    func.func @f(%x : f64) -> f64 {
      %a = arith.addf %x, %x : f64
      %b = arith.mulf %a, %x : f64
      %c = arith.subf %b, %a : f64
      return %c : f64
    }""")
    (function,) = (op for op in module.ops if isinstance(op, func.FuncOp))
    assert _is_small(function, largest) == wanted
