"""What runs at once: each run once, in lanes and threads as the plan says, nothing too early."""

from __future__ import annotations

from itertools import product

import pytest

from polyopt.poly.picture.at_once import Group, Plan, Shared, Vectors, at_once
from polyopt.poly.picture.running_order import Event, Order


def nest(*extents: int) -> Order:
    """S in as many loops, in the order of its iterators."""
    points = list(product(*map(range, extents)))
    return Order(tuple(Event("S", point) for point in points), loops=tuple(points))


def points(order: Order, groups: tuple[Group, ...]) -> list[tuple[int, int, list[tuple[int, ...]]]]:
    return [(g.step, g.thread, [order.events[k].point for k in g.events]) for g in groups]


def test_vectors_are_neighbours_of_a_row_and_rows_end_in_shorter_ones():
    order = nest(2, 5)
    groups = at_once(order, Plan({"S": Vectors(1, 2)}, {}, 1))
    assert points(order, groups) == [
        (0, 0, [(0, 0), (0, 1)]),
        (1, 0, [(0, 2), (0, 3)]),
        (2, 0, [(0, 4)]),
        (3, 0, [(1, 0), (1, 1)]),
        (4, 0, [(1, 2), (1, 3)]),
        (5, 0, [(1, 4)]),
    ]


def test_lanes_of_an_outer_loop_go_through_the_inner_one_in_step():
    order = nest(2, 3)
    groups = at_once(order, Plan({"S": Vectors(0, 2)}, {}, 1))
    assert points(order, groups) == [(j, 0, [(0, j), (1, j)]) for j in range(3)]


def test_lanes_that_are_behind_each_other_leave_corners():
    order = nest(2, 3)
    groups = at_once(order, Plan({"S": Vectors(0, 2, 1, 1)}, {}, 1))
    lanes = [points for _, _, points in points(order, groups)]
    assert lanes == [[(0, 0)], [(0, 1), (1, 0)], [(0, 2), (1, 1)], [(1, 2)]]


def test_threads_have_ranges_and_meet_behind_the_loop():
    """The inner loop is shared: an iteration of the outer one waits for all of the one before."""
    order = nest(2, 3)
    groups = at_once(order, Plan({}, {"S": Shared(1)}, 2))
    assert points(order, groups) == [
        (0, 0, [(0, 0)]),
        (0, 1, [(0, 2)]),
        (1, 0, [(0, 1)]),
        (2, 0, [(1, 0)]),
        (2, 1, [(1, 2)]),
        (3, 0, [(1, 1)]),
    ]


def test_vectors_stay_within_the_range_of_a_thread():
    order = nest(6)
    groups = at_once(order, Plan({"S": Vectors(0, 2)}, {"S": Shared(0)}, 2))
    assert points(order, groups) == [
        (0, 0, [(0,), (1,)]),
        (0, 1, [(3,), (4,)]),
        (1, 0, [(2,)]),
        (1, 1, [(5,)]),
    ]


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_turns_follow_each_other_at_a_distance(threads: int):
    order = nest(4, 5)
    groups = at_once(order, Plan({}, {"S": Shared(0, "turns", 1)}, threads))
    steps = {order.events[g.events[0]].point: g.step for g in groups}
    assert sorted(steps) == [event.point for event in order.events]
    for i, j in steps:
        for k in range(j + 1):
            assert i == 0 or steps[i - 1, k] < steps[i, j]
    busy = {(g.step, g.thread) for g in groups}
    assert len(busy) == len(groups)
    assert max(steps.values()) + 1 == {1: 20, 2: 11, 3: 10}[threads]


def test_what_is_in_no_shared_loop_runs_alone():
    events = (Event("A", (0,)), Event("A", (1,)), Event("B", ()), Event("A", (2,)))
    order = Order(events, loops=((0,), (1,), (None,), (2,)))
    groups = at_once(order, Plan({}, {"A": Shared(0)}, 2))
    assert [(g.step, g.thread, g.events) for g in groups] == [
        (0, 0, (0,)),
        (1, 0, (1,)),
        (2, 0, (2,)),
        (3, 1, (3,)),
    ]
