"""Steps of loops as vectors, and strides of accesses along them."""

from fractions import Fraction

import pytest
from oracles.nests import GEMM, JACOBI

from polyopt.poly.analysis.strides import AccessMatrices, steps_of
from polyopt.poly.dependences import compute_dependences
from polyopt.poly.linear.linear_forms import directions, independent, rank
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import Member, Tree, bands, members_below, read_tree
from polyopt.poly.schedulers import SCHEDULERS
from polyopt.poly.schedulers.interface import SchedulerOptions
from polyopt.poly.transform.tiling import tile_function


def test_directions_are_the_columns_of_the_inverse():
    assert directions([(1, 0), (2, 1)]) == [(1, -2), (0, 1)]
    assert directions([(2, 0), (0, 1)]) == [(Fraction(1, 2), 0), (0, 1)]
    assert directions([(1, 1), (2, 2)]) is None
    assert directions([(1, 0)]) is None


def test_independent_rows():
    assert independent([(0, 0), (1, 1), (2, 2), (0, 1), (5, 7)]) == [1, 3]
    assert rank([(1, 2, 3), (2, 4, 6), (0, 0, 1)]) == 2


@pytest.mark.parametrize(
    ("array", "strides"), [("C", ("far", 1, 0)), ("A", ("far", 0, 1)), ("B", (0, 1, "far"))]
)
def test_strides_of_a_matrix_product(array: str, strides: tuple[int | str, ...]):
    scop = parse_scop(GEMM)
    statement = scop.statement("T")
    members = members_below(read_tree(scop.schedule), "T")
    access = next(a for a in statement.accesses if a.array == array)
    matrices = AccessMatrices(scop)
    found = [matrices.stride("T", access, step) for step in steps_of("T", members)]
    assert tuple(found) == strides


def isl_tree(text: str) -> Tree:
    scop = parse_scop(text)
    return read_tree(SCHEDULERS["isl"]()(scop, compute_dependences(scop), SchedulerOptions()))


def test_a_step_of_a_skewed_loop_moves_against_the_skew():
    (band,) = bands(isl_tree(JACOBI))
    assert steps_of("S", band.members) == [(1, -2), (0, 1)]


def test_the_loop_inside_a_tile_keeps_its_step_and_the_tile_has_none():
    (band,) = bands(isl_tree(JACOBI))
    tiles = [Member(tile_function(member.function, 32)) for member in band.members]
    assert steps_of("S", [*tiles, *band.members]) == [None, None, (1, -2), (0, 1)]


def test_what_is_not_affine_is_unknown():
    scop = parse_scop("[n]\nfor i : 0 <= i < n\n  S: A[floor(i/2)] = ?B[*] C[2i] D[n - i]")
    matrices = AccessMatrices(scop)
    (statement,) = scop.statements
    (step,) = steps_of("S", members_below(read_tree(scop.schedule), "S"))
    strides = {a.array: matrices.stride("S", a, step) for a in statement.accesses}
    assert strides == {"A": "unknown", "B": "unknown", "C": 2, "D": -1}
