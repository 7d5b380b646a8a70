"""Pragmas that are wrong are warned of, with what collides and what to do; right ones are not.

Each program is a function's body; `n`, `m` are sizes, `a`, `b`, `c` arrays of doubles, `A`, `B` of
rows. What is expected was worked out by hand from OpenMP's rules.
"""

from __future__ import annotations

import pytest

from polyopt.driver.options.settings import Settings
from polyopt.driver.units.source import Source
from polyopt.driver.units.unit import parse
from polyopt.support.diagnostics import Diagnostic, SourceMap
from polyopt.support.record import record

HEAD = """
#include <omp.h>
double g[1000], total; int count, flags[1000]; double *heap;
static double scratch[64];
#pragma omp threadprivate(scratch)
double outside(double);
void f(int n, int m, int k, int *idx, double *restrict a, double *restrict b, double *restrict c,
       double (*restrict A)[100], double (*restrict B)[100]) {
  int i, j; double s = 0, t = 0;
"""


@record
class Wrong:
    """`objects` in the order of the warnings; `says` are words of the whole text."""

    body: str
    objects: tuple[str, ...]
    says: tuple[str, ...] = ()


WRONG = {
    "stencil in place": Wrong(
        """
  #pragma omp parallel for
  for (i = 1; i < n - 1; i++) a[i] = (a[i - 1] + a[i + 1]) / 2;""",
        ("a",),
        ("i = 1 writes a[1] here", "i = 2 reads a[1] here", "n = 4", "leave out the pragma"),
    ),
    "prefix sum": Wrong(
        """
  #pragma omp parallel for
  for (i = 0; i < n; i++) { s += a[i]; b[i] = s; }""",
        ("s",),
        ("leave out the pragma", "ordered"),
    ),
    "temporary of all threads": Wrong(
        """
  #pragma omp parallel for
  for (i = 0; i < n; i++) { t = a[i]; b[i] = t * t; }""",
        ("t",),
        ("add private(t)",),
    ),
    "temporary that is used behind": Wrong(
        """
  #pragma omp parallel for
  for (i = 0; i < n; i++) { t = a[i]; b[i] = t * t; }
  total = t;""",
        ("t",),
        ("lastprivate(t)",),
    ),
    "counter of an inner loop": Wrong(
        """
  #pragma omp parallel for
  for (i = 0; i < n; i++) for (j = 0; j < m; j++) A[i][j] = B[j][i];""",
        ("j",),
        ("add private(j)", "i = 0 writes j", "i = 1, j = 0 reads j"),
    ),
    "missing reduction": Wrong(
        """
  #pragma omp parallel for
  for (i = 0; i < n; i++) s += a[i] * b[i];
  total = s;""",
        ("s",),
        ("add reduction(+: s)",),
    ),
    "missing reduction of a product": Wrong(
        """
  #pragma omp parallel for
  for (i = 0; i < n; i++) s *= a[i];
  total = s;""",
        ("s",),
        ("add reduction(*: s)",),
    ),
    "missing reduction of a global": Wrong(
        """
  #pragma omp parallel for
  for (i = 0; i < n; i++) if (i % 3 == 0) count++;""",
        ("count",),
        ("add reduction(+: count)", "i = 0 writes count", "i = 3 reads count"),
    ),
    "one of two sums forgotten": Wrong(
        """
  #pragma omp parallel for reduction(+: s)
  for (i = 0; i < n; i++) { s += a[i]; t += b[i]; }
  total = s + t;""",
        ("t",),
        ("add reduction(+: t)",),
    ),
    "sums of columns over shared rows": Wrong(
        """
  #pragma omp parallel for private(j)
  for (i = 0; i < n; i++) for (j = 0; j < m; j++) c[j] += A[i][j];""",
        ("c",),
        ("reduction(+: c[...])", "atomic"),
    ),
    "row of scratch in common": Wrong(
        """
  #pragma omp parallel for private(j)
  for (i = 0; i < n; i++) {
    for (j = 0; j < 100; j++) g[j] = A[i][j] * 2;
    for (j = 0; j < 100; j++) B[i][j] = g[99 - j];
  }""",
        ("g",),
        ("add private(g)",),
    ),
    "lanes at a distance that is too short": Wrong(
        """
  #pragma omp simd
  for (i = 4; i < n; i++) a[i] = a[i - 4] * 2;""",
        ("a",),
        ("safelen(4)", "i = 4 writes a[4]", "i = 8 reads a[4]"),
    ),
    "safelen that is too long": Wrong(
        """
  #pragma omp simd safelen(5)
  for (i = 4; i < n; i++) a[i] = a[i - 4] * 2;""",
        ("a",),
        ("safelen(4)",),
    ),
    "recurrence in lanes": Wrong(
        """
  #pragma omp simd
  for (i = 1; i < n; i++) a[i] = a[i - 1] + b[i];""",
        ("a",),
        ("leave out 'simd'",),
    ),
    "sum in lanes": Wrong(
        """
  #pragma omp simd
  for (i = 0; i < n; i++) s += a[i];
  total = s;""",
        ("s",),
        ("add reduction(+: s)",),
    ),
    "temporary of all lanes": Wrong(
        """
  #pragma omp simd
  for (i = 0; i < n; i++) { t = a[i]; b[i] = t * t; }""",
        ("t",),
        ("add private(t)",),
    ),
    "wavefront collapsed": Wrong(
        """
  #pragma omp parallel for collapse(2)
  for (i = 1; i < n; i++) for (j = 1; j < m; j++) A[i][j] = A[i - 1][j] + A[i][j - 1];""",
        ("A",),
        ("leave out the pragma",),
    ),
    "only the inner loop of two carries": Wrong(
        """
  #pragma omp parallel for collapse(2)
  for (i = 0; i < n; i++) for (j = 1; j < m; j++) A[i][j] += A[i][j - 1];""",
        ("A",),
        ("leave out 'collapse'",),
    ),
    "neighbours under nowait": Wrong(
        """
  #pragma omp parallel
  {
    #pragma omp for nowait
    for (i = 0; i < n; i++) b[i] = a[i];
    #pragma omp for
    for (i = 1; i < n; i++) c[i] = b[i - 1] + b[i];
  }""",
        ("b",),
        ("leave out 'nowait'", "writes b[", "reads b["),
    ),
    "nowait and iterations dealt out": Wrong(
        """
  #pragma omp parallel
  {
    #pragma omp for schedule(dynamic) nowait
    for (i = 0; i < n; i++) b[i] = a[i];
    #pragma omp for schedule(dynamic)
    for (i = 0; i < n; i++) c[i] = b[i];
  }""",
        ("b",),
        ("leave out 'nowait'",),
    ),
    "nowait with chunks of other sizes": Wrong(
        """
  #pragma omp parallel
  {
    #pragma omp for schedule(static, 4) nowait
    for (i = 0; i < n; i++) b[i] = a[i];
    #pragma omp for schedule(static, 8)
    for (i = 0; i < n; i++) c[i] = b[i];
  }""",
        ("b",),
        ("leave out 'nowait'",),
    ),
    "first thread writes, none waits": Wrong(
        """
  #pragma omp parallel
  {
    #pragma omp master
    total = 1;
    #pragma omp for
    for (i = 0; i < n; i++) a[i] = total * b[i];
  }""",
        ("total",),
        ("barrier",),
    ),
    "single that nobody waits for": Wrong(
        """
  #pragma omp parallel
  {
    #pragma omp single nowait
    t = n;
    #pragma omp for
    for (i = 0; i < n; i++) a[i] = t * b[i];
  }""",
        ("t",),
        ("barrier",),
    ),
    "sections that use each other's": Wrong(
        """
  #pragma omp parallel sections
  {
    #pragma omp section
    for (int p = 0; p < n; p++) a[p] = p;
    #pragma omp section
    for (int q = 0; q < n; q++) b[q] = a[q];
  }""",
        ("a",),
        ("one section",),
    ),
    "each thread counts": Wrong(
        """
  #pragma omp parallel
  { count += 1; for (int p = 0; p < n; p++) g[0] += 0; }""",
        ("count", "g"),
        ("critical",),
    ),
    "locks of two names": Wrong(
        """
  #pragma omp parallel for
  for (i = 0; i < n; i++) {
    #pragma omp critical(one)
    count += 1;
    #pragma omp critical(other)
    count += 2;
  }""",
        ("count",),
    ),
    "pointer in a global": Wrong(
        """
  #pragma omp parallel for
  for (i = 1; i < n; i++) heap[i] = heap[i - 1];""",
        ("heap",),
        ("i = 2 reads heap[1]",),
    ),
    "downwards": Wrong(
        """
  #pragma omp parallel for
  for (i = n - 2; i >= 0; i--) a[i] += a[i + 1];""",
        ("a",),
    ),
    "steps of two": Wrong(
        """
  #pragma omp parallel for
  for (i = 2; i < n; i += 2) a[i] = a[i - 2];""",
        ("a",),
        ("i = 2 writes a[2]", "i = 4 reads a[2]"),
    ),
    "chunks do not help across their ends": Wrong(
        """
  #pragma omp parallel for schedule(static, 8)
  for (i = 1; i < n; i++) a[i] = a[i - 1];""",
        ("a",),
        ("i = 8 writes a[8]", "i = 9 reads a[8]"),
    ),
    "both triangles": Wrong(
        """
  #pragma omp parallel for private(j)
  for (i = 0; i < n; i++) for (j = 0; j < n; j++) A[i][j] += A[j][i];""",
        ("A",),
    ),
    "reduction begun by all": Wrong(
        """
  #pragma omp parallel
  {
    t = 0;
    #pragma omp for reduction(+: t)
    for (i = 0; i < n; i++) t += a[i];
  }
  total = t;""",
        ("t",),
        ("barrier",),
    ),
    "orphan": Wrong(
        """
  #pragma omp for
  for (i = 1; i < n; i++) g[i] = g[i - 1];""",
        ("g",),
    ),
}

RIGHT = {
    "stencil into another array": """
  #pragma omp parallel for
  for (i = 1; i < n - 1; i++) b[i] = (a[i - 1] + a[i + 1]) / 2;""",
    "private temporary": """
  #pragma omp parallel for private(t)
  for (i = 0; i < n; i++) { t = a[i]; b[i] = t * t; }""",
    "temporary declared inside": """
  #pragma omp parallel for
  for (i = 0; i < n; i++) { double u = a[i]; b[i] = u * u; }""",
    "private counter": """
  #pragma omp parallel for private(j)
  for (i = 0; i < n; i++) for (j = 0; j < m; j++) A[i][j] = B[j][i];""",
    "reduction": """
  #pragma omp parallel for reduction(+: s)
  for (i = 0; i < n; i++) s += a[i] * b[i];
  total = s;""",
    "reduction of an array": """
  #pragma omp parallel for private(j) reduction(+: c[:100])
  for (i = 0; i < n; i++) for (j = 0; j < 100; j++) c[j] += A[i][j];""",
    "columns by their threads": """
  #pragma omp parallel for private(i)
  for (j = 0; j < m; j++) for (i = 0; i < n; i++) c[j] += A[i][j];""",
    "safelen that fits": """
  #pragma omp simd safelen(4)
  for (i = 4; i < n; i++) a[i] = a[i - 4] * 2;""",
    "what lanes read before they write": """
  #pragma omp simd
  for (i = 0; i < n - 1; i++) a[i] = a[i + 1] * 2;""",
    "what lanes write before they read": """
  #pragma omp simd
  for (i = 1; i < n; i++) { a[i] = b[i]; c[i] = a[i - 1]; }""",
    "sum of lanes": """
  #pragma omp simd reduction(+: s) private(t)
  for (i = 0; i < n; i++) { t = a[i]; s += t; }
  total = s;""",
    "sum of lanes in a global": """
  #pragma omp simd reduction(+: total)
  for (i = 0; i < n; i++) total += a[i];""",
    "declared in the lanes' body": """
  #pragma omp simd
  for (int p = 0; p < n; p++) {
    double u = a[p], v[2];
    v[0] = u; v[1] = u * u; b[p] = v[0] + v[1];
  }""",
    "value of the last iteration": """
  #pragma omp parallel for lastprivate(t)
  for (i = 0; i < n; i++) { t = a[i]; b[i] = t; }
  total = t;""",
    "value of the last lane": """
  #pragma omp simd lastprivate(t)
  for (i = 0; i < n; i++) { t = a[i]; b[i] = t; }
  total = t;""",
    "nowait with equal schedules": """
  #pragma omp parallel
  {
    #pragma omp for schedule(static) nowait
    for (i = 0; i < n; i++) b[i] = a[i];
    #pragma omp for schedule(static)
    for (i = 0; i < n; i++) c[i] = b[i] * 2;
  }""",
    "nowait with equal chunks": """
  #pragma omp parallel
  {
    #pragma omp for schedule(static, 16) nowait
    for (i = 0; i < n; i++) b[i] = a[i];
    #pragma omp for schedule(static, 16)
    for (i = 0; i < n; i++) c[i] = b[i] * 2;
  }""",
    "neighbours behind a barrier": """
  #pragma omp parallel
  {
    #pragma omp for nowait
    for (i = 0; i < n; i++) b[i] = a[i];
    #pragma omp barrier
    #pragma omp for
    for (i = 1; i < n; i++) c[i] = b[i - 1] + b[i];
  }""",
    "neighbours without nowait": """
  #pragma omp parallel
  {
    #pragma omp for
    for (i = 0; i < n; i++) b[i] = a[i];
    #pragma omp for nowait
    for (i = 1; i < n; i++) c[i] = b[i - 1] + b[i];
  }""",
    "time steps between barriers": """
  #pragma omp parallel private(j)
  for (j = 0; j < m; j++) {
    #pragma omp for
    for (i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1];
    #pragma omp for
    for (i = 1; i < n - 1; i++) a[i] = b[i];
  }""",
    "time steps around regions": """
  for (j = 0; j < m; j++) {
    #pragma omp parallel for
    for (i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1];
    #pragma omp parallel for
    for (i = 1; i < n - 1; i++) a[i] = b[i];
  }""",
    "atomic histogram": """
  #pragma omp parallel for
  for (i = 0; i < n; i++) {
    #pragma omp atomic
    flags[idx[i]]++;
  }""",
    "atomic sum": """
  #pragma omp parallel for
  for (i = 0; i < n; i++) {
    #pragma omp atomic
    s += a[i];
  }
  total = s;""",
    "critical sum": """
  #pragma omp parallel for
  for (i = 0; i < n; i++) {
    #pragma omp critical
    s += a[i];
  }
  total = s;""",
    "in turn": """
  #pragma omp parallel for ordered
  for (i = 1; i < n; i++) {
    #pragma omp ordered
    a[i] += a[i - 1];
  }""",
    "indirect": """
  #pragma omp parallel for
  for (i = 0; i < n; i++) g[idx[i]] += a[i];""",
    "distance that nobody knows": """
  #pragma omp parallel for
  for (i = 0; i < n; i++) a[i + m] = a[i];""",
    "halves": """
  #pragma omp parallel for
  for (i = 0; i < n; i++) a[i + n] = a[i];""",
    "reversed in place": """
  #pragma omp parallel for private(t)
  for (i = 0; i < n / 2; i++) { t = a[i]; a[i] = a[n - 1 - i]; a[n - 1 - i] = t; }""",
    "even and odd": """
  #pragma omp parallel for
  for (i = 0; i < n; i++) a[2 * i] = a[2 * i + 1];""",
    "lower triangle from the upper one": """
  #pragma omp parallel for private(j)
  for (i = 0; i < n; i++) for (j = 0; j < i; j++) A[i][j] = A[j][i];""",
    "linearised": """
  #pragma omp parallel for private(j)
  for (i = 0; i < n; i++) for (j = 1; j < m; j++) a[i * m + j] = a[i * m + j - 1];""",
    "chunks that end where dependences do": """
  #pragma omp parallel for schedule(static, 8)
  for (i = 0; i < n; i++) if (i % 8) a[i] += a[i - 1];""",
    "collapsed and independent": """
  #pragma omp parallel for collapse(2)
  for (i = 0; i < n; i++) for (j = 0; j < m; j++) A[i][j] = B[j][i];""",
    "element of the thread's own": """
  #pragma omp parallel
  {
    int me = omp_get_thread_num();
    #pragma omp for
    for (i = 0; i < n; i++) g[me] += a[i];
  }""",
    "shared out by hand": """
  #pragma omp parallel private(i)
  {
    int me = omp_get_thread_num(), all = omp_get_num_threads();
    for (i = me; i < n; i += all) a[i] += 1;
  }""",
    "storage of threads": """
  #pragma omp parallel for private(j)
  for (i = 0; i < n; i++) {
    for (j = 0; j < 64; j++) scratch[j] = A[i][j];
    for (j = 0; j < 64; j++) B[i][j] = scratch[63 - j];
  }""",
    "array of the region's own": """
  #pragma omp parallel private(j)
  {
    double row[100];
    #pragma omp for
    for (i = 0; i < n; i++) {
      for (j = 0; j < 100; j++) row[j] = A[i][j];
      for (j = 0; j < 100; j++) B[i][j] = row[99 - j];
    }
  }""",
    "only if it is safe": """
  #pragma omp parallel for if(k)
  for (i = 1; i < n; i++) a[i] = a[i - 1];""",
    "one thread": """
  #pragma omp parallel for num_threads(1)
  for (i = 1; i < n; i++) a[i] = a[i - 1];""",
    "as many threads as somebody says": """
  #pragma omp parallel for num_threads(k)
  for (i = 1; i < n; i++) a[i] = a[i - 1];""",
    "first thread writes, all wait": """
  #pragma omp parallel
  {
    #pragma omp master
    total = 1;
    #pragma omp barrier
    #pragma omp for
    for (i = 0; i < n; i++) a[i] = total * b[i];
  }""",
    "single that all wait for": """
  #pragma omp parallel
  {
    #pragma omp single
    t = n;
    #pragma omp for
    for (i = 0; i < n; i++) a[i] = t * b[i];
  }""",
    "sections apart": """
  #pragma omp parallel sections
  {
    #pragma omp section
    for (int p = 0; p < n; p++) a[p] = p;
    #pragma omp section
    for (int q = 0; q < n; q++) b[q] = q;
  }""",
    "calls": """
  #pragma omp parallel for
  for (i = 0; i < n; i++) s += outside(a[i]);""",
    "under a lock": """
  omp_lock_t lock; omp_init_lock(&lock);
  #pragma omp parallel
  {
    omp_set_lock(&lock);
    for (int p = 0; p < n; p++) g[p] += 1;
    omp_unset_lock(&lock);
  }""",
    "tasks": """
  #pragma omp parallel
  #pragma omp single
  {
    #pragma omp task
    for (int p = 0; p < n; p++) a[p] = p;
    #pragma omp taskwait
    for (int p = 0; p < n; p++) b[p] = a[p];
  }""",
    "all write one value": """
  #pragma omp parallel
  { count = 1; for (int p = 0; p < n; p++) g[p] = 0; }""",
    "data decide": """
  #pragma omp parallel for
  for (i = 0; i < n; i++) if (a[i] > 0) t = a[i];""",
    "a flag decides": """
  #pragma omp parallel for
  for (i = 1; i < n; i++) if (k == 3) a[i] = a[i - 1];""",
    "a step that nobody knows, around a barrier": """
  #pragma omp parallel private(i)
  for (int r = 0; r < n; r++) {
    for (i = k; i < n; i += m) flags[i] = idx[i];
    #pragma omp barrier
  }""",
    "an orphan's own": """
  double own[100];
  #pragma omp for
  for (i = 1; i < 100; i++) { own[0] = i; a[i] = own[0]; }""",
}


def warnings(body: str) -> list[Diagnostic]:
    unit = parse(Source("<test>", f"{HEAD}{body}\n}}\n"), Settings(openmp=True), SourceMap())
    return [one for one in unit.warnings if one.id == "openmp-races"]


def text(found: list[Diagnostic]) -> str:
    return "\n".join(one.render() for one in found)


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said(name: str):
    wrong = WRONG[name]
    found = warnings(wrong.body)
    assert [one.message.split("'")[1] for one in found] == list(wrong.objects), text(found)
    for words in wrong.says:
        assert words in text(found), text(found)
    for one in found:
        assert one.span is not None
        assert len(one.notes) == 2
        assert one.hint


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_or_not_known_is_not_spoken_of(name: str):
    assert text(warnings(RIGHT[name])) == ""
