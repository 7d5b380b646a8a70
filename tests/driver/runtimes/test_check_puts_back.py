"""`--check`: what the source's order has written is kept and put back, all of it, so that the
program does what it does without: only then is there anything to compare."""

import re
import subprocess
from pathlib import Path

import pytest

from polyopt.driver.building.build import build
from polyopt.driver.building.inputs import input_of
from polyopt.driver.building.job import Job
from polyopt.driver.options.flags import read_settings

MEMBERS = """\
#include <stdio.h>
struct list { int next[10], first; };
struct two { double a[4]; int which[4]; double b[4]; };
struct list global;
static void start(struct list *l) {
  for (int i = 0; i < 10; i++)
    l->next[i] = i + 1;
  l->first = 0;
  printf("\\n");
}
static int sum(const struct list *l) {
  int s = l->first;
  for (int i = 0; i < 10; i++)
    s = s * 3 + l->next[i];
  return s;
}
static int take(int n) {
  struct list l;
  start(&l);
  for (int i = 0; i < n; i++) {
    int j = l.first;
    if (j >= 0) {
      l.first = l.next[j];
      l.next[j] = -7;
    }
  }
  return sum(&l);
}
static int take_of_global(int n) {
  start(&global);
  for (int i = 0; i < n; i++) {
    int j = global.first;
    if (j >= 0) {
      global.first = global.next[j];
      global.next[j] = -7;
    }
  }
  return sum(&global);
}
static double turn(int n, const double *x) {
  struct two t = {{1, 2, 3, 4}, {3, 1, 0, 2}, {5, 6, 7, 8}};
  double s = 0;
  for (int i = 0; i < n; i++)
    if (x[i] > 0) {
      t.a[t.which[i]] += t.b[i];
      t.b[3 - i] += x[i];
      t.which[i] = 3 - t.which[i];
    }
  for (int i = 0; i < 4; i++)
    s = s * 2 + t.a[i] + t.b[i] * 3 + t.which[i];
  return s;
}
int main(void) {
  double x[4] = {1, -1, 2, 3};
  printf("%d %d %g\\n", take(2), take_of_global(3), turn(4, x));
}
"""
"""Members that are written on a condition, beside one that data say where in: the array that a
variable is seen as has the extents of one member."""

ROWS_AGAIN = """\
#include <stdio.h>
#include <math.h>
static int within(int n, int m, double *a, const double *x) {
  for (int i = 0; i < n; i++) {
    double *row = a + i * m, s = 0;
    for (int k = 0; k < m; k++)
      s += row[k] * x[k];
    if (s <= 0)
      return i + 1;
    row[0] = sqrt(s);
  }
  return 0;
}
static int packed(int n, double *a) {
  double *row = a;
  for (int i = 0; i < n; i++) {
    double *other = a;
    for (int j = 0; j <= i; j++) {
      double s = row[j];
      for (int k = 0; k < j; k++)
        s -= row[k] * other[k];
      if (i == j) {
        if (s <= 0)
          return i + 1;
        row[j] = sqrt(s);
      } else
        row[j] = s / other[j];
      other += j + 1;
    }
    row += i + 1;
  }
  return 0;
}
struct held { double *p; int n; };
static int through_a_member(struct held *v, int k) {
  double *p = v->p, s = 0;
  for (int i = 0; i < v->n; i++)
    s += p[i];
  if (s < 0)
    return -1;
  p[k] = s;
  printf("%g ", p[k]);
  for (int i = 1; i < v->n; i++)
    p[i] += p[i - 1];
  printf("%g\\n", p[v->n - 1]);
  return p[0] > 2;
}
int main(void) {
  double a[60], x[10], b[10] = {4, 1, 5, 1, 1, 6, 1, 1, 1, 7};
  for (int i = 0; i < 60; i++)
    a[i] = i % 7 + 1;
  for (int i = 0; i < 10; i++)
    x[i] = i % 3 + .5;
  struct held v = {a + 3, 40};
  printf("%d ", within(6, 10, a, x));
  x[3] = -1000;
  printf("%d %d ", within(6, 10, a, x), packed(4, b));
  printf("%d\\n", through_a_member(&v, 2));
  for (int i = 0; i < 60; i++)
    printf("%g ", a[i]);
  for (int i = 0; i < 10; i++)
    printf("%g ", b[i]);
}
"""
"""Rows that are accessed in the loops that are compared and behind them too, by one view."""


@pytest.mark.parametrize("program", [MEMBERS, ROWS_AGAIN], ids=["members", "rows again"])
def test_what_is_kept_and_put_back(program: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    path = tmp_path / "program.c"
    path.write_text(program)
    command = ["gcc", "-O0", "-ffp-contract=off", path, "-lm", "-o", tmp_path / "said"]
    subprocess.run(command, check=True)
    said = subprocess.run([tmp_path / "said"], capture_output=True, text=True, check=True).stdout
    settings = read_settings(["-O3", "-ffp-contract=off", "--check", "--verify-each"])
    assert build(Job((input_of(str(path), "none"),), product="run", settings=settings)) == 0
    out, err = capfd.readouterr()
    assert out == said
    assert re.search(r"compared, \d+ executions: no difference$", err.strip())
