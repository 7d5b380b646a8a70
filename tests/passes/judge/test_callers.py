"""A function is judged with its callers where some call is known to pass it different objects."""

import pytest
from oracles.affine_native import parse_affine
from xdsl.dialects import func

from polyopt.passes.judge.callers import calls_in, is_part_of_callers

TEXT = """
func.func private @told(%p : !llvm.ptr, %q : !llvm.ptr) {{
  func.return
}}
func.func @caller(%given : !llvm.ptr) {{
  %a = memref.alloca() : memref<8xf64>
  %b = memref.alloca() : memref<8xf64>
  %slot = memref.alloca() : memref<!llvm.ptr>
  %at = arith.constant 2 : index
  %of_a = cmem.address %a[%at] : memref<8xf64>
  %more_of_a = cmem.offset %of_a, %at stride 8
  %of_b = cmem.address %b[%at] : memref<8xf64>
  %loaded = memref.load %slot[] : memref<!llvm.ptr>
  func.call @told({passed}) : (!llvm.ptr, !llvm.ptr) -> ()
  func.return
}}"""

PASSED = [
    ("%of_a, %of_b", True),
    ("%of_a, %more_of_a", False),
    ("%of_a, %loaded", False),
    ("%loaded, %of_a", False),
]


@pytest.mark.parametrize(("passed", "are_different"), PASSED)
def test_objects_that_are_passed(passed: str, are_different: bool):
    module = parse_affine(TEXT.format(passed=passed))
    function = module.body.block.first_op
    assert isinstance(function, func.FuncOp)
    assert is_part_of_callers(function, calls_in(module)) == are_different
