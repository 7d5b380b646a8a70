"""Lattices of equalities and projections of polyhedra, against the points that isl lists."""

from itertools import product
from random import Random

import islpy as isl
import pytest
from oracles.polyhedral import coordinates
from oracles.random_sets import random_set

from polyopt.poly.scanning.affine_lattice import Column, Quotient, common_column, solve_equalities
from polyopt.poly.scanning.echelon import polyhedra
from polyopt.poly.scanning.systems import Row


def value(row: Row, point: tuple[int, ...]) -> int:
    return sum(a * x for a, x in zip(row, (1, *point), strict=False))


def test_the_lattice_of_an_equality():
    """v_1 + 3 v_2 - 2 v_3 = 1: v_1 and v_2 are free, v_3 wants v_2 odd where v_1 is even."""
    points = solve_equalities([(-1, 1, 3, -2)], 3)
    assert points is not None
    assert points.column(1).stride == 1
    assert points.column(2).stride == 2
    assert points.column(3).is_determined


def test_equalities_without_integer_points():
    assert solve_equalities([(1, 2, -4)], 2) is None


@pytest.mark.parametrize("seed", range(25))
def test_columns_tell_the_points_of_a_lattice(seed: int):
    """A prefix of columns is on the lattice if and only if it can be continued there."""
    random = Random(seed)
    rows = [
        (random.randint(-3, 3), *(random.randint(-3, 3) for _ in range(3)))
        for _ in range(random.randint(1, 2))
    ]
    points = solve_equalities(rows, 3)
    near, far = range(-3, 4), range(-40, 41)
    if points is None:
        assert not any(all(value(row, p) == 0 for row in rows) for p in product(near, repeat=3))
        return
    for point in product(near, repeat=3):
        on_lattice = True
        for k in range(3):
            place = points.column(k + 1)
            if not on_lattice:
                break
            offset, rest = divmod(value(place.offset.row, point), place.offset.divisor)
            assert rest == 0, "an offset is an integer on the lattice"
            beyond = point[k] - offset
            on_lattice = beyond == 0 if place.is_determined else beyond % place.stride == 0
            found = points.congruence(k + 1)
            if found is not None and on_lattice:
                assert value(found.row, point) % found.modulus == 0
                assert all(0 <= one < found.modulus for one in found.row)
                assert 0 < 2 * found.row[-1] <= found.modulus
        assert on_lattice == all(value(row, point) == 0 for row in rows)
        first_two = any(all(value(row, (*point[:2], x)) == 0 for row in rows) for x in far)
        if on_lattice:
            assert first_two


def columns(*offsets_and_strides: tuple[int, int]) -> list[Column]:
    return [Column(Quotient((offset, 1), 1), stride) for offset, stride in offsets_and_strides]


def test_the_lattice_that_several_share():
    plane, doubled = solve_equalities([], 2), solve_equalities([(0, 1, 0, -2)], 3)
    assert plane is not None
    assert doubled is not None
    assert common_column(columns((0, 6), (3, 9)), plane) == Column(Quotient((0, 1), 1), 3)
    assert common_column(columns((4, 0), (0, 32)), plane) == Column(Quotient((4, 1), 1), 4)
    assert common_column(columns((4, 0), (4, 0)), plane) == Column(Quotient((4, 1), 1), 0)
    other = [*columns((0, 2)), Column(Quotient((0, 2), 1), 2)]
    assert common_column(other, plane).stride == 1
    assert common_column(other, doubled.prefix(2)).stride == 2, "v_1 is even"


@pytest.mark.parametrize("seed", range(12))
def test_projections_lose_no_point_and_the_last_one_adds_none(seed: int):
    random = Random(seed)
    depth = random.randint(1, 3)
    domain = random_set(random, depth, 5)
    wanted = {(n, *point) for n in range(4) for point in coordinates(domain, {"n": n})}
    found = set[tuple[int, ...]]()
    for one in polyhedra(domain):
        assert one.points is not None
        for n, *rest in product(range(4), *[range(-2, 7)] * depth):
            point = (n, *rest)
            for division in one.divisions:
                quotient = value(division.row, point) // division.divisor
                point = (*point, quotient)
            congruences = (one.points.congruence(k) for k in range(1, one.width + 1))
            inside = all(value(row, point) >= 0 for row in one.rows) and all(
                value(each.row, point) % each.modulus == 0 for each in congruences if each
            )
            if not inside:
                continue
            assert (n, *rest) not in found, "polyhedra are disjoint"
            found.add((n, *rest))
            for k in range(1, depth + 2):
                assert all(value(row, point) >= 0 for row in one.shadow(k))
            for k in range(len(one.divisions)):
                for beside in (-1, 0, 1):
                    moved = list(point)
                    moved[one.visible + k] += beside
                    holds = all(value(row, tuple(moved)) >= 0 for row in one.definition(k))
                    assert holds == (beside == 0), "a quotient is defined as one number"
    assert found == wanted


def test_an_infeasible_congruence_is_no_polyhedron():
    assert not polyhedra(isl.Set("{ [i, j] : 2i = 4j + 1 }"))
