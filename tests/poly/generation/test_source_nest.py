"""The loops of the source's order: every instance once, in order, without a generator."""

from itertools import pairwise
from random import Random

import islpy as isl
import pytest
from oracles.kernels import KERNELS
from oracles.nests import NESTS
from oracles.polyhedral import run_loops, times
from oracles.random_sets import random_set, scop_over

from polyopt.poly.generation.executed_set import check_executed
from polyopt.poly.generation.source_nest import source_nest
from polyopt.poly.loops.loop_text import loop_text
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import UnsupportedTree
from polyopt.poly.scop import Scop, Statement


def check_run(scop: Scop, **sizes: int) -> None:
    run = list(run_loops(source_nest(scop, scop.schedule), sizes))
    when = times(scop.schedule, sizes)
    assert sorted(run) == sorted(when)
    assert all(when[a] <= when[b] for a, b in pairwise(run))


@pytest.mark.parametrize("name", sorted(NESTS))
def test_small_nests(name: str):
    check_run(parse_scop(NESTS[name]), n=4, m=6, k=3)


@pytest.mark.parametrize("name", ["gemm", "lu", "durbin", "nussinov"])
def test_kernels(name: str):
    scop = parse_scop(KERNELS[name])
    assert check_executed(scop, source_nest(scop, scop.schedule), None, scop.schedule) is None


def test_random_unions_with_congruences():
    random = Random(5)
    for _ in range(40):
        check_run(scop_over(random_set(random, random.randint(1, 3), 5)), n=random.randint(0, 4))


def test_a_loop_needs_no_guards_where_its_bounds_say_all():
    scop = parse_scop("[n]\nfor i : 0 <= i < n\n  for j : i <= j < n\n    S: A[i, j] =")
    assert loop_text(source_nest(scop, scop.schedule)) == (
        "for (c0 = 0; c0 < n; c0++)\n  for (c1 = c0; c1 < n; c1++)\n    S(c0, c1);\n"
    )


def test_a_congruence_is_asked_of_each_iteration():
    scop = scop_over(isl.Set("[n] -> { S[i] : 0 <= i < n and i mod 4 = 2 }"))
    assert "S(c0)" in loop_text(source_nest(scop, scop.schedule))
    check_run(scop, n=11)


TIMES = [
    "{ S[i, j] -> [(i + j)] }",
    "{ S[i, j] -> [(2i - j)] }",
    "{ S[i, j] -> [(3i + 2j + n)] }",
    "{ S[i, j] -> [(floor((i)/3))] : j < 4; S[i, j] -> [(floor((i + j)/2))] : j >= 4 }",
    "{ S[i, j] -> [(i - (i) mod 4)] }",
    "{ S[i, j] -> [(-floor((2j - i)/3))] }, { S[i, j] -> [(j - i)] }, { S[i, j] -> [(2j)] }",
]


@pytest.mark.parametrize("time", TIMES)
def test_a_time_of_several_iterators_is_an_iterator_more(time: str):
    domain = isl.Set("[n] -> { S[i, j] : 0 <= i < n and 0 <= j <= i + 3 and (i + j) mod 3 < 2 }")
    for n in range(8):
        check_run(scop_over(domain, time), n=n)


def test_tiles_around_points_of_two_statements():
    first = isl.Set("[n] -> { S[i, j] : 0 <= i, j < n }")
    second = isl.Set("[n] -> { T[i] : 0 <= i <= n }")
    schedule = isl.Schedule("""
{ domain: "[n] -> { S[i, j] : 0 <= i, j < n; T[i] : 0 <= i <= n }",
  child: { schedule: "[n] -> [{ S[i, j] -> [(floor((i + j)/3))]; T[i] -> [(2i)] }]",
    child: { sequence: [
      { filter: "[n] -> { S[i, j] : j < 2; T[i] : (i) mod 2 = 0 }",
        child: { schedule: "[n] -> [{ S[i, j] -> [(i + j)]; T[i] -> [(n - i)] }]" } },
      { filter: "[n] -> { S[i, j] : j >= 2 }" },
      { filter: "[n] -> { T[i] : (i) mod 2 = 1 }" } ] } } }""")
    statements = (
        Statement("S", first, (), iterators=("i", "j")),
        Statement("T", second, (), iterators=("i",)),
    )
    scop = Scop("tiles", isl.Set("[n] -> { : }"), statements, (), schedule)
    for n in range(7):
        check_run(scop, n=n)


def test_what_is_no_order_of_loops_is_not_taken():
    domain = isl.Set("[n] -> { S[i, j] : 0 <= i, j < n }")
    part = scop_over(domain, "{ T[i] -> [(i)] }")
    with pytest.raises(UnsupportedTree):
        source_nest(part, part.schedule)
