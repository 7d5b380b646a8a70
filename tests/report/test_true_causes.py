"""Loops of every kind that people write, and the true cause that each verdict has to name.

The causes were found by hand: what the C means decides, not what the compiler says.
"""

from __future__ import annotations

import pytest

from polyopt.driver.flags import read_settings
from polyopt.driver.observation import observe
from polyopt.driver.unit import Source
from polyopt.report.verdicts import verdicts

HEAD = """#include <math.h>
double elsewhere(double);
struct item { double weight; struct item *rest; };
"""

FREE = "iterations are independent"

CAUSES: list[tuple[str, str, list[str]]] = [
    # name, the function in one line, words of the verdict of each of its loops, outermost first
    ("scaled", "(int n, double *restrict x) { for (int i = 0; i < n; i++) x[i] *= 3; }", [FREE]),
    (
        "through_a_table",
        "(int n, double *restrict x, int *restrict to) "
        "{ for (int k = 0; k < n; k++) x[to[k]] = k; }",
        ["where that is shows only in the run"],
    ),
    (
        "along_a_list",
        "(double *out, struct item *at) { for (; at; at = at->rest) *out += at->weight; }",
        ["the loop's condition is not affine"],
    ),
    (
        "calls",
        "(int n, double *restrict x) { for (int i = 0; i < n; i++) x[i] = elsewhere(x[i]); }",
        ["the call of elsewhere may do anything"],
    ),
    (
        "running_total",
        "(int n, double *restrict x) { for (int i = 1; i < n; i++) x[i] += x[i - 1]; }",
        ["line 1 at i = 2 needs x[1], which line 1 at i = 1 computes"],
    ),
    (
        "two_apart",
        "(int n, double *restrict x) { for (int i = 2; i < n; i++) x[i] = 5 * x[i - 2]; }",
        ["line 1 at i = 4 needs x[2], which line 1 at i = 2 computes"],
    ),
    (
        "overwrites",
        "(int n, double *restrict x) { for (int i = 0; i < n - 1; i++) x[i] = x[i + 1]; }",
        ["line 1 at i = 1 overwrites x[1], which line 1 at i = 0 still reads"],
    ),
    (
        "adds_up",
        "(int n, double *restrict x, double *restrict sum) "
        "{ for (int i = 0; i < n; i++) sum[0] += x[i]; }",
        ["-fassociative-math"],
    ),
    (
        "squares",
        "(int n, double *restrict x) { for (int i = 0; i * i < n; i++) x[i] = 1; }",
        ["it contains i * i"],
    ),
    (
        "steps",
        "(int n, int by, double *restrict x) { for (int i = 0; i < n; i += by) x[i] = 1; }",
        ["the loop's condition is not affine"],
    ),
    (
        "until_small",
        "(double *restrict x) { int i = 0; while (fabs(x[i]) > 1) { x[i] /= 2; i++; } }",
        ["the loop's condition depends on data"],
    ),
    (
        "four_sums",
        "(int n, double *restrict x, double *restrict y) "
        "{ for (int i = 0; i < n; i++) x[i % 4] += y[i]; }",
        ["line 1 at i = 4 needs x[0], which line 1 at i = 0 computes"],
    ),
    (
        "row_after_row",
        "(int n, double x[restrict n][n]) "
        "{ for (int i = 1; i < n; i++) for (int j = 0; j < n; j++) x[i][j] = x[i - 1][j]; }",
        ["needs x[1][0], which line 1 at i = 1, j = 0 computes", FREE],
    ),
    (
        "half_as_fast",
        "(int n, double *restrict x, double *restrict y) "
        "{ for (int i = 0; i < n; i++) x[i] = y[i / 2]; }",
        [FREE],
    ),
    (
        "moving_rows",
        "(int n, double *from, double **to) "
        "{ for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) to[i][j] = from[j]; }",
        ["the array's address changes while the loops run", FREE],
    ),
]


@pytest.fixture(scope="module")
def found() -> dict[str, list[str]]:
    """What is told of each loop of each function; all of them are one file, a line for each."""
    text = HEAD + "\n".join(f"void {name}{body}" for name, body, _ in CAUSES)
    contents = observe(Source("all.c", text), read_settings(["-O3", "--poly=identity"]))
    result = {name: list[str]() for name, _, _ in CAUSES}
    for one in verdicts(contents):
        line = f"line {one.loop.start.line} "
        result[one.loop.function].append("\n".join(one.lines()).replace(line, "line 1 "))
    return result


@pytest.mark.parametrize(("name", "causes"), [(name, causes) for name, _, causes in CAUSES])
def test_the_cause_is_named(found: dict[str, list[str]], name: str, causes: list[str]):
    assert len(found[name]) == len(causes)
    for text, cause in zip(found[name], causes, strict=True):
        assert cause in text, text
