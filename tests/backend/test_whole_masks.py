"""Masks that are made of masks stay in whole lanes, and choose what they chose."""

import re
import subprocess
from ctypes import CDLL, CFUNCTYPE, c_double, c_long
from itertools import product
from pathlib import Path

import pytest

from polyopt.backend.around_llvm.whole_masks import joins_masks, with_whole_masks
from polyopt.backend.compiled.codegen import parse_ir, target_machine
from polyopt.backend.processors.options import BackendOptions
from polyopt.tools.polyopt_cc import main

ALL = "splat (i1 true)"
NONE = "zeroinitializer"
JOINS = [
    "and <4 x i1> %a, %b",
    "or disjoint <4 x i1> %both, %neither",
    "xor <4 x i1> %a, %b",
    f"xor <4 x i1> %a, {ALL}",
    f"select <4 x i1> %a, <4 x i1> %b, <4 x i1> {NONE}",
    f"select <4 x i1> %a, <4 x i1> {ALL}, <4 x i1> %b",
    f"select <4 x i1> %a, <4 x i1> {NONE}, <4 x i1> %b",
    f"select <4 x i1> %a, <4 x i1> %b, <4 x i1> {ALL}",
    "select <4 x i1> %a, <4 x i1> %b, <4 x i1> %neither",
]
FUNCTION = """
define i64 @f{number}(double %x, double %y) {{
  %x.1 = insertelement <4 x double> {left}, double %x, i64 0
  %"y 1" = insertelement <4 x double> {right}, double %y, i64 0
  %a = fcmp ogt <4 x double> %x.1, splat (double 1.0)
  %b = fcmp ogt <4 x double> %"y 1", splat (double 1.0)
  %both = and <4 x i1> %a, %b
  %either = or <4 x i1> %a, %b
  %neither = xor <4 x i1> %either, splat (i1 true)
  %m = {join}
  %word.1 = {extended} <4 x i1> %m to <4 x {type}>
  %most = {wide} <4 x {type}> %word.1 to <4 x i64>
  %weights = mul <4 x i64> %most, <i64 1, i64 16, i64 256, i64 4096>
  %s = call i64 @llvm.vector.reduce.add.v4i64(<4 x i64> %weights)
  ret i64 %s
}}
"""
LEFT = "<double 0.0, double 0.0, double 2.0, double 2.0>"
RIGHT = "<double 0.0, double 2.0, double 0.0, double 2.0>"
FORMS = list(product(JOINS, ("zext", "sext"), ("i8", "i32", "i64")))
PROGRAM = """
#include <stdio.h>
#define OF(NAME, T) \\
    __attribute__((noinline)) void NAME(const T *x, const T *y, int n, T low, T high, T *o) { \\
        for (int i = 0; i < n; i++) { \\
            if (x[i] > low && x[i] < high) o[i] += y[i]; \\
            if (x[i] < low || !(y[i] < high)) o[i] -= 1; \\
            if ((x[i] > y[i]) ^ (x[i] > high)) o[i] += 3; } } \\
    __attribute__((noinline)) \\
    T NAME##_sum(const T *x, const T *y, int n, T low, T high, int *k) { \\
        T s = 0; int count = 0; \\
        for (int i = 0; i < n; i++) if (x[i] > low && x[i] < high) { s += y[i]; count++; } \\
        *k = count; return s; }
OF(of_double, double) OF(of_float, float) OF(of_long, long) OF(of_int, int) OF(of_short, short)
#define TRY(NAME, T) { \\
    T x[67], y[67], o[67]; int k; \\
    for (int i = 0; i < 67; i++) { x[i] = i * 37 % 67; y[i] = i * 11 % 67; o[i] = i; } \\
    NAME(x, y, 67, 9, 41, o); \\
    for (int i = 0; i < 67; i++) printf("%g ", (double)o[i]); \\
    printf("%g", (double)NAME##_sum(x, y, 67, 9, 41, &k)); printf(" %d\\n", k); }
int main(void) {
    TRY(of_double, double) TRY(of_float, float) TRY(of_long, long) TRY(of_int, int)
    TRY(of_short, short) return 0; }
"""


def _function(number: int, join: str, extended: str, type_: str) -> str:
    wide = "sext" if type_ != "i64" else "freeze"
    text = FUNCTION.format(
        number=number, join=join, extended=extended, type=type_, wide=wide, left=LEFT, right=RIGHT
    )
    return text if wide == "sext" else text.replace("%word.1 to <4 x i64>", "%word.1")


def _results(text: str, folder: Path) -> list[list[int]]:
    """What each function gives."""
    machine = target_machine(BackendOptions(march="x86-64-v3"))
    (folder / "f.o").write_bytes(machine.emit_object(parse_ir(text)))
    subprocess.run(["cc", "-shared", folder / "f.o", "-o", folder / "f.so"], check=True)
    library, kind = CDLL(str(folder / "f.so")), CFUNCTYPE(c_long, c_double, c_double)
    functions = [kind((f"f{number}", library)) for number in range(len(FORMS))]
    values = (0.0, 2.0, float("nan"))
    return [[one(x, y) for x, y in product(values, repeat=2)] for one in functions]


def test_what_masks_make_is_the_same(tmp_path: Path) -> None:
    written = [_function(number, *form) for number, form in enumerate(FORMS)]
    text = "".join(written) + "declare i64 @llvm.vector.reduce.add.v4i64(<4 x i64>)\n"
    assert joins_masks(text)
    whole = with_whole_masks(text)
    assert whole.count("%m = icmp slt <4 x i64> %.whole.") == len(FORMS)
    assert not re.search(r"[zs]ext <4 x i1> %m", whole)
    folders = tmp_path / "whole", tmp_path / "text"
    for folder in folders:
        folder.mkdir()
    assert _results(whole, folders[0]) == _results(text, folders[1])


def test_masks_of_two_sizes_stay() -> None:
    text = """
define <4 x i1> @f(<4 x i1> %c, <4 x double> %x, <4 x i32> %k) {
  %a = fcmp ogt <4 x double> %x, zeroinitializer
  %b = icmp sgt <4 x i32> %k, zeroinitializer
  %m = and <4 x i1> %a, %b
  %n = and <4 x i1> %a, %c
  %p = and <4 x i1> %b, %b
  %r = or <4 x i1> %m, %n
  ret <4 x i1> %r
}
"""
    assert with_whole_masks(text) == text


@pytest.mark.parametrize(
    ("start", "use", "is_zero"),
    [
        ("zeroinitializer", "fadd fast <4 x double> %s, %y", True),
        ("zeroinitializer", "fadd <4 x double> %s, %y", True),
        ("splat (double -0.000000e+00)", "fadd fast <4 x double> %s, %y", False),
        ("zeroinitializer", "fsub <4 x double> %s, %y", False),
        ("zeroinitializer", "fadd <4 x double> %y, %y", False),
    ],
)
def test_sums_that_begin_with_zero_take_zeros(start: str, use: str, is_zero: bool) -> None:
    text = f"""
define <4 x double> @f(ptr %p, <4 x double> %x, <4 x double> %u) {{
entry:
  br label %loop
loop:
  %s = phi <4 x double> [ {start}, %entry ], [ %t, %loop ]
  %a = fcmp ogt <4 x double> %s, %x
  %b = fcmp olt <4 x double> %s, %u
  %m = and <4 x i1> %a, %b
  %y = call <4 x double> @llvm.masked.load.v4f64.p0(ptr align 8 %p, <4 x i1> %m, \
<4 x double> splat (double -0.000000e+00))
  %t = {use}
  %e = extractelement <4 x i1> %m, i64 0
  br i1 %e, label %loop, label %end
end:
  ret <4 x double> %t
}}
declare <4 x double> @llvm.masked.load.v4f64.p0(ptr, <4 x i1>, <4 x double>)
"""
    whole = with_whole_masks(text)
    parse_ir(whole)
    assert ("%m, <4 x double> zeroinitializer)" in whole) == is_zero


@pytest.mark.parametrize("march", ["x86-64", "x86-64-v3"])
def test_loops_choose_as_c_does(march: str, tmp_path: Path) -> None:
    source = tmp_path / "masks.c"
    source.write_text(PROGRAM)
    expected, ours, text = (tmp_path / name for name in ("expected", "ours", "ours.s"))
    flags = ["-O3", f"-march={march}", "-ffast-math", "-fno-poly"]
    assert main([*flags, "-S", str(source), "-o", str(text)]) == 0
    if march == "x86-64-v3":
        sums = text.read_text().partition("\nof_double_sum:")[2].partition(".Lfunc_end")[0]
        assert "vmaskmovpd" in sums
        assert not re.search(r"\tvpmovsx", sums)
    for made, of in ((expected, source), (ours, text)):
        subprocess.run(["cc", "-O0", of, "-o", made], check=True)
    told = [subprocess.check_output([one], text=True) for one in (ours, expected)]
    assert told[0] == told[1]
