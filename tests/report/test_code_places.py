"""What computes in the machine code has the place of the statement that it was made of, whatever
the loops became; what only counts and steers may have that of the loops."""

from __future__ import annotations

import re

import pytest

from polyopt.driver.observed.observation import observe
from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.source import Source
from polyopt.report.contents import CodeLine

CONTRACTION = """void f(int n, double a[n][n], double b[restrict n][n], double c[restrict n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                a[i][j] += b[i][k] * c[k][j];
}
"""
SKEWED_LANES = """void f(int n, int steps, double a[n][n]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = 0.2 * (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}
"""
LANES = """void f(int n, int m, double x[m][n], double y[restrict m][n]) {
    for (int c = 0; c < m; c++) {
        double s = 0;
        for (int i = 0; i < n; i++) {
            s = 0.9 * s + 0.1 * x[c][i];
            y[c][i] = s;
        }
    }
}
"""
SCAN = """void f(int n, const double *restrict x, double *restrict y) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        s = s * 0.5 + x[i];
        y[i] = s;
    }
}
"""
VECTORS = """void f(int n, double *restrict x, const double *restrict y) {
    for (int i = 0; i < n; i++)
        x[i] =
            x[i] * 0.5 +
            y[i] * y[n - i];
}
"""
ARITHMETIC = re.compile(r"\s+v(add|sub|mul|fn?m(add|sub)\d+)[ps]d\s")


def code_of(text: str, march: str, *flags: str) -> tuple[list[CodeLine], list[str]]:
    """And what was done, in the words of the passes."""
    settings = read_settings(["-O3", f"-march={march}", *flags])
    found = observe(Source("k.c", text), settings)
    (function,) = found.functions
    return list(function.lines), [one.message for one in found.remarks if one.kind == "applied"]


@pytest.mark.parametrize(
    ("text", "flags", "lines", "made"),
    [
        (CONTRACTION, ["x86-64-v3", "-ffast-math"], {5}, "contraction in panels"),
        (SKEWED_LANES, ["x86-64-v4"], {5}, "16 iterations of i in lanes"),
        (LANES, ["x86-64-v4"], {5}, "16 iterations of c in lanes"),
        (VECTORS, ["x86-64-v4"], {4, 5}, "vectors of 8"),
        (SCAN, ["x86-64-v4", "-ffast-math"], {4}, "each taken together in steps"),
    ],
    ids=["contraction", "skewed lanes", "lanes", "vectors", "scan"],
)
def test_arithmetic_has_the_place_of_its_statement(
    text: str, flags: list[str], lines: set[int], made: str
):
    code, done = code_of(text, *flags)
    assert any(made in message for message in done)
    computing = [line.source for line in code if ARITHMETIC.match(line.text)]
    assert computing
    assert set(computing) <= lines


def test_elements_in_lanes_have_the_place_of_their_statement():
    """They are loaded and put together one by one, which is most of the code."""
    code, _ = code_of(SKEWED_LANES, "x86-64-v3")
    moves = [line.source for line in code if re.match(r"\s+vmov[hl]pd\s", line.text)]
    assert moves
    assert moves.count(5) > 0.9 * len(moves)
