"""What is assumed of the sizes: what is left of it, and in how many pieces."""

import islpy as isl
from oracles.prepared import function_named, prepare, source_module

from polyopt.ir.control.control_flow import ControlFlow
from polyopt.passes.scop.assumptions import MOST_PIECES, without
from polyopt.passes.scop.detection import find_scops
from polyopt.passes.scop.rejection import Reason

TYPES = isl.Set("[n, m, l] -> { : -99 <= n, m, l <= 99 }")

BROKEN = (
    "n >= 1 and m >= 1 and l + n >= 20 and m + l >= 7 and n - l <= 50",
    "n >= 1 and l >= 6 and n + m + l >= 31 and m <= n + 40 and l <= 2m + 9",
    "m >= 2 and l >= 1 and (n + 2 >= m and n <= 60 or n = 3 and l + m <= 80 and l >= m)",
    "n >= 4 and m >= 4 and l >= 4 and n + m >= l + 12 and l + m >= n - 30 and n + l >= m - 30",
    "n >= 2 and m >= 19 and n <= m and l <= m + n and l >= 0",
    "l >= 18 and n >= 1 and m <= 70 and l <= 90 and n + 5 >= m",
    "n >= 18 and m >= 1 and l <= 65 and l >= -20 and n <= 93 and m >= l - 77",
)


def test_the_rest_is_what_a_difference_leaves():
    allowed, expected = isl.Set.universe(TYPES.get_space()), TYPES
    for condition in BROKEN:
        broken = isl.Set(f"[n, m, l] -> {{ : -99 <= n, m, l <= 99 and ({condition}) }}")
        allowed = without(allowed, broken, TYPES)
        expected = expected.subtract(broken)
        assert allowed.intersect(TYPES).is_equal(expected)
        assert allowed.n_basic_set() < 100


def test_few_pieces_stay_as_they_are():
    """Each constraint is a half-space to ask about, what types say among them."""
    broken = isl.Set("[n, m, l] -> { : n >= 4 and n <= 99 and m = 3 }")
    allowed = without(isl.Set.universe(TYPES.get_space()), broken, TYPES)
    assert allowed.n_basic_set() == 4 <= MOST_PIECES


def test_rows_are_not_assumed_to_be_empty():
    """The inner loop goes one element behind its row each time: it stays in it only where it never
    runs, and what is made of the rest then has no use."""
    text = """void f(int w, int n, int r, float *restrict out, const float *restrict k) {
                for (int x = 0; x < n; x++) {
                  float s = 0;
                  for (int j = 0; j <= 2 * r; j++)
                    for (int i = 0; i <= 2 * r; i++)
                      s += k[j * 2 * r + i];
                  out[x] = s;
                }
              }"""
    module = source_module(text)
    prepare(module)
    flow = ControlFlow(function_named(module, "f").body)
    found = find_scops(flow)
    assert found.rejections(flow)[0].reason is Reason.SUBSCRIPT
    assert not any(
        array.is_written for p in found.plans for array in p.candidate.arrays if array.layout.shape
    )
