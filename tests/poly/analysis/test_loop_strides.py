"""Strides in generated loops: the example of the text, and against the elements touched."""

from collections import defaultdict

import pytest
from oracles.kernels import KERNELS, LOCAL
from oracles.loop_runs import all_loops, run
from oracles.nests import NESTS
from oracles.polyhedral import accesses_of, at_sizes

from polyopt.poly.analysis.loop_strides import LoopStrides, strides_in
from polyopt.poly.analysis.strides import AccessMatrices, Stride
from polyopt.poly.dependences import compute_dependences
from polyopt.poly.generation.ast_generation import generate_loops
from polyopt.poly.loops.loop_tree import Node
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedulers import SCHEDULERS
from polyopt.poly.schedulers.interface import SchedulerOptions
from polyopt.poly.scop import Scop

SIZES = {"n": 4, "m": 5, "k": 3}


def loops(scop: Scop, scheduler: str = "identity") -> tuple[Node, ...]:
    dependences = compute_dependences(scop)
    schedule = SCHEDULERS[scheduler]()(scop, dependences, SchedulerOptions())
    nodes = generate_loops(scop, dependences, schedule)
    assert nodes is not None
    return nodes


def strides(text: str) -> list[dict[str, Stride]]:
    scop = parse_scop(text)
    found = strides_in(loops(scop), AccessMatrices(scop))
    return [{access.array: by for access, by in one.strides} for one in found]


def test_the_example_of_the_text():
    """for i, for j: A[j] = B[i] + C[2 * j]"""
    text = "[n]\nfor i : 0 <= i <= n\n  for j : 0 <= j <= n\n    S: A[j] = B[i] C[2j]"
    assert strides(text) == [{"A": 1, "B": 0, "C": 2}]


def test_a_loop_in_steps_moves_by_its_step():
    text = "[n]\nfor i : 0 <= i < n and i mod 3 = 0\n  S: A[i] = B[2i] C[n - i] D[i, 0]"
    assert strides(text) == [{"A": 3, "B": 6, "C": -3, "D": "far"}]


def test_a_condition_with_gaps_leaves_it_unknown_and_an_interval_does_not():
    gaps = "[n]\nfor i : 0 <= i < n\n  S: A[i] =\n  if i mod 2 = 0\n    T: B[i] ="
    assert strides(gaps) == [{"A": 1}, {"B": "unknown"}]
    interval = "[n]\nfor i : 0 <= i < n\n  S: A[i] =\n  if i <= 10\n    T: B[i] ="
    assert [one for one in strides(interval) if "B" in one] == [{"B": 1}]


QUICK = ("gemm", "modulo-down", "cholesky")


@pytest.mark.parametrize("scheduler", ["identity", "isl", "poly-ast"])
@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=() if one in QUICK else pytest.mark.slow) for one in NESTS]
)
def test_against_the_elements_touched(name: str, scheduler: str):
    scop = at_sizes(parse_scop(NESTS[name]), SIZES)
    nodes = loops(scop, scheduler)
    touched = accesses_of(scop, SIZES)
    innermost = {id(loop): loop for loop in all_loops(nodes) if not list(all_loops(loop.body))}
    claims: dict[tuple[int, str], list[LoopStrides]] = defaultdict(list)
    for one in strides_in(nodes, AccessMatrices(scop)):
        claims[id(one.loop), one.instance.statement].append(one)
    last: dict[tuple[object, ...], tuple[int, ...]] = {}
    compared = 0
    for (statement, arguments), around in run(nodes, SIZES):
        if not around or id(around[-1][0]) not in innermost:
            continue
        claimed = claims[id(around[-1][0]), statement]
        if len(claimed) != 1:  # the statement stands in this body more than once
            continue
        elements = {access.position: at for access, (_, at) in touched[statement, arguments]}
        for access, by in claimed[0].strides:
            element = elements[access.position]
            if not access.is_must or by in ("far", "unknown") or not element:
                continue
            outer = tuple((id(loop), value) for loop, value in around[:-1])
            key = (id(around[-1][0]), outer, statement, access.position)
            if key in last:
                assert element[:-1] == last[key][:-1]
                assert element[-1] - last[key][-1] == by
                compared += 1
            last[key] = element
    assert compared or name not in ("gemm", "jacobi", "cholesky")


def test_poly_ast_walks_along_rows():
    """Every array of 2mm's products stays or goes by one in the innermost loops."""
    scop = parse_scop(KERNELS["2mm"], local=LOCAL.get("2mm", ()))
    found = strides_in(loops(scop, "poly-ast"), AccessMatrices(scop))
    assert {by for one in found for _, by in one.strides} == {0, 1}
