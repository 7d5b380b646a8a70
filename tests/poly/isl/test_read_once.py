"""Relations by their text: right the first time and every time."""

from __future__ import annotations

import islpy as isl
import pytest

from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.isl.read_once import map_of

MEETING = "[n] -> { [i] -> [j] : 0 <= i < n and 0 <= j < n and i = 2j and i < j + 2 }"
DEAR = (
    "[n] -> { [a, b, c, d] -> [e, f, g, h] : 3a + 5b - 7c + 2d = 11e - 3f + g - 5h and "
    "exists (x, y: 7x <= a + 3e < 7x + 5 and 11y <= b - 2f + 3c < 11y + 4) and "
    "0 <= a, b, c, d, e, f, g, h < n }"
)


@pytest.mark.parametrize("_", range(2))
def test_is_the_relation(_: int):
    found = map_of(MEETING)
    assert found is not None
    pairs = isl.Map("[n] -> { [0] -> [0] : n > 0; [2] -> [1] : n > 2 }")
    assert found.is_equal(pairs)


@pytest.mark.parametrize("_", range(2))
def test_none_where_nothing_meets(_: int):
    assert map_of("{ [i] -> [j] : i < j and j < i }") is None


def test_what_is_too_dear_is_asked_again():
    with pytest.raises(BudgetExceeded), budget("little", 10):
        map_of(DEAR)
    found = map_of(DEAR)
    assert found is not None
    assert found.is_equal(isl.Map(DEAR))
