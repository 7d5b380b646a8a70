"""Sums that processes share: by MPI's reductions, or chunk by chunk in one order."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from oracles.processes import bytes_sent, compiled, needs_mpi, run_processes


def run(program: Path, processes: int, *words: str) -> subprocess.CompletedProcess[str]:
    return run_processes(processes, str(program), *words)


SUMS = """
#include <stdio.h>
#include <stdlib.h>

double product(int n, double A[n], double B[n]) {
  double sum = 5;
  for (int i = 0; i < n; i++) sum += A[i] * B[i];
  return sum;
}

float rows(int n, int m, float A[n][m]) {
  float sum = 0.5f;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) sum -= A[i][j] * (i % 2);
  return sum;
}

double greatest(int n, double A[n]) {
  double most = -3;
  for (int i = 0; i < n; i++) most = A[i] > most ? A[i] : most;
  return most;
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]), m = argc + 1;
  double *A = malloc(n * sizeof *A), *B = malloc(n * sizeof *B);
  float (*C)[m] = malloc(n / m * sizeof *C);
  for (int i = 0; i < n; i++) A[i] = i % 13 - 4, B[i] = i % 7;
  for (int i = 0; i < n / m; i++)
    for (int j = 0; j < m; j++) C[i][j] = (i / 2 + j) % 5 - 1;
  printf("%a %a %a\\n", product(n, A, B), rows(n / m, m, C), greatest(n, A));
}
"""


@needs_mpi
def test_sums_in_chunks(tmp_path: Path):
    """Terms are integers, so that sums are exact in every order: the expected bits are those of the
    order of the source. 64 chunks and one more; a chunk that is not whole; too few."""
    source = tmp_path / "sums.c"
    source.write_text(SUMS)
    alone = compiled(source, tmp_path / "alone", "-O1", "--poly=none")
    fast = ("-O2", "-ffast-math", "--distribute=*")
    program = compiled(source, tmp_path / "shared", *fast)
    for size in ("0", "5", "262144", "262145", "300001"):
        expected = subprocess.run([str(alone), size], capture_output=True, text=True, check=True)
        for processes in (1, 2, 3, 4):
            ran = run(program, processes, size)
            assert (ran.returncode, ran.stdout) == (0, expected.stdout), ran.stderr
    assert bytes_sent(run(program, 2, "1000").stderr) == (0, 0)
    # Two of double and one of float: each process has one number of each to say, and the first one
    # tells the others.
    numbers = 8 + 4 + 8
    assert bytes_sent(run(program, 3, "300001").stderr) == (3 * numbers, 2 * numbers)


THIRDS = """
#include <stdio.h>
#include <stdlib.h>
double sum(int n, double A[n]) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += A[i] / 3;
  return sum;
}
int main(void) {
  int n = 600000;
  double *A = malloc(n * sizeof *A);
  for (int i = 0; i < n; i++) A[i] = (i % 1009) * (i % 7 ? 1e-3 : 1e9);
  printf("%a\\n", sum(n, A));
}
"""


@needs_mpi
def test_the_same_bits_for_any_number_of_processes(tmp_path: Path):
    """Chunks of 4096 terms that are added up in their order, of terms that are rounded."""
    source = tmp_path / "thirds.c"
    source.write_text(THIRDS)
    flags = ("-O1", "-ffast-math", "--distribute=*")
    in_order = compiled(source, tmp_path / "order", *flags, "-fparallel-deterministic")
    said = {run(in_order, processes).stdout for processes in (1, 2, 3, 4)}
    assert len(said) == 1
    program = compiled(source, tmp_path / "any", *flags)
    expected = float.fromhex(said.pop())
    for processes in (1, 2, 3, 4):
        ran = run(program, processes)
        assert float.fromhex(ran.stdout) == pytest.approx(expected, rel=1e-12), ran.stderr
    # 147 chunks, of which the first of two processes has 73; or one number of each.
    assert bytes_sent(run(in_order, 2).stderr)[0] == 74 * 8
    assert bytes_sent(run(program, 2).stderr)[0] == 2 * 8


MORE_SUMS = """
#include <stdio.h>
#include <stdlib.h>

int whole(int n, int A[n]) { int sum = 7; for (int i = 0; i < n; i++) sum += A[i]; return sum; }

long less(int n, int m, int A[n]) {
  long sum = 1;
  for (int i = 0; i < n / m; i++)
    for (int j = 0; j < m; j++) sum -= (long)A[m * i + j] * j;
  return sum;
}

unsigned bits(int n, int A[n]) {
  unsigned all = 0, odd = 0, common = ~0u;
  for (int i = 0; i < n; i++) all |= A[i], odd ^= A[i], common &= A[i] | 3;
  return all + 3 * odd + 7 * common;
}

double two(int n, double A[n], double B[n]) {
  double sum = 1, squares = 2;
  for (int i = 0; i < n; i++) {
    sum += A[i];
    squares -= A[i] * B[i];
  }
  return sum + 1024 * squares;
}

double apart(int n, double A[n], double B[n]) {
  double sum = 1, squares = 2;
  for (int i = 0; i < n; i++) sum += A[i];
  for (int i = n - 2; i >= 0; i--) squares += A[i] * B[i + 1];
  return sum - 64 * squares;
}

double residual(int n, int steps, double *restrict A, double *restrict B) {
  double last = 0, all = 0;
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) B[i] = A[i - 1] - A[i + 1];
    for (int i = 1; i < n - 1; i++) A[i] -= B[i];
    last = 0;
    for (int i = 1; i < n - 1; i++) last += B[i] * B[i];
    all += last * t;
  }
  return all;
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  double *A = calloc(n + 1, sizeof *A), *B = calloc(n + 1, sizeof *B);
  int *C = calloc(n + 1, sizeof *C);
  for (int i = 0; i < n; i++) {
    A[i] = i % 13 - 4, B[i] = i % 7, C[i] = (i % 2 ? -1 : 1) * (2147483647 - i % 1000);
    if (i > n / 2) C[i] = -C[i];
  }
  printf("%d %ld %u\\n", whole(n, C), less(n, 3, C), bits(n, C));
  double sums = two(n, A, B), others = apart(n, A, B);
  printf("%a %a %a\\n", sums, others, residual(n, 3, A, B));
  double hash = 0;
  for (int i = 0; i < n; i++) hash = hash * 0.5 + A[i];
  printf("%a\\n", hash);
}
"""


@needs_mpi
@pytest.mark.parametrize("flags", [(), ("-ffast-math",)])
def test_sums_of_other_kinds(flags: tuple[str, ...], tmp_path: Path):
    """Integers whose parts overflow, several sums in a loop and one after the other, and sums in
    a loop over time: the bits of the source, also where nothing may be reordered."""
    source = tmp_path / "sums.c"
    source.write_text(MORE_SUMS)
    alone = compiled(source, tmp_path / "alone", "-O1", "--poly=none")
    as_written = ("-O1", "--poly=identity")  # what vectors make of sums takes most of the time
    program = compiled(source, tmp_path / "shared", *as_written, *flags, "--distribute=*")
    for size in ("0", "5", "300001"):
        expected = subprocess.run([str(alone), size], capture_output=True, text=True, check=True)
        for processes in (1, 2, 3, 4):
            ran = run(program, processes, size)
            assert (ran.returncode, ran.stdout) == (0, expected.stdout), ran.stderr
    inside, _ = bytes_sent(run(program, 2, "300001").stderr)
    # Without reordering the residuals' terms, half of B in each of three steps, go to one process.
    assert (inside > 3 * 150_000 * 8) == (not flags)
    assert inside > 0


FROM_PYTHON = """
import numpy as np, polyopt
from mpi4py import MPI
SUM = "KIND NAME(int n, KIND A[n]) { KIND s = 3; for (int i = 0; i < n; i++) s STEP; return s; }"
KINDS = {
    "dot": ("double", "+= A[i]"),
    "whole": ("int", "-= A[i]"),
    "odd": ("unsigned", "^= A[i]"),
    "common": ("short", "&= A[i] | 1"),
    "least": ("long", "= A[i] < s ? A[i] : s"),
    "most": ("float", "= A[i] > s ? A[i] : s"),
    "product": ("unsigned char", "*= A[i]"),
}
TYPES = dict(double="f8", int="i4", unsigned="u4", short="i2", long="i8", float="f4")
source = "".join(
    SUM.replace("KIND", kind).replace("NAME", name).replace("STEP", step)
    for name, (kind, step) in KINDS.items()
)
shared = polyopt.compile(source, ["-O1", "-ffast-math", "--distribute=*"])
alone = polyopt.compile(source, ["-O1", "--poly=none"])
n = 300001
for name, (kind, _) in KINDS.items():
    A = (np.arange(n) * 7 % 1013 * 2 + 1).astype(TYPES.get(kind, "u1"))
    here, there = getattr(shared, name)(MPI.COMM_WORLD, n, A), getattr(alone, name)(n, A)
    assert here == there, (name, here, there)
"""


@needs_mpi
@pytest.mark.skipif(find_spec("mpi4py") is None, reason="there is no mpi4py: polyopt[mpi]")
@pytest.mark.parametrize("processes", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_from_python(processes: int, tmp_path: Path):
    """Each operation, and each size of elements, of sums that are the same in any order."""
    script = tmp_path / "script.py"
    script.write_text(FROM_PYTHON)
    ran = run_processes(processes, sys.executable, str(script))
    assert ran.returncode == 0, ran.stderr
