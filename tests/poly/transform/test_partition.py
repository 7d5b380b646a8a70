"""Tiles of any shape: each point in its tile, tiles in an order that keeps the dependences, every
instance once, no tile without points."""

from itertools import groupby, product
from random import Random

import islpy as isl
import pytest
from oracles.polyhedral import coordinates, execution_order, run_loops

from polyopt.poly.dependences import compute_dependences
from polyopt.poly.generation.ast_generation import generate_loops
from polyopt.poly.linear.lattice import Matrix, Vector, apply, determinant
from polyopt.poly.loops.loop_tree import Loop
from polyopt.poly.notation import parse_scop
from polyopt.poly.scanning.tile_functions import LatticeTiles, Tiles, lattice_partition
from polyopt.poly.schedule_tree import build_schedule, read_tree
from polyopt.poly.scop import Scop
from polyopt.poly.transform.by_hand import schedule_by_hand
from polyopt.poly.transform.partition import legal_order
from polyopt.poly.transform.places import CannotTransform
from polyopt.poly.transform.shapes import hexagon_tiles, hyperplane_tiles, lattice_tiles
from polyopt.support.diagnostics import CompileError

STAR = parse_scop("""
[n]
for i : 1 <= i < n - 1
  for j : 1 <= j <= i
    S: B[i, j] = A[i - 1, j] + A[i + 1, j] + A[i, j - 1] + A[i, j + 1]
""")
IN_TIME = parse_scop("""
[n]
for t : 0 <= t < n
  for i : 1 <= i < n - 1
    S: A[t + 1, i] = A[t, i - 1] + A[t, i] + A[t, i + 1]
""")
IN_PLACE = parse_scop("""
[n]
for i : 1 <= i < n - 1
  for j : 1 <= j < n - 1
    S: A[i, j] = A[i - 1, j] + A[i + 1, j] + A[i, j - 1] + A[i, j + 1]
""")


def values(forms: tuple[isl.PwAff, ...], point: Vector) -> Vector:
    here = isl.Set(f"{{ [{', '.join(map(str, point))}] }}").sample_point()
    return tuple(form.eval(here).to_python() for form in forms)


SHAPES: dict[str, Tiles] = {
    "hexagons": hexagon_tiles(2, 1),
    "thin hexagons": hexagon_tiles(3, 0),
    "stripes": hyperplane_tiles(2, (1, 2), (3,)),
    "strict sides": hyperplane_tiles(2, (1, 1, 1, -1), (4, 3), (1, 1)),
    "odd cells": lattice_tiles("ij", (3, 1, -1, 2)),
    "bricks": lattice_tiles("ij", (4, 0, 2, 3), "0 <= i < 4 and 0 <= j < 3"),
    "strict bricks": lattice_tiles("ij", (4, 0, 2, 3), "0 < i <= 4 and -2 < j < 2", (7, -5)),
    "not convex": lattice_tiles(
        "ij", (2, 0, 0, 2), "(0<=i<=1 and j=0) or (i=0 and j=1) or (i=3 and j=3)"
    ),
    "three": lattice_tiles("ijk", (2, 0, 1, 0, 3, 0, 0, 1, 2)),
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_point_is_in_the_tile_that_the_functions_say(name: str) -> None:
    """As membership says, by trying all tiles, and where the place in a tile is told, at it."""
    tiles = SHAPES[name]
    member = tiles.membership()
    for point in product(range(-4, 5), repeat=tiles.dimensions):
        found = values(tiles.functions(), point)
        here = isl.Set(f"{{ [{', '.join(map(str, point))}] }}")
        assert (
            member.intersect_domain(here)
            .range()
            .is_equal(isl.Set(f"{{ [{', '.join(map(str, found))}] }}"))
        )
        if isinstance(tiles, LatticeTiles):
            origin = apply(tiles.generators, found)
            expected = zip(point, origin, tiles.offset, strict=True)
            place = tuple(x - a - b for x, a, b in expected)
            assert values(tiles.local(), point) == place
            assert isl.Set(f"{{ [{', '.join(map(str, place))}] }}").is_subset(tiles.shape)


def test_numbering_in_another_order_keeps_the_tiles() -> None:
    order = ((1, 1), (0, 1))
    for tiles in (SHAPES["hexagons"], SHAPES["strict sides"]):
        again = tiles.along(order)
        for point in product(range(-4, 5), repeat=2):
            assert values(again.functions(), point) == apply(
                order, values(tiles.functions(), point)
            )


def test_shapes_that_cover_and_those_that_do_not() -> None:
    """A random shape covers space once exactly if its points are one of each class modulo the
    lattice: counted."""
    random = Random(3)
    verdicts = set[bool]()
    for _ in range(80):
        generators = tuple(tuple(random.randint(-3, 3) for _ in range(2)) for _ in range(2))
        index = abs(determinant(generators))
        width, height = random.randint(1, 4), random.randint(1, 4)
        shape = isl.Set(f"{{ [x, y] : 0 <= x < {width} and 0 <= y - x < {height} }}")
        points = [(x, x + y) for x in range(width) for y in range(height)]
        expected = bool(index) and len(points) == index and _distinct(points, generators)
        try:
            lattice_partition(generators, shape)
            verdicts.add(True)
            assert expected
        except ValueError:
            verdicts.add(False)
            assert not expected
    assert verdicts == {True, False}


def _distinct(points: list[Vector], generators: Matrix) -> bool:
    (a, b), (c, d) = generators
    det = a * d - b * c
    return not any(
        (d * (p[0] - q[0]) - b * (p[1] - q[1])) % det == 0
        and (a * (p[1] - q[1]) - c * (p[0] - q[0])) % det == 0
        for p in points
        for q in points
        if p < q
    )


STEPS = [
    (STAR, "hexagons S.i S.j 2 1"),
    (STAR, "hexagons S.i S.j 2 1 full"),
    (STAR, "hexagons S.i S.j 2 1 dual"),
    (STAR, "hyperplanes S.i S.j 1 1 4 1 -1 4 full"),
    (STAR, "hyperplanes S.i S.j 1 2 5"),
    (STAR, "lattice S.i S.j 4 0 2 3 full where 0 <= i < 4 and 0 <= j < 3"),
    (STAR, "lattice S.j S.i 3 1 -1 2"),
    (IN_TIME, "hexagons S.i S.t 2 1"),
    (IN_TIME, "hyperplanes S.t S.i 1 1 4 1 -1 4"),
    (IN_PLACE, "lattice S.i S.j 4 0 -4 2"),
    (IN_PLACE, "lattice S.i S.j 0 -4 4 0"),
]


@pytest.mark.parametrize(("scop", "step"), STEPS)
def test_every_instance_runs_once_and_in_its_tile(scop: Scop, step: str) -> None:
    schedule = schedule_by_hand(scop, None, step)
    nodes = generate_loops(scop, compute_dependences(scop), schedule)
    assert nodes is not None
    for n in (3, 4, 11):
        run = [point for _, point in run_loops(nodes, {"n": n})]
        assert sorted(run) == sorted(coordinates(scop.statement("S").domain, {"n": n}))
        if "dual" not in step:
            assert run == [point for _, point in execution_order(schedule, {"n": n})]


def test_hexagons_in_time_start_a_row_at_once() -> None:
    """Their own order breaks dependences; the one that is found has tiles of equal first number
    which need nothing of each other."""
    tree = read_tree(schedule_by_hand(IN_TIME, None, "hexagons S.i S.t 4 2"))
    schedule = build_schedule(IN_TIME.domain, tree)
    loops = generate_loops(IN_TIME, compute_dependences(IN_TIME), schedule)
    assert loops is not None
    (outer,) = loops
    assert isinstance(outer, Loop)
    (inner,) = outer.body
    assert isinstance(inner, Loop)
    assert not outer.is_parallel
    assert inner.is_parallel


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        ("hexagons S.i S.j 4 2", "anti dependence from S to S"),
        ("hyperplanes S.i S.j 1 -1 4", "flow dependence from S to S"),
        ("hexagons S.i S.j 0 2", "height of at least 1"),
        ("hyperplanes S.i S.j 1 1", "2 numbers for 2 loops"),
        ("hyperplanes S.i S.j 0 0 3", "normal of zeros"),
        ("hyperplanes S.i S.j 1 1 0", "spacing of at least 1"),
        ("lattice S.i S.j 1 2 2 4", "no lattice of full dimension"),
        ("lattice S.i S.j 4 0 0 4 where 0 <= i < 4", "not bounded"),
        ("lattice S.i S.j 4 0 0 4 where 0 <= i < 4 and 0 <= j < 3", "leave gaps"),
        ("lattice S.i S.j 4 0 0 4 where 0 <= i < 4 and 0 <= j < 5", "overlap"),
        ("lattice S.i S.j 4 0 0 4 where 0 <= q < 4", "no condition on the place"),
        ("lattice S.i S.j 4 0 0 4 wide", "neither 'full' nor 'dual'"),
        ("lattice S.i S.j 4 0 0 4 full", "carry dependences"),
        ("hyperplanes S.i S.j 1 0 4 dual", "only tiles of a lattice"),
    ],
)
def test_what_is_refused_says_why(step: str, reason: str) -> None:
    with pytest.raises(CompileError) as refused:
        schedule_by_hand(IN_PLACE, None, step)
    assert reason in str(refused.value)


def test_a_legal_order_is_found_where_there_is_one() -> None:
    """Of random distances: rows that order each of them, by trying; and none where two of them
    are opposite."""
    random = Random(5)
    for _ in range(30):
        vectors = [tuple(random.randint(-1, 2) for _ in range(2)) for _ in range(3)]
        texts = "; ".join(f"[{a}, {b}]" for a, b in vectors)
        order = legal_order(isl.Set(f"{{ {texts} }}"))
        if any((-a, -b) in vectors for a, b in vectors if (a, b) != (0, 0)):
            assert order is None
        if order is not None:
            assert abs(determinant(order)) == 1
            assert all(apply(order, vector) >= (0, 0) for vector in vectors)


def test_tiles_run_one_after_another() -> None:
    """The points of a tile are next to each other in the run."""
    tiles = hexagon_tiles(2, 1)
    schedule = schedule_by_hand(STAR, None, "hexagons S.i S.j 2 1")
    run = [point for _, point in execution_order(schedule, {"n": 14})]
    numbers = [number for number, _ in groupby(values(tiles.functions(), one) for one in run)]
    assert len(numbers) == len(set(numbers))
    assert numbers == sorted(numbers)


def test_too_many_cells_are_refused() -> None:
    with pytest.raises(CannotTransform, match="more than"):
        lattice_tiles("ij", (1, 0, 0, 1000), "0 <= i - 1000 j < 1 and 0 <= j < 1000")
