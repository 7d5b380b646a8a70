"""Scalar minima and maxima are conditional moves, and the same numbers."""

import subprocess
from pathlib import Path

import pytest

from polyopt.backend.around_llvm.extremes import has_extremes, with_selections
from polyopt.backend.compiled.codegen import parse_ir
from polyopt.tools.polyopt_cc import main

TEXT = """
define i32 @f(i32 %0, i32 %"b c", i64 %n) {
entry:
  %m = tail call i32 @llvm.smax.i32(i32 %0, i32 -32768)
  %k = call range(i32 0, 9) i32 @llvm.umin.i32(i32 %m, i32 %"b c") #0, !custom !1
  %z = call i32 @llvm.smax.i32(i32 %k, i32 0)
  ret i32 %z
}
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.umin.i32(i32, i32)
attributes #0 = { nounwind }
!named = !{!0}
!0 = !{i32 7}
!1 = !{!0}
"""

CLAMPED = """
    #include <stdio.h>
    __attribute__((noinline)) int decode(const signed char *in, short *out, int n) {
        int v = 0, k = 0;
        for (int i = 0; i < n; i++) {
            k += in[i] & 3;
            k = k < 2 ? 2 : k > 88 ? 88 : k;
            v += in[i] * k;
            v = v < -32768 ? -32768 : v > 32767 ? 32767 : v;
            if (in[i] == 77) k = 0;
            out[i] = v;
        }
        return k;
    }
    __attribute__((noinline)) unsigned long most(const unsigned long *a, unsigned long top, int n) {
        unsigned long m = 1;
        for (int i = 0; i < n; i++) {
            m = m * 3 + a[i];
            m = m > top ? top : m;
            m = m < a[i] ? a[i] : m;
        }
        return m;
    }
    int main(void) {
        signed char in[70];
        short out[70];
        unsigned long a[70];
        for (int n = 0; n <= 70; n++) {
            for (int i = 0; i < n; i++) {
                in[i] = (i * 37 + n * 11) % 256 - 128;
                a[i] = i % 3 ? (unsigned long)i * n : -(unsigned long)i;
            }
            long sum = decode(in, out, n);
            for (int i = 0; i < n; i++) sum = sum * 31 + out[i];
            printf("%ld %lu %lu\\n", sum, most(a, 1000, n), most(a, -5ul, n));
        }
    }
"""


def test_calls_are_selections_that_nobody_foresees():
    changed = with_selections(TEXT)
    parse_ir(changed)
    assert "%.extreme.1 = icmp sgt i32 %0, -32768" in changed
    assert "%m = select i1 %.extreme.1, i32 %0, i32 -32768, !unpredictable !2" in changed
    assert (
        '%k = select i1 %.extreme.2, i32 %m, i32 %"b c", !unpredictable !2, !custom !1' in changed
    )
    assert "@llvm.smax.i32(i32 %k, i32 0)" in changed


@pytest.mark.parametrize(
    ("change", "ends", "is_call"),
    [
        ("ashr", (-32768, 32767), True),
        ("ashr", (-(2**31), 2**31 - 1), True),
        ("add", (-32768, 32767), False),
        ("ashr", (-100, 32767), False),
        ("ashr", (-32768, 255), False),
    ],
)
def test_samples_that_saturate_stay_calls(change: str, ends: tuple[int, int], is_call: bool):
    text = f"""
define i64 @f(i64 %a) {{
  %x = {change} i64 %a, 14
  %m = tail call i64 @llvm.smax.i64(i64 %x, i64 {ends[0]})
  %k = tail call i64 @llvm.smin.i64(i64 %m, i64 {ends[1]})
  ret i64 %k
}}
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
"""
    assert (with_selections(text) == text) is is_call


def test_vectors_and_other_modules_stay():
    vectors = TEXT.replace("call i32", "call <4 x i32>").replace(".i32(", ".v4i32(")
    assert with_selections(vectors) == vectors
    assert has_extremes(["f", "llvm.smax.i32"])
    assert not has_extremes(["llvm.smax.v4i32", "llvm.smax.i32.mine", "my.llvm.smax.i32"])


@pytest.mark.parametrize("level", ["-O1", "-O3"])
def test_clamped_values_are_no_branches_and_the_same(tmp_path: Path, level: str):
    source = tmp_path / "clamped.c"
    source.write_text(CLAMPED)
    assert main([level, "-fno-poly", "-S", str(source), "-o", str(tmp_path / "clamped.s")]) == 0
    text = (tmp_path / "clamped.s").read_text().split("\ndecode:")[1].split(".size")[0]
    assert text.count("cmov") >= 4
    assert main([level, str(source), "-o", str(tmp_path / "ours")]) == 0
    subprocess.run(["gcc", "-O0", source, "-o", tmp_path / "theirs"], check=True)
    ran = [subprocess.run([tmp_path / name], capture_output=True) for name in ("ours", "theirs")]
    assert ran[0].stdout == ran[1].stdout
