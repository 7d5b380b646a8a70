"""Memrefs that may overlap: whatever they share, results are those of the source's order, and the
loops that were optimised run exactly where nothing is shared."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.dialects import arith, func, memref

from polyopt.backend.called.bind import Library, bind
from polyopt.backend.called.signature_reader import read_signatures
from polyopt.backend.loaded.jit import load_objects
from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.source import Source
from polyopt.driver.units.unit import Unit, lower, object_code, parse
from polyopt.passes.raising.apart_at_run_time import has_known_ends, run_if_apart
from polyopt.support.diagnostics import SourceMap
from polyopt.support.remarks import collect_remarks

Doubles = NDArray[np.float64]


def unit_of(text: str, options: str = "-O3") -> Unit:
    source = Source("test.mlir", text, is_module=True)
    return parse(source, read_settings(options.split()), SourceMap())


def loaded(unit: Unit) -> Library:
    with collect_remarks():
        lower(unit)
    return bind(read_signatures(unit.module), load_objects([object_code(unit)]))


WHICH = """
func.func @which(%a: TYPE, %b: TYPE, %flag: memref<1xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  memref.store %two, %flag[%zero] : memref<1xi32>
  func.return
}
"""


def asked(type_: str) -> Library:
    """`which` puts 1 in its flag where its memrefs are found to be apart, else 2."""
    unit = unit_of(WHICH.replace("TYPE", type_), "-O1")
    (function,) = (op for op in unit.module.ops if isinstance(op, func.FuncOp))
    (slow,) = (op for op in function.walk() if isinstance(op, memref.StoreOp))
    one = [op for op in function.walk() if isinstance(op, arith.ConstantOp)][1]
    fast = memref.StoreOp.get(one.result, slow.memref, list(slow.indices))
    a, b, _ = function.body.block.args
    run_if_apart([(a, b)], [fast], [slow])
    return loaded(unit)


@pytest.mark.parametrize(
    ("type_", "dtype"),
    [("memref<?x?xf32>", "f4"), ("memref<?x3xi64>", "i8"), ("memref<2x?xi8>", "i1")],
)
def test_what_is_compared_is_all_that_a_memref_has(type_: str, dtype: str):
    which = asked(type_)
    memory = np.zeros(64, dtype)
    rows = [2] if "2x" in type_ else [0, 1, 2]
    columns = [3] if "x3x" in type_ else [0, 1, 3]
    shapes = list(product(rows, columns))
    for first, second in product(shapes, shapes):
        for start in range(12):
            a = memory[6 : 6 + first[0] * first[1]].reshape(first)
            b = memory[start : start + second[0] * second[1]].reshape(second)
            flag = np.zeros(1, np.int32)
            which["which"](a, b, flag)
            if np.shares_memory(a, b):
                assert flag[0] == 2, (first, second, start)
            elif a.size and b.size:
                assert flag[0] == 1, (first, second, start)


@pytest.mark.parametrize(
    ("type_", "known"),
    [
        ("memref<4x?xf64>", True),
        ("memref<f32>", True),
        ("memref<?xindex>", True),
        ("memref<?xvector<4xf32>>", False),
        ("memref<4x?xf64, strided<[?, 1]>>", False),
        ("memref<4x4xf64, affine_map<(d0, d1) -> (d1, d0)>>", False),
    ],
)
def test_ends_that_are_known(type_: str, known: bool):
    unit = unit_of(WHICH.replace("TYPE", type_))
    (function,) = (op for op in unit.module.ops if isinstance(op, func.FuncOp))
    assert has_known_ends(function.body.block.args[0]) == known


STENCIL = """
func.func @f(%x: memref<?xf64>, %y: memref<?xf64>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %a = memref.load %x[%i] : memref<?xf64>
    %b = arith.addf %a, %a : f64
    memref.store %b, %y[%i] : memref<?xf64>
  }
  scf.for %i = %zero to %n step %one {
    %a = memref.load %y[%i] : memref<?xf64>
    %b = memref.load %x[%i] : memref<?xf64>
    %c = arith.addf %a, %b : f64
    memref.store %c, %x[%i] : memref<?xf64>
  }
  func.return
}
"""
TWO_D = """
func.func @f(%x: memref<?x4xf64>, %y: memref<?x4xf64>, %n: index) {
  affine.for %i = 0 to %n {
    affine.for %j = 1 to 4 {
      %a = affine.load %x[%i, %j - 1] : memref<?x4xf64>
      affine.store %a, %y[%i, %j] : memref<?x4xf64>
    }
  }
  func.return
}
"""
SUM = """
func.func @f(%x: memref<?xf64>, %y: memref<?xf64>, %n: index) {
  %zero = arith.constant 0.0 : f64
  %sum = affine.for %i = 0 to %n iter_args(%s = %zero) -> (f64) {
    %a = affine.load %x[%i] : memref<?xf64>
    affine.store %a, %y[0] : memref<?xf64>
    %t = arith.addf %s, %a : f64
    affine.yield %t : f64
  }
  affine.store %sum, %y[1] : memref<?xf64>
  func.return
}
"""


def stencil(x: Doubles, y: Doubles, n: int) -> None:
    for i in range(n):
        y[i] = x[i] + x[i]
    for i in range(n):
        x[i] = y[i] + x[i]


def two_d(x: Doubles, y: Doubles, n: int) -> None:
    for i in range(n):
        for j in range(1, 4):
            y[i, j] = x[i, j - 1]


def in_turn(x: Doubles, y: Doubles, n: int) -> None:
    total = 0.0
    for i in range(n):
        value = x[i]
        y[0] = value
        total += value
    y[1] = total


def placed(width: int) -> Iterator[tuple[int, int, int]]:
    """Where x and y begin in one row of memory, in all ways to overlap, and how many rows."""
    for n in (0, 1, 2, 7, 17):
        for distance in {0, 1, 2, n * width - 1, n * width, n * width + 3} - {-1}:
            yield 0, distance, n
            yield distance, 0, n


@pytest.mark.parametrize("options", ["-O3", "-O3 --poly=isl+tile", "-O2 -fno-poly"])
@pytest.mark.parametrize(
    ("text", "reference", "width"),
    [(STENCIL, stencil, 1), (TWO_D, two_d, 4), (SUM, in_turn, 1)],
    ids=["two loops", "rows", "a sum"],
)
def test_results_are_those_of_the_order_of_the_source(
    text: str, reference: object, width: int, options: str
):
    library = loaded(unit_of(text, options))
    for at_x, at_y, n in placed(width):
        memory = np.arange(200.0)
        wanted = memory.copy()
        rows = max(n, 2)
        for store, function in ((memory, library["f"]), (wanted, reference)):
            parts = [store[at : at + rows * width] for at in (at_x, at_y)]
            x, y = (one.reshape(rows, width) if width > 1 else one for one in parts)
            assert callable(function)
            function(x, y, n)
        assert np.array_equal(memory, wanted), (at_x, at_y, n)


def test_what_is_known_to_be_apart_is_not_compared():
    for text in (STENCIL.replace("f64>,", "f64> {llvm.noalias},"), STENCIL):
        promised = "noalias" in text
        with collect_remarks() as remarks:
            unit = unit_of(text, "-O3" if promised else "-O3 --assume-distinct")
            lower(unit, "poly")
        assert not any(one.id == "checked-overlap" for one in remarks.items)
        assert "cmem.address" not in str(unit.module)
