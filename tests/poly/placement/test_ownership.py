"""Which arrays are cut at the same places."""

import islpy as isl
import pytest

from polyopt.poly.notation import parse_scop
from polyopt.poly.placement.grid import Axis
from polyopt.poly.placement.ownership import place_by_writes


def parts(first: str, second: str) -> tuple[object, object]:
    """Those that two arrays of these sizes belong to."""
    text = f"""
    [n]
    for i : 0 <= i < {first}
      S0: A[i] = X[i]
    for i : 0 <= i < {second}
      S1: B[i] = A[i]
    """
    placement = place_by_writes(parse_scop(text), [Axis(None, 0)])
    return placement.parts["A"], placement.parts["B"]


@pytest.mark.parametrize(
    ("first", "second"), [("1000", "1000"), ("1000", "998"), ("n", "n - 2"), ("16", "18")]
)
def test_neighbours_in_two_arrays_are_together(first: str, second: str):
    one, other = parts(first, second)
    assert one == other


@pytest.mark.parametrize(
    ("first", "second"), [("1000", "10"), ("147", "600000"), ("n", "1000"), ("1200", "1400")]
)
def test_a_short_array_is_cut_by_itself(first: str, second: str):
    """All of it would be at the first processor, or the last one would have little to do."""
    one, other = parts(first, second)
    assert one != other


def test_ranges_of_sizes_that_exclude_each_other_are_cut_apart():
    text = """
    [n]
    for i : 0 <= i < n and n <= 5
      S0: A[i] = X[i]
    for i : 0 <= i < n and n >= 9
      S1: B[i] = X[i]
    """
    placement = place_by_writes(parse_scop(text), [Axis(None, 0)])
    assert placement.parts["A"] != placement.parts["B"]


def test_something_is_written_where_there_is_something_to_write():
    """What each has its part of is there, whether anything is written or not."""
    scop = parse_scop("[n]\nfor i : 0 <= i < n\n  S: A[i] = X[i]")
    nobody = place_by_writes(scop, [Axis(None, 0)])
    assert nobody.written.is_equal(isl.Set("[n] -> { : n >= 1 }"))
    size = isl.PwAff("[n] -> { [(n)] }")
    everybody = place_by_writes(scop, [Axis(None, 0)], {"A": [size]})
    assert everybody.written.is_equal(isl.Set("[n] -> { : }"))


@pytest.mark.parametrize(("low", "high"), [(0, 2), (2, 0), (1, 1)])
def test_a_part_begins_with_the_first_of_its_arrays(low: int, high: int):
    text = f"""
    [n]
    for i : {low} <= i < n
      S0: A[i] = X[i]
    for i : {high} <= i < n
      S1: B[i] = X[i]
    """
    placement = place_by_writes(parse_scop(text), [Axis(None, 0)])
    (part,) = {*placement.parts["A"], *placement.parts["B"]}
    assert part is not None
    assert placement.ranges[part].first.min_val().to_python() == min(low, high)
