"""Sines and cosines of one angle are one call, and what they are alone."""

import subprocess
from pathlib import Path

import pytest

from polyopt.backend.around_llvm.sines_with_cosines import may_pair, with_pairs
from polyopt.backend.compiled.codegen import parse_ir
from polyopt.tools.polyopt_cc import main

TEXT = """
define double @f(double %t, double %u) {{
entry:
  %c = tail call double @cos(double %t) #1
  %s = tail call double @sin(double {angle}) {group}
  br label %end

end:
  %d = call double @sin(double %u) #1
  %r = fadd double %c, %s
  %q = fadd double %r, %d
  ret double %q
}}
declare double @sin(double)
declare double @cos(double)
attributes #1 = {{ nobuiltin nounwind willreturn memory(none) }}
attributes #2 = {{ nobuiltin nounwind }}
"""


def test_both_of_one_angle_are_a_pair():
    text = TEXT.format(angle="%t", group="#1")
    assert may_pair(text)
    paired = with_pairs(text)
    parse_ir(paired)
    assert "%c = tail call double @llvm.cos.f64(double %t)" in paired
    assert "%s = tail call double @llvm.sin.f64(double %t)" in paired
    assert "%d = call double @sin(double %u) #1" in paired


@pytest.mark.parametrize(("angle", "group"), [("%u", "#1"), ("%t", "#2"), ("%t", "")])
def test_other_angles_and_calls_that_may_do_more_stay(angle: str, group: str):
    text = TEXT.format(angle=angle, group=group)
    assert with_pairs(text) == text


def test_flags_of_calls_stay():
    text = TEXT.format(angle="%t", group="#1").replace("call double", "call contract double")
    paired = with_pairs(text)
    parse_ir(paired)
    assert "%s = tail call contract double @llvm.sin.f64(double %t)" in paired


BOTH = "{ *s = sin(x); *c = cos(x); }"
OWN = {
    "a function": f"void sincos(double x, double *s, double *c) {BOTH}",
    "an array": f"double sincos[2]; void own(double x, double *s, double *c) {BOTH}",
    "another's": f"""int sincos(int);
        int g(int x) {{ return sincos(x); }}
        void own(double x, double *s, double *c) {BOTH}""",
}


@pytest.mark.parametrize("own", OWN.values(), ids=OWN.keys())
@pytest.mark.parametrize("flag", ["-ffp-contract=off", "-ffast-math"])
def test_a_sincos_of_the_program_is_not_asked(tmp_path: Path, own: str, flag: str):
    """One that asks for both would ask itself for ever, and an array is no function."""
    source = tmp_path / "p.c"
    source.write_text(f"double sin(double), cos(double);\n{own}")
    assert main(["-O2", flag, str(source), "-S", "-o", str(tmp_path / "p.s")]) == 0
    assembly = (tmp_path / "p.s").read_text()
    assert "sin@PLT" in assembly
    assert "cos@PLT" in assembly
    assert "callq\tsincos" not in assembly


PROGRAM = """
#include <math.h>
#include <stdio.h>
#include <string.h>
static unsigned long bits(double x) { unsigned long u; memcpy(&u, &x, 8); return u; }
static unsigned word(float x) { unsigned u; memcpy(&u, &x, 4); return u; }
int main(void) {
  unsigned long sum = 0, s = 1;
  for (int i = 0; i < 400000; i++) {
    s = s * 6364136223846793005UL + 1442695040888963407UL;
    double x; unsigned long b = s ^ (s >> 29); memcpy(&x, &b, 8);
    if (i & 1) x = (double)(long)b * 0x1p-58;
    if (x != x || x - x != 0) continue;
    double si = sin(x), co = cos(x);
    sum = sum * 31 + bits(si) * 7 + bits(co);
    float y = (float)x; if (y - y != 0) continue;
    float sf = sinf(y), cf = cosf(y);
    sum = sum * 31 + word(sf) * 7u + word(cf);
  }
  printf("%lx\\n", sum);
}
"""


def test_the_bits_are_those_of_single_calls(tmp_path: Path):
    """Small, large and tiny angles, against a compiler that asks one by one."""
    source = tmp_path / "p.c"
    source.write_text(PROGRAM)
    flags = [str(source), "-ffp-contract=off", "-lm"]
    assert main(["-O2", *flags, "-o", str(tmp_path / "ours")]) == 0
    subprocess.run(["gcc", "-O0", *flags, "-o", str(tmp_path / "theirs")], check=True)
    ours, theirs = (
        subprocess.run([str(tmp_path / name)], capture_output=True, check=True).stdout
        for name in ("ours", "theirs")
    )
    assert ours == theirs
    assert main(["-O2", *flags, "-S", "-o", str(tmp_path / "p.s")]) == 0
    assembly = (tmp_path / "p.s").read_text()
    assert "sincos" in assembly
    assert "sincosf" in assembly
