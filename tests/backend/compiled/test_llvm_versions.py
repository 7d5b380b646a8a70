"""LLVM text in the form of older versions means what it means in our own: LLVM 22 reads both, and
turns what is old into what is new."""

from __future__ import annotations

import re

import pytest
from xdsl.dialects.builtin import ModuleOp

from polyopt.backend.compiled.codegen import emit_llvm_ir, parse_ir
from polyopt.backend.processors.options import BackendOptions
from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.source import Source
from polyopt.driver.units.unit import lower, parse, produce
from polyopt.support.diagnostics import CompileError, SourceMap

MASKED = """
void scaled(int n, float *restrict a, float *restrict b) {
  for (int i = 0; i < n; i++) a[i] = b[i] * 2;
}
void looked_up(int n, double *restrict a, double *restrict b, int *restrict p) {
  for (int i = 0; i < n; i++) a[i] = b[p[i]];
}
void product(int n, double (*restrict c)[n], double (*restrict a)[n], double (*restrict b)[n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
}
"""


@pytest.fixture(scope="module")
def module() -> ModuleOp:
    options = ["-O3", "-march=x86-64-v4", "--skip-pass=keep-what-pays"]
    unit = parse(Source("masked.c", MASKED), read_settings(options), SourceMap())
    lower(unit)
    return unit.module


def text(module: ModuleOp, version: int | None) -> str:
    options = BackendOptions(opt_level=3, march="x86-64-v4", llvm_version=version)
    return emit_llvm_ir(module, options, optimised=False)


def instructions(text: str) -> list[str]:
    """As LLVM writes them; declarations, and the numbers of their attributes, have other orders."""
    lines = str(parse_ir(text)).splitlines()
    return [re.sub(r" #\d+", "", line) for line in lines if line.startswith("  ")]


@pytest.mark.parametrize("version", [19, 20, 21])
def test_the_same_module_in_another_form(module: ModuleOp, version: int) -> None:
    old, new = text(module, version), text(module, None)
    assert "llvm.masked.load" in old
    assert ", i32 8, <" in old
    assert "align 8 %" not in old
    assert old != new
    assert instructions(old) == instructions(new)


def test_our_own_version_is_our_own_form(module: ModuleOp) -> None:
    assert text(module, 22) == text(module, None)


def test_versions_that_there_is_no_text_for() -> None:
    with pytest.raises(CompileError, match="no text for LLVM 18: there is one for 19, 20"):
        BackendOptions(llvm_version=18)


@pytest.mark.parametrize(
    ("product", "message"),
    [("optimised-llvm", "the text of LLVM 22"), ("asm", "about LLVM's text")],
)
def test_what_is_no_text_of_ours_has_no_version(product: str, message: str) -> None:
    settings = read_settings(["--llvm-version=19"])
    with pytest.raises(CompileError, match=message):
        produce(Source("f.c", "int x;"), settings, product, lambda _: None)
