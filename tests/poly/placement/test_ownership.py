"""Which arrays are cut at the same places."""

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
