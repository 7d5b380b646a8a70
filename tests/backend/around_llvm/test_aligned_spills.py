"""Frames of functions that keep vectors over calls: aligned, and of others as they are."""

import re
from pathlib import Path

import pytest

from polyopt.backend.around_llvm.aligned_spills import with_aligned_spills
from polyopt.backend.compiled.codegen import parse_ir
from polyopt.tools.polyopt_cc import main

FUNCTION = """
declare {type} @g({type})
declare {type} @llvm.sqrt.{suffix}({type})

define {type} @f({type} %x) #0 {{
  %y = call {type} @{callee}({type} %x)
  %z = fadd {type} %x, %y
  ret {type} %z
}}

attributes #0 = {{ nounwind }}
"""
FRAME = '"frame-pointer"="all"'


def changed(type_: str, suffix: str, callee: str = "g") -> str:
    text = str(parse_ir(FUNCTION.format(type=type_, suffix=suffix, callee=callee)))
    result = with_aligned_spills(text)
    parse_ir(result)
    assert with_aligned_spills(result) == result
    return result


@pytest.mark.parametrize(
    ("type_", "suffix", "has_frame"),
    [
        ("<8 x double>", "v8f64", True),
        ("<8 x float>", "v8f32", True),
        ("<4 x float>", "v4f32", False),
        ("<2 x double>", "v2f64", False),
        ("double", "f64", False),
    ],
)
def test_vectors_that_are_longer_than_the_stack_is_aligned_to(
    type_: str, suffix: str, has_frame: bool
):
    assert (FRAME in changed(type_, suffix)) == has_frame


def test_what_stands_behind_a_function_is_none_of_it():
    text = """define void @f() #0 {
  call void @g()
  ret void
}

declare void @g()
declare <8 x double> @h(<8 x double>)

attributes #0 = { nounwind }
"""
    assert with_aligned_spills(text) == text


def test_without_a_call_nothing_is_kept_over_one():
    assert FRAME not in changed("<8 x double>", "v8f64", "llvm.sqrt.v8f64")


@pytest.mark.parametrize("flags", [[], ["-g"], ["-ffunction-sections"]])
def test_what_goes_to_the_stack_is_aligned(flags: list[str], tmp_path: Path):
    source = """
        #include <math.h>
        void f(int n, double *restrict x, double *restrict y) {
            for (int i = 0; i < n; i++)
                y[i] = sin(x[i]) + x[i] * cos(x[i]);
        }"""
    (tmp_path / "f.c").write_text(source)
    usual = ["-O3", "-ffast-math", "-march=x86-64-v3", "-S", "-o", str(tmp_path / "f.s")]
    assert main([*usual, *flags, str(tmp_path / "f.c")]) == 0
    text = (tmp_path / "f.s").read_text()
    assert re.search(r"andq\s+\$-32, %rsp", text)
    assert re.search(r"vmovap[sd]\s+%ymm\d+, \d*\(%rsp\)", text)
    assert not re.search(r"vmovup[sd]\s+%ymm\d+, -?\d*\(%rsp\)", text)
