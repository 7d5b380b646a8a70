"""Every shape of loop in threads gives the same bits whenever it runs, and those that C says.

The data are so small that threads meet all the time, and there are more threads than cores.
Without permission to reassociate all bits are those of gcc -O0; with it the order of a sum is that
of its parts, the same in each call.
"""

import shutil
from itertools import product
from pathlib import Path

import pytest
from oracles.repeated_calls import call_again

from polyopt.driver.options.settings import Settings
from polyopt.driver.threads.threads_runtime import LIBRARIES, chosen_runtime

SHAPES = {
    "integer-sums": (
        """void f(int n, int m, int a[n][m], int s[1], int y[m]) {
             for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[j] += a[i][j];
             for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s[0] -= a[i][j]; }""",
        (23, 19),
        "strict",
        "reduction of",
    ),
    "maxima": (
        """void f(int n, int m, int a[n][m], int y[m]) {
             for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)
               y[j] = a[i][j] > y[j] ? a[i][j] : y[j]; }""",
        (23, 19),
        "strict",
        "reduction of y",
    ),
    "reduction": (
        """void f(int n, int m, double a[n][m], double x[n], double y[m]) {
             for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[j] += a[i][j] * x[i]; }""",
        (23, 19),
        "fast",
        "reduction of y",
    ),
    "pipeline": (
        """void f(int n, int m, double a[m][m]) {
             for (int t = 0; t < n; t++)
               for (int i = 1; i < m - 1; i++) for (int j = 1; j < m - 1; j++)
                 a[i][j] = 0.25 * (a[i-1][j] + a[i][j-1] + a[i][j+1] + a[i+1][j]); }""",
        (9, 31),
        "strict",
        "pipeline along",
    ),
    "pipeline-with-sums": (
        """void f(int n, int m, int p, double a[n][m], double y[p]) {
             for (int i = 1; i < n; i++) for (int j = 1; j < m; j++) {
               a[i][j] = 0.5 * (a[i-1][j] + a[i][j-1]);
               y[i + j] += a[i][j]; } }""",
        (41, 17, 58),
        "fast",
        "pipeline along j, reduction of y",
    ),
    "pipeline-with-integer-sums": (
        """void f(int n, int m, int p, int a[n][m], int s[1], int y[p]) {
             for (int i = 1; i < n; i++) for (int j = 1; j < m; j++) {
               a[i][j] = (a[i-1][j] + 3 * a[i][j-1]) % 1000;
               y[i + j] += a[i][j]; s[0] ^= a[i][j]; } }""",
        (41, 17, 58),
        "strict",
        "pipeline along j, reduction of s and y",
    ),
    "sums-in-order": (
        """void f(int n, int m, int p, double a[n][m], double b[n][p], double c[m][p]) {
             for (int k = 0; k < n; k++) for (int i = 0; i < m; i++) for (int j = 0; j < p; j++)
               c[i][j] += a[k][i] * b[k][j]; }""",
        (17, 13, 11),
        "strict",
        "in threads",
    ),
    "row": (
        """void f(int n, int m, int p, double a[n][m], double b[n][p], double c[m][p]) {
             for (int k = 0; k < n; k++) for (int i = 0; i < m; i++) for (int j = 0; j < p; j++)
               c[i][j] += a[k][i] * b[k][j]; }""",
        (17, 13, 11),
        "fast",
        "loop i in threads: doall",
    ),
    "columns": (
        """void f(int n, int m, double a[n][m], double b[n][m], double y[m]) {
             for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {
               y[j] = 0.5 * y[j] + a[i][j]; b[i][j] = y[j]; } }""",
        (23, 67),
        "strict",
        "loop j in threads: doall",
    ),
    "columns-side-by-side": (
        """void f(int n, int m, double a[n][m], double b[n][m], double y[m], double z[m]) {
             for (int i = 1; i < n; i++) {
               for (int j = 0; j < m; j++) y[j] = 0.5 * y[j] + a[i][j];
               for (int j = 0; j < m; j++) z[j] = 0.25 * z[j] + y[j] * b[i][j];
               for (int j = 2; j < m; j++) b[i][j] = b[i-1][j] * y[j] + z[j]; } }""",
        (23, 67),
        "strict",
        "loop j in threads: doall",
    ),
    "columns-of-a-triangle": (
        """void f(int n, int m, double a[n][n], double y[n]) {
             for (int t = 0; t < m; t++) for (int i = 0; i < n; i++) for (int j = i; j < n; j++) {
               y[j] = 0.5 * y[j] + a[i][j]; a[i][j] = y[j]; } }""",
        (43, 3),
        "strict",
        "loop j in threads: doall",
    ),
    "steps": (
        """void f(int n, int m, double a[n][n], double b[n][n], double s[m]) {
             for (int k = 0; k < m; k++) {
               for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++)
                 b[i][j] = 0.25 * (a[i-1][j] + a[i+1][j] + a[i][j-1] + a[i][j+1]);
               for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) a[i][j] = b[i][j];
               s[k] = a[n/2][n/2]; } }""",
        (31, 7),
        "strict",
        "in threads: in steps of i",
    ),
    "steps-that-shrink": (
        """void f(int n, int m, double a[n][m], double v[n], double w[m], double tau[m]) {
             for (int k = 0; k < m; k++) {
               double s = 0.0;
               for (int i = k; i < n; i++) s += a[i][k] * a[i][k];
               tau[k] = s;
               for (int i = k + 1; i < n; i++) v[i] = a[i][k] / (s + 1.0);
               v[k] = 1.0;
               for (int j = k; j < m; j++) { double q = 0.0;
                 for (int i = k; i < n; i++) q += v[i] * a[i][j];
                 w[j] = q * 0.5; }
               for (int i = k; i < n; i++)
                 for (int j = k; j < m; j++) a[i][j] -= v[i] * w[j]; } }""",
        (29, 23),
        "strict",
        "in threads: in steps of",
    ),
    "steps-of-triangles": (
        """void f(int n, int d[n][n]) {
             for (int k = 0; k < n; k++) for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)
               d[i][j] = d[i][j] < d[i][k] + d[k][j] ? d[i][j] : d[i][k] + d[k][j]; }""",
        (23,),
        "strict",
        "in threads",
    ),
    "neighbours": (
        """void f(int n, int m, double a[n][m], double b[n][m], double c[n][m]) {
             for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) b[i][j] = a[i][j] + 1;
             for (int i = 0; i < n; i++) {
               for (int j = 0; j < m; j++) c[i][j] = a[i][j] * b[i][j];
               for (int j = 1; j < m; j++) a[i][j] = a[i][j-1] * 0.5 + c[i][j]; } }""",
        (23, 19),
        "strict",
        "doall",
    ),
    "own-variable": (
        """void f(int n, int m, int p, double a[n][m], double b[m][p], double c[n][p]) {
             for (int i = 0; i < n; i++) for (int j = 0; j < p; j++) { double s = c[i][j];
               for (int k = 0; k < m; k++) { s += a[i][k] * b[k][j]; if (s > 9.0) s *= 0.5; }
               c[i][j] = s * s; } }""",
        (23, 19, 11),
        "strict",
        "loop i in threads: doall",
    ),
    "own-array": (
        """void f(int n, int m, double a[n][m][24], double c[24][24]) { double s[24];
             for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {
               for (int p = 0; p < 24; p++) { s[p] = 0;
                 for (int k = 0; k < 24; k++) s[p] += a[i][j][k] * c[k][p]; }
               for (int p = 0; p < 24; p++) a[i][j][p] = s[p] + s[23 - p]; } }""",
        (7, 5),
        "strict",
        "in threads: doall",
    ),
    "triangle": (
        """void f(int n, int m, double a[n][n], double b[n][m]) {
             for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) for (int k = 0; k < m; k++)
               a[i][j] += b[i][k] * b[j][k]; }""",
        (23, 19),
        "strict",
        "doall",
    ),
    "tetrahedron": (
        """void f(int n, double a[n][n], double b[n][n]) {
             for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) for (int k = 0; k < j; k++)
               a[i][j] = a[i][j] * 0.5 + b[j][k]; }""",
        (29,),
        "strict",
        "doall",
    ),
    "row-from-the-middle": (
        """void f(int n, int m, int a[n], double b[n]) {
             for (int i = m; i < n; i++) { a[i] = a[i] * 3 + 1; b[i] = b[i] * 0.5 + 2; } }""",
        (1003, 77),
        "strict",
        "doall",
    ),
}
MODES = {"strict": "-ffp-contract=off", "fast": "-ffast-math"}
QUICK = (
    "reduction",
    "row",
    "columns-side-by-side",
    "steps-that-shrink",
    "pipeline",
    "pipeline-with-sums",
)


def has(family: str) -> bool:
    chosen = chosen_runtime(Settings(openmp=True, openmp_runtime=family))
    return chosen is not None and bool(chosen.path)


PRESENT = [family for family in LIBRARIES if has(family)]
pytestmark = [
    pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle"),
    pytest.mark.skipif(not PRESENT, reason="no library runs threads"),
]


def check(folder: Path, shape: str, family: str, threads: int, runs: int) -> None:
    text, numbers, mode, said = SHAPES[shape]
    source = folder / "f.c"
    source.write_text(text, encoding="utf-8")
    library = f"-fopenmp={family} -fno-openmp"
    options = f"-O3 {MODES[mode]} {library} -fparallel -fparallel-threshold=0"
    calls = call_again(source, options, runs, numbers, threads=threads)
    assert any(said in one for one in calls.remarks), calls.remarks
    assert calls.others == 0
    assert calls.off_by <= (0.0 if mode == "strict" else 1e-13)


@pytest.mark.parametrize("shape", QUICK)
def test_a_few_times(tmp_path: Path, shape: str):
    check(tmp_path, shape, PRESENT[0], threads=3, runs=20)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "threads", "shape"), [*product(LIBRARIES, (1, 2, 3, 4, 7, 50), SHAPES)]
)
def test_two_hundred_times(tmp_path: Path, family: str, threads: int, shape: str):
    if family not in PRESENT:
        pytest.skip(f"there is no {family}")
    check(tmp_path, shape, family, threads, runs=200)
