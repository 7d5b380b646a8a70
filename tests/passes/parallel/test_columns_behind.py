"""Columns that are taken out of a block of rows are done by nobody else, and what is computed stays
the same, to the bit; what others depend on is not taken out."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.affine_native import compile_affine, parse_affine
from xdsl.context import Context
from xdsl.dialects import affine
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.passes.parallel.columns_behind import split_columns
from polyopt.passes.parallel.steps import within_step

BLOCK = """
func.func @f(%n : index, %m : index, %t : index, %A : memref<?x?xf64>) {
  affine.for %i = affine_map<(d0) -> (d0 + 1)>(%t)
      to min affine_map<(d0, d1) -> (d0 + 8, d1)>(%t, %n) {
    affine.for %j = affine_map<(d0) -> (d0)>(%t) to affine_map<(d0) -> (d0)>(%i) {
      %d = affine.load %A[%j, DIAGONAL] : memref<?x?xf64>
      %x = affine.load %A[%i, %j] : memref<?x?xf64>
      %q = arith.divf %x, %d : f64
      affine.store %q, %A[%i, %j] : memref<?x?xf64>
      affine.for %k = affine_map<(d0) -> (d0 + 1)>(%j) to %m {
        %l = affine.load %A[%i, %j] : memref<?x?xf64>
        %u = affine.load %A[%j, %k] : memref<?x?xf64>
        %p = arith.mulf %l, %u : f64
        %a = affine.load %A[%i, %k] : memref<?x?xf64>
        %r = arith.subf %a, %p : f64
        affine.store %r, %A[%i, %k] : memref<?x?xf64>
      } {poly.loop = #poly.loop<parallel, iterator = "k">}
    }
  }
  func.return
}"""


class Split(ModulePass):
    name = "split"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        rows = next(one for one in op.walk() if isinstance(one, affine.ForOp))
        assert split_columns(rows) is not None


@pytest.mark.parametrize("start", [0, 8, 16])
@pytest.mark.parametrize("shape", [(20, 20), (20, 33), (18, 18), (9, 40), (17, 17)])
def test_nothing_changes(start: int, shape: tuple[int, int]):
    text = BLOCK.replace("DIAGONAL", "%j")
    given = np.random.default_rng(1).random(shape) + 1
    expected, got = given.copy(), given.copy()
    sizes = (*shape, start)
    compile_affine(text)(*sizes, expected)
    compile_affine(text, [Split()])(*sizes, got)
    assert got.tobytes() == expected.tobytes()
    if start + 1 < shape[0]:
        assert got.tobytes() != given.tobytes()


def test_columns_are_shared_out_from_where_the_block_ends():
    """Though columns behind the last row are apart from the others, too."""
    text = BLOCK.replace("DIAGONAL", "%j").replace(", %t : index", "")
    text = text.replace("  affine.for %i", "  affine.for %t = 0 to %n step 8 {\n affine.for %i")
    module = parse_affine(text.replace("  func.return", "}\n func.return"))
    _, rows, *_ = [one for one in module.walk() if isinstance(one, affine.ForOp)]
    found = split_columns(rows)
    module.verify()
    assert found is not None
    assert found.nest is rows.next_op
    ((start,),) = found.row.lowers
    assert start.constant == 8
    assert [name.name_hint for name in start.values] == ["t"]


@pytest.mark.parametrize("diagonal", ["%m - 1", "%m - %j - 1"])
def test_what_rows_of_the_block_read_stays(diagonal: str):
    module = parse_affine(BLOCK.replace("DIAGONAL", diagonal))
    before = str(module)
    rows = next(one for one in module.walk() if isinstance(one, affine.ForOp))
    assert split_columns(rows) is None
    assert str(module) == before


LOOPS = """
func.func @f(%n : index, %A : memref<?xf64>, %x : f64) {
  affine.for %t = 0 to %n step 8 {
    affine.for %i = LOWER to UPPER {
      affine.for %j = affine_map<(d0) -> (d0)>(%i) to affine_map<(d0) -> (d0 + MORE)>(%t) {
        affine.store %x, %A[%i + %j] : memref<?xf64>
      }
    }
  }
  func.return
}"""


@pytest.mark.parametrize("lower", ["-1", "0", "1"])
@pytest.mark.parametrize("upper", ["7", "8", "9"])
@pytest.mark.parametrize("more", ["7", "8", "9"])
def test_loops_within_a_step_are_as_long_as_counted(lower: str, upper: str, more: str):
    """What is said to be within the step is, wherever the tile starts."""
    text = LOOPS.replace("LOWER", f"affine_map<(d0) -> (d0 + {lower})>(%t)")
    text = text.replace("UPPER", f"affine_map<(d0) -> (d0 + {upper})>(%t)").replace("MORE", more)
    loops = [one for one in parse_affine(text).walk() if isinstance(one, affine.ForOp)]
    is_little = within_step(loops[0])
    rows = range(int(lower), int(upper))
    columns = {j for i in rows for j in range(i, int(more))}
    assert is_little(loops[1]) == all(0 <= i < 8 for i in rows)
    assert is_little(loops[2]) == all(0 <= j < 8 for j in columns)


def test_a_loop_to_the_end_is_not_within_a_step():
    text = LOOPS.replace("LOWER", "affine_map<(d0) -> (d0)>(%t)").replace("UPPER", "%n")
    loops = [
        one
        for one in parse_affine(text.replace("MORE", "8")).walk()
        if isinstance(one, affine.ForOp)
    ]
    is_little = within_step(loops[0])
    assert not is_little(loops[1])
    assert is_little(loops[2])
    assert AffineLoop(loops[0]).step == 8
