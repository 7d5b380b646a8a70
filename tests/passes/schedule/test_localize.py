"""Kernels whose tiles work on copies compute, to the last bit, what gcc -O0 makes of them, at sizes
around that of the tile."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import numpy as np
import pytest

import polyopt

HEAD = "void f(int n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n])\n"
STAR = "0.2 * (A[i][j] + A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1])"
KERNELS = {
    "gemm": """{
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++)
    C[i][j] += A[i][k] * B[k][j]; }""",
    "jacobi": f"""{{
  for (int t = 0; t < 3; t++) {{
    for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) B[i][j] = {STAR};
    for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) A[i][j] = B[i][j]; }} }}""",
    "seidel": f"""{{
  for (int t = 0; t < n; t++) for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++)
    A[i][j] = {STAR}; }}""",
    "trisolv": """{
  for (int i = 0; i < n; i++) {
    C[0][i] = B[0][i];
    for (int j = 0; j < i; j++) C[0][i] -= A[i][j] * C[0][j];
    C[0][i] = C[0][i] / (A[i][i] + 3.0); } }""",
    "2mm": """{
  double T[n][n];
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
    T[i][j] = 0; for (int k = 0; k < n; k++) T[i][j] += A[i][k] * B[k][j]; }
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++)
    C[i][j] += T[i][k] * B[k][j]; }""",
    "some": """{
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)
    if (A[i][j] > 0.5) C[i][j] = A[j][i]; }""",
}
CASES = [
    ("gemm", "tile S0.i S0.j S0.k 8 8 8\nlocalize S0.k_tile"),
    ("gemm", "tile S0.i S0.k S0.j 8 4 8\nlocalize S0.k_tile A\nlocalize S0.j_tile B C"),
    ("jacobi", "tile S0.i S0.j 8 8\nlocalize S0.j_tile"),
    ("trisolv", "strip S1.j 8\nlocalize S1.j_tile A"),
    ("2mm", "tile S2.i S2.j S2.k 4 8 8\nlocalize S2.k_tile\nlocalize S1.j T B"),
    ("some", "tile S0.i S0.j 8 8\nlocalize S0.j_tile\nunroll S0.i 2"),
    pytest.param(
        "seidel",
        "skew S0.i S0.t; skew S0.j S0.t; tile S0.t S0.i S0.j 2 8 8\nlocalize S0.j_tile",
        marks=pytest.mark.slow,
    ),
]


def by_gcc(text: str, folder: Path) -> ctypes.CDLL:
    (folder / "f.c").write_text(text)
    flags = ["-O0", "-ffp-contract=off", "-shared", "-fPIC"]
    subprocess.run(["gcc", *flags, folder / "f.c", "-o", folder / "f.so"], check=True)
    return ctypes.CDLL(str(folder / "f.so"))


@pytest.mark.parametrize(("kernel", "steps"), CASES)
def test_the_same_as_gcc(kernel: str, steps: str, tmp_path: Path):
    text = HEAD + KERNELS[kernel]
    expected = by_gcc(text, tmp_path).f
    made = polyopt.compile(text, ["-O3", "-ffp-contract=off", f"--steps={steps}"])
    assert any(one.id == "localize" for one in made.remarks)
    for n in (1, 2, 7, 8, 9, 17, 24):
        ours = [np.random.default_rng(k).random((n, n)) for k in range(3)]
        theirs = [array.copy() for array in ours]
        made.f(n, *ours)
        expected(n, *(array.ctypes.data_as(ctypes.c_void_p) for array in theirs))
        for one, other in zip(ours, theirs, strict=True):
            np.testing.assert_array_equal(one, other)


def test_each_thread_has_buffers_of_its_own():
    """They are filled and read in loops inside of the one in threads."""
    steps = "tile S0.i S0.j S0.k 8 8 8\nparallel S0.i_tile\nlocalize S0.k_tile A B"
    text = HEAD + KERNELS["gemm"]
    made = polyopt.compile(text, ["-O3", "-fparallel=2", f"--steps={steps}"])
    told = [one.message for one in made.remarks if one.id == "affine-parallelize"]
    assert told == ["loop i_tile in threads: doall, each thread with its own A_local and B_local"]
    a, b = (np.random.default_rng(k).random((61, 61)) for k in range(2))
    c = np.zeros((61, 61))
    made.f(61, a, b, c)
    np.testing.assert_allclose(c, a @ b)
