"""Limits of late values in recurrences are branches, and choose what selections did."""

import subprocess
from pathlib import Path

import pytest

from polyopt.backend.around_llvm.limits import may_limit, with_branches_at_limits
from polyopt.backend.compiled.codegen import parse_ir
from polyopt.tools.polyopt_cc import main

LOOP = """
define void @f(ptr %p, double %start, double %above, i64 %n) {{
entry:
  br label %loop

loop:                                             ; preds = %loop, %entry
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %d = phi double [ %start, %entry ], [ %e, %loop ]
  %q = getelementptr double, ptr %p, i64 %i
  %x = load double, ptr %q
  %y = {late}
  %c = fcmp ogt double %y, %above
  %m = {choice}
  %b = fcmp olt double %m, 1.000000e-01
  %l = select nsz i1 %b, double 1.000000e-01, double %m
  %e = {next}
  store double %e, ptr %q
  %j = add i64 %i, 1
  %k = icmp eq i64 %j, %n
  br i1 %k, label %end, label %loop

end:
  ret void
}}
"""
DIVIDED = "fdiv double %x, %d"
LIMITED = "select i1 %c, double %above, double %y"


def loop(late: str = DIVIDED, choice: str = LIMITED, next: str = "fadd double %l, %x") -> str:
    return LOOP.format(late=late, choice=choice, next=next)


def test_limits_one_behind_the_other_are_branches():
    text = with_branches_at_limits(loop())
    parse_ir(text)
    assert "select" not in text
    assert "br i1 %c, label %.limit.0.at, label %.limit.0\n" in text
    assert "%m = phi double [ %above, %.limit.0.at ], [ %y, %loop ]" in text
    assert "%l = phi double [ 1.000000e-01, %.limit.1.at ], [ %m, %.limit.0 ]" in text
    assert "%d = phi double [ %start, %entry ], [ %e, %.limit.1 ]" in text
    assert "%i = phi i64 [ 0, %entry ], [ %j, %.limit.1 ]" in text


def test_variables_may_be_called_limit():
    parse_ir(with_branches_at_limits(loop().replace("%j", "%limit.0").replace("%x", "%limit.1")))


@pytest.mark.parametrize(
    ("late", "choice", "next", "left"),
    [
        ("fadd double %x, %d", LIMITED, "fadd double %l, %x", 2),  # soon there
        ("fdiv double %x, %above", LIMITED, "fadd double %l, %x", 2),  # nothing waits
        (DIVIDED, LIMITED, "fadd double %d, %x", 2),  # nor for what is limited
        (DIVIDED, "select i1 %c, double %d, double %y", "fadd double %l, %x", 1),  # both go round
        (DIVIDED, LIMITED + ", !unpredictable !0", "fadd double %l, %x", 1),
    ],
)
def test_other_selections_stay(late: str, choice: str, next: str, left: int):
    text = loop(late, choice, next) + "\n!0 = !{}\n"
    assert may_limit(text) == ("fdiv" in text)
    branches = with_branches_at_limits(text)
    parse_ir(branches)
    assert branches.count(" select ") == left


PROGRAM = """
#include <math.h>
#include <stdio.h>
#include <string.h>
__attribute__((noinline)) void clamped(
    int n, double d, const double *a, const double *b, double *o) {
    for (int i = 0; i < n; i++) {
        d = a[i] / (b[i] - d);
        if (d > 0.9) d = 0.9;
        d = d < -0.5 ? -0.5 : d;
        o[i] = d; } }
__attribute__((noinline)) void rooted(
    int n, double d, const double *a, const double *b, double *o) {
    for (int i = 0; i < n; i++) {
        float q = sqrtf((float)d * (float)a[i] + (float)b[i]);
        if (q) { if (!(q >= 0.25f)) q = 0.25f; d = q; }
        o[i] = d; } }
int main(void) {
    double a[60], b[60], o[60];
    double odd[] = {NAN, -0.0, 0.0, INFINITY, -INFINITY, 0.9, -0.5, 1e-310};
    for (int i = 0; i < 60; i++) {
        a[i] = i % 7 ? (i * 37 % 19) / 9.0 - 1 : odd[i / 7 % 8];
        b[i] = i % 5 ? (i * 23 % 17) / 8.0 - 1 : odd[i / 5 % 8]; }
    for (int k = 0; k < 2; k++) for (int n = 0; n < 60; n += 7) for (int s = 0; s < 8; s++) {
        unsigned long long sum = 0, bits;
        (k ? rooted : clamped)(n, odd[s], a + s % 4, b, o);
        for (int i = 0; i < n; i++) {
            if (o[i] != o[i]) o[i] = 7;
            memcpy(&bits, o + i, 8), sum = sum * 31 + bits; }
        printf("%llx\\n", sum); }
    return 0; }
"""


def test_the_numbers_are_the_same(tmp_path: Path):
    source = tmp_path / "limits.c"
    source.write_text(PROGRAM)
    expected, ours, text = (tmp_path / name for name in ("expected", "ours", "ours.s"))
    flags = ["-O2", "-march=x86-64-v3", "-ffp-contract=off", "-fno-poly"]
    assert main([*flags, "-S", str(source), "-o", str(text)]) == 0
    function = text.read_text().split("clamped:")[1].split("rooted:")[0]
    assert "min" not in function
    for made, of in ((expected, source), (ours, text)):
        subprocess.run(["cc", "-O0", "-ffp-contract=off", of, "-o", made, "-lm"], check=True)
    told = [subprocess.check_output([one], text=True) for one in (ours, expected)]
    assert told[0] == told[1]
