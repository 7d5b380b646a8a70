"""The rows of a schedule tree, and the pair of iterations that stands against a loop."""

from __future__ import annotations

import pytest
from oracles.nests import GEMM, JACOBI, SEIDEL

from polyopt.poly.dependences import compute_dependences
from polyopt.poly.notation import parse_scop
from polyopt.poly.picture.arrows import Arrow, arrows
from polyopt.poly.picture.obstacles import Obstacle, obstacle
from polyopt.poly.picture.sample import draw_sample
from polyopt.poly.picture.touches import touches
from polyopt.poly.picture.tree_rows import TreeRow, tree_rows
from polyopt.poly.transform.by_hand import schedule_by_hand


def rows_of(text: str, steps: str = "") -> tuple[TreeRow, ...]:
    scop = parse_scop(text)
    dependences = compute_dependences(scop, reassociate=False)
    return tree_rows(scop, dependences, schedule_by_hand(scop, dependences, steps))


def told(rows: tuple[TreeRow, ...]) -> list[tuple[int, str, str]]:
    """Depth, name or kind or statement, and what is carried."""
    return [
        (row.depth, row.name or row.kind, row.parallelism.kind)
        if row.kind == "loop"
        else (row.depth, row.kind, ",".join(row.statements))
        for row in rows
    ]


def test_rows_are_the_loops_of_the_source():
    assert told(rows_of(GEMM)) == [
        (0, "i", "doall"),
        (1, "j", "doall"),
        (2, "sequence", "S,T"),
        (3, "statement", "S"),
        (3, "l", "serial"),
        (4, "statement", "T"),
    ]


def test_tiles_have_sizes_and_skewed_loops_functions():
    rows = rows_of(SEIDEL, "skew S.i S.t; skew S.j S.i; skew S.j S.t; tile S.t S.i S.j 8 16 32")
    loops = [row for row in rows if row.kind == "loop"]
    assert [(row.name, row.size) for row in loops[:3]] == [
        ("t_tile", 8),
        ("i_tile", 16),
        ("j_tile", 32),
    ]
    assert [(row.name, row.size) for row in loops[3:]] == [("t", None), ("i", None), ("j", None)]
    functions = dict(loops[4].functions)
    assert sorted(functions["S"].split(" + ")) == ["i", "t"]


def found(text: str, inside: dict[str, int]) -> Obstacle | None:
    scop = parse_scop(text)
    sample = draw_sample(scop)
    assert sample is not None
    pairs = arrows(compute_dependences(scop, reassociate=False), sample)
    touched = touches(scop, sample)
    assert pairs is not None
    assert touched is not None
    return obstacle(pairs, touched, inside)


@pytest.mark.parametrize(
    ("text", "inside"),
    [(GEMM, {"S": 0, "T": 0}), (GEMM, {"S": 1, "T": 1}), (JACOBI, {"S": 1}), (JACOBI, {"T": 1})],
)
def test_nothing_stands_against_independent_iterations(text: str, inside: dict[str, int]):
    assert found(text, inside) is None


def test_a_sum_waits_for_the_iteration_before():
    one = found(GEMM, {"T": 2})
    assert one is not None
    assert one.element is not None
    (_, (i, j, before)), (_, after) = one.arrow.source, one.arrow.target
    assert one.element == ("C", (i, j))
    assert after == (i, j, before + 1)


def test_time_waits_for_the_time_before():
    one = found(JACOBI, {"S": 0, "T": 0})
    assert one is not None
    assert one.kind == "flow"
    assert one.element is not None
    (source, (t, i)), (target, (later, k)) = one.arrow.source, one.arrow.target
    assert (source, target, later) == ("T", "S", t + 1)
    assert one.element == ("A", (i,))
    assert abs(i - k) <= 1


def test_values_are_told_before_memory_that_is_used_again():
    pairs = [
        Arrow(("S", (0,)), ("S", (1,)), ("anti",)),
        Arrow(("S", (0,)), ("S", (3,)), ("flow", "output")),
        Arrow(("S", (0,)), ("S", (2,)), ("flow",)),
    ]
    one = obstacle(pairs, {}, {"S": 0})
    assert one is not None
    assert (one.kind, one.arrow, one.element) == ("flow", pairs[2], None)
