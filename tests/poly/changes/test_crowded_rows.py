"""Rows that meet in few sets of a cache: when they are to be longer."""

from dataclasses import replace

import pytest

from polyopt.poly.changes.crowded_rows import crowded_rows
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import read_tree
from polyopt.poly.scop import Scop
from polyopt.poly.transform.by_hand import schedule_by_hand
from polyopt.support.target import Target

TARGET = Target.named("x86-64-v3")

UPDATES = """
[n, m]
for k : 0 <= k < STEPS
  for j : 0 <= j < n
    for i : 0 <= i < m
      S: A[i, j] = A[i, j] B[k, j]
"""


def updates(row: str | None, steps: str = "n") -> Scop:
    scop = parse_scop(UPDATES.replace("STEPS", steps))
    arrays = tuple(replace(one, extents=(None, row)) for one in scop.arrays)
    return replace(scop, arrays=arrays)


def found(scop: Scop, steps: str = "tile S.k S.j 32 64") -> dict[str, int]:
    return crowded_rows(scop, read_tree(schedule_by_hand(scop, None, steps)), TARGET)


def test_a_tile_walks_down_all_rows():
    assert found(updates("512")) == {"A": 8}


@pytest.mark.parametrize("row", ["520", "513", "256", "n", None])
def test_rows_that_are_spread_or_of_unknown_length(row: str | None):
    assert found(updates(row)) == {}


@pytest.mark.parametrize(("steps", "pays"), [("15", False), ("16", True)])
def test_how_often_elements_are_used(steps: str, pays: bool):
    assert found(updates("512", steps)) == ({"A": 8} if pays else {})


def test_few_rows_to_a_tile():
    assert found(updates("512"), "tile S.k S.j S.i 32 64 64") == {}


def test_more_than_the_cache_holds():
    assert found(updates("4096"), "tile S.k S.j 8 1024") == {}


def test_no_tiles():
    scop = updates("512")
    assert crowded_rows(scop, read_tree(scop.schedule), TARGET) == {}
