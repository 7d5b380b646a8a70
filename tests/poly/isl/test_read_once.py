"""Relations by their text: right the first time and every time."""

from __future__ import annotations

import islpy as isl
import pytest

from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.isl.read_once import map_of, set_of

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
def test_is_the_set(_: int):
    found = set_of("{ [d0, d1] : d0 = 0 and d1 > 0 }")
    assert found.is_equal(isl.Set("{ [0, x] : x >= 1 }"))


@pytest.mark.parametrize("_", range(2))
def test_none_where_nothing_meets(_: int):
    assert map_of("{ [i] -> [j] : i < j and j < i }") is None


def test_what_is_too_dear_is_asked_again():
    with pytest.raises(BudgetExceeded), budget("little", 10):
        map_of(DEAR)
    found = map_of(DEAR)
    assert found is not None
    assert found.is_equal(isl.Map(DEAR))


def asked(operations: int) -> int:
    """How often a relation may be asked for within so many operations."""
    count = 0
    try:
        with budget("many", operations):
            for _ in range(1000):
                map_of(PAID)
                count += 1
    except BudgetExceeded:
        return count
    raise AssertionError("nothing is paid for")


PAID = (
    "[n, m] -> { [i, k] -> [j, l] : 0 <= i, k < n and 0 <= j, l < m and 3i + k = 2j - l and "
    "(i < j or (i = j and k < l)) }"
)


def test_is_paid_for_each_time():
    """A budget allows as much whatever was asked before it."""
    first, second = asked(100_000), asked(100_000)
    assert abs(first - second) <= 1
    assert 5 < second < 500
    assert 1.8 < asked(200_000) / second < 2.2


def test_what_is_paid_for_again_leaves_less_to_isl():
    assert map_of(PAID) is not None
    with pytest.raises(BudgetExceeded), budget("some", 20_000):
        ask_and_read(100)
    with budget("some", 200_000):
        ask_and_read(1)


def ask_and_read(times: int) -> None:
    for _ in range(times):
        map_of(PAID)
        assert not isl.Map(PAID).is_empty()
