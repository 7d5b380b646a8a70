"""Vectors whose lanes steps before have stored apart are loaded lane by lane; others are not."""

import shutil
import subprocess
from pathlib import Path

import pytest

from polyopt.backend.around_llvm.stored_lanes import with_stored_lanes_apart
from polyopt.backend.compiled.codegen import parse_ir
from polyopt.tools.polyopt_cc import main


def loop(step: int = 1, lanes: int = 2, back: int = -4, store: str = "pair") -> str:
    """Goes on by `step` integers, and changes `lanes` of them, from `back` bytes on."""
    vector = f"<{lanes} x i32>"
    stored = {
        "pair": f"store {vector} %s, ptr %p, align 4",
        "next": "store i32 7, ptr %q, align 4",
        "behind": f"store {vector} %s, ptr %far, align 4",
    }[store]
    return f"""
define void @f(ptr %r, i64 %n) {{
entry:
  br label %loop

loop:
  %k = phi i64 [ 4, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds i32, ptr %r, i64 %k
  %p = getelementptr i8, ptr %q, i64 {back}
  %far = getelementptr i8, ptr %q, i64 -64
  %v = load {vector}, ptr %p, align 4
  %s = add {vector} %v, splat (i32 3)
  {stored}
  %next = add nuw nsw i64 %k, {step}
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}}
"""


@pytest.mark.parametrize("text", [loop(), loop(store="next"), loop(lanes=4, step=3)])
def test_what_is_stored_in_part(text: str):
    changed = with_stored_lanes_apart(text)
    parse_ir(text)
    parse_ir(changed)
    assert "= load i32, ptr %p, align 4" in changed
    assert 'call ptr asm "", "=r,0"(ptr %.stored.1.1.place)' in changed
    assert "%v = load" not in changed


@pytest.mark.parametrize(
    "text",
    [
        loop(step=2),  # other elements each time
        loop(step=0),  # what is loaded has been stored as a whole
        loop(step=6, lanes=4),
        loop(lanes=8, step=2),  # many lanes
        loop(store="behind", step=8, lanes=4),  # of what no step comes back to
    ],
)
def test_what_is_stored_as_a_whole_or_not(text: str):
    parse_ir(text)
    assert with_stored_lanes_apart(text) == text


DIFFUSED = """
#include <stdio.h>
static int im[40][71]; static unsigned char out[40][71];
__attribute__((noinline)) void dither(int h, int w) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int o = im[y][x], n = o < 128 ? 0 : 255, e = o - n;
      out[y][x] = n;
      if (x + 1 < w) im[y][x + 1] += e * 7 / 16;
      if (y + 1 < h) {
        if (x > 0) im[y + 1][x - 1] += e * 3 / 16;
        im[y + 1][x] += e * 5 / 16;
        if (x + 1 < w) im[y + 1][x + 1] += e / 16;
      }
    }
}
int main(void) {
  unsigned long all = 0;
  for (int w = 0; w <= 71; w++) {
    for (int y = 0; y < 40; y++)
      for (int x = 0; x < 71; x++) im[y][x] = (x * 37 + y * 91 + x * y) % 256;
    dither(w % 41, w);
    for (int y = 0; y < 40; y++)
      for (int x = 0; x < 71; x++) all = all * 31 + out[y][x] + 3ul * im[y][x];
  }
  printf("%lu\\n", all);
}
"""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
def test_errors_are_diffused_as_by_gcc(tmp_path: Path):
    source = tmp_path / "dither.c"
    source.write_text(DIFFUSED)
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    assert main(["-O3", "-march=native", str(source), "-o", str(ours)]) == 0
    subprocess.run(["gcc", str(source), "-o", str(theirs)], check=True)
    said = [subprocess.run([one], capture_output=True, check=True).stdout for one in (ours, theirs)]
    assert said[0] == said[1]
