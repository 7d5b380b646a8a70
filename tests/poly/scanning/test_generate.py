"""The second loop generator, run by a small interpreter and compared with isl's."""

from collections.abc import Sequence
from itertools import pairwise
from random import Random

import islpy as isl
import pytest
from oracles.kernels import KERNELS
from oracles.mutations import mutate
from oracles.nests import GEMM, JACOBI, NESTS
from oracles.polyhedral import Sizes, run_loops, times
from oracles.random_sets import random_set, random_time, scop_over

from polyopt.poly.dependences import compute_dependences
from polyopt.poly.generation.ast_generation import GenerationOptions, generate_loops
from polyopt.poly.generation.executed_set import check_executed
from polyopt.poly.isl.lists import sets
from polyopt.poly.loops.expressions import evaluate, holds
from polyopt.poly.loops.loop_text import loop_text
from polyopt.poly.loops.loop_tree import Branch, Loop, Node
from polyopt.poly.notation import parse_scop
from polyopt.poly.scanning.generate import scan_loops
from polyopt.poly.schedule_tree import build_schedule, read_tree
from polyopt.poly.schedulers import SCHEDULERS
from polyopt.poly.schedulers.interface import SchedulerOptions
from polyopt.poly.scop import Scop, Statement
from polyopt.poly.transform.tiling import tile_bands
from polyopt.support.remarks import collect_remarks

SIZES = {"n": 4, "m": 7, "k": 3}
TIED = frozenset(("modulo-down", "nussinov"))
"""Whose loops differ in text from isl's: conditions that isl turns into an `else`, or that are
implied by a stride."""


def scanned(scop: Scop, schedule: isl.Schedule | None = None) -> tuple[Node, ...]:
    nodes = scan_loops(scop, None, schedule or scop.schedule)
    assert nodes is not None
    return nodes


def check_run(scop: Scop, schedule: isl.Schedule, sizes: Sizes) -> None:
    """Every instance once, in the order of its time."""
    run = list(run_loops(scanned(scop, schedule), sizes))
    when = times(schedule, sizes)
    assert sorted(run) == sorted(when)
    assert all(when[a] <= when[b] for a, b in pairwise(run))


def text_of(condition: str, names: Sequence[str] = ("i", "j")) -> str:
    domain = isl.Set(f"[n] -> {{ S[{', '.join(names)}] : {condition} }}")
    return loop_text(scanned(scop_over(domain)))


@pytest.mark.parametrize("name", ["2mm", "adi", "durbin", "lu", "symm", "two-updates"])
def test_the_original_order_gives_the_same_loops_as_isl(name: str):
    check_same_text(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted((NESTS | KERNELS).keys() - TIED))
def test_the_original_order_gives_the_same_loops_as_isl_for_all(name: str):
    check_same_text(name)


def check_same_text(name: str) -> None:
    scop = parse_scop((NESTS | KERNELS)[name])
    assert loop_text(scanned(scop)) == loop_text(generate_loops(scop, None, scop.schedule) or ())


@pytest.mark.parametrize("name", sorted(TIED))
def test_the_original_order_of_the_others_is_right(name: str):
    scop = parse_scop((NESTS | KERNELS)[name])
    assert check_executed(scop, scanned(scop), compute_dependences(scop)) is None


def test_a_triangle_the_other_way_round():
    """The paper's question: bounds of each variable in those before it."""
    scop = scop_over(
        isl.Set("[n] -> { S[i, j] : 0 <= i < n and 0 <= j <= i }"),
        "{ S[i, j] -> [(j)] }, { S[i, j] -> [(i)] }",
    )
    assert loop_text(scanned(scop)) == (
        "for (c0 = 0; c0 < n; c0++)\n  for (c1 = c0; c1 < n; c1++)\n    S(c1, c0);\n"
    )


def test_bounds_round_exactly():
    assert text_of("0 <= i < n and i <= 3j <= 2i + 1") == (
        "for (c0 = 0; c0 < n; c0++)\n"
        "  for (c1 = floord(c0 + 2, 3); c1 < floord(2 * c0 + 4, 3); c1++)\n"
        "    S(c0, c1);\n"
    )


def test_a_stride_is_a_step_and_its_start_is_aligned():
    assert text_of("2 <= i < n and i mod 3 = 1", ["i"]) == (
        "for (c0 = 4; c0 < n; c0 += 3)\n  S(c0);\n"
    )
    scop = scop_over(isl.Set("[n] -> { S[i, j] : 0 <= i < n and i <= j < n and (i+j) mod 4 = 0 }"))
    assert "c1 += 4)\n    S(c0, c1);" in loop_text(scanned(scop))
    check_run(scop, scop.schedule, {"n": 11})


def test_what_is_no_stride_is_a_guard():
    assert text_of("0 <= i < n and i mod 3 <= 1", ["i"]) == (
        "for (c0 = 0; c0 < n; c0++)\n  if (-c0 + 3 * floord(c0, 3) + 1 >= 0)\n    S(c0);\n"
    )


def test_a_variable_that_is_determined_is_no_loop():
    assert text_of("0 <= i < n and 2j = i") == (
        "for (c0 = 0; c0 < n; c0 += 2)\n  S(c0, floord(c0, 2));\n"
    )


def test_parts_that_follow_one_another_are_loops_that_follow_one_another():
    assert text_of("0 <= i < n and i != 7", ["i"]) == (
        "for (c0 = 0; c0 < min(n, 7); c0++)\n  S(c0);\nfor (c0 = 8; c0 < n; c0++)\n  S(c0);\n"
    )


def test_conditions_on_parameters_and_empty_sets():
    assert text_of("0 <= i < 4 and n mod 2 = 1", ["i"]) == (
        "if (mod(n + 1, 2) == 0)\n  for (c0 = 0; c0 < 4; c0++)\n    S(c0);\n"
    )
    assert text_of("0 <= i < 4 and 2i = 4n + 1", ["i"]) == ""


def test_a_set_without_end_is_left_alone():
    scop = scop_over(isl.Set("[n] -> { S[i] : i >= n }"))
    with collect_remarks() as remarks:
        assert scan_loops(scop, None, scop.schedule) is None
    assert [remark.id for remark in remarks.items] == ["scan"]


def test_instances_at_one_time_have_loops_of_their_own():
    scop = scop_over(
        isl.Set("[n] -> { S[i, j] : 0 <= i < n and 0 <= j < i }"), "{ S[i, j] -> [(j)] }"
    )
    assert loop_text(scanned(scop)) == (
        "for (c0 = 0; c0 < n - 1; c0++)\n  for (c1 = c0 + 1; c1 < n; c1++)\n    S(c1, c0);\n"
    )


def tiled(scop: Scop, schedule: isl.Schedule, size: int) -> isl.Schedule:
    tree = tile_bands(read_tree(schedule), lambda band, _: [size] * len(band.members))
    return build_schedule(scop.domain, tree)


def test_marks_parallel_loops_and_c_names():
    scop = parse_scop(GEMM)
    dependences = compute_dependences(scop, reassociate=True)
    schedule = SCHEDULERS["isl"]()(scop, dependences, SchedulerOptions())
    nodes = scan_loops(scop, dependences, tiled(scop, schedule, 32))
    reference = generate_loops(scop, dependences, tiled(scop, schedule, 32))
    assert nodes is not None
    assert reference is not None
    assert "// tile, parallel" in loop_text(nodes)
    assert "// point, reduction(C)" in loop_text(nodes)
    # isl's loop over tiles of k is that of the initialisation too, which comes before.
    expected = {
        tuple(one.replace("pipeline", "reduction(C)") for one in line) for line in _facts(reference)
    }
    assert _facts(nodes) == expected


@pytest.mark.parametrize("name", ["jacobi-2d", "seidel-2d", "atax"])
def test_what_loops_carry_is_told_as_by_isl(name: str):
    scop = parse_scop(KERNELS[name])
    dependences = compute_dependences(scop, reassociate=True)
    schedule = SCHEDULERS["isl"]()(scop, dependences, SchedulerOptions())
    for one in (scop.schedule, schedule):
        nodes = scan_loops(scop, dependences, one)
        options = GenerationOptions(apart=False)
        assert _facts(nodes or ()) == _facts(generate_loops(scop, dependences, one, options) or ())


def _facts(nodes: Sequence[Node]) -> set[tuple[str, ...]]:
    text = loop_text(nodes)
    return {tuple(line.split("//")[1:]) for line in text.splitlines() if "//" in line}


def test_tiles_of_a_skewed_band():
    scop = parse_scop(JACOBI)
    dependences = compute_dependences(scop)
    schedule = SCHEDULERS["isl"]()(scop, dependences, SchedulerOptions())
    nodes = scanned(scop, tiled(scop, schedule, 32))
    assert check_executed(scop, nodes, dependences) is None
    assert loop_text(nodes).count("c0 += 32") == 1


def check_schedulers(name: str, kinds: Sequence[str], sizes: Sequence[int]) -> None:
    scop = parse_scop((NESTS | KERNELS)[name])
    dependences = compute_dependences(scop)
    parameters = scop.context.dim(isl.dim_type.param)
    for kind in kinds:
        schedule = SCHEDULERS[kind]()(scop, dependences, SchedulerOptions())
        for one in (schedule, tiled(scop, schedule, 3)):
            for size in sizes:
                values = {
                    scop.context.get_dim_name(isl.dim_type.param, k) or "": size + k % 2
                    for k in range(parameters)
                }
                check_run(scop, one, values)


@pytest.mark.parametrize("name", ["covariance", "jacobi-1d", "lu"])
def test_schedules_of_kernels_run_in_their_order(name: str):
    check_schedulers(name, ["isl"], [5])


@pytest.mark.slow
@pytest.mark.parametrize("name", KERNELS)
def test_all_schedules_of_kernels_run_in_their_order(name: str):
    check_schedulers(name, ["isl", "feautrier"], [1, 4, 6])


def check_mutations(name: str, count: int) -> None:
    scop = parse_scop(NESTS[name])
    random = Random(f"scan {name}")
    for _ in range(count):
        tree = mutate(mutate(read_tree(scop.schedule), random), random)
        check_run(scop, build_schedule(scop.domain, tree), SIZES)


@pytest.mark.parametrize("name", NESTS)
def test_random_schedules_run_in_their_order(name: str):
    check_mutations(name, 2)


@pytest.mark.slow
@pytest.mark.parametrize("name", NESTS)
def test_many_random_schedules_run_in_their_order(name: str):
    check_mutations(name, 40)


def check_random(seed: int) -> None:
    """A random union of Z-polyhedra in its own order, or in that of random functions of it, runs
    as its points say, and as isl's loops do."""
    random = Random(seed)
    depth = random.choice([1, 2, 2, 3, 3])
    domain = random_set(random, depth, {1: 9, 2: 7, 3: 5}[depth])
    time = random_time(random, depth) if random.random() < 0.5 else None
    scop = scop_over(domain, time)
    for n in (0, 4):
        check_run(scop, scop.schedule, {"n": n})
        if time is None:
            reference = generate_loops(scop, None, scop.schedule)
            assert reference is not None
            assert [*run_loops(scanned(scop), {"n": n})] == [*run_loops(reference, {"n": n})]


@pytest.mark.parametrize("seed", range(12))
def test_random_polyhedra(seed: int):
    check_random(seed)


@pytest.mark.slow
def test_2000_random_polyhedra():
    for seed in range(100, 2100):
        check_random(seed)


def longest(nodes: Sequence[Node], sizes: Sizes) -> int:
    """The most iterations of a loop outside of all others."""
    found = [0]
    for node in nodes:
        match node:
            case Loop(_, lower, upper, step):
                count = evaluate(upper, sizes) - evaluate(lower, sizes)
                found.append(max(0, count) // step)
            case Branch(condition, then, orelse):
                found.append(longest(then if holds(condition, sizes) else orelse, sizes))
            case _:
                pass
    return max(found)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("0 <= i < n", "i = 4294967296"),
        ("0 <= i < n", "4294967296 <= i < 4294967296 + m"),
        ("0 <= i < n or 4294967290 <= i < 4294967290 + m", "-4294967296 <= i < m - 4294967296"),
    ],
)
def test_what_lies_far_apart_has_loops_of_its_own(first: str, second: str):
    """Where numbers wrap, pieces may meet for some sizes and lie 2^32 apart for all others."""
    bounds = "n <= 4294967297 and m <= 4294967297"
    domain = isl.UnionSet(
        f"[n, m] -> {{ S[i] : ({first}) and {bounds}; T[i] : {second} and {bounds} }}"
    )
    order = isl.MultiUnionPwAff("[n, m] -> [{ S[i] -> [(i)]; T[i] -> [(i)] }]")
    schedule = isl.Schedule.from_domain(domain).insert_partial_schedule(order)
    statements = tuple(Statement(one.get_tuple_name() or "", one, ()) for one in sets(domain))
    scop = Scop("far", isl.Set("[n, m] -> { : }"), statements, (), schedule)
    nodes = scanned(scop)
    assert check_executed(scop, nodes, None, schedule) is None
    assert longest(nodes, {"n": 7, "m": 5}) <= 12
    check_run(scop, schedule, {"n": 7, "m": 5})
