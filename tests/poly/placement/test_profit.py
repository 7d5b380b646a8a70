"""When there is more to do than to tell everybody what came of it."""

import pytest

from polyopt.poly.notation import parse_scop
from polyopt.poly.placement.profit import is_worth_while

COPY = "for i : 0 <= i < n\n  for j : 0 <= j < n\n    S: A[i, j] = B[j, i]"
PRODUCT = """for i : 0 <= i < n
  for j : 0 <= j < n
    S: C[i, j] = B[i, j]
    for k : 0 <= k < n
      T: C[i, j] += A[i, k] B[k, j]"""
SUM = "for i : 0 <= i < n\n  S: s[] += A[i]"
SWEEPS = "for t : 0 <= t < n\n  for i : 1 <= i < n\n    S: A[i] = A[i - 1] A[i]"
ONE_ROW = "for i : 0 <= i < n\n  for j : 0 <= j < n\n    S: A[3, j] += B[i, j]"
ONE_AT_A_TIME = "for i : 0 <= i < 1\n  for j : 0 <= j < n\n    S: A[j] += B[i, j]"


@pytest.mark.parametrize(
    ("text", "axes", "is_worth"),
    [
        (COPY, 2, False),
        (PRODUCT, 1, True),
        (SUM, 1, False),
        (SWEEPS, 1, True),
        (ONE_ROW, 1, False),
        (ONE_ROW, 2, True),
        (ONE_AT_A_TIME, 1, False),
    ],
)
def test_instances_are_more_than_results_which_the_grid_cuts(text: str, axes: int, is_worth: bool):
    assert is_worth_while(parse_scop(f"[n]\n{text}"), axes) == is_worth
