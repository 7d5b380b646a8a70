"""Banerjee's inequalities against a list of all pairs."""

from collections.abc import Callable
from itertools import product

import pytest

from polyopt.poly.classic.conflicts import (
    Direction,
    _in_plane,  # pyright: ignore[reportPrivateUsage]
)
from polyopt.poly.linear.dependence_vectors import Interval

FACTORS = (-3, -1, 0, 2)
BOUNDS = ((0, 0), (0, 3), (-2, 1), (2, 5))
FAR = 60
KEEPS: dict[Direction, Callable[[int, int], bool]] = {
    "<": lambda x, y: x < y,
    "=": lambda x, y: x == y,
    ">": lambda x, y: x > y,
    "*": lambda x, y: True,
}


@pytest.mark.parametrize("direction", KEEPS)
def test_the_values_of_a_form_within_bounds(direction: Direction):
    for a, b, one, other in product(FACTORS, FACTORS, BOUNDS, BOUNDS):
        values = [
            a * x + b * y
            for x in range(one[0], one[1] + 1)
            for y in range(other[0], other[1] + 1)
            if KEEPS[direction](x, y)
        ]
        found = _in_plane((a, b), (Interval(*one), Interval(*other)), direction)
        if values:
            assert found is not None
            assert found.low is not None
            assert found.high is not None
            assert found.low <= min(values)
            assert found.high >= max(values)
        if one == other or direction in "*=":
            assert found == (Interval(min(values), max(values)) if values else None)


@pytest.mark.parametrize("direction", KEEPS)
def test_bounds_that_are_not_known_are_far_away(direction: Direction):
    """No value within FAR of a known bound is outside of what is said."""
    for a, b in product(FACTORS, FACTORS):
        for low, high in ((0, None), (None, 3), (None, None)):
            numbers = range(-FAR if low is None else low, (FAR if high is None else high) + 1)
            values = [a * x + b * y for x in numbers for y in numbers if KEEPS[direction](x, y)]
            found = _in_plane((a, b), (Interval(low, high), Interval(low, high)), direction)
            assert found is not None
            assert found.low is None or found.low <= min(values)
            assert found.high is None or found.high >= max(values)
            for limit, end in ((found.low, min(values)), (found.high, max(values))):
                assert (limit is None) == (abs(end) > FAR // 2), (a, b, low, high)
