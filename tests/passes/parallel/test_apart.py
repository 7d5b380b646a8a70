"""Loops that are made of the phases of one do what it did, wherever phases look; where one looks
back, nothing is changed."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from oracles.affine_native import compile_affine, parse_affine
from xdsl.context import Context
from xdsl.dialects import affine
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.passes.parallel.apart import split_apart

TEXT = """
func.func @f(%n : index, %A : memref<?xf64> {llvm.noalias}, %B : memref<?xf64> {llvm.noalias}) {
  affine.for %i = 4 to %n {
    affine.for %j = 0 to 1 {
      %b = affine.load %B[%i + FIRST] : memref<?xf64>
      %a = affine.load %A[%i] : memref<?xf64>
      %s = arith.addf %a, %b : f64
      affine.store %s, %A[%i] : memref<?xf64>
    }
    affine.for %j = 0 to 1 {
      %a = affine.load %A[%i + SECOND] : memref<?xf64>
      %b = affine.load %B[%i] : memref<?xf64>
      %s = arith.mulf %a, %b : f64
      affine.store %s, %B[%i] : memref<?xf64>
    }
  }
  func.return
}"""


class Split(ModulePass):
    name = "split"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        loop = next(one for one in op.walk() if isinstance(one, affine.ForOp))
        assert split_apart(loop) is not None


def goes_back(first: int, second: int) -> bool:
    """By enumeration: an iteration k reads in its first phase what an iteration i before it has
    written in its second one, or writes there what that one has read."""
    pairs = [(i, k) for i, k in product(range(10), repeat=2) if i < k]
    return any(k + first == i or i + second == k for i, k in pairs)


@pytest.mark.parametrize(("first", "second"), [*product([-2, -1, 0, 1, 2], repeat=2)])
def test_phases_are_apart_where_nothing_goes_back(first: int, second: int):
    text = TEXT.replace("FIRST", str(first)).replace("SECOND", str(second)).replace("+ -", "- ")
    module = parse_affine(text)
    loop = next(one for one in module.walk() if isinstance(one, affine.ForOp))
    before = str(module)
    if goes_back(first, second) or first == second == 0:
        assert split_apart(loop) is None
        assert str(module) == before
        return
    given = np.random.default_rng(7).random((2, 24))
    expected, got = given.copy(), given.copy()
    compile_affine(text)(20, *expected)
    compile_affine(text, [Split()])(20, *got)
    assert got.tobytes() == expected.tobytes()
