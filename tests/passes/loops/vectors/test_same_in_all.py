"""What is the same in all iterations may be computed in front of a loop: nothing that traps."""

import pytest
from oracles.affine_native import parse_affine
from xdsl.dialects import affine
from xdsl.ir import Operation

from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.passes.loops.vectors.looked_up_rows import same_in_all

TEXT = """
func.func @f(%n : index, %m : index, %A : memref<?xindex>) {{
  %zero = arith.constant 0 : index
  %three = arith.constant 3 : index
  affine.for %i = 0 to %n {{
    %k = affine.load %A[%m] : memref<?xindex>
    %moves = affine.load %A[%i] : memref<?xindex>
    %asked = {asked} : index
  }}
  func.return
}}"""

CASES = [
    ("arith.addi %k, %m", True),
    ("arith.addi %k, %i", False),
    ("arith.addi %k, %moves", False),
    ("arith.floordivsi %k, %three", True),
    ("arith.floordivsi %moves, %three", False),
    ("arith.floordivsi %k, %m", False),
    ("arith.floordivsi %k, %zero", False),
    ("arith.divsi %k, %m", False),
]


@pytest.mark.parametrize(("asked", "is_same"), CASES, ids=[one for one, _ in CASES])
def test_values_of_a_loop(asked: str, is_same: bool):
    module = parse_affine(TEXT.format(asked=asked))
    loops = [op for op in module.walk() if isinstance(op, affine.ForOp)]
    named: dict[str | None, Operation] = {
        result.name_hint: op for op in loops[0].walk() for result in op.results
    }
    assert same_in_all(named["asked"].results[0], AffineLoop(loops[0])) == is_same
