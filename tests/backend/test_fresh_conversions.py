"""Conversions wait for no call, and give what they gave."""

import re
import subprocess
from pathlib import Path

import pytest

from polyopt.backend.around_llvm.fresh_conversions import may_wait_for_calls, with_fresh_conversions
from polyopt.backend.compiled.codegen import parse_ir
from polyopt.tools.polyopt_cc import main

FUNCTION = """
declare double @g(double)
define double @f({type} %k) {{
  %"d 1" = {conversion} {type} %k to double
  %r = call double @g(double %"d 1")
  ret double %r
}}
"""

PROGRAM = """
#include <math.h>
#include <stdio.h>
#define OF(NAME, T) \\
    __attribute__((noinline)) double NAME(const T *x, long n, double *o, float *p) { \\
        double s = 0; \\
        for (long i = 0; i < n; i++) { \\
            o[i] = (double)x[i]; p[i] = (float)x[i]; s += cbrt(o[i]) * (double)i; } \\
        return s; }
OF(of_u8, unsigned char) OF(of_i16, short) OF(of_i32, int) OF(of_u32, unsigned)
OF(of_i64, long) OF(of_u64, unsigned long)
#define TRY(NAME, T) { \\
    T x[6] = {0, 1, (T)-1, (T)0x8000000080000001, (T)0x7fffffff7fff7f7f, (T)123456789123456789}; \\
    double o[6]; float p[6]; printf("%.17g", NAME(x, 6, o, p)); \\
    for (int k = 0; k < 6; k++) printf(" %.17g %.9g", o[k], p[k]); puts(""); }
int main(void) {
    TRY(of_u8, unsigned char) TRY(of_i16, short) TRY(of_i32, int) TRY(of_u32, unsigned)
    TRY(of_i64, long) TRY(of_u64, unsigned long)
    return 0; }
"""


@pytest.mark.parametrize(
    ("conversion", "type", "is_wide", "found"),
    [
        ("sitofp", "i32", False, "sitofp <4 x i32>"),
        ("sitofp", "i16", False, "sext i16 %k to i32"),
        ("uitofp", "i8", False, "zext i8 %k to i32"),
        ("uitofp nneg", "i32", False, "sitofp <4 x i32>"),
        ("uitofp", "i32", True, "uitofp <4 x i32>"),
        ("uitofp nneg", "i64", True, "sitofp <2 x i64>"),
        ("uitofp", "i64", True, "uitofp <2 x i64>"),
    ],
)
def test_conversions_become_those_of_vectors(
    conversion: str, type: str, is_wide: bool, found: str
) -> None:
    text = FUNCTION.format(conversion=conversion, type=type)
    assert may_wait_for_calls(text)
    fresh = with_fresh_conversions(text, is_wide=is_wide)
    parse_ir(fresh)
    assert found in fresh
    assert f" {type} %k to double" not in fresh


@pytest.mark.parametrize(("conversion", "type"), [("sitofp", "i64"), ("uitofp", "i32")])
def test_what_no_vector_has_stays(conversion: str, type: str) -> None:
    text = FUNCTION.format(conversion=conversion, type=type)
    assert with_fresh_conversions(text, is_wide=False) == text


def test_functions_without_calls_stay() -> None:
    text = re.sub("  %r = .*\n  ret double %r", '  ret double %"d 1"', FUNCTION)
    assert "call" not in text
    text = text.format(conversion="sitofp", type="i32")
    assert with_fresh_conversions(text, is_wide=True) == text


@pytest.mark.parametrize("march", ["x86-64", "native"])
def test_the_numbers_are_the_same(march: str, tmp_path: Path) -> None:
    source = tmp_path / "conversions.c"
    source.write_text(PROGRAM)
    expected, ours, text = (tmp_path / name for name in ("expected", "ours", "ours.s"))
    flags = ["-O2", f"-march={march}", "-ffp-contract=off", "-fno-poly"]
    assert main([*flags, "-S", str(source), "-o", str(text)]) == 0
    assert not re.search(r"\tv?cvtsi2s[sd]l?\s+%e", text.read_text())
    for made, of in ((expected, source), (ours, text)):
        subprocess.run(["cc", "-O0", of, "-o", made, "-lm"], check=True)
    told = [subprocess.check_output([one], text=True) for one in (ours, expected)]
    assert told[0] == told[1]
