"""tile-simd: the paper's worked value and its figure 3, and what it leaves alone."""

from dataclasses import replace

import islpy as isl
import pytest
from oracles.nests import NESTS

from polyopt.poly.analysis.parallelism import judge_tree
from polyopt.poly.dependences import compute_dependences
from polyopt.poly.legality import is_legal
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import Member, bands, read_tree
from polyopt.poly.schedulers.interface import SchedulerOptions
from polyopt.poly.schedulers.tile_simd import (
    Traffic,
    schedule_tile_simd,
    simd_loop,
    strip_size,
    traffic_of,
    unroll_count,
)
from polyopt.poly.scop import Scop
from polyopt.support.target import Target

PAPER = Target(l1_bytes=32 * 1024, vector_bits=256)

# The product in correlation, loops as isl's scheduler leaves them (figure 3(b)).
CORRELATION = """
[n, m]
for j1 : 0 <= j1 < m - 1
  for j2 : j1 < j2 < m
    for i : 0 <= i < n
      S3: symmat[j1, j2] = symmat[j1, j2] data[i, j1] data[i, j2]
"""


def loops(scop: Scop) -> tuple[Member, ...]:
    """The loops of the source, with what the dependences say of each."""
    tree = read_tree(scop.schedule)
    return tuple(
        Member(one.member.function, one.parallelism.is_parallel)
        for one in judge_tree(scop, compute_dependences(scop), tree)
    )


def schedule(scop: Scop, outer_tile: int = 1) -> isl.Schedule:
    dependences = compute_dependences(scop)
    options = SchedulerOptions(march="x86-64-v3", outer_tile=outer_tile)
    found = schedule_tile_simd(scop, dependences, options)
    assert is_legal(scop, dependences, found)
    return found


def test_the_worked_value_of_the_paper():
    scop = parse_scop(CORRELATION)
    traffic = traffic_of(scop, scop.statements[0])
    assert traffic == Traffic(loads=3, bytes=8)
    assert strip_size(PAPER, traffic) == 1364


def test_strips_are_whole_vectors_within_l1():
    for loads in range(1, 9):
        for size in (4, 8):
            traffic = Traffic(loads, size)
            strip = strip_size(PAPER, traffic)
            assert strip % PAPER.lanes(size) == 0
            assert (
                strip * loads * size <= PAPER.l1_bytes < (strip + PAPER.lanes(size)) * loads * size
            )
    assert strip_size(PAPER, Traffic(0, 8)) == strip_size(PAPER, Traffic(1, 8))


def test_formula_2():
    """lanes 4: sqrt(4 * 8 * 1) / 4 = 1.41, so 2 vectors: 8. lanes 8: sqrt(8 * 8) / 8 = 1: 8."""
    target = replace(PAPER, vector_load_latency=8, vector_load_throughput=1)
    assert unroll_count(target, Traffic(1, 8)) == 8
    assert unroll_count(target, Traffic(1, 4)) == 8
    assert unroll_count(replace(target, vector_load_latency=1), Traffic(1, 8)) == 4


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (CORRELATION, 1),
        (
            CORRELATION.replace("data[i, j2]", "data[j2, i]").replace("data[i, j1]", "data[j1, i]"),
            1,
        ),
        ("[n]\nfor i : 0 <= i < n\n  for j : 0 <= j < n\n    S: A[j, i] = B[j, i]", 0),
        ("[n]\nfor i : 0 <= i < n\n  for j : 0 <= j < n\n    S: A[i, j] = B[j, i]", 1),
        ("[n]\nfor i : 0 <= i < n\n  for j : 0 <= j < n\n    S: A[2 i, 2 j] = B[3 i]", None),
        ("[n]\nfor i : 0 <= i < n\n  S: x[] += y[]", None),
    ],
)
def test_algorithm_1(text: str, wanted: int | None):
    scop = parse_scop(text)
    assert simd_loop(scop.statements[0], (), loops(scop)) == wanted


@pytest.mark.parametrize("outer_tile", [1, 32])
def test_figure_3_d(outer_tile: int):
    """for j1, for strips of j2, for i, for j2 in the strip; i is unrolled by formula (2). With
    Algorithm 2's size for the loops outside, j1 is tiled as well."""
    scop = parse_scop(CORRELATION)
    target, traffic = Target.named("x86-64-v3"), Traffic(3, 8)
    strip, copies = strip_size(target, traffic), unroll_count(target, traffic)
    found = schedule(scop, outer_tile)
    tiles = f"{strip} * floor(j2 / {strip})"
    outer = "j1" if outer_tile == 1 else f"32 * floor(j1 / 32), {tiles}, j1"
    inner = f"{copies} * floor(i / {copies}), i, j2"
    order = f"{outer}, {tiles}, {inner}" if outer_tile == 1 else f"{outer}, {inner}"
    wanted = isl.UnionMap(f"{{ S3[j1, j2, i] -> [{order}] }}")
    domain = found.get_domain()
    assert found.get_map().intersect_domain(domain).is_equal(wanted.intersect_domain(domain))


def test_the_innermost_loop_stays_where_it_is():
    scop = parse_scop("[n]\nfor i : 0 <= i < n\n  for j : 0 <= j < n\n    S: A[i, j] = B[i, j]")
    assert all(len(band.members) == 2 for band in bands(read_tree(schedule(scop))))


@pytest.mark.parametrize("name", NESTS)
def test_all_nests_stay_legal(name: str):
    schedule(parse_scop(NESTS[name]))
    schedule(parse_scop(NESTS[name]), outer_tile=32)
