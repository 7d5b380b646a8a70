"""Loops as they stand in programs that people write, and what their verdicts have to say, and may
not. Found by reading: what the C means decides, not what the compiler says.
"""

from __future__ import annotations

from polyopt.driver.observed.observation import observe
from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.source import Source
from polyopt.report.verdicts import verdicts


def told(text: str, *options: str) -> list[str]:
    """Of each loop all that is said, outermost first."""
    settings = read_settings(["-O3", "-march=x86-64-v3", *options])
    found = verdicts(observe(Source("k.c", text), settings))
    return [" | ".join([one.headline, *one.details]) for one in found]


def test_a_count_beside_a_sum_is_an_update_as_the_sum_is():
    text = """double mean(const double *x, int n) {
                double s = 0;
                int c = 0;
                for (int i = 0; i < n; i++)
                  if (x[i] > 0) {
                    s += x[i];
                    c++;
                  }
                return s / c;
              }"""
    (one,) = told(text, "-ffast-math")
    assert "iterations only update c and s, in any order" in one


def test_a_variable_of_the_loop_is_not_to_be_declared_there():
    """Rows of a window are as long as a sum says, and each element has its own `s`."""
    text = """void f(const float *in, float *out, int w, int h, const float *k, int r) {
                for (int y = r; y < h - r; y++)
                  for (int x = r; x < w - r; x++) {
                    float s = 0;
                    for (int j = -r; j <= r; j++)
                      for (int i = -r; i <= r; i++)
                        s += k[(j + r) * (2 * r + 1) + i + r] * in[(y + j) * w + x + i];
                    out[y * w + x] = s;
                  }
              }"""
    y, x, j, i = told(text)
    assert "iterations are independent, each with its own s" in y
    assert "iterations are independent, each with its own s" in x
    assert "needs s" in j
    assert "needs s" in i


RANKS = """int rp[1001], ci[9999], deg[1000];
           double r[1000], nr[1000];
           void f(int n, int it) {
             for (int t = 0; t < it; t++) {
               for (int i = 0; i < n; i++) {
                 double s = 0;
                 for (int k = rp[i]; k < rp[i + 1]; k++)
                   s += r[ci[k]] / deg[ci[k]];
                 nr[i] = 0.15 / n + 0.85 * s;
               }
               for (int i = 0; i < n; i++)
                 r[i] = nr[i];
             }
           }"""


def test_the_bounds_come_before_what_else_is_not_done():
    """And what is not done names its array."""
    t, i, *_ = told(RANKS)
    why = "not optimised: the condition of loop k is no sum of loop variables: it contains what is"
    assert t.startswith(why)
    assert i.startswith(why)
    assert "iterations may meet in nr" in t


def test_functions_of_the_library_have_advice_of_their_own():
    text = """#include <ctype.h>
              #include <stdlib.h>
              void f(char *s, int n) {
                for (int i = 0; i < n; i++)
                  s[i] = toupper(s[i]);
                for (int i = 0; i < n; i++)
                  s[i] = rand();
              }"""
    upper, random = told(text)
    assert "comparisons like c >= 'a' && c <= 'z'" in upper
    assert "fill an array by a loop of its own" in random
    assert "attribute" not in upper + random
    assert "LLVM makes vectors" not in random


def test_reads_under_a_condition_may_come_before_it():
    """The advice names what is read there."""
    text = """void f(int n, const unsigned char *a, unsigned char *restrict b, unsigned char *c) {
                int s = 0;
                for (int x = 1; x < n; x++) {
                  if (a[x] > 3) s = 1;
                  if (s == 1 || (c[x + 1] && s == 0)) b[x] = 1;
                }
              }"""
    x, *_ = told(text)
    assert "it contains what is read from a; where c may be read whether it holds or not" in x
    assert "do so before it" in x


def test_what_an_inner_loop_has_counted_may_decide():
    """A rule of cells: what has been counted of an iteration's neighbours is chosen by."""
    text = """void f(int n, unsigned char *a, unsigned char *b) {
                for (int x = 1; x < n; x++) {
                  int s = 0;
                  for (int d = -1; d <= 1; d++)
                    if (d)
                      s += a[x + d];
                  b[x] = s == 3 || (a[x] && s == 2);
                }
              }"""
    x, *_ = told(text)
    assert "iterations are independent, each with its own s" in x


def test_of_a_variable_that_the_loop_changes_reads_before_are_no_help():
    text = """int f(int n, const int *x, int v, double *a) {
                int at = -1;
                for (int i = 0; i < n; i++) {
                  if (at < 0 && x[i] == v) at = i;
                  %s
                }
                return at;
              }"""
    why = "it contains at, which does not change by the same amount each time"
    (one,) = told(text % "")
    assert f"{why}; leave the loop once nothing will change any more" in one
    (other,) = told(text % "a[i] = 1;")
    assert why in other
    assert "leave the loop" not in other
    assert "do so before" not in one + other


def test_steps_that_are_no_constants_are_told_as_they_are_written():
    text = """void f(double *a, int n, int step) {
                for (int i = 0; i < n; i += step)
                  a[i] = 0;
                for (int i = 0; i < n; i += 2 * step)
                  a[i] = 1;
              }"""
    one, two = told(text)
    assert "it contains i, which goes on by step, and step is no constant" in one
    assert "it contains i, which goes on by a multiple of step, and step is no constant" in two


def test_a_quotient_in_a_bound_is_to_be_computed_before():
    text = """struct grid { int n, step; };
              void f(double *a, struct grid *g, int n, int step, int *p) {
                for (int i = 0; i < %s; i++)
                  for (int j = 0; j < %s; j++)
                    a[j] += 1;
              }"""
    _, loaded = told(text % ("n", "g->n / g->step"))
    advice = ": compute it in a variable before the loops"
    assert f"the quotient of what is read from g and what is read from g{advice}" in loaded
    _, changing = told(text % ("n", "n % p[i]"))
    assert "the remainder of n and what is read from p" in changing
    assert advice not in changing
    outer, _ = told(text % ("n", "(i + 1) / step"))
    assert "/ step" in outer or "and step" in outer
    assert advice not in outer
    for bound in ("n / step", "n % step"):
        assert "not optimised" not in "".join(told(text % ("n", bound)))


def test_members_of_different_types_are_named():
    text = """struct p { float x, v; %s alive; };
              void f(struct p *p, int n, float dt) {
                for (int i = 0; i < n; i++)
                  if (p[i].alive)
                    p[i].x += p[i].v * dt;
              }"""
    (mixed,) = told(text % "int")
    assert "let the members of a struct have one type, or an array each" in mixed
    (plain,) = told(text % "float")
    assert "iterations are independent" in plain


def test_what_is_carried_comes_before_what_may_wrap():
    """Nothing is stored: signed integers would not help."""
    text = """unsigned f(const unsigned char *p, unsigned long n, const unsigned *table) {
                unsigned c = ~0u;
                for (unsigned long i = 0; i < n; i++)
                  c = table[(c ^ p[i]) & 255] ^ (c >> 8);
                return ~c;
              }"""
    (one,) = told(text)
    assert "an iteration needs c of the one before" in one
    assert "wrap" not in one


def test_a_loop_without_a_variable_has_no_name():
    text = "void f(volatile int *flag) { while (!*flag); }"
    settings = read_settings(["-O3"])
    (one,) = verdicts(observe(Source("k.c", text), settings))
    assert one.lines()[0].startswith("k.c:1:30: loop: not optimised: each access of a volatile")


def test_members_and_what_pointers_lead_to_are_named_as_they_are_written():
    text = """struct matrix { int rows, cols; double *data; };
              void f(const struct matrix *a, struct matrix *b, struct matrix *c) {
                for (int i = 0; i < a->rows; i++)
                  for (int k = 0; k < a->cols; k++)
                    c->data[i] += a->data[i * a->cols + k] * b->data[k];
              }
              void g(int n, const double *x, double *sum) {
                for (int i = 0; i < n; i++)
                  *sum += x[i];
              }"""
    _, k, i = told(text)
    assert "needs c->data[0], which" in k
    assert "needs *sum, which" in i
