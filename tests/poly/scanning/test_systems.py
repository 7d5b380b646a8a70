"""Elimination, emptiness and redundancy, against the integer points in a box."""

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

import polyopt.poly.scanning.systems as systems_module
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.scanning.systems import (
    IMPOSSIBLE,
    Row,
    System,
    eliminate,
    equality,
    implies,
    is_empty,
    minimise,
    negation,
    project,
    rank,
    reduce_rows,
    tighten,
)
from polyopt.support.effort import effort

SIDE = range(-3, 4)


def meets(point: tuple[int, ...], rows: System) -> bool:
    return all(sum(a * x for a, x in zip(row, (1, *point), strict=False)) >= 0 for row in rows)


def points(rows: System, depth: int) -> set[tuple[int, ...]]:
    return {point for point in product(SIDE, repeat=depth) if meets(point, rows)}


def box(depth: int) -> System:
    """Every unknown in SIDE."""
    rows = list[Row]()
    for k in range(depth):
        unit = tuple(int(j == k) for j in range(depth))
        rows += [(3, *unit), (3, *(-value for value in unit))]
    return tuple(rows)


def systems(seed: str, count: int, depth: int = 3) -> Iterator[System]:
    random = Random(seed)
    for _ in range(count):
        cuts: list[Row] = [
            (random.randint(-6, 6), *(random.randint(-3, 3) for _ in range(depth)))
            for _ in range(random.randint(1, 5))
        ]
        if random.random() < 0.3:
            cuts += equality(cuts[0])
        yield reduce_rows((*box(depth), *cuts))


def test_tightening_keeps_the_integer_points():
    assert tighten((7, 2, -4)) == (3, 1, -2)
    assert tighten((-7, 2, -4)) == (-4, 1, -2)
    assert tighten((3, 0, 0)) is None
    assert tighten((-3, 0, 0)) == IMPOSSIBLE


def test_an_equality_without_integer_points_is_empty():
    """2 x = 2 y + 1."""
    assert is_empty(equality((1, -2, 2)))
    assert not is_empty(equality((2, -2, 2)))


def test_elimination_is_the_projection_over_the_rationals():
    """x <= 3 y <= x + 1 and 0 <= x <= 4: x = 1 and x = 4 have no integer y."""
    rows = ((0, -1, 3), (1, 1, -3), (0, 1), (4, -1))
    assert set(eliminate(rows, 2)) == {(0, 1), (4, -1)}


@pytest.mark.parametrize("unknown", [1, 2, 3])
def test_a_projection_loses_no_point(unknown: int):
    for rows in systems(f"project {unknown}", 10):
        shadow = project(rows, [unknown])
        assert all(not row[unknown:] or row[unknown] == 0 for row in shadow)
        assert points(rows, 3) <= points(shadow, 3)


def test_what_is_called_empty_is_empty():
    found = 0
    for rows in systems("empty", 60):
        if is_empty(rows):
            found += 1
            assert not points(rows, 3)
    assert found > 8


def test_what_is_not_called_empty_has_a_rational_point():
    """In one dimension tightening makes elimination exact."""
    for low, high in product(range(-6, 7), repeat=2):
        rows = ((-low, 2), (high, -3))  # low <= 2 x and 3 x <= high
        assert is_empty(rows) == (not any(low <= 2 * x and 3 * x <= high for x in range(-20, 20)))


def test_what_is_implied_holds():
    random = Random("implied")
    for rows in systems("implies", 20):
        row = (random.randint(-2, 9), *(random.randint(-2, 2) for _ in range(3)))
        if implies(rows, row):
            assert all(meets(point, (row,)) for point in points(rows, 3))
        else:
            assert not is_empty((*rows, negation(row)))


def test_without_redundant_rows_the_points_are_the_same():
    for rows in systems("minimise", 10):
        least = minimise(rows)
        assert set(least) <= set(rows)
        assert points(least, 3) == points(rows, 3)
        for k, row in enumerate(least):
            assert not implies((*least[:k], *least[k + 1 :]), row)


def test_known_rows_need_not_be_kept():
    assert minimise([(0, 1), (5, -1)], known=[(-2, 1)]) == ((5, -1),)


def fan(count: int) -> System:
    """Bounds of x above and below, each of another slope in y."""
    return tuple((100, side, k) for k in range(1, count + 1) for side in (1, -1))


def price(count: int) -> int:
    with effort(1 << 40) as account, budget("fan", 0):
        eliminate(fan(count), 1)
    return account.spent


def test_each_pair_of_rows_is_paid_for():
    assert price(20) == 4 * price(10) == 16 * price(5) > 0


def test_what_costs_more_than_its_budget_is_given_up():
    rows = next(systems("dear", 1, 8)) + next(systems("more", 1, 8))
    rows += tuple((5, *(1 if j in (k, (k + 3) % 8) else -1 for j in range(8))) for k in range(8))
    assert not is_empty(rows)
    with pytest.raises(BudgetExceeded, match="question"), budget("question", 1_000):
        is_empty(rows)
    with pytest.raises(BudgetExceeded, match="fan"), budget("fan", price(10) - 1):
        eliminate(fan(10), 1)


@pytest.mark.parametrize("side", [1, -1])
def test_what_has_bounds_on_one_side_goes_first(side: int):
    """No pair has to be combined: without y, which is bounded on one side, nothing is left."""
    rows = tuple((constant, x, side * y) for constant, x, y in fan(10))
    with effort(1 << 40) as account, budget("fan", 0):
        assert project(rows, (1, 2)) == ()
    assert account.spent < price(5)


def test_no_shadow_has_thousands_of_rows():
    with pytest.raises(BudgetExceeded, match="Fourier"):
        eliminate(fan(60), 1)


@pytest.mark.parametrize(
    ("row", "unknown"), [((3,), 0), ((3, 1), 1), ((3, 1, 0), 1), ((0, 1, -2), 2)]
)
def test_the_innermost_unknown(row: Row, unknown: int):
    assert rank(row) == unknown


def test_of_parallel_rows_the_strongest_is_kept():
    """x >= -1 and x >= -3."""
    assert reduce_rows([(1, 1), (3, 1)]) == reduce_rows([(3, 1), (1, 1)]) == ((1, 1),)
    assert implies([(1, 1)], (3, 1))
    assert not implies([(3, 1)], (1, 1))


def test_a_negation_holds_where_the_row_does_not():
    for row in [(2, 3, -1), (0, 1), (-4, 0, 5)]:
        for point in product(SIDE, repeat=len(row) - 1):
            assert meets(point, (row,)) != meets(point, (negation(row),))


def test_the_rank_is_the_place_of_the_innermost_unknown():
    for length in range(1, 6):
        for place in range(1, length + 1):
            row = (7, *(int(k <= place) for k in range(1, length + 1)))
            assert rank(row) == place
    assert rank((7,)) == rank((7, 0, 0)) == 0


def test_more_than_so_many_pairs_are_not_combined():
    low, high = (0, 1), (5, -1)
    assert eliminate([low] * 40 + [high] * 60, 1) == ()
    with pytest.raises(BudgetExceeded):
        eliminate([low] * 41 + [high] * 60, 1)


def test_of_rows_that_say_the_same_the_one_of_fewer_unknowns_stays():
    """Where x = y, x + y >= 0 is y >= 0."""
    assert minimise([(0, 0, 1), (0, 1, 1)], equality((0, 1, -1))) == ((0, 0, 1),)


def unit(place: int, factor: int = 1) -> tuple[int, ...]:
    return (*(0 for _ in range(place - 1)), factor)


CHEAP_FIRST: tuple[Row, ...] = (
    (0, 1, -1),
    (10, -1),
    (5, 0, -1),
    *((0, 0, 1, *unit(k, -1)) for k in range(1, 13)),
)
"""y <= x <= 10, y <= 5 and y >= z_k: x first takes 1 pair and then 12, y first takes 24 and 12."""
ONE_SIDED: tuple[Row, ...] = (*((0, -1, 1, *unit(k)) for k in range(1, 4)), (5, 0, -1))
"""x <= y + z_k and y <= 5: x has no lower bound, and goes with its rows."""


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(("rows", "pairs", "left"), [(CHEAP_FIRST, 13, 12), (ONE_SIDED, 0, 0)])
def test_what_adds_fewest_rows_goes_first(rows: tuple[Row, ...], pairs: int, left: int, sign: int):
    """Paid at 16 operations a pair; with all unknowns negated, bounds are on the other side."""
    turned = [(row[0], *(sign * a for a in row[1:])) for row in rows]
    with budget("projection", 16 * pairs + 1):
        assert len(project(turned, [1, 2])) == left


@pytest.mark.parametrize(("most", "is_known"), [(1, True), (0, False)])
def test_what_takes_too_many_pairs_is_left_open(
    monkeypatch: pytest.MonkeyPatch, most: int, is_known: bool
):
    """x >= 0, y >= 0, x + y <= -1: one pair for x, and then one for y."""
    monkeypatch.setattr(systems_module, "_EFFORT", most)
    assert is_empty([(0, 1), (0, 0, 1), (-1, -1, -1)]) == is_known


def test_what_equalities_say_costs_no_pairs():
    """x = y, x >= 1, y <= 0: one pair for y."""
    with budget("emptiness", 17):
        assert is_empty((*equality((0, 1, -1)), (-1, 1), (0, 0, -1)))
