"""What a transformation does to a tree is what its map does to the times."""

from collections.abc import Callable

import islpy as isl
import pytest
from oracles.polyhedral import execution_order

from polyopt.poly.notation import parse_scop
from polyopt.poly.transform.by_hand import schedule_by_hand
from polyopt.poly.transform.time_maps import (
    permutation,
    placing,
    scaling,
    schedule_of_times,
    shifting,
    skewing,
    strip_mining,
    tiling,
    transform_times,
    unroll_and_jam,
)

SIZES = {"n": 5, "m": 4}
NEST = """
[n, m]
for i : 0 <= i < n
  for j : 0 <= j < m
    S: A[i, j] =
"""

MAPS: dict[str, Callable[[], isl.Map]] = {
    "interchange S.i S.j": lambda: permutation([1, 0]),
    "strip S.j 3": lambda: strip_mining(2, 1, 3),
    "tile S.i S.j 2 3": lambda: tiling(2, [0, 1], [2, 3]),
    "unroll S.i 2": lambda: unroll_and_jam(2, 0, 2),
    "skew S.i S.j 2": lambda: skewing(2, 0, 1, 2),
    "shift S.i 3": lambda: shifting(2, 0, 3),
    "reverse S.j": lambda: scaling(2, 1, -1),
    "scale S.i 3": lambda: scaling(2, 0, 3),
    "interchange S.i S.j; tile S.i S.j 2 2": lambda: permutation([1, 0]).apply_range(
        tiling(2, [1, 0], [2, 2])
    ),
    "skew S.j S.i; interchange S.i S.j": lambda: skewing(2, 1, 0, 1).apply_range(
        permutation([1, 0])
    ),
}


@pytest.mark.parametrize("steps", MAPS)
def test_tree_and_map_agree(steps: str):
    scop = parse_scop(NEST)
    by_map = transform_times(scop.schedule.get_map(), MAPS[steps]())
    expected = execution_order(schedule_of_times(by_map.intersect_domain(scop.domain)), SIZES)
    assert execution_order(schedule_by_hand(scop, None, steps), SIZES) == expected


def test_strip_mining_is_what_the_thesis_writes():
    written = isl.Map("{ [s] -> [t, s] : t mod 4 = 0 and t <= s < t + 4 }")
    assert strip_mining(1, 0, 4).is_equal(written)


def test_unroll_and_jam_is_strip_mining_and_interchange():
    both = strip_mining(2, 0, 4).apply_range(permutation([0, 2, 1]))
    assert unroll_and_jam(2, 0, 4).is_equal(both)


PAIR = "[n]\nfor i : 0 <= i < n\n  S: A[i] =\n  T: B[i] ="
APART = isl.UnionMap("[n] -> { S[i] -> [0, i, 0] : 0 <= i < n; T[i] -> [1, i, 1] : 0 <= i < n }")


def test_fission_places_each_statement_apart():
    scop = parse_scop(PAIR)
    times = isl.UnionMap("[n] -> { S[i] -> [i, 0] : 0 <= i < n; T[i] -> [i, 1] : 0 <= i < n }")
    first = transform_times(times, placing(2, 0, 0), ["S"])
    assert transform_times(first, placing(2, 0, 1), ["T"]).is_equal(APART)
    expected = execution_order(schedule_of_times(APART), SIZES)
    assert execution_order(schedule_by_hand(scop, None, "distribute S.i"), SIZES) == expected


def test_a_transformation_of_some_statements_leaves_the_others():
    times = isl.UnionMap("{ S[i] -> [i, 0]; T[i] -> [i, 1] }")
    shifted = transform_times(times, shifting(2, 0, 1), ["T"])
    assert shifted.is_equal(isl.UnionMap("{ S[i] -> [i, 0]; T[i] -> [i + 1, 1] }"))
