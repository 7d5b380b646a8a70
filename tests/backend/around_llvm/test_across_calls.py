"""Sums outlive calls in registers, and are what they are without."""

import re
import subprocess
from pathlib import Path

import pytest

from polyopt.backend.around_llvm.across_calls import may_carry_across, with_values_kept
from polyopt.backend.compiled.codegen import parse_ir
from polyopt.tools.polyopt_cc import main

LOOP = """
declare {type} @g({type})
define {type} @f(ptr %p, i64 %n) {{
entry:
  br label %loop

loop:                                             ; preds = %loop, %entry
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %s = phi {type} [ {zero}, %entry ], [ %t, %loop ]
  %s.1 = phi {type} [ {zero}, %entry ], [ %t.1, %loop ]
  %q = getelementptr {type}, ptr %p, i64 %i
  %x = load {type}, ptr %q
  %y = {call}
  %t = fadd {type} %s, %y
  %t.1 = fmul {type} %t, %x
  %j = add i64 %i, 1
  %c = icmp eq i64 %j, %n
  br i1 %c, label %end, label %loop

end:
  ret {type} %t.1
}}
"""


def loop(type: str, call: str) -> str:
    zero = "zeroinitializer" if "<" in type else "0.0"
    return LOOP.format(type=type, zero=zero, call=call.format(type=type))


@pytest.mark.parametrize("type", ["float", "double"])
def test_a_number_waits_as_an_integer(type: str) -> None:
    text = loop(type, "tail call nsz {type} @g({type} %x)")
    kept = with_values_kept(text)
    parse_ir(kept)
    before, after = kept.split(f"@g({type} %x)")
    assert 'asm "", "=r,0"' in before
    assert "%s," not in after, "behind the call the value comes of the integer"
    assert f"fadd {type} %.kept.0, %y" in after
    assert kept.count("asm") == 1, "the other one is not used behind the call"


def test_vectors_wait_in_memory() -> None:
    kept = with_values_kept(loop("<4 x double>", "call {type} @g({type} %x)"))
    parse_ir(kept)
    assert re.search(r"entry:\n  %\.kept\.0\.place = alloca <4 x double>, align 32", kept)
    assert kept.index("store volatile") < kept.index("@g(<4 x double> %x)")
    assert kept.index("@g(<4 x double> %x)") < kept.index("load volatile")


@pytest.mark.parametrize(
    "call",
    [
        "fneg {type} %x",
        "call {type} @llvm.sqrt.f64({type} %x)",
        'call {type} asm "", "=x,x"({type} %x)',
    ],
)
def test_what_keeps_registers_is_no_call(call: str) -> None:
    text = loop("double", call)
    assert with_values_kept(text) == text


def test_only_modules_that_compute_and_call_are_printed() -> None:
    assert may_carry_across(loop("double", "call {type} @g({type} %x)"))
    assert may_carry_across(loop("double", "call {type} @llvm.sin.f64({type} %x)"))
    assert not may_carry_across(loop("double", "fneg {type} %x"))
    assert not may_carry_across("  %x = call i32 @g(i32 %y)")


PROGRAM = """
#include <math.h>
#include <stdio.h>
int main(void) {
  float f = 0.5f;
  double a = 0, b = 1, c = -0.0, d = 0, x = 0.25;
  for (int i = 0; i < 100; i++) {
    double y = exp(x * 0.01 * i);
    a += y; b *= y * 0.5; c -= y; d = d * 0.5 + y; x += 1e-3; f = f / 2 + expf(-f);
  }
  printf("%a %a %a %a %a %a\\n", a, b, c, d, x, f);
  for (int i = 0; i < 3; i++) { putchar('0' + i); a = a / 3; c = c < a ? a : c; }
  printf(" %a %a\\n", a, c);
}
"""


def test_programs_say_the_same(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(PROGRAM)
    flags = [str(source), "-ffp-contract=off", "-lm"]
    assert main(["-O3", *flags, "-o", str(tmp_path / "ours")]) == 0
    subprocess.run(["gcc", "-O0", *flags, "-o", str(tmp_path / "theirs")], check=True)
    ours, theirs = (
        subprocess.run([str(tmp_path / name)], capture_output=True, check=True).stdout
        for name in ("ours", "theirs")
    )
    assert ours == theirs
    assert main(["-O3", *flags, "-S", "-o", str(tmp_path / "p.s")]) == 0
    assembly = (tmp_path / "p.s").read_text()
    assert re.search(r"#APP\s+#NO_APP", assembly) or "movq\t%xmm" in assembly
