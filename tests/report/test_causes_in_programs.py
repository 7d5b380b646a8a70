"""Loops as they stand in programs that people write, and what their verdicts have to say, and may
not. Found by reading: what the C means decides, not what the compiler says.
"""

from __future__ import annotations

from polyopt.driver.observed.observation import observe
from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.unit import Source
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
