"""Verdicts and pages for modules of other compilers: each loop in a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyopt.driver.observed.observation import observe
from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.source import Source
from polyopt.report.loop_verdict import LoopVerdict
from polyopt.report.page import page
from polyopt.report.verdicts import verdicts
from polyopt.tools import polyopt_cc


def told(text: str, *options: str) -> list[LoopVerdict]:
    source = Source("k.mlir", text, is_module=True)
    return verdicts(observe(source, read_settings(["-O3", "-march=x86-64-v3", *options])))


FORS = """func.func @f(%x: memref<?xf64>, %y: memref<?xf64>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %a = memref.load %x[%i] : memref<?xf64>
    memref.store %a, %y[%i] : memref<?xf64>
  }
  affine.for %j = 1 to %n {
    %a = affine.load %x[%j - 1] : memref<?xf64>
    affine.store %a, %x[%j] : memref<?xf64>
  }
  func.return
}"""


def test_loops_of_scf_and_affine_have_their_own_names_and_lines():
    free, held = told(FORS, "--poly=identity", "--assume-distinct")
    assert (free.loop.name, free.loop.start.line, free.status) == ("i", 4, "free")
    assert free.headline == "iterations are independent"
    assert (held.loop.name, held.loop.start.line, held.status) == ("j", 8, "held")
    pair = "line 10 at j = 1"
    assert any("needs x[1]" in detail and pair in detail for detail in held.details)


def test_every_iterator_of_a_parallel_loop_is_a_loop():
    text = """"builtin.module"() ({
  func.func @f(%x: memref<8x8xf64>) {
    %zero = arith.constant 0 : index
    %eight = arith.constant 8 : index
    %one = arith.constant 1 : index
    %value = arith.constant 1.0 : f64
    "scf.parallel"(%zero, %zero, %eight, %eight, %one, %one)
        <{operandSegmentSizes = array<i32: 2, 2, 2, 0>}> ({
    ^bb0(%i: index, %j: index):
      memref.store %value, %x[%i, %j] : memref<8x8xf64>
      scf.reduce
    }) : (index, index, index, index, index, index) -> ()
    func.return
  }
}) : () -> ()"""
    found = told(text, "--poly=identity")
    assert [(one.loop.name, one.status) for one in found] == [("i", "free"), ("j", "free")]


def test_what_stands_against_a_loop_is_said_once():
    text = """func.func @f(%x: memref<?xf64>, %p: memref<?xindex>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %to = memref.load %p[%i] : memref<?xindex>
    scf.for %k = %zero to %to step %one {
      %a = memref.load %x[%k] : memref<?xf64>
      memref.store %a, %x[%i] : memref<?xf64>
    }
  }
  func.return
}"""
    outer = told(text, "--assume-distinct")[0]
    assert outer.status == "left"
    assert outer.headline.count("not optimised") == 1
    assert "'to' is loaded from 'p'" in outer.headline


PRODUCT = """func.func @f(%c: memref<90x90xf64>, %a: memref<90x90xf64>, %b: memref<90x90xf64>) {
  linalg.matmul ins(%a, %b : memref<90x90xf64>, memref<90x90xf64>) outs(%c : memref<90x90xf64>)
  func.return
}"""


@pytest.mark.parametrize("options", [["--poly=identity"], []])
def test_an_operation_is_the_loops_that_it_stands_for(options: list[str]):
    found = told(PRODUCT, "--assume-distinct", *options)
    assert [one.loop.name for one in found] == ["i", "j", "k"]
    if options:
        assert [one.status for one in found] == ["free", "free", "held"]
        assert any("-fassociative-math" in detail for detail in found[2].details)
        example = "line 2 at i = 0, j = 0, k = 1 needs c[0][0]"
        assert any(example in detail for detail in found[2].details)
    else:
        assert {one.status for one in found} == {"changed"}
        assert all("contraction" in one.headline for one in found)


def test_a_page_shows_the_module_with_pictures_and_assembly():
    source = Source("k.mlir", FORS, is_module=True)
    contents = observe(source, read_settings(["-O3", "--poly=identity", "--assume-distinct"]))
    assert contents.scops
    assert all(view.shown for view in contents.scops)
    lines = {line.source for function in contents.functions for line in function.lines}
    assert {6, 10} <= lines
    text = page([contents], "k.mlir")
    assert "memref.store %a, %y[%i]" in text
    assert "an iteration needs earlier ones" in text


def test_the_command_line_takes_modules(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    module, target = tmp_path / "k.mlir", tmp_path / "page.html"
    module.write_text(FORS)
    options = ["-O3", "--poly=identity", "--remarks=loops", f"--report={target}"]
    assert polyopt_cc.main([*options, "-c", str(module), "-o", str(tmp_path / "k.o")]) == 0
    assert "loop j: an iteration needs earlier ones" in capsys.readouterr().err
    assert target.read_text().startswith("<!DOCTYPE html>")
    (tmp_path / "x.s").write_text("")
    words = [f"--report={target}", "-c", str(tmp_path / "x.s"), "-o", str(tmp_path / "x.o")]
    assert polyopt_cc.main(words) == 1
    assert "C files and modules, and there is none" in capsys.readouterr().err


def test_vectors_of_stencils_are_told_at_the_stencil():
    """Whose store the lowering makes, and no line says."""
    text = """func.func @f(%in : !stencil.field<[0,66]x[0,66]xf64>,
                   %out : !stencil.field<[0,66]x[0,66]xf64>) {
  %t = stencil.load %in : !stencil.field<[0,66]x[0,66]xf64> -> !stencil.temp<[0,66]x[0,66]xf64>
  %r = stencil.apply(%a = %t : !stencil.temp<[0,66]x[0,66]xf64>)
      -> (!stencil.temp<[1,65]x[1,65]xf64>) {
    %n = stencil.access %a[-1, 0] : !stencil.temp<[0,66]x[0,66]xf64>
    %s = stencil.access %a[1, 0] : !stencil.temp<[0,66]x[0,66]xf64>
    %v = arith.addf %n, %s : f64
    stencil.return %v : f64
  }
  stencil.store %r to %out (<[1,1],[65,65]>)
      : !stencil.temp<[1,65]x[1,65]xf64> to !stencil.field<[0,66]x[0,66]xf64>
  func.return
}"""
    outer, inner = told(text, "--assume-distinct")
    assert (outer.loop.start.line, inner.loop.start.line) == (4, 4)
    assert inner.headline.startswith("vectors of 4")
    assert "iterations are independent" in inner.details
