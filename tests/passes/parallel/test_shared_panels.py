"""Threads that pack the columns of a product together compute what C says, however many there are:
as many as parts, fewer (the runtime gives what it wants), more than rows; so they do in a team of
somebody else."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from polyopt.driver.options.settings import Settings
from polyopt.driver.threads.threads_runtime import chosen_runtime

pytestmark = pytest.mark.usefixtures("tools_on_path")

PRODUCTS = r"""
#include <stdio.h>
#include <stdlib.h>
static double A[150][140], B[140][160], C[150][160], S[150][150], L[150][150], X[150][160];
static double T[150][150], U[150][160];
void triangle(int n, int d) {
  for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++)
    for (int k = 0; k < d; k++) S[i][j] += A[i][k] * A[j][k];
}
void chain(int n, int m, int d) {
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {
    C[i][j] *= 0.5;
    for (int k = 0; k < d; k++) C[i][j] += A[i][k] * B[k][j];
  }
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)
    for (int k = 0; k < n; k++) X[i][j] += L[i][k] * C[k][j];
}
/* The rows of a block are those that its depth lets be: fewer, further down, or not all at all. */
void triangles(int n, int m) {
  for (int k = 0; k < n; k++) for (int i = k; i < n; i++) for (int j = k; j < n; j++)
    T[i][j] += L[i][k] * L[j][k];
  for (int i = 0; i < n; i++) for (int j = i; j < m; j++) for (int k = i; k <= j; k++)
    U[i][j] += L[i][k] * X[k][j];
}
int main(void) {
  unsigned x = 1;
  double *all[] = {&A[0][0], &B[0][0], &C[0][0], &S[0][0], &L[0][0], &X[0][0], &T[0][0], &U[0][0]};
  size_t sizes[] = {sizeof A, sizeof B, sizeof C, sizeof S, sizeof L, sizeof X, sizeof T, sizeof U};
  for (int a = 0; a < 8; a++) for (size_t i = 0; i < sizes[a] / sizeof(double); i++) {
    x = x * 1664525u + 1013904223u;
    all[a][i] = (double)(x >> 8) / (1 << 22) - 2;
  }
  int n[] = {150, 41, 3, 0, 150, 77}, m[] = {160, 160, 160, 90, 0, 24};
  int d[] = {140, 139, 120, 80, 90, 1};
  for (int i = 0; i < 6; i++) {
    triangle(n[i], d[i]);
    chain(n[i], m[i], d[i]);
    triangles(n[i], d[i]);
  }
  for (int a = 0; a < 8; a++) for (size_t i = 0; i < sizes[a] / sizeof(double); i++)
    printf("%a\n", all[a][i]);
}
"""

WITHIN = r"""
void add_up(const double *restrict x, double *restrict y) {
  const double (*A)[1000] = (const double (*)[1000])x;
  for (int i = 0; i < 2000; i++) for (int j = 0; j < 1000; j++) y[j] += A[i][j];
}
"""

TEAM = r"""
#include <stdio.h>
#include <stdlib.h>
void add_up(const double *restrict x, double *restrict y);
static double y[7][1000];
int main(void) {
  double *x = malloc(sizeof(double) * 2000000), s = 0;
  for (int i = 0; i < 2000000; i++) x[i] = i % 7;
#pragma omp parallel for schedule(dynamic, 1) num_threads(3)
  for (int k = 0; k < 7; k++) add_up(x, y[k]);
  for (int k = 0; k < 7; k++) for (int j = 0; j < 1000; j++) s += y[k][j];
  printf("%.0f\n", s);
}
"""

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")


def has(family: str) -> bool:
    found = chosen_runtime(Settings(openmp=True, openmp_runtime=family))
    return found is not None and bool(found.path)


def build(source: Path, to: Path, *options: str) -> str:
    compiler = ["polyopt-cc", "--remarks"]
    command = [*compiler, "-O3", "-fparallel", *options, str(source), "-o", str(to)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=True).stderr


def output(command: list[str], **environment: str) -> str:
    known = {**os.environ, "OMP_WAIT_POLICY": "passive", **environment}
    return subprocess.run(
        command, env=known, capture_output=True, text=True, timeout=60, check=True
    ).stdout


@pytest.mark.parametrize("family", ["libgomp", "libomp"])
def test_products_are_those_of_c(family: str, tmp_path: Path):
    if not has(family):
        pytest.skip(f"there is no {family}")
    source, program, plain = tmp_path / "products.c", tmp_path / "products", tmp_path / "plain"
    source.write_text(PRODUCTS)
    options = ("-ffp-contract=off", "-fparallel-threshold=0", f"-fopenmp={family}")
    told = build(source, program, *options, "-fno-openmp", "--skip-pass=keep-what-pays")
    assert told.count("contraction in panels") >= 5, told
    subprocess.run(
        ["gcc", "-O1", "-ffp-contract=off", str(source), "-o", str(plain)], check=True, timeout=60
    )
    expected = output([str(plain)])
    counts = [("1", "9"), ("2", "9"), ("3", "9"), ("9", "9"), ("9", "2"), ("200", "4")]
    for threads, limit in counts:
        got = output([str(program)], OMP_NUM_THREADS=threads, OMP_THREAD_LIMIT=limit)
        assert got == expected, (threads, limit)


def test_who_is_alone_within_a_team_meets_nobody(tmp_path: Path):
    """Three threads call the function two or three times each: if they met in it, they would wait
    for ever."""
    if not has("libgomp"):
        pytest.skip("there is no libgomp")
    callee, caller = tmp_path / "within.c", tmp_path / "team.c"
    callee.write_text(WITHIN)
    caller.write_text(TEAM)
    told = build(
        callee, tmp_path / "within.o", "-ffast-math", "-fopenmp=libgomp", "-fno-openmp", "-c"
    )
    assert "reduction of y" in told, told
    program = str(tmp_path / "program")
    command = ["gcc", "-O1", "-fopenmp", str(caller), str(tmp_path / "within.o"), "-o", program]
    subprocess.run([*command, "-lm"], check=True, timeout=60)
    assert output([program]) == "41999965\n"
