"""Generated loops, run by a small interpreter, against the order of the schedule."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random

import islpy as isl
import pytest
from oracles.mutations import mutate
from oracles.nests import GEMM, JACOBI, NESTS
from oracles.polyhedral import (
    Point,
    Sizes,
    at_sizes,
    conflicts,
    execution_order,
    run_loops,
    times,
)
from oracles.random_sets import scop_over

from polyopt.poly.dependences import compute_dependences
from polyopt.poly.generation.ast_generation import (
    GenerationOptions,
    generate_loops,
    operations_for,
)
from polyopt.poly.generation.executed_set import check_executed
from polyopt.poly.loops.expressions import evaluate, holds
from polyopt.poly.loops.loop_text import loop_text
from polyopt.poly.loops.loop_tree import Branch, Instance, Loop, Node
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import Band, Mark, Tree, build_schedule, read_tree
from polyopt.poly.schedulers import SCHEDULERS
from polyopt.poly.schedulers.interface import SchedulerOptions
from polyopt.poly.scop import Scop
from polyopt.poly.transform.tiling import tile_bands
from polyopt.support.remarks import collect_remarks

SIZES = {"n": 4, "m": 7, "k": 3}


def loops(text: str, *, scheduler: str = "identity", reassociate: bool = False) -> str:
    scop = parse_scop(text)
    dependences = compute_dependences(scop, reassociate=reassociate)
    schedule = SCHEDULERS[scheduler]()(scop, dependences, SchedulerOptions())
    nodes = generate_loops(scop, dependences, schedule)
    assert nodes is not None
    return loop_text(nodes)


def test_the_original_order_gives_the_original_loops():
    assert (
        loops(JACOBI)
        == """\
for (c0 = 0; c0 < n; c0++)
  for (c1 = 1; c1 < m - 1; c1++) // parallel
    S(c0, c1);
  for (c1 = 1; c1 < m - 1; c1++) // parallel
    T(c0, c1);
"""
    )


def test_a_loop_that_carries_only_a_reduction_says_so_where_it_may_be_reassociated():
    assert "c2++) // reduction(C)\n" in loops(GEMM, reassociate=True)
    assert "c2++)\n" in loops(GEMM)


def test_a_strided_domain_and_conditions():
    assert (
        loops("""
[n, m]
for i down : 0 <= i < n
  if i mod 4 = 2
    S: A[i] =
  if i < 5 or i > m
    T: B[i] =
""")
        == """\
for (c0 = -n + 1; c0 < 1; c0++) // parallel
  if (mod(c0 + 2, 4) == 0)
    S(-c0);
  if (-m - c0 - 1 >= 0 || c0 + 4 >= 0)
    T(-c0);
"""
    )


def check_order(scop: Scop, tree: Tree) -> None:
    schedule = build_schedule(scop.domain, tree)
    nodes = generate_loops(scop, None, schedule)
    assert nodes is not None
    run = list(run_loops(nodes, SIZES))
    when = times(schedule, SIZES)
    assert sorted(run) == sorted(when)
    assert all(when[a] <= when[b] for a, b in pairwise(run))


@pytest.mark.parametrize("name", NESTS)
def test_random_schedules_run_in_their_order(name: str):
    scop = parse_scop(NESTS[name])
    random = Random(name)
    for _ in range(6):
        check_order(scop, mutate(read_tree(scop.schedule), random))


@pytest.mark.slow
@pytest.mark.parametrize("name", NESTS)
def test_many_random_schedules_run_in_their_order(name: str):
    scop = parse_scop(NESTS[name])
    random = Random(name)
    for _ in range(100):
        check_order(scop, mutate(mutate(read_tree(scop.schedule), random), random))


def iterations(loop: Loop, sizes: Sizes) -> list[set[Point]]:
    """The instances of each iteration."""
    first, end = evaluate(loop.lower, sizes), evaluate(loop.upper, sizes)
    return [
        set(run_loops(loop.body, {**sizes, loop.iterator: value}))
        for value in range(first, end, loop.step)
    ]


def executions(nodes: Sequence[Node], sizes: Sizes) -> Iterator[tuple[Loop, list[set[Point]]]]:
    """Each time that a loop runs: the loop and its iterations."""
    for node in nodes:
        match node:
            case Instance():
                pass
            case Branch(condition, then, orelse):
                yield from executions(then if holds(condition, sizes) else orelse, sizes)
            case Loop():
                yield node, iterations(node, sizes)
                for value in range(
                    evaluate(node.lower, sizes), evaluate(node.upper, sizes), node.step
                ):
                    yield from executions(node.body, {**sizes, node.iterator: value})


@pytest.mark.parametrize("scheduler", ["identity", "isl", "feautrier"])
@pytest.mark.parametrize("name", NESTS)
def test_parallel_loops_carry_nothing(name: str, scheduler: str):
    scop = at_sizes(parse_scop(NESTS[name]), SIZES)
    dependences = compute_dependences(scop)
    schedule = SCHEDULERS[scheduler]()(scop, dependences, SchedulerOptions())
    nodes = generate_loops(scop, dependences, schedule)
    assert nodes is not None
    clashing = conflicts(scop, execution_order(scop.schedule, SIZES), SIZES)
    for loop, parts in executions(nodes, SIZES):
        if not loop.is_parallel:
            continue
        for k, later in enumerate(parts):
            earlier = set[Point]().union(*parts[:k])
            assert not any(
                (a in earlier and b in later) or (b in earlier and a in later) for a, b in clashing
            ), loop_text([loop])


def test_each_generated_loop_is_judged_on_its_own_part():
    """Grosser, Enabling polyhedral optimizations in LLVM, 2011, listing 1: of the two loops
    made from one dimension, the second carries nothing."""
    scop = parse_scop("""
[n] : n > 20
for i : 0 <= i <= n
  if i <= 10
    B: b[] = b[]
  A: a[i] =
""")
    band = scop.schedule.get_root().child(0)
    separate = band.band_set_ast_build_options(isl.UnionSet("{ separate[x] }"))
    nodes = generate_loops(scop, compute_dependences(scop), separate.get_schedule())
    assert nodes is not None
    first, second = nodes
    assert isinstance(first, Loop)
    assert isinstance(second, Loop)
    assert (first.is_parallel, second.is_parallel) == (False, True)


def test_marks_hold_for_the_loops_of_the_band_below_them():
    scop = parse_scop(GEMM)
    dependences = compute_dependences(scop)
    schedule = SCHEDULERS["isl"]()(scop, dependences, SchedulerOptions())
    tiled = tile_bands(read_tree(schedule), lambda band, _: [32] * len(band.members))
    nodes = generate_loops(scop, dependences, build_schedule(scop.domain, tiled))
    assert nodes is not None
    found = {(loop.iterator, loop.marks) for loop, _ in executions(nodes, SIZES)}
    tiles = {("c0", ("tile",)), ("c1", ("tile",)), ("c2", ("tile",))}
    assert found - tiles == {("c3", ("point",)), ("c4", ("point",)), ("c5", ("point",))}


def test_stacked_marks():
    scop = parse_scop("[n]\nfor i : 0 <= i < n\n  for j : 0 <= j < n\n    S: A[i, j] =")
    tree = read_tree(scop.schedule)
    assert isinstance(tree, Band)
    marked = Mark("parallel", Mark("outer", Band(tree.members, Mark("vector", tree.child))))
    nodes = generate_loops(scop, None, build_schedule(scop.domain, marked))
    assert nodes is not None
    (outer,) = nodes
    assert isinstance(outer, Loop)
    (inner,) = outer.body
    assert isinstance(inner, Loop)
    assert (outer.marks, inner.marks) == (("parallel", "outer"), ("vector",))


def test_loops_know_the_c_loop_they_run_over():
    scop = parse_scop(JACOBI)
    dependences = compute_dependences(scop)
    schedule = SCHEDULERS["isl"]()(scop, dependences, SchedulerOptions())
    tiled = tile_bands(
        read_tree(schedule),
        lambda band, _: [32] * len(band.members),
        points=read_tree(scop.schedule),
    )
    nodes = generate_loops(scop, dependences, build_schedule(scop.domain, tiled))
    assert nodes is not None
    sources = {loop.iterator: loop.source for loop, _ in executions(nodes, SIZES)}
    assert sources == {"c0": "t", "c1": "i", "c2": "t", "c3": "i"}


def test_iterators_are_no_parameters():
    scop = parse_scop("[c0]\nfor i : 0 <= i < c0\n  S: A[i] =")
    nodes = generate_loops(scop, None, scop.schedule)
    assert nodes is not None
    assert loop_text(nodes).startswith("for (cc0 = 0; cc0 < c0; cc0++)")


def test_a_spent_budget_gives_no_loops():
    scop = parse_scop(JACOBI)
    schedule = SCHEDULERS["isl"]()(scop, compute_dependences(scop), SchedulerOptions())
    tiled = build_schedule(
        scop.domain, tile_bands(read_tree(schedule), lambda band, _: [32] * len(band.members))
    )
    with collect_remarks() as remarks:
        assert generate_loops(scop, None, tiled, GenerationOptions(operations=20_000)) is None
    assert [remark.id for remark in remarks.items] == ["codegen-budget"]


def test_what_isl_refuses_gives_no_loops():
    """A band that has no value for some instances."""
    scop = parse_scop("[n]\nfor i : 0 <= i < n\n  S: A[i] =")
    partial = isl.Schedule.from_domain(scop.domain).insert_partial_schedule(
        isl.MultiUnionPwAff("[n] -> [{ S[i] -> [(i)] : i >= 2 }]")
    )
    with collect_remarks() as remarks:
        assert generate_loops(scop, None, partial) is None
    assert [remark.id for remark in remarks.items] == ["isl-refused"]
    assert "not allowed to drop statement instances" in remarks.items[0].message


def test_a_function_that_ends_with_the_domain_is_widened_with_it():
    """A domain that is a union of lattices is scanned by its hull: the band has values there."""
    where = "0 <= i < n and (i mod 8 = 1 or i mod 8 = 4)"
    scop = scop_over(isl.Set(f"[n] -> {{ S[i] : {where} }}"))
    schedule = isl.Schedule.from_domain(scop.domain).insert_partial_schedule(
        isl.MultiUnionPwAff(f"[n] -> [{{ S[i] -> [(i)] : {where} }}]")
    )
    nodes = generate_loops(scop, None, schedule)
    assert nodes is not None
    assert check_executed(scop, nodes, None, schedule) is None


LATTICES = """
[n]
for i : 0 <= i < n
  for j : 0 <= j < n
    S: A[i, j] =
    if (i + j) mod 13 = 0 or (i + j) mod 7 = 0 or (i + j) mod 11 = 0
      T: A[i, j] =
"""


def test_a_union_of_lattices_is_scanned_by_its_hull_behind_a_guard():
    """Cut into disjoint parts and tiled, these loops would not be generated in minutes."""
    scop = parse_scop(LATTICES)
    dependences = compute_dependences(scop)
    tree = read_tree(SCHEDULERS["isl"]()(scop, dependences, SchedulerOptions()))
    tiled = build_schedule(scop.domain, tile_bands(tree, lambda band, _: [8] * len(band.members)))
    nodes = generate_loops(scop, dependences, tiled)
    assert nodes is not None
    ran = [point for point in run_loops(nodes, {"n": 20}) if point[0] == "T"]
    lattice = {
        ("T", (i, j))
        for i in range(20)
        for j in range(20)
        if (i + j) % 13 == 0 or (i + j) % 7 == 0 or (i + j) % 11 == 0
    }
    assert len(ran) == len(lattice)
    assert set(ran) == lattice


def test_a_budget_may_end_anywhere_also_where_isl_calls_back():
    scop = parse_scop(JACOBI)
    schedule = SCHEDULERS["isl"]()(scop, compute_dependences(scop), SchedulerOptions())
    made = list[bool]()
    for operations in range(150, 12_000, 150):
        with collect_remarks():
            nodes = generate_loops(scop, None, schedule, GenerationOptions(operations=operations))
        made.append(nodes is not None)
    assert made == sorted(made), "more operations never make less"
    assert not made[0]
    assert made[-1]


def test_functions_of_many_divisions_get_fewer_operations():
    """Each of which takes longer; tiles as anybody writes them get all."""
    domain = isl.Set("[n] -> { S[i, j] : 0 <= i, j < n }")
    tiles = "{ S[i, j] -> [(floor((i)/8))] }, { S[i, j] -> [(floor((j)/4))] }"
    assert operations_for(scop_over(domain, tiles).schedule, 1000) == 1000
    cases = "; ".join(
        f"S[i, j] -> [(2 * floor(({9 + k}j + i)/36) + floor((j - {k}i)/7))] : (i) mod 16 = {k}"
        for k in range(16)
    )
    few = operations_for(scop_over(domain, f"{{ {cases} }}").schedule, 1000)
    assert 0 < few <= 500
    tied = "S[i, j] -> [(floor((i)/8))] : exists e, f : 136i <= 45e - 1088f <= 136i + 4 and e < j"
    few = operations_for(scop_over(domain, f"{{ {tied} }}").schedule, 1000)
    assert 0 < few <= 1000 // 45


def test_wherever_the_budget_is_spent_the_bindings_say_nothing(capfd: pytest.CaptureFixture[str]):
    """What becomes a union of maps is called one: where nanobind makes one of a map by itself, and
    the budget is spent there, it writes that to standard error."""
    scop = scop_over(isl.Set("[n] -> { S[i] : 0 <= i < n }"))
    dependences = compute_dependences(scop)
    for operations in range(2000, 2400, 2):
        options = GenerationOptions(operations=operations)
        generate_loops(scop, dependences, scop.schedule, options)
    assert capfd.readouterr() == ("", "")
