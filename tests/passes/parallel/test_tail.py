"""What no later iteration depends on does what it did, without conditions that have ended."""

from __future__ import annotations

from oracles.affine_native import parse_affine
from xdsl.dialects import affine

from polyopt.passes.parallel.tail import split_tail

TEXT = """
func.func @f(%n : index, %x : f64, %A : memref<?xf64> {llvm.noalias},
             %B : memref<?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[3] : memref<?xf64>
    affine.store %a, %A[%i] : memref<?xf64>
    "affine.if"(%i) <{condition = affine_set<(d0) : (-d0 + 2 >= 0)>}> ({
      affine.store %x, %B[%i] : memref<?xf64>
      affine.yield
    }, {
    }) : (index) -> ()
    "affine.if"(%i) <{condition = affine_set<(d0) : (d0 - 9 >= 0)>}> ({
      affine.store %x, %B[%i] : memref<?xf64>
      affine.yield
    }, {
    }) : (index) -> ()
  }
  func.return
}"""


def test_only_conditions_that_have_ended_are_dropped():
    module = parse_affine(TEXT)
    (loop,) = [op for op in module.walk() if isinstance(op, affine.ForOp)]
    parts = split_tail(loop)
    module.verify()
    assert parts is not None
    conditions = [
        [op.condition.data for op in part.walk() if isinstance(op, affine.IfOp)] for part in parts
    ]
    assert len(conditions[0]) == 2
    assert conditions[1] == conditions[0][1:]
