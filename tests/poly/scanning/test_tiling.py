"""Tiled iteration sets: each point once, in its tile, in the order asked for."""

from collections.abc import Sequence
from functools import cache
from itertools import groupby, pairwise, product
from random import Random

import islpy as isl
import pytest
from oracles.polyhedral import coordinates, run_loops
from oracles.random_sets import random_set

from polyopt.poly.linear.dependence_vectors import distance
from polyopt.poly.linear.lattice import Lattice, Matrix, Vector, apply, determinant
from polyopt.poly.loops.expressions import evaluate, holds
from polyopt.poly.loops.loop_text import loop_text
from polyopt.poly.loops.loop_tree import Branch, Instance, Loop, Node
from polyopt.poly.scanning.bounds import Unbounded
from polyopt.poly.scanning.tile_systems import (
    Tiling,
    hexagons,
    hyperplanes,
    is_legal,
    lattice_tiles,
    origin_lattice,
    rectangles,
)
from polyopt.poly.scanning.tiling import TiledScan, tile_loops

TRIANGLE = "[n] -> { S[i, j] : 1 <= i <= n and i <= j <= n }"
SQUARE = "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }"
STRIP = "[n] -> { S[i, j] : 0 <= i < n and i <= 2j <= i + 5 }"


@cache
def tile_of(tiling: Tiling, point: Vector, reach: int = 15) -> Vector:
    """By trying all tiles near the origin."""
    near = range(-reach, reach)
    (found,) = (
        tile
        for tile in product(near, repeat=tiling.tiles)
        if all(
            sum(a * x for a, x in zip(row, (1, *tile, *point), strict=True)) >= 0
            for row in tiling.membership
        )
    )
    return found


def visits(
    nodes: Sequence[Node], values: dict[str, int], tiles: int
) -> list[tuple[Vector, list[Vector]]]:
    """The iterations of the innermost of `tiles` tile loops (their iterators' values), and the
    points that each runs. A tile loop that runs once is no loop: its value is not told."""
    found = list[tuple[Vector, list[Vector]]]()
    for node in nodes:
        match node:
            case Loop() if "tile" in node.marks:
                for value in range(
                    evaluate(node.lower, values), evaluate(node.upper, values), node.step
                ):
                    inner = {**values, node.iterator: value}
                    found += visits(node.body, inner, tiles - 1)
            case Branch(condition, then, orelse):
                found += visits(then if holds(condition, values) else orelse, values, tiles)
            case Loop() | Instance():
                points = [point for _, point in run_loops([node], values)]
                tile = tuple(value for name, value in values.items() if name != "n")
                found.append((tile, points))
    return found


def check(
    text: str, tiling: Tiling, how: TiledScan = TiledScan(), sizes: Sequence[int] = (1, 7)
) -> tuple[Node, ...]:
    domain = isl.Set(text)
    nodes = tile_loops("S", domain, tiling, how)
    basis = how.basis or ((1, 0), (0, 1))
    for n in sizes:
        run = [point for _, point in run_loops(nodes, {"n": n})]
        assert sorted(run) == sorted(coordinates(domain, {"n": n}))
        when = [(tile_of(tiling, point), apply(basis, point)) for point in run]
        if how.exact:
            assert len(list(groupby(when, key=lambda one: one[0]))) == len({t for t, _ in when})
        else:
            assert all(a < b for a, b in pairwise(when))
        if how.exact:
            assert all(points for _, points in visits(nodes, {"n": n}, tiling.tiles))
    return nodes


@pytest.mark.parametrize(("height", "width"), [(1, 1), (2, 1), (1, 3)])
def test_hexagons_cover_each_point_once(height: int, width: int):
    """As many points as the lattice has cosets; the constructor has checked that none is twice."""
    tiling = hexagons(height, width)
    reach = range(-4, 5)
    count = dict[Vector, int]()
    for point in product(reach, repeat=2):
        tile = tile_of(tiling, point, reach=9)
        count[tile] = count.get(tile, 0) + 1
    assert max(count.values()) == min(2 * height * (height + width), len(reach) ** 2)


def test_the_hexagonal_tiling_of_the_five_point_stencil():
    """The paper's example: a triangle in hexagons. Full tiles have bounds of their own, without
    the parameter."""
    nodes = check(TRIANGLE, hexagons(2, 1))
    text = loop_text(nodes)
    full = text[text.index("if (") : text.index("else")].splitlines()[1:]
    assert not any("n" in line.replace("min", "").replace("point", "") for line in full)


def test_a_row_of_the_set_can_be_met_by_all_tiles():
    nodes = check(SQUARE.replace("0 <= j < n", "0 <= j < 8"), rectangles((4, 4)))
    assert loop_text(nodes).count("if (") == 1
    assert "if (n - 4 * c0 - 4 >= 0)" in loop_text(nodes)


@pytest.mark.parametrize("text", [TRIANGLE, SQUARE, STRIP])
@pytest.mark.parametrize(
    "tiling",
    [
        rectangles((3, 4)),
        hyperplanes(((1, 1), (1, -1)), (4, 4)),
        hyperplanes(((1, 1), (0, 1)), (3, 2)),
        lattice_tiles(((2, 1), (-1, 2)), ((0, 0, 1), (0, 0, -1), (0, 1), (4, -1))),
    ],
    ids=["rectangles", "diamonds", "skewed", "knight's moves"],
)
def test_tilings_of_sets(text: str, tiling: Tiling):
    check(text, tiling)


def test_fewer_families_than_dimensions_are_stripes():
    nodes = check(SQUARE, hyperplanes(((1, 1),), (4,)))
    assert loop_text(nodes).count("// tile") == 1


def test_odd_tilings_have_no_tiles_without_points():
    """t = (i + j, i - j): only those of equal parity have a point; t = 2 i: only even ones."""
    nodes = check(SQUARE, hyperplanes(((1, 1), (1, -1)), (1, 1)))
    assert "c1 += 2) // tile" in loop_text(nodes)
    assert "c0 += 2) // tile" in loop_text(check(SQUARE, hyperplanes(((2, 0), (0, 1)), (1, 4))))


@pytest.mark.parametrize("tiling", [hexagons(2, 1), hyperplanes(((3, 1), (1, 2)), (2, 2))])
def test_exact_tile_loops_visit_no_empty_tile(tiling: Tiling):
    check(TRIANGLE, tiling, TiledScan(exact=True))


@pytest.mark.parametrize("basis", [((1, 1), (1, 0)), ((0, 1), (1, 0)), ((1, 1), (1, -1))])
def test_the_points_of_a_tile_in_the_order_of_a_basis(basis: Matrix):
    check(TRIANGLE, hexagons(2, 1), TiledScan(basis=basis))
    check(STRIP, rectangles((4, 3)), TiledScan(basis=basis))


def test_origins_of_a_hyperplane_partition():
    """Tiles of diamonds with a spacing of 1 differ by vectors of equal parity."""
    assert origin_lattice(((1, 1), (1, -1)), (1, 1)).index == 2
    assert origin_lattice(((1, 1), (1, -1)), (4, 4)).index == 1
    assert origin_lattice(((2, 0), (0, 1)), (3, 4)) == Lattice.of(((2, 0), (0, 1)))


@pytest.mark.parametrize("seed", range(8))
def test_origins_by_enumeration(seed: int):
    random = Random(seed)
    normals = tuple(tuple(random.randint(-2, 2) for _ in range(2)) for _ in range(2))
    spacings = (random.randint(1, 3), random.randint(1, 3))
    if not determinant(normals):
        return
    lattice = origin_lattice(normals, spacings)
    far = list(product(range(-20, 21), repeat=2))
    images = {apply(normals, point) for point in far}
    for tile in product(range(-2, 3), repeat=2):
        wanted = tuple(t * s for t, s in zip(tile, spacings, strict=True))
        assert (wanted in images) == (tile in lattice)


def test_legal_partitions():
    stencil = [distance(1, 0), distance(1, 1), distance(1, -1)]
    assert is_legal(((1, 1), (1, -1)), stencil)
    assert not is_legal(((1, 0), (0, 1)), stencil)


def test_what_is_no_tiling():
    square = ((0, 1), (1, -1), (0, 0, 1), (1, 0, -1))
    with pytest.raises(ValueError, match="each point once"):
        lattice_tiles(((2, 0), (0, 3)), square)
    with pytest.raises(ValueError, match="each point once"):
        lattice_tiles(((4, 1), (0, 1)), square)
    with pytest.raises(ValueError, match="not bounded"):
        lattice_tiles(((2, 0), (0, 2)), square[:3])
    with pytest.raises(ValueError, match="spacing"):
        hyperplanes(((1, 0),), (0,))
    with pytest.raises(ValueError, match="one polyhedron"):
        tile_loops("S", isl.Set("{ S[i] : 0 <= i < 4 or 9 <= i < 12 }"), rectangles((2,)))
    with pytest.raises(Unbounded):
        tile_loops("S", isl.Set("{ S[i] : 0 <= i }"), rectangles((2,)))
    assert tile_loops("S", isl.Set("{ S[i] : 0 <= i < 0 }"), rectangles((2,))) == ()


def test_random_shapes_and_partitions_have_each_point_once():
    """Sets with congruences, families of hyperplanes that may depend on each other: by both ways to
    find the tiles, every point is in one tile."""
    random = Random(17)
    for _ in range(25):
        depth = random.randint(1, 3)
        domain = random_set(random, depth, 4)
        if domain.coalesce().n_basic_set() != 1:
            continue
        families = range(random.randint(1, depth))
        normals = tuple(tuple(random.randint(-2, 3) for _ in range(depth)) for _ in families)
        tiling = hyperplanes(normals, tuple(random.randint(1, 5) for _ in families))
        for exact in (False, True):
            try:
                nodes = tile_loops("S", domain, tiling, TiledScan(exact=exact))
            except ValueError:  # more than one polyhedron
                continue
            visited = sorted(point for _, point in run_loops(nodes, {"n": 3}))
            assert visited == sorted(coordinates(domain, {"n": 3}))


@pytest.mark.parametrize(
    ("normals", "spacings", "text"),
    [
        (((2, 3),), (4,), "[n] -> { S[i, j] : 0 <= i < n and 0 <= j and 3i > 4j }"),
        (((2, 2),), (3,), SQUARE),
        (((0, 1), (0, 2)), (3, 3), "[n] -> { S[i, j] : 0 <= i, j < n and 3i + 2j >= 5 }"),
        (((3, -1, 2),), (2,), "[n] -> { S[i, j, k] : 0 <= i, j, k < n }"),
    ],
)
def test_exact_tiles_are_visited_once_and_in_order(normals: Matrix, spacings: Vector, text: str):
    """Their projection has parts that overlap, and parts bounded by divisions only."""
    nodes = tile_loops("S", isl.Set(text), hyperplanes(normals, spacings), TiledScan(exact=True))
    found = [tile for tile, points in visits(nodes, {"n": 5}, len(spacings)) if points]
    assert found == sorted(set(found))
    assert all(points for _, points in visits(nodes, {"n": 5}, len(spacings)))
    visited = sorted(point for _, point in run_loops(nodes, {"n": 5}))
    assert visited == sorted(coordinates(isl.Set(text), {"n": 5}))
