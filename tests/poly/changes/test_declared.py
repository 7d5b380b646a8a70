"""Sizes for which accesses stay within declared arrays."""

from dataclasses import replace

import islpy as isl
import pytest

from polyopt.poly.changes.declared import within_declared
from polyopt.poly.notation import parse_scop

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
