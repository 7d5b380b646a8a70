"""Elements of 16 bytes: arrays that overlap are seen to, whatever the loops are made into."""

import subprocess
from pathlib import Path

import pytest

from polyopt.tools.polyopt_cc import main

TEXT = """
#include <stdio.h>
typedef TYPE number;
static number P[400];
void f(int n, number *d, number *s) {
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i < n; i++) d[i] = s[i] * 2 + 1;
    for (int i = 0; i < n; i++) s[i] = s[i] / 2 + i;
  }
}
int main(void) {
  for (int i = 0; i < 400; i++) P[i] = i % 7;
  f(100, P + 70, P);
  f(100, P + 95, P);
  f(100, P, P + 80);
  number h = 0;
  for (int i = 0; i < 400; i++) h += P[i] * (i % 13 + 1);
  printf("%.17g\\n", (double)h);
  return 0;
}
"""


@pytest.mark.parametrize("type_", ["long double", "__int128"])
def test_arrays_that_overlap(type_: str, tmp_path: Path):
    source = tmp_path / "wide.c"
    source.write_text(TEXT.replace("TYPE", type_))
    said: list[str] = []
    for number, options in enumerate((["-O0"], ["-O3", "--poly=isl"])):
        program = tmp_path / f"wide{number}"
        assert main([*options, str(source), "-o", str(program)]) in (0, None)
        ran = subprocess.run([program], capture_output=True, text=True, check=True)
        said.append(ran.stdout)
    assert said[0] == said[1]
