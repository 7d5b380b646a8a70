"""Skewing for tiles: the least that makes a nest permutable, and legal tiles above it."""

from dataclasses import replace

import islpy as isl
import pytest
from oracles.kernels import KERNELS
from oracles.nests import NESTS
from oracles.polyhedral import at_sizes, conflicts, execution_order

from polyopt.poly.analysis.permutability import TreePosition, is_forward
from polyopt.poly.changes.skewing import (
    along_wavefronts,
    is_skewed,
    is_wavefront,
    lean_both_ways,
    skew_for_tiling,
)
from polyopt.poly.dependences import compute_dependences
from polyopt.poly.legality import check_schedule
from polyopt.poly.linear.linear_forms import Vector, function_of
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import (
    TILE,
    Band,
    Leaf,
    Mark,
    Member,
    bands,
    build_schedule,
    read_tree,
)
from polyopt.poly.schedulers.interface import SchedulerOptions
from polyopt.poly.schedulers.poly_ast import schedule_poly_ast
from polyopt.poly.scop import Scop
from polyopt.poly.transform.tiling import tile_over

SIZES = {"n": 4, "m": 5, "k": 3}


def skewed(scop: Scop) -> list[Band]:
    pairs = compute_dependences(scop).validity
    found = bands(skew_for_tiling(read_tree(scop.schedule), TreePosition((), pairs)))
    for band in found:
        assert band.permutable
    return found


def rows(band: Band, statement: str) -> list[Vector | None]:
    return [function_of(member.function, statement) for member in band.members]


def test_a_stencil_leans_with_time():
    """The known functions: t, t + i, 2t + i + j."""
    (band,) = skewed(parse_scop(KERNELS["seidel-2d"]))
    assert rows(band, "S0") == [(1, 0, 0), (1, 1, 0), (2, 1, 1)]
    assert not any(member.coincident for member in band.members)


def test_no_more_than_needed():
    scop = parse_scop("[n]\nfor t : 0 < t < n\n  for i : 3 <= i < n\n    S: A[t, i] = A[t-2, i+3]")
    (band,) = skewed(scop)
    assert rows(band, "S") == [(1, 0), (2, 1)]
    assert not is_forward(
        compute_dependences(scop).validity, bands(read_tree(scop.schedule))[1].members[0]
    )


def test_what_depends_on_all_both_ways_is_left():
    """As where dependences cost too much to find."""
    scop = parse_scop("[n]\nfor t : 0 <= t < n\n  for i : 0 <= i < n\n    S: A[i] = A[i]")
    tree = read_tree(scop.schedule)
    everything = isl.UnionMap("{ S[t, i] -> S[u, j] }")
    assert skew_for_tiling(tree, TreePosition((), everything)) is tree


def test_what_needs_no_skewing_gets_none():
    (band,) = skewed(
        parse_scop("[n]\nfor i : 0 <= i < n\n  for j : 0 <= j < n\n    S: A[i, j] = A[i, j]")
    )
    assert rows(band, "S") == [(1, 0), (0, 1)]
    assert all(member.coincident for member in band.members)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("S: A[i, j] = A[i - 1, j] A[i, j - 1]", True),
        ("S: A[i, j] = A[i - 1, j + 2] A[i, j - 1]", True),
        ("S: A[i, j] = A[i - 1, j] B[i, j]", False),
        ("S: A[i, j] = A[i, j - 1] B[i, j]", False),
        ("S: s[] = s[] A[i, j]", False),
    ],
)
def test_recurrences_both_ways_are_a_wavefront(text: str, expected: bool):
    """Parallel along either loop is none, and neither is a chain through all rows."""
    scop = parse_scop(f"[]\nfor i : 0 <= i < 300\n  for j : 0 <= j < 400\n    {text}")
    place = TreePosition((), compute_dependences(scop, reassociate=False).validity)
    assert is_wavefront(read_tree(scop.schedule), place) is expected


def test_a_distance_that_grows_with_the_size_is_left():
    text = "[n]\nfor t : 0 <= t < n\n  for i : 0 <= i < n\n    S: A[i] = A[n - 1 - i]"
    assert [len(band.members) for band in skewed(parse_scop(text))] == [1, 1]


@pytest.mark.parametrize("name", NESTS)
def test_tiles_above_the_order_of_the_source(name: str):
    scop = at_sizes(parse_scop(NESTS[name]), SIZES)
    dependences = compute_dependences(scop)
    source = read_tree(scop.schedule)
    leaning = skew_for_tiling(source, TreePosition((), dependences.validity))
    tiled = tile_over(leaning, source, lambda band, _: (2,) * len(band.members)) or source
    schedule = build_schedule(scop.domain, tiled)
    order = execution_order(schedule, SIZES)
    when = {instance: time for time, instance in enumerate(order)}
    for before, after in conflicts(scop, execution_order(scop.schedule, SIZES), SIZES):
        assert when[before] < when[after]


@pytest.mark.parametrize(("name", "loops"), [("jacobi-2d", 3), ("fdtd-2d", 3), ("lu", 3)])
def test_the_loops_of_poly_ast_that_can_be_tiled(name: str, loops: int):
    scop = parse_scop(KERNELS[name])
    dependences = compute_dependences(scop)
    tree = read_tree(schedule_poly_ast(scop, dependences, SchedulerOptions(march="x86-64-v3")))
    band = bands(skew_for_tiling(tree, TreePosition((), dependences.validity)))[0]
    assert len(band.members) == loops


JACOBI = """
[m, n]
for t : 0 <= t < m
  for i : 1 <= i < n - 1
    S: A[t + 1, i] = A[t, i - 1] A[t, i] A[t, i + 1]
"""


def test_diamonds_of_a_stencil_start_together():
    """Tiles along t + i and t - i: those of a wavefront need nothing of each other."""
    size = 3
    scop = at_sizes(parse_scop(JACOBI), {"m": 7, "n": 14})
    dependences = compute_dependences(scop)
    place = TreePosition((), dependences.validity)
    leaning = lean_both_ways(skew_for_tiling(read_tree(scop.schedule), place), place)
    (band,) = bands(leaning)
    assert rows(band, "S") == [(1, -1), (1, 1)]
    tree = tile_over(leaning, read_tree(scop.schedule), lambda _band, _outer: (size, size))
    assert tree is not None
    tree = along_wavefronts(tree, place)
    assert bands(tree)[0].members[1].coincident
    schedule = build_schedule(scop.domain, tree)
    assert check_schedule(scop, dependences, schedule) == []

    def tile(t: int, i: int) -> tuple[int, int]:
        return (t - i) // size, (t + i) // size

    order = [point for _, point in execution_order(schedule, {"m": 7, "n": 14})]
    assert sorted(order) == [(t, i) for t in range(7) for i in range(1, 13)]
    fronts = [sum(tile(*point)) for point in order]
    assert fronts == sorted(fronts)
    for t, i in order:
        for before in ((t - 1, i - 1), (t - 1, i), (t - 1, i + 1)):
            if before in order and tile(*before) != tile(t, i):
                assert sum(tile(*before)) < sum(tile(t, i))
    first = {tile(t, i) for t, i in order if sum(tile(t, i)) == fronts[0]}
    assert len(first) > 1


def test_tiles_that_are_counted_down_are_no_tiles_of_a_size():
    """What sums up as a wavefront grows with both functions, whatever divides them."""
    first, second = (
        Member(isl.UnionPwAff(f"{{ S[i, j] -> [({text})] }}"))
        for text in ("-8*floor((i)/8)", "8*floor((j)/8)")
    )
    pairs = isl.UnionMap("{ S[i, j] -> S[i - 8, j + 8] }")
    tree = along_wavefronts(Mark(TILE, Band((first, second), Leaf())), TreePosition((), pairs))
    front, _ = bands(tree)[0].members
    expected = isl.UnionPwAff("{ S[i, j] -> [(8*floor((j)/8) - 64*floor((i)/8))] }")
    assert front.function.plain_is_equal(expected)


def test_what_cannot_lean_back_stays():
    """Along i each instance needs the one before, at the same time."""
    scop = parse_scop("[n]\nfor t : 0 <= t < n\n  for i : 1 <= i < n\n    S: A[i] = A[i - 1] A[i]")
    place = TreePosition((), compute_dependences(scop).validity)
    tree = skew_for_tiling(read_tree(scop.schedule), place)
    (band,), (same,) = bands(tree), bands(lean_both_ways(tree, place))
    assert rows(same, "S") == rows(band, "S")


def test_what_keeps_its_order_does_not_lean():
    """Only a band whose members may change places has functions that may be taken together."""
    scop = parse_scop(JACOBI)
    place = TreePosition((), compute_dependences(scop).validity)
    (band,) = bands(skew_for_tiling(read_tree(scop.schedule), place))
    assert lean_both_ways(band, place) is not band
    kept = replace(band, permutable=False)
    assert lean_both_ways(kept, place) is kept


@pytest.mark.parametrize(
    ("functions", "leans"),
    [
        ("(t); (t + i)", True),
        ("(t); (i); (2t - i)", True),
        ("(t); (i)", False),
        ("(t); (2t)", False),
        ("(t + i); (t - i)", False),
        ("(t); (t + floor(i / 2))", False),
        ("(floor(t / 2)); (t + i)", False),
        ("(i); (t + i)", True),
    ],
)
def test_a_member_leans_along_the_outermost_one_and_others(functions: str, leans: bool):
    """A second statement that does not lean says nothing of the first."""
    band = Band(
        tuple(
            Member(isl.UnionPwAff(f"{{ S[t, i] -> [{one}]; T[t, i] -> [{two}] }}"))
            for one, two in zip(functions.split("; "), ("(t)", "(i)", "(0)"), strict=False)
        ),
        Leaf(),
    )
    assert is_skewed(band) == leans


def test_one_loop_leans_nowhere():
    scop = parse_scop("[n]\nfor i : 0 <= i < n\n  S: A[i] = B[i]")
    (band,) = bands(read_tree(scop.schedule))
    tree = replace(band, permutable=True)
    place = TreePosition((), compute_dependences(scop).validity)
    assert lean_both_ways(tree, place) is tree
