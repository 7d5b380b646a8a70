"""Sizes for which accesses stay within declared arrays."""

from dataclasses import replace

import islpy as isl
import pytest

from polyopt.poly.changes.declared import declared_limits, within_declared
from polyopt.poly.notation import parse_scop
from polyopt.poly.scop import Scop

LOOPS = """
[n, m]
for i : 0 <= i < n
  S: c[i] = c[i]
  for j : 0 <= j < m
    T: A[i, j] = c[i]
"""


@pytest.mark.parametrize(
    ("given", "left"),
    [
        ("1 = 1", "(n <= 64 and m <= 200) or n <= 0 or m <= 0"),
        ("n > 1000", "n > 1000 and m <= 0"),
        ("n > 1000 and m > 0", "1 = 0"),
    ],
)
def test_accesses_that_are_made_stay_within_the_extents(given: str, left: str):
    scop = parse_scop(LOOPS)
    table = replace(scop.array("A"), extents=("64", "200"))
    scop = replace(scop, arrays=(table, *(one for one in scop.arrays if one.name != "A")))
    found = within_declared(scop, isl.Set(f"[n, m] -> {{ : {given} }}"))
    assert found.is_equal(isl.Set(f"[n, m] -> {{ : {left} }}"))


def with_table(text: str, *extents: str) -> Scop:
    scop = parse_scop(text)
    table = replace(scop.array("A"), extents=extents)
    return replace(scop, arrays=(table, *(one for one in scop.arrays if one.name != "A")))


SQUARE = """
[n, m]
for i : 0 <= i < n
  for j : 0 <= j < m
    T: A[i, j] = c[i]
"""

ROW_OF_ANY_LENGTH = """
[n, m]
for i : 0 <= i < n
  for j : 0 <= j < m
    T: A[i, j] =
for k : 0 <= k < m
  S: c[k] =
"""

BACKWARDS = """
[n, m]
for i : n <= i < 9
  for j : 0 <= j < n
    T: A[j, i] =
"""


@pytest.mark.parametrize(
    ("text", "extents", "limits"),
    [
        (SQUARE, ("6", "8"), {"n": 6, "m": 8}),
        (SQUARE, ("6", "80"), {"n": 6}),
        (SQUARE, ("n", "8"), {"m": 8}),
        (LOOPS, ("6", "8"), {"m": 8}),  # S runs for any n
        (ROW_OF_ANY_LENGTH, ("6", "8"), {"n": 6}),
        (BACKWARDS, ("3", "9"), {}),  # of 9 and more none runs, of 3 does
    ],
)
def test_sizes_by_which_all_that_runs_leaves_an_array_are_limited(
    text: str, extents: tuple[str, ...], limits: dict[str, int]
):
    assert declared_limits(with_table(text, *extents), 64) == limits


@pytest.mark.parametrize(
    ("known", "limits"),
    [
        ("m <= n", {"m": 8}),
        ("n = m", {}),
        ("m >= 2", {"n": 6, "m": 8}),
        ("m >= 20", {"n": 0}),
        ("m = 2n", {}),
    ],
)
def test_limits_leave_what_is_known_of_other_parameters(known: str, limits: dict[str, int]):
    scop = with_table(SQUARE, "6", "8")
    scop = replace(scop, context=isl.Set(f"[n, m] -> {{ : {known} }}"))
    assert declared_limits(scop, 64) == limits
