"""What a bit says to feed back is selected, and never branched to; the numbers stay the same."""

import subprocess
from pathlib import Path

import pytest

from polyopt.backend.around_llvm.feedback_bits import with_selected_feedback
from polyopt.backend.compiled.codegen import parse_ir
from polyopt.tools.polyopt_cc import main

REGISTERS = {
    "lowest": """
unsigned short run(const unsigned char *d, int n, unsigned short p) {
  unsigned short r = 0xFFFF;
  for (int i = 0; i < n; i++) {
    unsigned c = d[i];
    for (int k = 0; k < 8; k++) {
      if ((r & 1) ^ (c & 1)) r = (r >> 1) ^ p; else r >>= 1;
      c >>= 1;
    }
  }
  return r;
}""",
    "highest": """
unsigned short run(const unsigned char *d, int n, unsigned short p) {
  unsigned short r = 0x1D0F;
  for (int i = 0; i < n; i++) {
    r ^= (unsigned short)(d[i] << 8);
    for (int k = 0; k < 8; k++) r = r & 0x8000 ? (r << 1) ^ p : r << 1;
  }
  return r;
}""",
    "words": """
unsigned short run(const unsigned char *d, int n, unsigned short p) {
  unsigned r = d[0] | 1u;
  for (int i = 0; i < 50 * n; i++) {
    unsigned low = r & 1;
    r >>= 1;
    if (low) r ^= 0xA3000000u ^ p;
  }
  return r ^ r >> 16;
}""",
}
MAIN = """
#include <stdio.h>
unsigned short run(const unsigned char *d, int n, unsigned short p);
int main(void) {
  unsigned char d[64];
  for (int k = 0; k < 64; k++) d[k] = k * 37 + 11;
  for (int n = 0; n <= 64; n++) printf("%u %u\\n", run(d, n, 0x8408), run(d, n, 0x1021));
}
"""


@pytest.mark.parametrize("name", REGISTERS)
def test_registers_give_the_same_numbers(name: str, tmp_path: Path):
    source, driver = tmp_path / "t.c", tmp_path / "main.c"
    source.write_text(REGISTERS[name])
    driver.write_text(MAIN)
    assert main(["-O3", "-c", str(source), "-o", str(tmp_path / "t.o")]) == 0
    told = list[str]()
    for made, level in ((tmp_path / "t.o", "-O0"), (source, "-O0")):
        program = tmp_path / "program"
        subprocess.run(["cc", level, "-w", driver, made, "-o", program], check=True)
        told.append(subprocess.run([program], check=True, capture_output=True, text=True).stdout)
    assert told[0] == told[1]
    assert len(set(told[0].split())) > 50


@pytest.mark.parametrize("name", REGISTERS)
def test_no_bit_is_branched_on(name: str, tmp_path: Path):
    """Loops have ends to go back from; eight steps a byte have no branches."""
    source, made = tmp_path / "t.c", tmp_path / "t.s"
    source.write_text(REGISTERS[name])
    assert main(["-O3", "-S", str(source), "-o", str(made)]) == 0
    text = made.read_text()
    assert text.count("cmov") >= 1
    assert sum(line.split()[0].startswith("j") for line in text.splitlines() if line.strip()) < 12


REGISTER = """
define i16 @f(i16 %p, i16 %q, i32 %n) {{
entry:
  br label %loop

loop:                                             ; preds = %loop, %entry
  %r = phi i16 [ -1, %entry ], [ %s, %loop ]
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %b = {bit}
  %c = icmp {holds} i16 %b, 0
  %fed = {choice}
  %h = lshr i16 %r, {by}
  %s = {feedback}
  %next = add i32 %k, 1
  %end = icmp eq i32 %next, %n
  br i1 %end, label %exit, label %loop

exit:
  ret i16 %s
}}
"""
USUAL = {
    "bit": "and i16 %r, 1",
    "holds": "eq",
    "choice": "select i1 %c, i16 0, i16 %p",
    "by": "1",
    "feedback": "xor i16 %fed, %h",
}


def register(**changes: str) -> str:
    return REGISTER.format(**(USUAL | changes))


@pytest.mark.parametrize(
    ("changes", "chosen"),
    [
        ({}, 'i32 %".fed2.s", i32 %".fed0.s"'),
        ({"choice": "select i1 %c, i16 %p, i16 0"}, 'i32 %".fed0.s", i32 %".fed2.s"'),
        ({"feedback": "xor i16 %h, %fed", "bit": "and i16 %r, -32768"}, 'i32 %".fed2.s"'),
        ({"holds": "ne"}, 'i32 %".fed2.s", i32 %".fed0.s"'),
    ],
    ids=["fed where it is not", "fed where it is", "other way round", "other question"],
)
def test_what_is_selected(changes: dict[str, str], chosen: str):
    text = with_selected_feedback(register(**changes))
    parse_ir(text)
    assert f"select i1 %c, {chosen}" in text
    assert "!unpredictable" in text
    assert '  %s = trunc i32 %".fed1.s" to i16' in text


@pytest.mark.parametrize(
    "changes",
    [
        {"bit": "and i16 %r, 3"},
        {"bit": "and i16 %q, 1"},
        {"choice": "select i1 %c, i16 %q, i16 %p"},
        {"by": "%q"},
        {"feedback": "add i16 %fed, %h"},
    ],
    ids=["two bits", "no bit of it", "two values", "shifted by more", "added"],
)
def test_what_is_none(changes: dict[str, str]):
    text = register(**changes)
    assert with_selected_feedback(text) == text
