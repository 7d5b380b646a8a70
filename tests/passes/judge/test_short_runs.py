"""Loops that stay for long runs only give what the source does for every length, on both ways."""

from itertools import pairwise

import numpy as np
import pytest

import polyopt
from polyopt.passes.judge.short_runs import Rung, least_span, pays_in_all
from polyopt.poly.cost.nest_cost import Estimate

RAGGED = """
void ragged(int n, const int *start, const int *x, int *restrict y)
{
    for (int r = 0; r < n; r++) {
        int s = 0;
        for (int i = start[r]; i < start[r + 1]; i++) {
            s += x[i];
            y[i] = s;
        }
    }
}

void in_place(int n, const int *start, int *v)
{
    for (int r = 0; r < n; r++) {
        int s = r;
        for (int i = start[r]; i < start[r + 1]; i++) {
            s ^= v[i];
            v[i] = s;
        }
    }
}
"""


def program(march: str):
    return polyopt.compile(RAGGED, ["-O3", f"-march={march}"])


@pytest.mark.parametrize("march", ["x86-64-v3", "native"])
def test_every_length_gives_what_the_source_does(march: str):
    lengths = [*range(40), 63, 64, 65, 127, 128, 129, 255, 256, 300, 0, 1]
    start = np.cumsum([0, *lengths]).astype(np.int32)
    x = (np.arange(start[-1], dtype=np.int32) * 7919) % 1000 - 500
    y, v = np.zeros_like(x), x.copy()
    compiled = program(march)
    compiled.ragged(len(lengths), start, x, y)
    compiled.in_place(len(lengths), start, v)
    for r, (lower, upper) in enumerate(pairwise(start)):
        assert (y[lower:upper] == np.cumsum(x[lower:upper])).all()
        expected = r
        for i in range(lower, upper):
            expected ^= int(x[i])
            assert v[i] == expected


def rung(span: int, made: float, source: float) -> Rung:
    return Rung(span, Estimate(made, 0.0), Estimate(source, 0.0))


def test_the_least_span_is_above_all_that_are_worse():
    assert least_span([rung(2, 10, 5), rung(4, 10, 10), rung(8, 10, 20)]) == 4
    assert least_span([rung(2, 5, 10), rung(4, 11, 10), rung(8, 10, 20)]) == 8
    assert least_span([rung(2, 10, 5), rung(4, 11, 10)]) == 8
    assert least_span([rung(2, 10, 10), rung(4, 10, 20)]) is None


def test_runs_count_as_often_as_they_come_up():
    rungs = [rung(4, 30, 10), rung(1000, 100, 500)]
    assert pays_in_all(rungs, [0.0, 1.0], 8, 1.0, 0.97)
    assert pays_in_all(rungs, [10.0, 1.0], 8, 1.0, 0.97)
    assert not pays_in_all(rungs, [1000.0, 1.0], 8, 1.0, 0.97)
    assert not pays_in_all(rungs, [1000.0, 1.0], None, 0.0, 0.97)


def test_without_shares_the_average_of_the_ratios_decides():
    assert pays_in_all([rung(4, 30, 10), rung(1000, 100, 500)], None, 8, 1.0, 0.97)
    assert not pays_in_all([rung(4, 30, 10), rung(1000, 450, 500)], None, 8, 5.0, 0.97)


def test_what_is_expected_not_to_run_is_weighed():
    assert pays_in_all([rung(4, 0, 10), rung(1000, 0, 500)], None, None, 0.0, 0.97)
    assert not pays_in_all([rung(4, 0, 0), rung(1000, 0, 0)], None, None, 0.0, 0.97)


WINDOW = """
void clipped(int h, int w, int r, const unsigned char *restrict in, int *restrict out)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int s = 0, n = 0;
            for (int k = x - r; k <= x + r; k++)
                if (k >= 0 && k < w) {
                    s += in[y * w + k];
                    n++;
                }
            out[y * w + x] = s * 100 / n;
        }
}
"""


def test_windows_of_every_radius_give_what_the_source_does():
    compiled = polyopt.compile(WINDOW, ["-O3", "-march=x86-64-v3"])
    rows = (np.arange(3 * 150, dtype=np.int32) * 37 % 251).astype(np.uint8).reshape(3, 150)
    for r in (0, 1, 2, 40, 63, 64, 65, 149, 200):
        out = np.zeros(rows.shape, dtype=np.int32)
        compiled.clipped(3, 150, r, rows, out)
        for x in range(150):
            part = rows[:, max(x - r, 0) : x + r + 1].astype(np.int32)
            assert (out[:, x] == part.sum(axis=1) * 100 // part.shape[1]).all(), r
