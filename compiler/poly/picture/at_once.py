"""What of an order happens at once where a loop is in vectors, and one is shared out to threads.

A vector is a few iterations in a row of one loop, in the same iterations of all loops around and in
it; it takes one step. Each thread takes a step after the other, at the same time as all others:

    ranges   a thread has a range of the loop's iterations, and waits behind the loop for all others
    turns    iterations are handed out in turns: one runs a step of the loop inside (`inner`) when
             the one before is through with it

What is in no such loop, the first thread does, while all others wait.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Literal

from polyopt.poly.picture.running_order import Order
from polyopt.support.record import record

Values = tuple[int | None, ...]


@record
class Vectors:
    """Along `loop`, a place in `Order.loops`; `skew`: each lane is so many iterations of the loop
    `inner` behind the one before."""

    loop: int
    lanes: int
    skew: int = 0
    inner: int | None = None


@record
class Shared:
    """A loop that threads share; `inner` of turns is the loop that they stay in step along."""

    loop: int
    how: Literal["ranges", "turns"] = "ranges"
    inner: int | None = None


@record
class Plan:
    """By statement."""

    vectors: Mapping[str, Vectors]
    shared: Mapping[str, Shared]
    threads: int


@record
class Group:
    """What is done in one step of one thread: places in `Order.events`, by lane."""

    events: tuple[int, ...]
    thread: int
    step: int


Region = tuple[object, ...]
"""Between two of them all threads meet."""


def at_once(order: Order, plan: Plan) -> tuple[Group, ...]:
    """By step and thread. Groups begin in the order of their first event, thread by thread."""
    rows = _rows(order, plan)
    threads = [_thread(order, plan, rows, k) for k in range(len(order.events))]
    found = sorted(_vectors(order, plan, threads), key=min)
    clock = [0] * plan.threads
    groups = list[Group]()
    for _, part in groupby(found, key=lambda one: _region(order, plan, one[0])):
        clock = [max(clock)] * plan.threads
        passed = defaultdict[int, list[tuple[int, int]]](list)
        for events in part:
            thread = threads[events[0]]
            step = clock[thread]
            turn = _turn(order, plan, rows, events[0])
            if turn is not None:
                row, place = turn
                step = max([step, *(end for at, end in passed[row - 1] if at <= place)])
                passed[row].append((place, step + 1))
            clock[thread] = step + 1
            groups.append(Group(events, thread, step))
    return tuple(sorted(groups, key=lambda one: (one.step, one.thread)))


def _region(order: Order, plan: Plan, event: int) -> Region:
    shared = plan.shared.get(order.events[event].statement)
    return () if shared is None else (shared.loop, order.loops[event][: shared.loop])


def _value(order: Order, event: int, loop: int) -> int:
    """Of a loop that is around the event."""
    value = order.loops[event][loop]
    assert value is not None
    return value


def _rows(order: Order, plan: Plan) -> dict[Region, list[int]]:
    """The iterations of the loop that is shared, in each region."""
    rows = defaultdict[Region, set[int]](set)
    for k, event in enumerate(order.events):
        shared = plan.shared.get(event.statement)
        if shared is not None:
            rows[_region(order, plan, k)].add(_value(order, k, shared.loop))
    return {region: sorted(values) for region, values in rows.items()}


def _thread(order: Order, plan: Plan, rows: Mapping[Region, list[int]], event: int) -> int:
    shared = plan.shared.get(order.events[event].statement)
    if shared is None:
        return 0
    mine = rows[_region(order, plan, event)]
    place = mine.index(_value(order, event, shared.loop))
    return place * plan.threads // len(mine) if shared.how == "ranges" else place % plan.threads


def _turn(
    order: Order, plan: Plan, rows: Mapping[Region, list[int]], event: int
) -> tuple[int, int] | None:
    """Which iteration of the loop that is handed out in turns, and which one of that inside."""
    shared = plan.shared.get(order.events[event].statement)
    if shared is None or shared.how != "turns" or shared.inner is None:
        return None
    mine = rows[_region(order, plan, event)]
    row = mine.index(_value(order, event, shared.loop))
    return row, _value(order, event, shared.inner)


def _vectors(order: Order, plan: Plan, threads: Sequence[int]) -> list[tuple[int, ...]]:
    """Events that are done in one step of one thread. The first lane of a vector is that of the
    loop's first iteration, in these iterations of the loops around it."""
    runs = defaultdict[tuple[Region, Values], list[tuple[int, int]]](list)
    firsts = dict[Region, int]()
    for k, event in enumerate(order.events):
        vectors = plan.vectors.get(event.statement)
        if vectors is None:
            runs[(k,), ()].append((0, k))
            continue
        value = _value(order, k, vectors.loop)
        around: list[int | None] = [*order.loops[k]]
        around[vectors.loop] = None
        begin = event.statement, threads[k], *around
        if vectors.inner is not None:
            begin = event.statement, threads[k], *around[: vectors.loop]
            around[vectors.inner] = _value(order, k, vectors.inner) + vectors.skew * value
        firsts[begin] = min(value, firsts.get(begin, value))
        runs[begin, tuple(around)].append((value, k))
    return [
        tuple(k for _, k in strip)
        for (begin, _), run in runs.items()
        for strip in _strips(sorted(run), firsts.get(begin, 0), _lanes(order, plan, run[0][1]))
    ]


def _lanes(order: Order, plan: Plan, event: int) -> int:
    vectors = plan.vectors.get(order.events[event].statement)
    return 1 if vectors is None else vectors.lanes


def _strips(
    run: Sequence[tuple[int, int]], first: int, lanes: int
) -> Iterator[Sequence[tuple[int, int]]]:
    for _, strip in groupby(run, key=lambda one: (one[0] - first) // lanes):
        yield list(strip)
