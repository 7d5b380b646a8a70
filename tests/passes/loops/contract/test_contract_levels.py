"""Contractions between the levels: what is printed is what goes on, and no pass is needed."""

from io import StringIO

import numpy as np
import pytest
from oracles.affine_native import apply, compile_affine, parse_affine
from oracles.contract_passes import contract_passes
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.printer import Printer

MARCH = "x86-64-v3"
M = "memref<?x?xf64>"
TEXT = f"""
func.func @f(%n : index, %m : index, %beta : f64, %X : {M} {{llvm.noalias}},
             %A : {M} {{llvm.noalias}}, %B : {M} {{llvm.noalias}}, %Y : {M} {{llvm.noalias}}) {{
  affine.for %r = 0 to 2 {{
    affine.for %i = 0 to %n {{ affine.for %j = 0 to %m {{
      affine.store %beta, %X[%i, %j] : {M}
    }} }}
    affine.for %i = 0 to %n {{ affine.for %j = 0 to %m {{ affine.for %k = 0 to 20 {{
      %x = affine.load %X[%i, %j] : {M}
      %p = affine.load %A[%i, %k + %r] : {M}
      %q = affine.load %B[%k, %j] : {M}
      %u = arith.mulf %beta, %p : f64
      %t = arith.mulf %u, %q : f64
      %y = arith.addf %x, %t : f64
      affine.store %y, %X[%i, %j] : {M}
    }} }} }}
    affine.for %i = 0 to %n {{ affine.for %j = 0 to %m {{
      %x = affine.load %X[%i, %j] : {M}
      affine.store %x, %Y[%i, %j] : {M}
    }} }}
  }}
  func.return
}}"""
"""A neighbour in front and one behind, packed values, a panel that the loop around keeps."""

PASSES = contract_passes(
    smallest=1, rows=2, vectors=1, depth=8, row_block=6, column_block=16, march=MARCH
)


def printed(module: ModuleOp) -> str:
    stream = StringIO()
    Printer(stream).print_op(module)
    return stream.getvalue()


def test_each_level_can_be_printed_and_read():
    module = parse_affine(TEXT)
    for each in PASSES:
        module = parse_affine(printed(apply(module, [each])))
    wanted = parse_affine(printed(apply(parse_affine(TEXT), PASSES)))
    assert printed(module) == printed(wanted)


def _without(*names: str) -> list[ModulePass]:
    return [each for each in PASSES if each.name not in names]


@pytest.mark.parametrize(
    "passes",
    [
        _without("contract-plan"),
        _without("contract-fuse"),
        _without("contract-block"),
        _without("contract-place"),
        _without("contract-plan", "contract-fuse"),
        _without("affine-contract"),
        PASSES,
    ],
    ids=lambda passes: "-".join(one.name for one in passes),
)
def test_the_same_bits_whatever_pass_is_left_out(passes: list[ModulePass]):
    wanted = compile_affine(TEXT, march=MARCH)
    got = compile_affine(TEXT, passes, march=MARCH)
    random = np.random.default_rng(5)
    for n, m in ((1, 1), (7, 17), (12, 16), (13, 40)):
        data = [random.random((n, m)), random.random((n, 22)), random.random((20, m))]
        results = [[*(one.copy() for one in data), np.zeros((n, m))] for _ in range(2)]
        wanted(n, m, 0.75, *results[0])
        got(n, m, 0.75, *results[1])
        for expected, result in zip(*results, strict=True):
            np.testing.assert_array_equal(result, expected, err_msg=str((n, m)))
