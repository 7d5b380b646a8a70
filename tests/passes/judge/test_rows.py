"""What LLVM makes of rows that it runs in lanes: known, short and growing ones; and tiles."""

import pytest
from oracles.affine_trace import parse_module
from xdsl.dialects import func

from polyopt.passes.judge.nest_reader import read_parts
from polyopt.passes.judge.row_ways import RowWays
from polyopt.poly.cost.nest_cost import core_cycles
from polyopt.support.core_model import CORE, CoreCosts
from polyopt.support.target import Target

SUMS = """
func.func @f(%x: memref<200x200xf32>, %y: memref<200xf32>) {{
  affine.for %i = 0 to 120 {{
    affine.for %k = 0 to {end} {{
      %a = affine.load %x[%i, %k] : memref<200x200xf32>
      %s = affine.load %y[%i] : memref<200xf32>
      %t = arith.addf %s, %a fastmath<fast> : f32
      affine.store %t, %y[%i] : memref<200xf32>
    }}
  }}
  func.return
}}
"""

TILES = """
#cut = affine_map<(d0) -> (d0 + 64, 120)>
func.func @f(%x: memref<128x128xf64>) {{
  affine.for %ii = 0 to 128 step 64 {{
    affine.for %jj = 0 to {tiles} step 64 {{
      affine.for %i = affine_map<(d0) -> (d0)> (%ii) to min #cut(%ii) {{
        affine.for %j = affine_map<(d0) -> (d0)> (%jj) to affine_map<(d0) -> (d0 + 64)> (%jj) {{
          %a = affine.load %x[%i, %j] : memref<128x128xf64>
          %b = arith.divf %a, %a : f64
          affine.store %b, %x[%i, %j] : memref<128x128xf64>
        }}
      }}
    }}
  }}
  func.return
}}
"""


def cycles(text: str) -> float:
    (function,) = parse_module(text).ops
    assert isinstance(function, func.FuncOp)
    target = Target.named("x86-64-v3")
    core = CoreCosts.of(target)
    parts = read_parts(function.body.block.ops, {}, target, core, any_order=True)
    return sum(core_cycles(one, CoreCosts.of(target)) for one in parts)


def test_the_sums_that_a_known_length_allows_run_together():
    """1024 floats are 32 steps of four vectors of eight."""
    assert cycles(SUMS.format(end=1024)) < 0.4 * cycles(SUMS.format(end=1000 * 4))


def test_rows_that_grow_are_no_rows_of_the_mean_length():
    """Of 0 to 119, most fill vectors; the mean, 59, leaves 27 of them to narrow ones."""
    growing = cycles(SUMS.format(end="affine_map<(d0) -> (d0)> (%i)"))
    known = [cycles(SUMS.format(end=end)) for end in (1, 119)]
    assert known[0] < growing < known[1]


@pytest.mark.parametrize(
    ("length", "expected"),
    [(2, 8.0), (4, 4.0), (7, 16.0), (32, 16.0), (39, 32.0), (64, 32.0)],
)
def test_what_vectors_leave_is_in_narrow_ones(length: int, expected: float):
    ways = RowWays(together=32, narrow=4, whole=0.5, rest=1.0, alone=4.0)
    assert ways.cycles(length) == expected
    assert ways.has_vectors(length) == (length >= 4)


def test_few_tiles_are_read_one_by_one():
    """Below the diagonal, the first of two rows of tiles has nothing."""
    triangle = cycles(TILES.format(tiles="affine_map<(d0) -> (d0)> (%ii)"))
    square = cycles(TILES.format(tiles="64"))
    assert triangle == pytest.approx(square * 56 / 120, rel=0.02)


ROW = """
    affine.for %j{n} = 1 to 17 {{
      %a{n} = affine.load %x[%i, %j{n} + {at} - 1] : memref<200x200xf32>
      %b{n} = affine.load %x[%i, %j{n} + {at} + 50] : memref<200x200xf32>
      %c{n} = arith.mulf %a{n}, %b{n} : f32
      affine.store %c{n}, %x[%i, %j{n} + {at}] : memref<200x200xf32>
    }}
"""


def test_of_rows_that_follow_each_other_each_element_counts():
    """An unrolled row loads and stores all its elements, however long its neighbours are."""
    rows = [ROW.format(n=n, at=100 * n) for n in range(2)]
    frame = (
        "func.func @f(%x: memref<200x200xf32>) {{ affine.for %i = 0 to 99 {{ {0} }} func.return }}"
    )
    one, both = (cycles(frame.format("".join(rows[:count]))) for count in (1, 2))
    assert 1.7 * one < both < 2.3 * one


UPDATED = """
func.func @f(%y: memref<1024xf32>, %z: memref<1024xf32>, %b: memref<8xf32>) {{
  affine.for %i = 0 to 128 {{
    affine.for %j = 0 to 8 {{
      %s = affine.load %{array}[%i * 8 + {place}] : memref<1024xf32>
      %t = affine.load %b[%j] : memref<8xf32>
      %u = arith.mulf %s, %t : f32
      %v = affine.load %y[%i * 8 + %j] : memref<1024xf32>
      %w = arith.addf %u, %v : f32
      affine.store %w, %y[%i * 8 + %j] : memref<1024xf32>
    }}
  }}
  func.return
}}
"""


def test_no_rows_are_lanes_that_change_what_they_all_use():
    """y[j] += b[j] * y[0], where the first store is what the others wait for."""
    changing = cycles(UPDATED.format(array="y", place=0))
    assert cycles(UPDATED.format(array="z", place=0)) < 0.7 * changing
    assert cycles(UPDATED.format(array="y", place=7)) == changing


SOLVED = """
func.func @f(%l: memref<200x200xf64>, %x: memref<200xf64>, %y: memref<200xf64>) {{
  %s = memref.alloca() : memref<f64>
  affine.for %i = 0 to 200 {{
    affine.for %j = {first} to {last} {{
      %a = affine.load %l[%i, %j] : memref<200x200xf64>
      %b = affine.load %x[%j] : memref<200xf64>
      %c = arith.mulf %a, %b : f64
      %d = affine.load %s[] : memref<f64>
      %e = arith.addf %c, %d fastmath<fast> : f64
      affine.store %e, %s[] : memref<f64>
    }}
    %t = affine.load %s[] : memref<f64>
    affine.store %t, %{array}[{place}] : memref<200xf64>
  }}
  func.return
}}
"""
UPWARD = {"first": "0", "last": "affine_map<(d0) -> (d0)> (%i)", "place": "%i"}
DOWNWARD = {"first": "affine_map<(d0) -> (-d0 + 200)> (%i)", "last": "200", "place": "-%i + 199"}


def test_vectors_wait_for_what_has_been_stored_alone():
    """At the beginning of a row all of them do, at its end those of which nothing is left over."""
    rows = CORE.strided.handed_on * 200
    assert cycles(SOLVED.format(array="x", **DOWNWARD)) == pytest.approx(
        cycles(SOLVED.format(array="y", **DOWNWARD)) + rows, abs=1.0
    )
    assert cycles(SOLVED.format(array="x", **UPWARD)) == pytest.approx(
        cycles(SOLVED.format(array="y", **UPWARD)) + rows / 4, abs=1.0
    )
