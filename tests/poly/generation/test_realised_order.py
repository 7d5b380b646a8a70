"""Which loops show to run in the order of a schedule, compared with their instances one by one."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random

import islpy as isl
import pytest
from oracles.kernels import KERNELS
from oracles.mutations import mutate
from oracles.nests import GEMM, JACOBI, NESTS
from oracles.polyhedral import run_loops, times
from oracles.random_sets import random_set, random_time, scop_over

from polyopt.poly.dependences import compute_dependences
from polyopt.poly.generation.ast_generation import generate_loops
from polyopt.poly.generation.executed_set import check_executed
from polyopt.poly.generation.executions import executions
from polyopt.poly.generation.realised_order import realises
from polyopt.poly.loops.loop_tree import Branch, Const, Instance, Loop, Node
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import build_schedule, read_tree
from polyopt.poly.schedulers import SCHEDULERS
from polyopt.poly.schedulers.interface import SchedulerOptions
from polyopt.poly.scop import Scop
from polyopt.poly.transform.tiling import tile_bands

SIZES = {"n": 4, "m": 5, "k": 3}


def shows(scop: Scop, nodes: Sequence[Node], schedule: isl.Schedule) -> bool:
    return realises(scop, executions(nodes), read_tree(schedule)) is None


def is_in_order(nodes: Sequence[Node], schedule: isl.Schedule) -> bool:
    when = times(schedule, SIZES)
    run = list(run_loops(nodes, SIZES))
    assert sorted(run) == sorted(when)
    return all(when[a] <= when[b] for a, b in pairwise(run))


def loops_of(scop: Scop, schedule: isl.Schedule) -> tuple[Node, ...]:
    nodes = generate_loops(scop, None, schedule)
    assert nodes is not None
    return nodes


@pytest.mark.parametrize("name", ["gemm", "jacobi-2d", "adi", "lu", "durbin"])
def test_tiled_kernels_show_their_order(name: str):
    scop = parse_scop(KERNELS[name])
    schedule = SCHEDULERS["isl"]()(scop, compute_dependences(scop), SchedulerOptions())
    tiled = tile_bands(read_tree(schedule), lambda band, _: [8] * len(band.members))
    schedule = build_schedule(scop.domain, tiled)
    assert shows(scop, loops_of(scop, schedule), schedule)


@pytest.mark.parametrize("text", [JACOBI, GEMM, NESTS["durbin"] if "durbin" in NESTS else JACOBI])
def test_loops_of_another_order_never_show_this_one(text: str):
    """Loops of one random schedule against another: a proof is right wherever there is one."""
    scop = parse_scop(text)
    random, shown = Random(7), 0
    schedules = [
        build_schedule(scop.domain, mutate(read_tree(scop.schedule), random)) for _ in range(7)
    ]
    for k, one in enumerate(schedules):
        nodes = loops_of(scop, one)
        for j, other in enumerate(schedules):
            if shows(scop, nodes, other):
                shown += k == j
                assert is_in_order(nodes, other)
    assert shown >= 5


def test_random_polyhedra_in_random_orders():
    random, proved = Random(11), 0
    for _ in range(12):
        depth = random.randint(1, 2)
        domain = random_set(random, depth, 5)
        one = scop_over(domain, random_time(random, depth)).schedule
        scop = scop_over(domain, random_time(random, depth))
        nodes = loops_of(scop, scop.schedule)
        proved += shows(scop, nodes, scop.schedule)
        if shows(scop, nodes, one):
            assert is_in_order(nodes, one)
    assert proved >= 10


def reversed_bodies(nodes: Sequence[Node]) -> tuple[Node, ...]:
    found = list[Node]()
    for node in reversed(nodes):
        match node:
            case Loop():
                found.append(replace(node, body=reversed_bodies(node.body)))
            case Branch():
                found.append(replace(node, then=reversed_bodies(node.then)))
            case Instance():
                found.append(node)
    return tuple(found)


@pytest.mark.parametrize("name", sorted(NESTS))
def test_loops_in_the_wrong_place_do_not_show(name: str):
    scop = parse_scop(NESTS[name])
    nodes = loops_of(scop, scop.schedule)
    wrong = reversed_bodies(nodes)
    if wrong != nodes:
        assert not shows(scop, wrong, scop.schedule)


def test_a_loop_that_counts_the_other_way_does_not_show():
    scop = parse_scop("[n]\nfor i down : 0 <= i < n\n  S: A[i] =")
    (up,) = loops_of(
        parse_scop("[n]\nfor i : 0 <= i < n\n  S: A[i] ="),
        parse_scop("[n]\nfor i : 0 <= i < n\n  S: A[i] =").schedule,
    )
    assert not shows(scop, (up,), scop.schedule)


def test_the_order_is_shown_by_the_schedule_or_by_the_dependences():
    """Two loops that nothing joins may run in either order; the schedule alone does not say so."""
    scop = parse_scop("[n]\nfor i : 0 <= i < n\n  S: A[i] =\nfor i : 0 <= i < n\n  T: B[i] =")
    first, second = loops_of(scop, scop.schedule)
    assert check_executed(scop, (first, second), None, scop.schedule) is None
    fault = check_executed(scop, (second, first), None, scop.schedule)
    assert fault is not None
    assert fault.kind == "unknown"
    dependences = compute_dependences(scop)
    assert check_executed(scop, (second, first), dependences, scop.schedule) is None
    assert isinstance(first, Loop)
    short = replace(first, lower=Const(1))
    fault = check_executed(scop, (short, second), dependences, scop.schedule)
    assert fault is not None
    assert fault.kind == "missing"
