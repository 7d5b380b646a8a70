"""What pictures show of a SCoP, against loops in Python that do the same by hand."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from itertools import product

import islpy as isl
import pytest
from oracles.nests import CHOLESKY, GEMM, JACOBI, MODULO_DOWN, SCALAR, SEIDEL

from polyopt.poly.dependences import compute_dependences
from polyopt.poly.notation import parse_scop
from polyopt.poly.picture.arrows import arrows, backward
from polyopt.poly.picture.running_order import running_order, shrunk_sizes
from polyopt.poly.picture.sample import LIMIT, Instance, Sample, draw_sample
from polyopt.poly.picture.touches import Touch, Touches, boxes, fetched, touches
from polyopt.poly.schedule_tree import build_schedule, read_tree
from polyopt.poly.schedulers import SCHEDULERS
from polyopt.poly.schedulers.interface import SchedulerOptions
from polyopt.poly.scop import Scop
from polyopt.poly.transform.tiling import tile_bands

NESTS = {
    "gemm": GEMM,
    "jacobi": JACOBI,
    "seidel": SEIDEL,
    "cholesky": CHOLESKY,
    "scalar": SCALAR,
    "modulo": MODULO_DOWN,
}

BEHIND = """
[k, n] : k >= 0
for i : k + 1 <= i < n
  S: m = m A[i]
"""

Run = list[tuple[Instance, list[tuple[str, tuple[int, ...], bool]]]]
"""Instances in order, each with its accesses: array, subscripts, whether it writes."""


def jacobi(n: int, m: int) -> Run:
    run: Run = []
    for t in range(n):
        for i in range(1, m - 1):
            reads = [("A", (i + d,), False) for d in (-1, 0, 1)]
            run.append((("S", (t, i)), [*reads, ("B", (i,), True)]))
        for i in range(1, m - 1):
            run.append((("T", (t, i)), [("B", (i,), False), ("A", (i,), True)]))
    return run


def gemm(n: int, m: int, k: int) -> Run:
    run: Run = []
    for i, j in product(range(n), range(m)):
        run.append((("S", (i, j)), [("C", (i, j), False), ("C", (i, j), True)]))
        for h in range(k):
            reads = [("A", (i, h), False), ("B", (h, j), False), ("C", (i, j), False)]
            run.append((("T", (i, j, h)), [*reads, ("C", (i, j), True)]))
    return run


def modulo(n: int) -> Run:
    run: Run = []
    for i in reversed(range(n)):
        if i % 3 == 1:
            run.append((("S", (i,)), [("A", (i + 1,), False), ("A", (i,), True)]))
        if i % 2 == 0:
            run.append((("T", (i,)), [("A", (i,), False), ("A", (i // 2,), True)]))
    return run


BY_HAND = {"jacobi": jacobi, "gemm": gemm, "modulo": modulo}


def sampled(name: str) -> tuple[Scop, Sample]:
    scop = parse_scop(NESTS[name])
    sample = draw_sample(scop)
    assert sample is not None
    return scop, sample


def by_hand(name: str, sample: Sample) -> Run:
    """The run of the whole nest at the sample's sizes, which the sample must not have cut."""
    assert not sample.cropped
    return BY_HAND[name](*(value for _, value in sample.parameters))


@pytest.mark.parametrize("name", NESTS)
def test_a_sample_is_small_and_says_what_it_leaves_out(name: str):
    scop, sample = sampled(name)
    instances = sample.instances()
    assert 0 < len(instances) <= LIMIT
    assert {statement for statement, _ in instances} == {one.name for one in scop.statements}
    for statement in scop.statements:
        whole = statement.domain
        for parameter, value in sample.parameters:
            position = whole.find_dim_by_name(isl.dim_type.param, parameter)
            whole = whole.fix_val(isl.dim_type.param, position, isl.Val(value))
        shown = sum(name == statement.name for name, _ in instances)
        assert (shown < whole.count_val().to_python()) == (statement.name in sample.cropped)


def test_long_loops_are_cut_to_their_first_iterations():
    sample = draw_sample(parse_scop("[]\nfor i : 0 <= i < 1000\n  S: A[i] = A[i]\n"))
    assert sample is not None
    assert sample.cropped == ("S",)
    assert sample.instances() == [("S", (i,)) for i in range(len(sample.instances()))]


def test_known_sizes_are_kept():
    sample = draw_sample(parse_scop("[n] : n >= 500\nfor i : 0 <= i < n\n  S: A[i] = A[i]\n"))
    assert sample is not None
    assert dict(sample.parameters)["n"] >= 500
    assert sample.cropped == ("S",)


def test_what_never_runs_has_no_sample():
    assert draw_sample(parse_scop("[]\nfor i : 0 <= i < 0\n  S: A[i] = A[i]\n")) is None


@pytest.mark.parametrize("name", BY_HAND)
def test_the_order_is_that_of_the_loops(name: str):
    scop, sample = sampled(name)
    order = running_order(scop, scop.schedule, sample)
    assert [event.instance for event in order.events] == [one for one, _ in by_hand(name, sample)]
    assert not order.shrunk


@pytest.mark.parametrize("name", BY_HAND)
def test_touches_are_those_of_the_statements(name: str):
    scop, sample = sampled(name)
    found = touches(scop, sample)
    assert found is not None
    for instance, expected in by_hand(name, sample):
        mine = [(*touch.element, touch.is_write) for touch in found[instance]]
        assert sorted(mine) == sorted(expected)


@pytest.mark.parametrize("name", BY_HAND)
def test_arrows_join_what_conflicts_with_no_write_between(name: str):
    """Flow from the last write of an element to each read; anti and output to the next write."""
    scop, sample = sampled(name)
    found = arrows(compute_dependences(scop, reassociate=False), sample)
    assert found is not None
    expected = defaultdict[tuple[Instance, Instance], set[str]](set)
    written = dict[tuple[str, tuple[int, ...]], Instance]()
    read = defaultdict[tuple[str, tuple[int, ...]], list[Instance]](list)
    for instance, accesses in by_hand(name, sample):
        for array, subscripts, is_write in accesses:
            element = array, subscripts
            if not is_write:
                read[element].append(instance)
                if element in written:
                    expected[written[element], instance].add("flow")
        for array, subscripts, is_write in accesses:
            element = array, subscripts
            if is_write:
                for reader in read.pop(element, []):
                    if reader != instance:
                        expected[reader, instance].add("anti")
                if element in written:
                    expected[written[element], instance].add("output")
                written[element] = instance
    pairs = {(one.source, one.target): set(one.kinds) for one in found}
    kinds = {
        pair: {"flow" if k == "reduction" else k for k in kind} for pair, kind in pairs.items()
    }
    firm = {pair for pair, kind in expected.items() if kind & {"flow", "anti"}}
    assert firm <= set(kinds)
    assert set(kinds) <= set(expected)
    assert {p for p, k in kinds.items() if "flow" in k} == {
        p for p, k in expected.items() if "flow" in k
    }


@pytest.mark.parametrize("name", NESTS)
@pytest.mark.parametrize("tile", [None, 32])
def test_no_arrow_goes_backward_in_any_legal_order(name: str, tile: int | None):
    scop, sample = sampled(name)
    dependences = compute_dependences(scop, reassociate=False)
    schedule = SCHEDULERS["isl"]()(scop, dependences, SchedulerOptions())
    if tile is not None:
        tree = tile_bands(read_tree(schedule), lambda band, _: (tile,) * len(band.members))
        schedule = build_schedule(scop.domain, tree)
    found = arrows(dependences, sample)
    assert found is not None
    for one in (scop.schedule, schedule):
        order = running_order(scop, one, sample)
        assert sorted(event.instance for event in order.events) == sample.instances()
        assert backward(found, order.positions()) == []


def test_tiles_are_drawn_small_and_run_one_after_another():
    scop, sample = sampled("gemm")
    dependences = compute_dependences(scop, reassociate=False)
    schedule = SCHEDULERS["isl"]()(scop, dependences, SchedulerOptions())
    tree = tile_bands(read_tree(schedule), lambda band, _: (32,) * len(band.members))
    order = running_order(scop, build_schedule(scop.domain, tree), sample)
    ((size, small),) = order.shrunk
    assert size == 32
    tiles = [event.tile for event in order.events if event.statement == "T"]
    runs = [tile for k, tile in enumerate(tiles) if k == 0 or tiles[k - 1] != tile]
    assert len(runs) == len(set(runs)) > 1
    for event in order.events:
        if event.statement == "T":
            corner = tuple(value // small for value in event.point)
            same = [
                other.tile
                for other in order.events
                if other.statement == "T" and tuple(v // small for v in other.point) == corner
            ]
            assert set(same) == {event.tile}


@pytest.mark.parametrize(
    ("sizes", "extent", "expected"),
    [
        (set[int](), 10, {}),
        ({2}, 10, {}),
        ({32}, 10, {32: 3}),
        ({32}, 24, {32: 8}),
        ({32, 256}, 10, {32: 3, 256: 6}),
        ({4}, 5, {4: 2}),
    ],
)
def test_shrunk_sizes(sizes: set[int], extent: int, expected: dict[int, int]):
    assert shrunk_sizes(sizes, extent) == expected


def slowly(order: list[Instance], touched: Touches, capacity: int, line: int) -> int:
    """A line is there if fewer than `capacity` others were touched since it was."""
    lines = list[tuple[str, tuple[int, ...]]]()
    for instance in order:
        for touch in touched.get(instance, ()):
            array, subscripts = touch.element
            lines.append((array, (*subscripts[:-1], *(s // line for s in subscripts[-1:]))))
    misses = 0
    for k, one in enumerate(lines):
        earlier = [h for h in range(k) if lines[h] == one]
        if not earlier or len(set(lines[earlier[-1] + 1 : k])) >= capacity:
            misses += 1
    return misses


@pytest.mark.parametrize("name", ["jacobi", "modulo", "scalar"])
@pytest.mark.parametrize("capacity", [1, 3, 8, 1000])
def test_fetched_is_what_least_recently_used_means(name: str, capacity: int):
    scop, sample = sampled(name)
    touched = touches(scop, sample)
    assert touched is not None
    order = [event.instance for event in running_order(scop, scop.schedule, sample).events]
    assert fetched(order, touched, capacity) == slowly(order, touched, capacity, 4)


def test_boxes_hold_all_that_is_touched():
    touched: Touches = {
        ("S", (0,)): (Touch(("A", (3, 1)), False), Touch(("x", ()), True)),
        ("S", (1,)): (Touch(("A", (2, 5)), True),),
    }
    found = {box.array: (box.first, box.last) for box in boxes(touched)}
    assert found == {"A": ((2, 1), (3, 5)), "x": ((), ())}


def test_accesses_of_unknown_place_are_not_shown():
    scop = parse_scop("[n]\nfor i : 0 <= i < n\n  S: A[i] = B[i]\n")
    (statement,) = scop.statements
    anywhere = isl.Map("{ S[i] -> B[j] }")
    read, write = sorted(statement.accesses, key=lambda one: one.is_write)
    unknown = replace(statement, accesses=(replace(read, relation=anywhere), write))
    sample = draw_sample(scop)
    assert sample is not None
    assert touches(replace(scop, statements=(unknown,)), sample) is None


def test_parameters_that_cannot_be_equal_are_small_all_the_same():
    """Where the loop begins behind k, and ends at n."""
    sample = draw_sample(parse_scop(BEHIND))
    assert sample is not None
    values = dict(sample.parameters)
    assert values["k"] >= 0
    assert values["n"] <= 4 * sample.extent
    assert len(sample.instances()) == values["n"] - values["k"] - 1 >= 2
