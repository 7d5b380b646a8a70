"""What loops carry: against all conflicting pairs one by one, and the examples of the papers."""

from collections.abc import Iterator, Mapping, Sequence

import islpy as isl
import pytest
from oracles.loop_runs import Iteration, all_loops, run
from oracles.nests import JACOBI, NESTS, SEIDEL
from oracles.polyhedral import Point, at_sizes, conflicts

from polyopt.poly.analysis.parallelism import judge_loop, judge_tree
from polyopt.poly.dependences import compute_dependences
from polyopt.poly.generation.ast_generation import GenerationOptions, generate_loops
from polyopt.poly.loops.loop_tree import Branch, Loop, Node
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import read_tree
from polyopt.poly.schedulers import SCHEDULERS
from polyopt.poly.schedulers.interface import SchedulerOptions
from polyopt.poly.scop import Scop

SIZES = {"n": 4, "m": 5, "k": 3}


def only_loop(nodes: Sequence[Node]) -> bool:
    match nodes:
        case [Loop()]:
            return True
        case [Branch(_, then, ())]:
            return only_loop(then)
        case _:
            return False


def carried(
    loop: Loop, pairs: set[tuple[Point, Point]], iterations: Mapping[Point, Iteration]
) -> Iterator[tuple[int, int | None]]:
    """The distances, along the loop and the next one inside, of the pairs that it carries."""
    for source, target in pairs:
        before, after = iterations[source], iterations[target]
        depth = next((k for k, (one, _) in enumerate(before) if one is loop), None)
        if depth is None or before[:depth] != after[:depth] or len(after) <= depth:
            continue
        if after[depth][0] is loop and before[depth] != after[depth]:
            inner = None
            if only_loop(loop.body):
                inner = after[depth + 1][1] - before[depth + 1][1]
            yield after[depth][1] - before[depth][1], inner


QUICK = ("gemm", "jacobi", "seidel")


def cases() -> list[object]:
    return [
        pytest.param(name, scheduler, marks=() if name in QUICK else pytest.mark.slow)
        for name in NESTS
        for scheduler in ("identity", "isl")
    ]


@pytest.mark.parametrize(("name", "scheduler"), cases())
def test_generated_loops_by_enumeration(name: str, scheduler: str):
    scop = at_sizes(parse_scop(NESTS[name]), SIZES)
    dependences = compute_dependences(scop)
    schedule = SCHEDULERS[scheduler]()(scop, dependences, SchedulerOptions())
    nodes = generate_loops(scop, dependences, schedule, GenerationOptions(apart=False))
    assert nodes is not None
    iterations = dict(run(nodes, SIZES))
    pairs = conflicts(scop, list(iterations), SIZES)
    for loop in all_loops(nodes):
        distances = list(carried(loop, pairs, iterations))
        assert loop.is_parallel == (not distances)
        if distances:
            goes_on = all(inner is not None and inner >= 0 for _, inner in distances)
            assert (loop.pipeline is not None) == goes_on


def kinds(scop: Scop, *, scheduler: str = "identity", reassociate: bool = False) -> list[str]:
    dependences = compute_dependences(scop, reassociate=reassociate)
    schedule = SCHEDULERS[scheduler]()(scop, dependences, SchedulerOptions())
    judged = judge_tree(scop, dependences, read_tree(schedule))
    return [one.parallelism.kind for one in judged]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        # The kinds of figure 5 of the paper, and both at once.
        ("S: A[i, j] = B[i, j]", ["doall", "doall"]),
        ("S: s[j] += X[i, j]", ["reduction(s)", "doall"]),
        ("S: C[i, j] = C[i-1, j] C[i, j] C[i+1, j]", ["pipeline", "doall"]),
        ("S: C[i, j] = C[i-1, j] C[i, j-1]", ["pipeline", "serial"]),
        ("S: C[i, j] = C[i-1, j+1]", ["serial", "doall"]),
        (
            "S: C[i, j] = C[i-1, j]\n    T: s[] += C[i, j]",
            ["reduction(s) & pipeline", "reduction(s)"],
        ),
    ],
)
def test_kinds(text: str, wanted: list[str]):
    scop = parse_scop(f"[n]\nfor i : 1 <= i < n\n  for j : 1 <= j < n\n    {text}")
    assert kinds(scop, reassociate=True) == wanted


def test_a_reduction_whose_order_counts_is_no_reduction():
    scop = parse_scop("[n]\nfor i : 0 <= i < n\n  S: s[] += A[i]")
    assert kinds(scop) == ["serial"]
    assert kinds(scop, reassociate=True) == ["reduction(s)"]


def test_skewing_makes_pipelines_of_stencils():
    assert kinds(parse_scop(SEIDEL))[0] == "serial"
    assert kinds(parse_scop(SEIDEL), scheduler="isl")[:2] == ["pipeline", "pipeline"]
    assert kinds(parse_scop(JACOBI), scheduler="isl")[0] == "pipeline"


LISTING_1 = "[n] : n > 20\nfor i : 0 <= i <= n\n  if i <= 10\n    B: x[] = x[] C[i]\n  A: y[i] ="


def test_listing_1():
    """One loop for all, or two of which the second has nothing to carry: the schedule is one."""
    scop = parse_scop(LISTING_1)
    dependences = compute_dependences(scop)
    together = generate_loops(scop, dependences, scop.schedule, GenerationOptions(apart=False))
    node = scop.schedule.get_root().child(0)
    separate = isl.ast_loop_type.separate
    apart = generate_loops(
        scop, dependences, node.band_member_set_ast_loop_type(0, separate).get_schedule()
    )
    assert together is not None
    assert apart is not None
    assert [loop.is_parallel for loop in all_loops(together)] == [False]
    assert [loop.is_parallel for loop in all_loops(apart)] == [False, True]
    assert kinds(scop) == ["serial"]


LISTING_2 = """
[m, n, k]
for i : 0 <= i < m
  for j : 0 <= j < n
    for l : 0 <= l < k
      S1: C[i, j] = C[i, j]
      S2: X[l] = X[l]
"""
LISTING_3 = """
[m, n, k]
for i : 0 <= i < m
  for j : 0 <= j < n
    for l : 0 <= l < k
      S1: C[i, j] = C[i, j]
for i : 0 <= i < m
  for j : 0 <= j < n
    for l : 0 <= l < k
      S2: X[l] = X[l]
"""


def test_listings_2_and_3():
    """A single nest hides the parallelism that two have."""

    def parallel(text: str) -> list[bool]:
        scop = parse_scop(text)
        nodes = generate_loops(scop, compute_dependences(scop), scop.schedule)
        assert nodes is not None
        return [loop.is_parallel for loop in all_loops(nodes)]

    assert parallel(LISTING_2) == [False, False, False]
    assert parallel(LISTING_3) == [True, True, False, False, False, True]


def test_the_whole_schedule_carries_what_one_nest_does_not():
    """Asked about all instances at once, as before code generation, the innermost loop is serial;
    asked about those of the second nest it is parallel."""
    scop = parse_scop(LISTING_3)
    dependences = compute_dependences(scop)
    whole = isl.UnionMap("{ S1[i, j, l] -> [0, i, j, l]; S2[i, j, l] -> [1, i, j, l] }")
    whole = whole.intersect_domain(scop.domain)
    second = isl.UnionSet.from_set(scop.statement("S2").domain)
    assert not judge_loop(scop, dependences, whole, 3).is_parallel
    assert judge_loop(scop, dependences, whole.intersect_domain(second), 3).is_parallel
