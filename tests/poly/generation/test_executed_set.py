"""The executed-set check on right and on wrong loops."""

from dataclasses import replace

import pytest
from oracles.kernels import KERNELS
from oracles.nests import GEMM, JACOBI, NESTS
from oracles.polyhedral import pairs_of, run_loops

from polyopt.poly.dependences import compute_dependences
from polyopt.poly.generation.ast_generation import generate_loops
from polyopt.poly.generation.executed_set import check_executed, execution_times
from polyopt.poly.loops.expressions import add
from polyopt.poly.loops.loop_tree import (
    All,
    Any,
    Branch,
    Compare,
    Const,
    FloorDiv,
    Instance,
    Loop,
    Max,
    Min,
    Mod,
    Name,
    Node,
    Product,
    Select,
    Sum,
)
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import build_schedule, read_tree
from polyopt.poly.schedulers import SCHEDULERS
from polyopt.poly.schedulers.interface import SchedulerOptions
from polyopt.poly.transform.tiling import tile_bands

SIZES = {"n": 5, "m": 6, "k": 3}


def original(text: str) -> list[Node]:
    scop = parse_scop(text)
    nodes = generate_loops(scop, None, scop.schedule)
    assert nodes is not None
    return list(nodes)


@pytest.mark.parametrize("name", NESTS)
def test_the_original_loops_are_right(name: str):
    scop = parse_scop(NESTS[name])
    nodes = original(NESTS[name])
    assert check_executed(scop, nodes, compute_dependences(scop)) is None


@pytest.mark.parametrize("name", ["jacobi-1d", "gemm", "covariance", "trmm"])
def test_tiled_loops_are_right(name: str):
    scop = parse_scop(KERNELS[name])
    dependences = compute_dependences(scop)
    schedule = SCHEDULERS["isl"]()(scop, dependences, SchedulerOptions())
    tiled = tile_bands(read_tree(schedule), lambda band, _: [8] * len(band.members))
    nodes = generate_loops(scop, None, build_schedule(scop.domain, tiled))
    assert nodes is not None
    assert check_executed(scop, nodes) is None


def test_faults_are_found():
    scop = parse_scop(JACOBI)
    dependences = compute_dependences(scop)
    (time,) = original(JACOBI)
    assert isinstance(time, Loop)
    first, second = time.body
    assert isinstance(first, Loop)

    def fault(*body: Node) -> str | None:
        found = check_executed(scop, [replace(time, body=body)], dependences)
        return found and found.kind

    assert fault(first, second) is None
    assert fault(second, first) == "order"
    assert fault(first) == "missing"
    assert fault(first, first, second) == "twice"
    assert fault(replace(first, upper=add(first.upper, Const(1))), second) == "extra"
    assert fault(replace(first, lower=add(first.lower, Const(1))), second) == "missing"
    assert fault(replace(first, step=2), second) == "missing"


def test_an_example_is_told():
    scop = parse_scop("[]\nfor i : 0 <= i < 4\n  S: A[i] =")
    (loop,) = original("[]\nfor i : 0 <= i < 3\n  S: A[i] =")
    found = check_executed(scop, [loop])
    assert str(found) == "an instance does not run: { S[3] }"


def test_what_the_budget_does_not_decide_is_unknown():
    found = check_executed(parse_scop(GEMM), original(GEMM), operations=10)
    assert found is not None
    assert found.kind == "unknown"


@pytest.mark.parametrize(("selections", "kind"), [(2, "missing"), (30, "unknown")])
def test_too_many_cases_are_unknown(selections: int, kind: str):
    """Each selection doubles the cases: thirty would never end."""
    scop = parse_scop("[n]\nfor i : 0 <= i < 1\n  S: a[i] = b[i]\n")
    steps = tuple(
        Select(Compare(add(Name("n"), Const(-k))), Const(1), Const(0)) for k in range(selections)
    )
    found = check_executed(scop, (Instance("S", (Sum(steps),)),))
    assert found is not None
    assert found.kind == kind


def test_every_form_of_expression_means_what_the_interpreter_does():
    i, n = Name("i"), Name("n")
    odd = Compare(add(Mod(i, 2), Const(-1)), is_equality=True)
    late = Compare(add(i, Const(-3)))
    nodes = [
        Loop(
            "i",
            Max((Const(-2), Sum((n, Const(-8))))),
            Min((n, Const(7))),
            3,
            (
                Branch(
                    Any((odd, All((late, Compare(add(n, Const(-2))))))),
                    (Instance("S", (Select(late, Product(2, i), i), FloorDiv(i, 2))),),
                    (Instance("S", (Const(100), Max((i, Min((n, Const(3))))))),),
                ),
            ),
        )
    ]
    scop = parse_scop("[n]\nfor a : 0 <= a < n\n  for b : 0 <= b < n\n    S: A[a, b] =")
    for size in (1, 4, 9):
        found = [instance for instance, _ in pairs_of(execution_times(scop, nodes), {"n": size})]
        assert sorted(found) == sorted(run_loops(nodes, {"n": size}))
