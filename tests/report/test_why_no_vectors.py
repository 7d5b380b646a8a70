"""Why loops are one iteration after the other, and examples in numbers of the source; from C."""

from __future__ import annotations

import pytest

from polyopt.driver.observed.observation import observe
from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.source import Source
from polyopt.report.verdicts import verdicts


def told(text: str, *options: str) -> list[str]:
    """Of each loop all that is said, in the order of the source."""
    settings = read_settings(["-O3", "-march=x86-64-v3", *options])
    contents = observe(Source("k.c", text), settings)
    return ["\n".join(one.lines()) for one in verdicts(contents)]


@pytest.mark.parametrize(
    ("body", "cause"),
    [
        (
            "(int n, double x[restrict n][n]) { for (int i = 0; i < n; i++) x[i][i] += 1; }",
            "neighbouring iterations touch x in different rows, and scattering them costs more",
        ),
        (
            "(int n, long *restrict x, const long *restrict q) "
            "{ for (int i = 0; i < n; i++) x[i] = x[i] / q[i]; }",
            "the division of integers has no vector form",
        ),
        (
            "(int n, double *restrict x) { for (int i = 0; i < n; i++) x[i] = sin(x[i]); }",
            "sin is computed exactly; -ffast-math permits its vector forms",
        ),
        (
            "(int n, double *restrict x, double *restrict y) "
            "{ for (int i = 0; i < n; i += 2) x[i] = y[i]; }",
            "neighbouring iterations touch x 2 elements apart, and where the loop begins or ends",
        ),
    ],
)
def test_the_obstacle_to_vectors_is_named(body: str, cause: str):
    (one,) = told(f"double sin(double);\nvoid f{body}")
    assert "iterations are independent" in one
    assert cause in one


def test_the_flag_that_is_advised_makes_vectors():
    text = (
        "double sin(double);\n"
        "void f(int n, double *restrict x) { for (int i = 0; i < n; i++) x[i] = sin(x[i]); }"
    )
    (one,) = told(text, "-ffast-math")
    assert "vectors of" in one
    assert "No vectors" not in one


def test_nothing_stands_against_a_loop_that_llvm_makes_vectors_of():
    (one,) = told("void f(int n, double *restrict x) { for (int i = 0; i < n; i++) x[i] = 1; }")
    assert "No vectors" not in one


def test_iterations_have_the_numbers_of_the_source():
    """j is 4, 9, 14."""
    (one,) = told(
        """void f(int n, double x[restrict n]) {
             for (int j = 4; j < n; j += 5)
               x[j] = x[j - 5];
           }"""
    )
    assert "line 3 at j = 9 needs x[4], which line 3 at j = 4 computes" in one


def test_pointers_have_iterations_and_no_numbers():
    (one,) = told(
        """void f(int n, const double *restrict x, double *restrict s) {
             for (const double *p = x; p < x + n; p++)
               s[0] += *p;
           }"""
    )
    assert "at iteration 2 of p needs s[0], which line 3 at iteration 1 of p computes" in one


def test_the_variable_that_is_carried_is_named():
    """x begins anew in each row; the count goes on. Both change in line 8."""
    outer, _ = told(
        """unsigned st[64];
           int f(int n) {
             int c = 0;
             for (int l = 0; l < 64; l++) {
               unsigned x = st[l];
               for (int i = 0; i < n; i++) {
                 x ^= x << 13;
                 float a = (x & 0xffff) / 65536.0f; x ^= x >> 17;
                 float b = (x & 0xffff) / 65536.0f;
                 if (a * a + b * b < 1.0f) c++;
               }
             }
             return c;
           }"""
    )
    assert "updates c, as" in outer
    assert "needs x, which" not in outer
    assert "updates x, as" not in outer


def test_what_a_condition_decides_is_not_said_to_be_certain():
    (one,) = told(
        """void f(int n, double x[restrict n], double y[restrict n]) {
             double r = 0;
             for (int i = 0; i < n; i++) {
               if (x[i] > 0) r = x[i];
               y[i] = r;
             }
           }"""
    )
    assert "needs r" in one or "may need r" in one


def test_a_loop_around_has_its_reason_though_it_stands_at_the_one_inside():
    """The outer one is no control part, the inner one is."""
    outer, inner = told(
        """double x[4096], v[4096]; int n;
           void f(void) {
             int ii = n, to = 0, from, i;
             do {
               from = to; to += ii; ii /= 2; i = to;
               for (int k = from + 1; k < to; k += 2) { i++; x[i] = x[k] - v[k] * x[k - 1]; }
             } while (ii > 1);
           }"""
    )
    assert "beforehand" not in outer
    assert "it contains ii" in outer
    assert "iterations are independent" in inner


def test_a_loop_around_one_that_is_unrolled_is_known_by_its_name():
    outer, inner = told(
        """float a[2000][8][8];
           void f(void) {
             for (int b = 0; b < 2000; b++)
               for (int i = 0; i < 8; i++)
                 a[b][i][i] += 8;
           }"""
    )
    assert "loop b: " in outer
    assert "iterations are independent" in outer
    assert "unrolled" in inner
