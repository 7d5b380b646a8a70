"""Modules in MLIR, another compiler's or ours at some level, become what C becomes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

from polyopt.backend.called.bind import Library, bind
from polyopt.backend.called.signature_reader import read_signatures
from polyopt.backend.loaded.jit import load_objects
from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.source import Source
from polyopt.driver.units.unit import lower, object_code, parse, produce
from polyopt.pipeline_options import LEVELS
from polyopt.support.diagnostics import CompileError, SourceMap
from polyopt.support.remarks import Remarks, collect_remarks
from polyopt.tools import polyopt_cc, polyopt_opt

SCALED = """
func.func @scaled(%a : memref<?xf64>, %b : memref<?xf64>, %n : index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2.0 : f64
  scf.for %i = %0 to %n step %1 {
    %x = memref.load %a[%i] : memref<?xf64>
    %y = arith.mulf %x, %2 : f64
    memref.store %y, %b[%i] : memref<?xf64>
  }
  func.return
}
"""
PRODUCT = """
func.func @product(%c : memref<40x48xf64>, %a : memref<40x56xf64>, %b : memref<56x48xf64>) {
  %zero = arith.constant 0.0 : f64
  linalg.fill ins(%zero : f64) outs(%c : memref<40x48xf64>)
  linalg.matmul ins(%a, %b : memref<40x56xf64>, memref<56x48xf64>) outs(%c : memref<40x48xf64>)
  func.return
}
"""
MAIN = """
func.func private @abs(i32) -> i32
func.func @main() -> i32 {
  %x = arith.constant -7 : i32
  %y = func.call @abs(%x) : (i32) -> i32
  func.return %y : i32
}
"""


def library(text: str, options: str) -> tuple[Library, Remarks]:
    with collect_remarks() as remarks:
        source = Source("test.mlir", text, is_module=True)
        unit = parse(source, read_settings(options.split()), SourceMap())
        lower(unit)
        return bind(read_signatures(unit.module), load_objects([object_code(unit)])), remarks


@pytest.mark.parametrize("options", ["-O0", "-O3", "-O3 --poly=isl+tile", "-O2 --poly=none"])
def test_a_contraction_by_any_configuration(options: str) -> None:
    lib, _ = library(PRODUCT, options)
    random = np.random.default_rng(1)
    a, b = (np.asarray(random.integers(-9, 9, shape), float) for shape in ((40, 56), (56, 48)))
    c = np.full((40, 48), np.nan)
    lib["product"](c, a, b)
    assert np.array_equal(c, a @ b)


def test_loops_of_scf_become_vectors_where_memrefs_are_distinct() -> None:
    lib, remarks = library(SCALED, "-O3 --assume-distinct")
    assert any("vectors of" in one.message for one in remarks.items)
    a, b = np.arange(37.0), np.zeros(37)
    lib["scaled"](a, b, 37)
    assert np.array_equal(b, 2 * a)


def test_without_the_promise_addresses_are_compared_and_a_remark_names_both_arrays() -> None:
    lib, remarks = library(SCALED, "-O3")
    (checked,) = [one for one in remarks.items if one.id == "checked-overlap"]
    assert "a run-time check that 'a' and 'b' do not overlap" in checked.message
    assert str(checked.span) == "test.mlir:6:3"
    assert any("vectors of" in one.message for one in remarks.items)
    a, b = np.arange(37.0), np.zeros(37)
    lib["scaled"](a, b, 37)
    assert np.array_equal(b, 2 * a)
    overlapping = np.arange(10.0)
    lib["scaled"](overlapping[:9], overlapping[1:], 9)
    assert overlapping.tolist() == [0.0] * 10


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_of_ours_goes_on_from_where_it_stands(level: str) -> None:
    text = "double f(int n, double *x) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; "
    text += "return s; }"
    settings = read_settings(["-O3", "-ffast-math"])
    written = produce(Source("sum.c", text), settings, level, lambda _: None)
    assert isinstance(written, str)
    unit = parse(Source("sum.mlir", written, is_module=True), settings, SourceMap())
    assert unit.level == level
    lower(unit)
    lib = bind(read_signatures(unit.module), load_objects([object_code(unit)]))
    assert lib["f"](5, np.arange(5.0)) == 10.0


def test_permissions_come_from_flags_or_operations() -> None:
    def flags(options: list[str]) -> str:
        source = Source("test.mlir", SCALED, is_module=True)
        return str(produce(source, read_settings(options), "source", lambda _: None))

    assert "polyopt.fastmath" not in flags(["-O3"])
    assert "fastmath<fast>" in flags(["-O3", "-ffast-math"])
    assert "fastmath<reassoc>" in flags(["-O3", "-fassociative-math"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "func.func @f() { foo.bar }",
            "1:26: error: Operation foo.bar is not registered",
        ),
        ("func.func @f() { foo.bar }", "xDSL and polyopt do not know it"),
        (
            "%c = arith.constant 1 : index\n// -----\n%c = arith.constant 2 : index",
            "'// -----' separates modules for tests",
        ),
        ("func.func @f() { linalg.of_tomorrow }", "--linalg-generalize-named-ops"),
        ("func.func @f() { scf.parallel (%i) }", "--mlir-print-op-generic"),
        ("func.func @f(%p : !llvm.ptr<f64>)", "since LLVM 17 pointers do not say to what"),
        ('module attributes {polyopt.level = "middle"} {}', "names no level"),
        ('"func.func"() ({}) : () -> ()', "no valid module"),
    ],
)
def test_what_is_wrong_with_a_module_is_an_error(text: str, message: str) -> None:
    with pytest.raises(CompileError) as raised:
        parse(Source("test.mlir", text, is_module=True), read_settings([]), SourceMap())
    assert message in raised.value.render()


def test_a_level_behind_it_cannot_be_reached() -> None:
    source = Source("m.mlir", 'module attributes {polyopt.level = "affine"} {}', is_module=True)
    with pytest.raises(CompileError, match="stands at level affine already"):
        produce(source, read_settings([]), "poly", lambda _: None)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "main.mlir").write_text(MAIN)
    (tmp_path / "scaled.mlir").write_text(SCALED)
    return tmp_path


def test_command_lines(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert polyopt_cc.main(["--run", "main.mlir"]) == 7
    assert polyopt_cc.main(["main.mlir", "-o", "main"]) == 0
    assert subprocess.run(["./main"], check=False).returncode == 7
    assert polyopt_cc.main(["-S", "scaled.mlir"]) == 0
    assert ".globl\tscaled" in (folder / "scaled.s").read_text()
    assert polyopt_cc.main(["-O3", "-c", "scaled.mlir", "-o", "x.o"]) == 0
    assert (folder / "x.o").read_bytes().startswith(b"\x7fELF")
    assert polyopt_cc.main(["-E", "scaled.mlir"]) == 1
    assert "nothing to preprocess" in capfd.readouterr().err


def test_targets_of_polyopt_opt(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    lowered = ["scaled.mlir", "-p", "raise-to-affine,affine-to-scf"]
    assert polyopt_opt.main([*lowered, "-t", "polyopt-obj", "-o", "x.o"]) == 0
    assert (folder / "x.o").read_bytes().startswith(b"\x7fELF")
    assert polyopt_opt.main([*lowered, "-t", "polyopt-asm{opt-level=1}"]) == 0
    assert ".globl\tscaled" in capfd.readouterr().out
    assert polyopt_opt.main([*lowered, "-t", "polyopt-obj"]) == 1
    assert "-o FILE names it" in capfd.readouterr().err


def test_memory_behind_a_plain_pointer_may_be_any_array():
    """The third argument is the first array's first element: each iteration doubles it."""
    text = """
func.func @meet(%a: memref<64xf64>, %b: memref<64xf64>, %p: !llvm.ptr) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %n = arith.constant 64 : index
  scf.for %i = %0 to %n step %1 {
    %x = memref.load %a[%i] : memref<64xf64>
    %t = arith.addf %x, %x : f64
    "llvm.store"(%t, %p) <{ordering = 0 : i64}> : (f64, !llvm.ptr) -> ()
    %y = "llvm.load"(%p) <{ordering = 0 : i64}> : (!llvm.ptr) -> f64
    %z = memref.load %a[%0] : memref<64xf64>
    %s = arith.addf %y, %z : f64
    memref.store %s, %b[%i] : memref<64xf64>
  }
  func.return
}"""
    lib, _ = library(text, "-O3 --assume-distinct")
    a, b = np.arange(1.0, 65.0), np.zeros(64)
    expected = 4 * a
    lib["meet"](a, b, a)
    assert np.array_equal(b, expected)
    assert a[0] == 128.0
