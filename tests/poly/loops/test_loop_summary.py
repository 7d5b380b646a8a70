"""One line for each outermost loop, in the names of the C source."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from oracles.nests import GEMM, JACOBI

from polyopt.poly.dependences import compute_dependences
from polyopt.poly.generation.ast_generation import generate_loops
from polyopt.poly.loops.loop_summary import summarise_nests
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import Band, Member, build_schedule, read_tree
from polyopt.poly.schedulers import SCHEDULERS
from polyopt.poly.schedulers.interface import SchedulerOptions
from polyopt.poly.transform.tiling import tile_bands
from polyopt.support.diagnostics import Span

COPY = """
[n]
for i : 0 <= i < n
  S: A[i] = B[i]
for j : 0 <= j < n
  T: C[j] = D[j]
"""


def summaries(text: str, scheduler: str, *, tile: int | None = None) -> list[str]:
    scop = parse_scop(text)
    dependences = compute_dependences(scop, reassociate=False)
    schedule = SCHEDULERS[scheduler]()(scop, dependences, SchedulerOptions())
    if tile is not None:

        def sizes(band: Band, outer: Sequence[Member]) -> tuple[int, ...]:
            return (tile,) * len(band.members)

        schedule = build_schedule(scop.domain, tile_bands(read_tree(schedule), sizes))
    nodes = generate_loops(scop, dependences, schedule)
    assert nodes is not None
    return [summary.text for summary in summarise_nests(nodes, scop)]


FREE = "no dependence carried by"


@pytest.mark.parametrize(
    ("text", "scheduler", "tile", "expected"),
    [
        # The innermost loop adds up one element: only that carries a dependence.
        (
            GEMM,
            "identity",
            None,
            [f"loops i, j, l: order of the source, {FREE} i and j, 2 statements together"],
        ),
        (
            GEMM,
            "isl",
            8,
            [
                "loops i, j, l: order of the source, tiles of 8 x 8 x 8, "
                f"{FREE} i and j, 2 statements together"
            ],
        ),
        # Neighbours of the time step before: rectangles over t and i need i skewed by t.
        (
            JACOBI,
            "identity",
            None,
            [f"loops t, i: order of the source, {FREE} i, 2 statements together"],
        ),
        (
            JACOBI,
            "isl",
            8,
            [
                "loops t, i: order t, i, i skewed, tiles of 8 x 8, pipeline along t, "
                "2 statements together"
            ],
        ),
        (
            COPY,
            "identity",
            None,
            [
                f"loop i: order of the source, {FREE} i",
                f"loop j: order of the source, {FREE} j",
            ],
        ),
    ],
)
def test_summary(text: str, scheduler: str, tile: int | None, expected: list[str]):
    assert summaries(text, scheduler, tile=tile) == expected


def test_the_span_is_the_first_statement_of_the_nest():
    scop = parse_scop(COPY)
    spans = {"S": Span("copy.c", 7), "T": Span("copy.c", 3)}
    scop = replace(
        scop, statements=tuple(replace(one, span=spans[one.name]) for one in scop.statements)
    )
    nodes = generate_loops(scop, None, scop.schedule)
    assert nodes is not None
    assert [summary.span for summary in summarise_nests(nodes, scop)] == [spans["S"], spans["T"]]
