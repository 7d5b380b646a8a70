"""What whole vectors leave of rows that are read again is done in ever fewer lanes, each iteration
once, and nothing beside the row is touched."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from polyopt.tools.polyopt_cc import main

SOURCE = Path(__file__).with_name("halved_rests.c")


def output(program: Path) -> str:
    return subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize(
    "march", ["native", pytest.param("x86-64-v3", marks=pytest.mark.slow), "x86-64-v2"]
)
def test_rows_mean_what_gcc_says(march: str, tmp_path: Path):
    flags = ["-ffp-contract=off", str(SOURCE), "-o"]
    subprocess.run(["gcc", "-O0", *flags, tmp_path / "wanted"], check=True)
    assert main(["-O3", f"-march={march}", *flags, str(tmp_path / "made")]) == 0
    assert output(tmp_path / "made") == output(tmp_path / "wanted")


UPDATE = """
#include <stdio.h>
static void update(int n, float by, const float *from, float *to) {
  for (int i = 0; i < n; i++) to[i] += by * from[i];
}
LINKAGE void rows(float *a, int n) {
  for (int k = 0; k + 1 < n; k++)
    for (int j = k + 1; j < n; j++)
      CALL;
}
int main(void) {
  static float a[40][40];
  for (int n = 0; n < 40; n++) {
    for (int i = 0; i < 1600; i++) a[0][i] = (float)(i * 7 % 13) - 6;
    rows(a[0], n);
    double sum = 0;
    for (int i = 0; i < 1600; i++) sum = 0.5 * sum + a[0][i];
    printf("%a\\n", sum);
  }
  return 0;
}
"""
IN_LOOP = "update(n - k - 1, a[40 * j + k] * 0x1p-4f, &a[41 * k + 1], &a[40 * j + k + 1])"


def made(tmp_path: Path, level: str, call: str, *more: str) -> Path:
    name = tmp_path / f"{len(list(tmp_path.iterdir()))}"
    (source := name.with_suffix(".c")).write_text(UPDATE.replace("LINKAGE", ""))
    words = [level, "-ffp-contract=off", "-march=x86-64-v4", "--skip-pass=inline-functions"]
    assert main([*words, f"-DCALL={call}", *more, str(source), "-o", str(name)]) == 0
    return name


@pytest.mark.parametrize(("call", "is_halved"), [(IN_LOOP, True), ("break", False)])
def test_functions_that_loops_call_update_rows_without_masks(
    call: str, is_halved: bool, tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    made(tmp_path, "-O3", call, "-Dstatic=", "--print-after=affine-peel-masks", "-S")
    text = "".join(capfd.readouterr())
    (function,) = re.findall(r"^  func.func @update\(.*?^  }$", text, re.S | re.M)
    assert ("vector<8xf32>" in function) == is_halved
    assert "vector<16xf32>" in function


@pytest.mark.skipif(
    "avx512vl" not in Path("/proc/cpuinfo").read_text(), reason="a CPU without masks"
)
def test_updates_that_loops_call_mean_what_they_mean_unoptimised(tmp_path: Path):
    assert output(made(tmp_path, "-O3", IN_LOOP)) == output(made(tmp_path, "-O0", IN_LOOP))
