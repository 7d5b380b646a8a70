"""Counters become floating-point numbers by conversions of 32 bits, and stay what they were."""

import re
import subprocess
from pathlib import Path

import pytest

from polyopt.backend.around_llvm.plain_truncations import may_convert, with_plain_truncations
from polyopt.backend.compiled.codegen import parse_ir
from polyopt.tools.polyopt_cc import main

TEXT = """
define double @f(i64 %"a b", <2 x i64> %v) {
  %"t u" = trunc nuw nsw i64 %"a b" to i32
  %d = uitofp nneg i32 %"t u" to double
  %w = trunc nsw <2 x i64> %v to <2 x i32>
  %e = sitofp <2 x i32> %w to <2 x double>
  %l = extractelement <2 x double> %e, i64 0
  %s = fadd double %d, %l
  ret double %s
}
define i32 @g(i64 %d) {
  %w = trunc nuw nsw i64 %d to i32
  ret i32 %w
}
"""
PROGRAM = """
#include <stdio.h>
__attribute__((noinline)) void fill(double *a, float *b, const double *x, int n, double h) {
    for (int i = 0; i < n; i++) {
        double low = h * i, high = h * (i + 1), s = 0; int c = 0;
        for (int j = 0; j < n; j++) if (low <= x[j] && x[j] < high) { s += x[j]; c++; }
        a[i] = c ? s / c : 0; b[i] = (float)i; } }
double a[37], x[37]; float b[37];
int main(void) {
    for (int i = 0; i < 37; i++) x[i] = i * 7 % 37 / 4.0;
    fill(a, b, x, 37, 0.25);
    for (int i = 0; i < 37; i++) printf("%.17g %.9g\\n", a[i], b[i]);
    return 0; }
"""


def test_truncations_say_nothing_in_front_of_conversions_alone() -> None:
    assert may_convert(TEXT)
    plain = with_plain_truncations(TEXT)
    parse_ir(plain)
    assert '%"t u" = trunc i64 %"a b" to i32' in plain
    assert "%w = trunc <2 x i64> %v to <2 x i32>" in plain
    assert "%w = trunc nuw nsw i64 %d to i32" in plain


@pytest.mark.parametrize("march", ["x86-64", "x86-64-v3"])
def test_no_conversion_takes_64_bits(march: str, tmp_path: Path) -> None:
    source = tmp_path / "counters.c"
    source.write_text(PROGRAM)
    expected, ours, text = (tmp_path / name for name in ("expected", "ours", "ours.s"))
    flags = ["-O3", f"-march={march}", "-ffp-contract=off", "-fno-poly"]
    assert main([*flags, "-S", str(source), "-o", str(text)]) == 0
    made_of_halves = str(0x43300000)
    assert made_of_halves not in text.read_text()
    assert not re.search(r"\tv?cvtsi2s[sd]q?\s+%r(?:\d+|[a-z]+),", text.read_text())
    for made, of in ((expected, source), (ours, text)):
        subprocess.run(["cc", "-O0", of, "-o", made, "-lm"], check=True)
    told = [subprocess.check_output([one], text=True) for one in (ours, expected)]
    assert told[0] == told[1]
