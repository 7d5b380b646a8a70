"""The image of an access, as a set by isl's projection, and element by element."""

from itertools import product
from random import Random

import islpy as isl
import pytest
from oracles.polyhedral import Sizes, coordinates, run_loops
from oracles.random_sets import NAMES, linear, random_set

from polyopt.poly.loops.loop_text import loop_text
from polyopt.poly.loops.loop_tree import Node
from polyopt.poly.scanning.image import dark_row, image, image_loops, inexact_pairs, union_of
from polyopt.poly.scanning.systems import reduce_rows
from polyopt.poly.scanning.tile_systems import hexagons
from polyopt.poly.scanning.tiling import instances_of_tile

STAR = ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))


def check_image(relation: isl.Map, sizes: Sizes) -> tuple[Node, ...]:
    """The set is isl's, and the loops visit each of its elements once."""
    elements = image(relation)
    assert union_of(elements, relation).is_equal(relation.range())
    nodes = image_loops(elements, "A")
    visited = [element for _, element in run_loops(nodes, sizes)]
    assert sorted(visited) == sorted(coordinates(relation.range(), sizes))
    return nodes


def loops(text: str, **sizes: int) -> str:
    return loop_text(check_image(isl.Map(text), sizes))


def test_theorem_2_where_one_coefficient_is_1_elimination_is_exact():
    rows = reduce_rows([(0, -1, 3), (4, 1, -1)])  # x <= 3 y and y <= x + 4
    assert inexact_pairs(rows, 2) == []


def test_theorem_3_an_inexact_pair_is_exact_where_its_condition_is_implied():
    """x <= 3 y and 2 y <= z: an integer y surely exists where 3 z - 2 x >= 2."""
    low, high = (0, -1, 0, 3), (0, 0, 1, -2)
    rows = reduce_rows([low, high])
    assert inexact_pairs(rows, 3) == [(low, high)]
    assert dark_row(low, high, 3)[:3] == (-2, -2, 3)
    assert inexact_pairs((*rows, (-2, -2, 3)), 3) == []


def test_a_dense_image_has_linear_bounds():
    text = loops("[n] -> { S[i, j] -> A[i, i + j] : 0 <= i < n and 0 <= j <= i }", n=5)
    assert text == (
        "for (c0 = 0; c0 < n; c0++) // parallel\n"
        "  for (c1 = c0; c1 < 2 * c0 + 1; c1++) // parallel\n"
        "    A(c0, c1);\n"
    )


def test_a_strided_access_is_a_loop_with_a_step():
    text = loops("[n] -> { S[i, j] -> A[4i + 2j] : 0 <= i < n and 0 <= j < 2 }", n=5)
    assert text.splitlines()[0] == "for (c0 = 0; c0 < 4 * n - 1; c0 += 2) // parallel"
    assert "if" not in text


def test_holes_are_guarded_by_integer_divisions():
    """2 i + 3 j: 1 and the last but one are missing (the paper: holes in a convex image)."""
    text = loops("[n] -> { S[i, j] -> A[2i + 3j] : 0 <= i <= n and 0 <= j <= 3 }", n=6)
    assert text.count("for") == 1
    assert "if (" in text
    assert "floord" in text


def test_several_useless_variables_with_holes():
    loops(
        "{ S[i, j, k] -> A[6i + 10j + 15k] : 0 <= i <= 3 and 0 <= j <= 2 and 0 <= k <= 2 }",
    )


def test_the_elements_of_a_stencil_are_visited_once():
    """The five-point star: a square without its corners."""
    star = isl.Map("[n] -> { S[i, j] -> A[i, j] : 0 <= i, j < n }")
    for di, dj in STAR:
        one = f"[n] -> {{ S[i, j] -> A[i + {di}, j + {dj}] : 0 <= i, j < n }}"
        star = star.union(isl.Map(one))
    check_image(star, {"n": 4})


def test_a_tile_of_an_access():
    """The tile's coordinates are parameters; what is not in the array's part is not touched."""
    loops(
        "[n, t] -> { S[i, j] -> A[i + j, 2i - j] : 8t <= i < 8t + 8 and 0 <= i, j < n }", n=11, t=1
    )


def test_the_elements_of_a_hexagonal_tile_of_the_five_point_stencil():
    """The paper's figure: a set that is not convex, of which corners are missing."""
    iterations = isl.Set("[n] -> { S[i, j] : 1 <= i < n and 1 <= j < n }")
    tile = instances_of_tile(iterations, hexagons(2, 1), ("t", "u"))
    star = " or ".join(f"(a = i + {di} and b = j + {dj})" for di, dj in STAR)
    access = isl.Map(f"{{ S[i, j] -> A[a, b] : {star} }}").intersect_domain(tile)
    nodes = check_image(access, {"n": 30, "t": 3, "u": -1})
    touched = {point for _, point in run_loops(nodes, {"n": 30, "t": 3, "u": -1})}
    # The origin is (6, 8); of the 12 points local (0, 0), (1, -1 .. 1), (2, -2 .. 1),
    # (3, -1 .. 1) and (4, 0) each is there with its neighbours.
    points = {
        (6 + i, 8 + j)
        for i, j in product(range(5), range(-2, 2))
        if 0 <= i + j < 5 and 0 <= i - j < 5
    }
    assert len(points) == 12
    assert touched == {(i + di, j + dj) for i, j in points for di, dj in STAR}


def test_nothing_is_touched():
    assert image_loops(image(isl.Map("{ S[i] -> A[i] : 0 <= i < 0 }")), "A") == ()


def check_random(seed: int) -> None:
    random = Random(seed)
    depth = random.randint(1, 3)
    domain = random_set(random, depth, 4)
    names = NAMES[:depth]
    subscripts = ", ".join(linear(random, names, reach=5) for _ in range(random.randint(1, 2)))
    relation = isl.Map(f"[n] -> {{ S[{', '.join(names)}] -> A[{subscripts}] }}")
    check_image(relation.intersect_domain(domain), {"n": 3})


@pytest.mark.parametrize("seed", range(15))
def test_random_accesses(seed: int):
    check_random(seed)


@pytest.mark.slow
def test_many_random_accesses():
    for seed in range(100, 500):
        check_random(seed)


def test_parts_that_cannot_be_taken_apart_are_visited_once():
    """Three useless variables with large factors: parts overlap, and isl would take minutes to make
    them disjoint."""
    relation = isl.Map(
        "[n] -> { S[i, j, k] -> A[8i - 7j + 5k] : 0 <= i, j, k < n and 2i + 3j >= 3k + 2 }"
    )
    nodes = image_loops(image(relation), "A")
    visited = [element for _, element in run_loops(nodes, {"n": 5})]
    assert sorted(visited) == sorted(coordinates(relation.range(), {"n": 5}))
