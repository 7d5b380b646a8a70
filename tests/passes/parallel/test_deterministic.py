"""-fparallel-deterministic: shared sums have the same bits for any number of threads."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from polyopt.driver.options.settings import Settings
from polyopt.driver.threads.threads_runtime import chosen_runtime

pytestmark = pytest.mark.usefixtures("tools_on_path")

PROGRAM = r"""
#include <math.h>
#include <stdio.h>
static double a[300000], b[300000], y[37];
double dot(int n, const double *restrict a, const double *restrict b) {
  double s = 0;
  for (int i = 0; i < n; i++) s += a[i] * b[i];
  return s;
}
double fixed(void) {
  double s = 0;
  for (int i = 0; i < 300000; i++) s += a[i];
  return s;
}
double triangle(int n) {
  double s = 0;
  for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) s += a[i] * b[j];
  return s;
}
void columns(int n, const double *restrict A, double *restrict y) {
  for (int i = 0; i < n; i++) for (int j = 0; j < 37; j++) y[j] += A[i * 37 + j];
}
double along(int n, double (*restrict A)[30], double *restrict z) {
  double s = 0;
  for (int i = 1; i < n; i++) for (int j = 1; j < 30; j++) {
    A[i][j] = 0.4 * (A[i - 1][j] + A[i][j - 1]); z[i + j] += A[i][j]; }
  for (int i = 0; i < n; i++) s += z[i];
  return s;
}
int main(void) {
  unsigned x = 1;
  for (int i = 0; i < 300000; i++) {
    x = x * 1664525u + 1013904223u; a[i] = (double)x / 7e8 - 3;
    x = x * 1664525u + 1013904223u; b[i] = (double)x / 9e8 - 2;
  }
  long double exact = 0;
  for (int i = 0; i < 300000; i++) exact += (long double)a[i] * b[i];
  double whole = dot(300000, a, b);
  if (fabsl(whole - exact) > 1e-9L * fabsl(exact)) printf("wrong ");
  columns(8000, a, y);
  printf("%a %a %a %a", whole, dot(70, a, b), fixed(), triangle(1500));
  for (int j = 0; j < 37; j++) printf(" %a", y[j]);
  printf(" %a", along(99, (double (*)[30])a, b));
  puts("");
}
"""


@pytest.mark.parametrize("family", ["libgomp", "libomp"])
def test_bits_do_not_hang_on_the_number_of_threads(family: str, tmp_path: Path):
    found = chosen_runtime(Settings(openmp=True, openmp_runtime=family))
    if found is None or not found.path:
        pytest.skip(f"there is no {family}")
    source, program = tmp_path / "sums.c", tmp_path / "sums"
    source.write_text(PROGRAM)
    compiler = ["polyopt-cc", "--remarks", "--verify-each"]
    options = ["-O3", "-ffast-math", "-fparallel", "-fparallel-deterministic", f"-fopenmp={family}"]
    options += ["-fparallel-threshold=0", "--skip-pass=keep-what-pays"]
    command = [*compiler, *options, str(source), "-o", str(program), "-lm"]
    built = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    assert built.stderr.count("in threads: reduction of") >= 4, built.stderr
    assert "pipeline along j, reduction of z" in built.stderr
    outputs = {
        subprocess.run(
            [str(program)],
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
            env={**os.environ, "OMP_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": "passive"},
        ).stdout
        for threads in (1, 2, 3, 4, 7, 40)
    }
    assert len(outputs) == 1
    assert "wrong" not in outputs.pop()
