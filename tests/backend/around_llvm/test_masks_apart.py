"""A load under a mask stays one, whatever is chosen by the same mask."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from polyopt.backend.around_llvm.masks_apart import shares_masks, with_masks_apart
from polyopt.backend.compiled.codegen import parse_ir, target_machine
from polyopt.backend.processors.options import BackendOptions
from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("masks_apart.c")

TURNED = """
define {type} @f(ptr %p, {whole} %k) {{
  %m = icmp sgt {whole} %k, zeroinitializer
  %y = call {type} @llvm.masked.load.{name}.p0(ptr align 1 %p, {mask} %m, {type} zeroinitializer)
  %t = shufflevector {type} %y, {type} poison, <{lanes} x i32> <{turned}>
  %z = select {mask} %m, {type} %t, {type} zeroinitializer
  ret {type} %z
}}
declare {type} @llvm.masked.load.{name}.p0(ptr, {mask}, {type})
"""

FUSED = """
define { <8 x double>, <8 x double> } @f(ptr %p, <8 x i64> %k, <8 x double> %w, <8 x double> %c) {
  %m = icmp sgt <8 x i64> %k, zeroinitializer
  %y = call <8 x double> @llvm.masked.load.v8f64.p0(ptr %p, <8 x i1> %m, <8 x double> poison)
  %s = call <8 x double> @llvm.fma.v8f64(<8 x double> %w, <8 x double> %c, <8 x double> %y)
  %z = select fast <8 x i1> %m, <8 x double> %s, <8 x double> zeroinitializer
  %o = fmul <8 x double> %c, %w
  %r = insertvalue { <8 x double>, <8 x double> } poison, <8 x double> %z, 0
  %t = insertvalue { <8 x double>, <8 x double> } %r, <8 x double> %o, 1
  ret { <8 x double>, <8 x double> } %t
}
declare <8 x double> @llvm.fma.v8f64(<8 x double>, <8 x double>, <8 x double>)
declare <8 x double> @llvm.masked.load.v8f64.p0(ptr, <8 x i1>, <8 x double>)
"""


def turned(lanes: int, type: str, name: str, whole: str) -> str:
    """Loads, turned round, of the lanes of a mask."""
    places = ", ".join(f"i32 {k}" for k in reversed(range(lanes)))
    return TURNED.format(
        lanes=lanes,
        type=f"<{lanes} x {type}>",
        name=f"v{lanes}{name}",
        whole=f"<{lanes} x {whole}>",
        mask=f"<{lanes} x i1>",
        turned=places,
    )


TEXTS = [
    FUSED,
    turned(2, "double", "f64", "i64"),
    turned(4, "double", "f64", "i64"),
    turned(8, "double", "f64", "i64"),
    turned(16, "float", "f32", "i32"),
    turned(32, "i16", "i16", "i16"),
    turned(64, "i8", "i8", "i8"),
]


@pytest.mark.parametrize("text", TEXTS)
def test_only_moves_take_what_is_masked(text: str):
    assert shares_masks(text)
    machine = target_machine(BackendOptions(march="x86-64-v4"))
    made = machine.emit_assembly(parse_ir(with_masks_apart(text, 64)))
    taken = [line.split() for line in made.splitlines() if "(%rdi)" in line]
    assert taken
    for operation, *operands in taken:
        assert operation.startswith(("vmovup", "vmovap", "vmovdq"))
        assert any(one.startswith("{%k") for one in operands)


def test_masks_of_loads_alone_stay():
    text = FUSED.replace("select fast <8 x i1> %m", "select fast <8 x i1> %other")
    assert not shares_masks(text)
    assert with_masks_apart(text, 64) == text
    assert with_masks_apart(TEXTS[-1], 16) == TEXTS[-1]


@pytest.mark.parametrize("behind", ["%w", "%y", '%"of y"'])
def test_only_choices_of_what_was_loaded_are_apart(behind: str):
    """What nothing loaded comes to keeps its mask: another one would have to be moved first."""
    text = FUSED.replace("<8 x double> %y)", f"<8 x double> {behind})")
    text = text.replace("  %s =", '  %"of y" = fneg <8 x double> %y\n  %s =')
    assert (with_masks_apart(text, 64) == text) == (behind == "%w")


def output(command: Sequence[str | Path]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
def test_nothing_is_read_behind_the_last_page(tmp_path: Path):
    flags = ["-w", str(SOURCE), "-o"]
    output(["gcc", "-O0", *flags, tmp_path / "wanted"])
    options = ["-O3", "-march=native", "-ffast-math", "--skip-pass=keep-what-pays"]
    assert main([*options, *flags, str(tmp_path / "made")]) == 0
    assert output([tmp_path / "made"]) == output([tmp_path / "wanted"])
