"""Loops around loops that data end, in threads: the same bits as in one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from polyopt.driver.settings import Settings
from polyopt.driver.threads_runtime import chosen_runtime

PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
static int ptr[3001], index_of[200000], odd[3000], steps[100][70];
static double value[200000], x[3000], y[3000], bests[3000];
static unsigned lengths[3000];
void rows(int n, const int *restrict p, const int *restrict at, const double *restrict v,
          const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = p[i]; j < p[i + 1]; j++) s += v[j] * x[at[j]];
    y[i] = s;
  }
}
void escape(int n, int m, int most, int *out) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double a = 0, b = 0;
      int k = 0;
      while (k < most && a * a + b * b < 4.0) {
        double t = a * a - b * b + 3.0 * j / m - 2;
        b = 2 * a * b + 3.0 * i / n - 1.5;
        a = t;
        k++;
      }
      out[i * m + j] = k;
    }
}
void collatz(size_t n, unsigned *restrict c, unsigned from) {
  for (size_t i = 0; i < n; i++) {
    unsigned v = from + i, k = 0;
    while (v != 1 && k < 1000) { v = v & 1 ? 3 * v + 1 : v / 2; k++; }
    c[i] = k;
  }
}
void count_odd(int n) {
  for (int i = n - 2; i > 0; i -= 3) {
    int c = 0;
    for (int e = ptr[i]; e < ptr[i + 1]; e++) if (index_of[e] & 1) c++;
    odd[i] = c;
  }
}
void buckets(int n) {
  double row[61];
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < 61; j++) row[j] = i;
    for (int e = ptr[i]; e < ptr[i + 1]; e++) row[index_of[e] % 61] += value[e] * (e - i);
    double best = row[0];
    for (int j = 1; j < 61; j++) best = row[j] > best ? row[j] : best * 0.5 + row[60 - j];
    bests[i] = best;
  }
}
int summed;
long sums(int n, unsigned *restrict c) {
  long total = 5;
  int low = 2147483600;
  unsigned bits = 1;
  for (int i = 1; i < n; i++) {
    unsigned v = i, k = 0;
    while (v != 1 && k < 1000) { v = v & 1 ? 3 * v + 1 : v / 2; k++; }
    total -= k;
    if (k > 40) bits ^= k * i;
    low -= k * 60000;
    c[i] = k;
  }
  summed = low;
  return total * 7 + bits;
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 3000;
  for (int i = 0; i < n; i++) {
    ptr[i + 1] = ptr[i] + i * 37 % 61 + (i % 500 == 0 ? 300 : 0);
    x[i] = i % 13 - 6.5;
  }
  for (int k = 0; k < ptr[n]; k++) {
    index_of[k] = (unsigned)k * 2654435761u % n;
    value[k] = 1.0 / (k + 1);
  }
  rows(n, ptr, index_of, value, x, y);
  escape(100, 70, 50, &steps[0][0]);
  collatz(n, lengths, 7);
  count_odd(n);
  buckets(n);
  long all = sums(n, lengths);
  printf("%ld %d\n", all, summed);
  for (int i = 0; i < n; i++) printf("%a %u %d %a\n", y[i], lengths[i], odd[i], bests[i]);
  for (int i = 0; i < 100; i++) for (int j = 0; j < 70; j++) printf("%d ", steps[i][j]);
}
"""


UPDATES = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define M 9000
static int ptr[M + 2], key[M], values[M], counts[M];
static unsigned char byte[M];
static signed char small[M];
static double w[M], x[M], y[M + 8], highest[300], sums[300];
static float fx[M], fy[M], grid[32][32];
static int bins[256], many[20000];
static long wide[20000];
static short narrow[600];
static unsigned found[20000];
static unsigned long hash;
void bytes(int n, const unsigned char *restrict x, int *restrict h) {
  for (int i = 0; i < n; i++) h[x[i]]++;
}
void plain(int n, const int *k, int *h) {
  for (int i = 0; i < n; i++) h[k[i] & 255] += i;
}
void modulo(int n, int m, const int *restrict k, int *restrict h) {
  for (int i = 0; i < n; i++) h[(unsigned)k[i] % m] += i;
}
void signed_modulo(int n, int m, const int *restrict k, long *restrict h) {
  for (int i = 0; i < n; i++) h[k[i] % m] -= i;
}
void asked(int n, int m, const int *restrict k, unsigned *restrict h) {
  for (int i = 0; i < n; i++) {
    int b = k[i];
    if (b >= 0 && b < m) h[b] ^= i;
  }
}
void downwards(int n, const signed char *restrict k, short *restrict h) {
  for (int i = n - 1; i >= 0; i -= 2) h[k[i]] += 300;
}
void global(unsigned n, const unsigned char *restrict x) {
  for (unsigned i = 0; i < n; i++) bins[x[i]]++;
}
void plane(int n, const float *restrict x, const float *restrict y) {
  for (int i = 0; i < n; i++) {
    int a = (int)(x[i] * 32), b = (int)(y[i] * 32);
    if (a >= 0 && a < 32 && b >= 0 && b < 32) grid[a][b] += 1;
  }
}
void picture(int n, int m, const unsigned char *restrict x, unsigned *restrict h) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) h[x[i * m + j]]++;
}
long local(int n, const int *k) {
  long h[100], s = 0;
  for (int i = 0; i < 100; i++) h[i] = i;
  for (int i = 0; i < n; i++) h[(unsigned)k[i] % 100] ^= i;
  for (int i = 0; i < 100; i++) s = s * 31 + h[i];
  return s;
}
void scattered(int n, const int *restrict p, const unsigned char *restrict c,
               const double *restrict v, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    for (int j = p[i]; j < p[i + 1]; j++) y[c[j]] += v[j] * x[i];
}
void extremes(int n, const unsigned char *restrict k, const double *restrict v,
              double *restrict h) {
  for (int i = 0; i < n; i++) h[k[i]] = v[i] > h[k[i]] ? v[i] : h[k[i]];
}
void two(int n, const unsigned char *restrict k, int *restrict count, double *restrict sum,
         const double *restrict v) {
  for (int i = 0; i < n; i++) { count[k[i]]++; sum[k[i]] += v[i]; }
}
double dot(int n, const int *restrict p, const double *restrict v) {
  double s = 3;
  for (int i = 0; i < n; i++) {
    double t = 0;
    for (int j = p[i]; j < p[i + 1]; j++) t += v[j];
    s -= t * t;
  }
  return s;
}
double highest_row(int n, const int *restrict p, const double *restrict v) {
  double s = -1e30;
  for (int i = 0; i < n; i++) {
    double t = 0;
    for (int j = p[i]; j < p[i + 1]; j++) t += v[j];
    if (t > s) s = t;
  }
  return s;
}
double lowest_row(int n, const int *restrict p, const double *restrict v) {
  double s = 1e30;
  for (int i = n - 1; i >= 0; i--) {
    double t = 0;
    for (int j = p[i]; j < p[i + 1]; j++) t += v[j];
    s = s <= t ? s : t;
  }
  return s;
}
int handed_on(int n, const int *restrict p, const int *restrict v, int *out) {
  int s = 1000000, c = 0;
  for (int i = 0; i < n; i++) {
    int t = 0;
    for (int j = p[i]; j < p[i + 1]; j++) { t += v[j]; if (v[j] & 1) c++; }
    if (t < s) s = t;
  }
  *out = c;
  return s;
}
void escape(int n, const double *a, double *y) {
  for (int i = 0; i < n; i++) {
    double t = a[i];
    int k = 0;
    while (t < 100 && k < 50) { t = t * t + a[i] * 0.5 + 1; k++; }
    y[i] = k;
  }
}
static void show(const void *p, size_t n) {
  const unsigned char *b = p;
  for (size_t i = 0; i < n; i++) hash = (hash ^ b[i]) * 1099511628211ul;
  printf("%lx\n", hash);
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 0, out = 0;
  for (int i = 0; i < 300; i++) highest[i] = sums[i] = -3;
  for (int i = 0; i < n; i++) {
    ptr[i + 1] = ptr[i] + (i % 5 == 0) * (i % 3);
    key[i] = (unsigned)i * 2654435761u >> 3;
    byte[i] = i * 7 ^ i >> 5;
    small[i] = i * 11;
    w[i] = i % 17 - 8;
    x[i] = i % 5 - 2;
    fx[i] = i * 37 % 101 / 90.f - 0.05f;
    fy[i] = i * 53 % 103 / 90.f - 0.05f;
    values[i] = i * 77 % 1001 - 500;
  }
  bytes(n, byte, many);
  show(many, sizeof many);
  for (int i = 0; i < 3000; i++) many[i] = i * 7;
  plain(n > 3000 ? 3000 : n, many, many + 10);
  show(many, sizeof many);
  plain(n, key, many);
  modulo(n, 1000, key, many);
  modulo(n, 19999, key, many);
  show(many, sizeof many);
  signed_modulo(n, 777, key, wide + 800);
  show(wide, sizeof wide);
  asked(n, 15000, key, found);
  asked(n, 300, values, found);
  if (n) downwards(n, small, narrow + 300);
  show(narrow, sizeof narrow);
  global(n, byte);
  show(bins, sizeof bins);
  plane(n, fx, fy);
  show(grid, sizeof grid);
  picture(n / 100, 100, byte, found);
  show(found, sizeof found);
  scattered(n, ptr, byte, w, x, sums);
  extremes(n, byte, w, highest);
  two(n, byte, counts, sums, w);
  show(highest, sizeof highest);
  show(sums, sizeof sums);
  show(counts, sizeof counts);
  int least = handed_on(n, ptr, values, &out);
  printf("%ld %d %d\n", local(n, key), least, out);
  printf("%a %a %a\n", dot(n, ptr, w), highest_row(n, ptr, w), lowest_row(n, ptr, w));
  escape(n, w, y);
  escape(n > 2000 ? 2000 : n, y, y + 3);
  show(y, sizeof y);
}
"""


def _output(program: Path, threads: int, size: int) -> str:
    environment = {"OMP_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": "passive"}
    ran = subprocess.run(
        [str(program), str(size)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        env={**os.environ, **environment},
    )
    return ran.stdout


@pytest.mark.parametrize("family", ["libgomp", "libomp"])
def test_threads_give_the_bits_of_one(family: str, tmp_path: Path):
    """The reference is the same text by the system's compiler, which knows of no threads."""
    found = chosen_runtime(Settings(openmp=True, openmp_runtime=family))
    if found is None or not found.path:
        pytest.skip(f"there is no {family}")
    source, program, reference = (tmp_path / name for name in ("rows.c", "rows", "reference"))
    source.write_text(PROGRAM)
    subprocess.run(
        ["gcc", "-O0", "-ffp-contract=off", str(source), "-o", str(reference)],
        timeout=60,
        check=True,
    )
    compiler = [sys.executable, "-m", "polyopt.tools.polyopt_cc", "--remarks", "--verify-each"]
    options = ["-O3", "-ffp-contract=off", "-fparallel", f"-fopenmp={family}"]
    options += ["-fparallel-threshold=0"]
    command = [*compiler, *options, str(source), "-o", str(program)]
    built = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    told = [line for line in built.stderr.splitlines() if "dealt out by the chunk" in line]
    assert len({line.split(":")[1] for line in told}) == 6, built.stderr
    for size in (3000, 1):
        expected = _output(reference, 1, size)
        for threads in (1, 2, 3, 7, 40):
            assert _output(program, threads, size) == expected


@pytest.mark.parametrize(
    "flags", [(), ("-ffast-math",), ("-ffast-math", "-fparallel-deterministic")]
)
def test_what_all_iterations_update(flags: tuple[str, ...], tmp_path: Path):
    """Bins, sums and extremes: of whole numbers, so that all orders give the same bits."""
    if chosen_runtime(Settings(openmp=True)) is None:
        pytest.skip("there is no runtime")
    source, program, reference = (tmp_path / name for name in ("bins.c", "bins", "reference"))
    source.write_text(UPDATES)
    command = ["gcc", "-O0", "-ffp-contract=off", str(source), "-o", str(reference)]
    subprocess.run(command, timeout=60, check=True)
    command = [sys.executable, "-m", "polyopt.tools.polyopt_cc", "--remarks", "--verify-each"]
    command += ["-O3", *flags, "-ffp-contract=off", "-fparallel", "-fparallel-threshold=0"]
    command += [str(source), "-o", str(program)]
    built = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    told = [line for line in built.stderr.splitlines() if "[parallelize-irregular]" in line]
    applied = {line.split(":")[1] for line in told if "applied" in line}
    assert len(applied) == (18 if flags else 13), built.stderr
    for size in (0, 1, 65, 9000):
        expected = _output(reference, 1, size)
        for threads in (1, 2, 7):
            assert _output(program, threads, size) == expected
