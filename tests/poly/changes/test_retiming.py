"""Reversal and retiming: what the constraints allow, and no more."""

from itertools import product

import islpy as isl
import pytest

from polyopt.poly.changes.retiming import Direction, edges_of, find_directions, least_shifts

BOTH = FORWARD, BACKWARD = Direction(0), Direction(0, -1)


def shifts(dependences: str, **directions: Direction) -> dict[str, int] | None:
    return least_shifts(directions, edges_of(isl.UnionMap(dependences)))


def test_the_consumer_of_later_values_waits():
    found = shifts("[n] -> { S[i] -> T[j] : j <= i <= j + 2 and 0 <= i < n }", S=FORWARD, T=FORWARD)
    assert found == {"S": 0, "T": 2}


def test_no_shift_where_values_come_from_the_past():
    found = shifts("{ S[i] -> T[i + 3] : 0 <= i < 9 }", S=FORWARD, T=FORWARD)
    assert found == {"S": 0, "T": 0}


def test_a_distance_that_grows_with_the_size_cannot_be_retimed():
    pairs = "[n] -> { S[i] -> T[j] : 0 <= i, j < n }"
    assert shifts(pairs, S=FORWARD, T=FORWARD) is None


def test_a_cycle_that_goes_back_cannot_be_retimed():
    pairs = "{ S[i] -> T[i - 1] : 0 < i < 9; T[i] -> S[i] : 0 <= i < 9 }"
    assert shifts(pairs, S=FORWARD, T=FORWARD) is None


def test_reversal_is_found_where_it_is_needed():
    edges = edges_of(isl.UnionMap("[n] -> { S[i] -> S[i - 1] : 0 < i < n }"))
    assert find_directions({"S": [FORWARD, BACKWARD]}, edges) == {"S": BACKWARD}
    both = edges_of(isl.UnionMap("{ S[i] -> S[i - 1] : 0 < i < 9; S[i] -> S[i + 2] : 0 < i < 9 }"))
    assert find_directions({"S": [FORWARD, BACKWARD]}, both) is None


def test_axes_are_changed_together():
    """T reads the transpose of what S writes in the same iteration of the outer loop."""
    edges = edges_of(isl.UnionMap("[n] -> { S[i, j] -> T[j, i] : 0 <= i, j < n }"))
    ways = [Direction(0), Direction(1)]
    assert find_directions({"S": ways, "T": ways}, edges) == {"S": Direction(0), "T": Direction(1)}


def test_a_wish_is_kept_where_nothing_speaks_against_it():
    need = edges_of(isl.UnionMap("{ S[i] -> T[i] : 0 <= i < 9 }"))
    wish = edges_of(isl.UnionMap("{ S[i] -> T[i - 1] : 0 < i < 9 }"))
    against = edges_of(isl.UnionMap("{ T[i] -> S[i - 1] : 0 < i < 9 }"))
    directions = {"S": FORWARD, "T": FORWARD}
    assert least_shifts(directions, need, wish) == {"S": 0, "T": 1}
    assert least_shifts(directions, need, against) == {"S": 0, "T": 0}
    assert least_shifts(directions, need, [*wish, *against]) == {"S": 0, "T": 1}


@pytest.mark.parametrize("number", range(20))
def test_least_shifts_by_enumeration(number: int):
    """Three statements, a distance for each pair: all shifts up to 6 tried one by one."""
    pairs = list(product("STU", repeat=2))
    distances = {
        pair: (number * 7 + 5 * k) % 6 - 2
        for k, pair in enumerate(pairs)
        if (number + k) % 3 and pair[0] != pair[1]
    }
    text = "; ".join(f"{s}[i] -> {t}[i + {d}]" for (s, t), d in distances.items())
    found = shifts(f"{{ {text} }}", S=FORWARD, T=FORWARD, U=FORWARD)
    legal = [
        dict(zip("STU", one, strict=True))
        for one in product(range(7), repeat=3)
        if all(
            distance + one["STU".index(t)] - one["STU".index(s)] >= 0
            for (s, t), distance in distances.items()
        )
    ]
    if found is None:
        assert legal == []
    else:
        assert found in legal
        assert all(found[name] <= one[name] for one in legal for name in "STU")


@pytest.mark.parametrize(("source", "target"), [*product([*BOTH, Direction(None)], repeat=2)])
def test_least_and_greatest_differences_of_time(source: Direction, target: Direction):
    (edge,) = edges_of(isl.UnionMap("{ S[i] -> T[j] : 0 <= i <= 4 and i - 2 <= j <= i + 3 }"))
    times = [
        (target.sign * j if target.axis == 0 else 0) - (source.sign * i if source.axis == 0 else 0)
        for i in range(5)
        for j in range(i - 2, i + 4)
    ]
    assert edge.least(source, target) == min(times)
    assert edge.greatest(source, target) == max(times)
