"""Nests by matrices: the order that comes out, and that it is legal wherever it is not refused."""

from collections import Counter
from random import Random

import islpy as isl
import pytest
from oracles.nests import NESTS
from oracles.polyhedral import at_sizes

from polyopt.poly.dependences import compute_dependences
from polyopt.poly.legality import is_legal
from polyopt.poly.linear.lattice import determinant
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import Band, read_tree
from polyopt.poly.schedulers.interface import SchedulerOptions
from polyopt.poly.schedulers.matrix import parse_matrix, schedule_with_matrix
from polyopt.poly.scop import Scop
from polyopt.support.diagnostics import CompileError
from polyopt.support.remarks import Remark, collect_remarks

SIZES = {"n": 3, "m": 4, "k": 3}

# SWIM's loop 100 in C: Fortran's order of subscripts makes the inner loop walk down columns.
SWIM = """
[n]
for j : 0 <= j < n
  for i : 0 <= i < n
    S: U[i, j] = P[i, j] P[i + 1, j]
    T: V[i, j] = P[i, j] P[i, j + 1]
"""
WAVE = "[]\nfor i : 4 <= i <= 8\n  for j : 3 <= j <= 8\n    S: A[i, j] = A[i - 3, j - 2]"
SKEWED = "[n]\nfor j : 0 <= j < n\n  for i : 0 <= i < n\n    S: A[i, j] = A[i + 1, j - 1]"


def schedule(scop: Scop, matrix: str) -> tuple[isl.Schedule, list[Remark]]:
    with collect_remarks() as remarks:
        found = schedule_with_matrix(
            scop, compute_dependences(scop), SchedulerOptions(matrix=matrix, march="x86-64-v3")
        )
    assert is_legal(scop, compute_dependences(scop), found)
    return found, remarks.items


def assert_order(found: isl.Schedule, wanted: str) -> None:
    assert (
        found.get_map()
        .intersect_domain(found.get_domain())
        .is_equal(isl.UnionMap(wanted).intersect_domain(found.get_domain()))
    )


def test_swim_is_interchanged():
    found, _ = schedule(parse_scop(SWIM), "auto")
    assert_order(found, "{ S[j, i] -> [i, j, 0]; T[j, i] -> [i, j, 1] }")


def test_what_walks_along_lines_is_left_alone():
    scop = parse_scop(SWIM.replace("i, j]", "j, i]").replace("i + 1, j", "j + 1, i"))
    found, _ = schedule(scop, "auto")
    assert_order(found, "{ S[j, i] -> [j, i, 0]; T[j, i] -> [j, i, 1] }")


def test_a_loop_is_reversed_where_that_permits_the_better_order():
    """The distance (1, -1): the loops may change places only if i counts down."""
    found, _ = schedule(parse_scop(SKEWED), "auto")
    assert_order(found, "{ S[j, i] -> [-i, j] }")


def test_the_sum_of_a_product_moves_outside():
    text = (
        "[n]\nfor i : 0 <= i < n\n  for j : 0 <= j < n\n    for k : 0 <= k < n\n"
        "      S: C[i, j] = C[i, j] A[i, k] B[k, j]"
    )
    found, _ = schedule(parse_scop(text), "auto")
    assert_order(found, "{ S[i, j, k] -> [i, k, j] }")


def test_an_imperfect_nest_is_distributed_for_a_better_order():
    """gemm: C = beta C, then the product with its sum outside and both rows inside."""
    found, _ = schedule(parse_scop(NESTS["gemm"]), "auto")
    assert_order(found, "{ S[i, j] -> [0, i, j, 0]; T[i, j, l] -> [1, i, l, j] }")


def test_an_imperfect_nest_that_gains_nothing_is_left_alone():
    scop = parse_scop(NESTS["cholesky"])
    found, _ = schedule(scop, "auto")
    assert found.get_map().is_equal(scop.schedule.get_map())


@pytest.mark.parametrize(
    ("matrix", "order"),
    [
        ("0,1;1,0", "[i, j]"),
        ("1,0;1,1", "[j, i + j]"),
        ("0,2;3,1", "[2i, 3j + i]"),
        ("1,0", "[j, i]"),
    ],
)
def test_given_matrices(matrix: str, order: str):
    text = SWIM.replace("    T: V[i, j] = P[i, j] P[i, j + 1]\n", "")
    found, remarks = schedule(parse_scop(text), matrix)
    assert_order(found, f"{{ S[j, i] -> {order} }}")
    assert not remarks


def test_a_partial_matrix_makes_the_outer_loop_parallel():
    found, _ = schedule(parse_scop(WAVE), "2,-3")
    tree = read_tree(found)
    assert isinstance(tree, Band)
    assert [member.coincident for member in tree.members] == [True, False]
    assert str(tree.members[0].function).replace(" ", "").find("2i-3j") >= 0


def test_an_illegal_matrix_is_refused_with_the_vector():
    scop = parse_scop(SKEWED)
    found, (remark,) = schedule(scop, "0,1;1,0")
    assert_order(found, "{ S[j, i] -> [j, i] }")
    assert (remark.kind, remark.id) == ("missed", "illegal-matrix")
    assert "(1, -1)" in remark.message


def test_nests_of_another_depth_are_left_alone():
    scop = parse_scop(SWIM)
    found, _ = schedule(scop, "1,0,0;0,1,0;0,0,1")
    assert found.get_map().is_equal(scop.schedule.get_map())


@pytest.mark.parametrize("text", ["", "a,b", "1,0;0", "1,2;2,4", "0,0", "1;2", "1,,2"])
def test_what_is_no_matrix_is_an_error(text: str):
    with pytest.raises(CompileError):
        parse_matrix(text)


@pytest.mark.parametrize("name", NESTS)
def test_automatic_order_is_legal(name: str):
    schedule(parse_scop(NESTS[name]), "auto")


@pytest.mark.parametrize(
    ("name", "some_kept"), [("gemm", True), ("seidel", True), ("jacobi", False)]
)
def test_random_matrices_are_kept_or_refused(name: str, some_kept: bool):
    """`schedule` asserts that what comes out is legal and runs every instance."""
    scop = at_sizes(parse_scop(NESTS[name]), SIZES)
    random = Random(name)
    kept = refused = 0
    for _ in range(12):
        rows = tuple(tuple(random.randint(-1, 2) for _ in range(2)) for _ in range(2))
        if determinant(rows):
            _, remarks = schedule(scop, ";".join(",".join(map(str, row)) for row in rows))
            kept += not remarks
            refused += bool(remarks)
    assert bool(kept) == some_kept or not refused


STENCIL = """
[]
for i : 0 <= i < 6
  for j : 0 <= j < 6
    S: A[i, j] = A[i - 1, j - 1] A[i - 1, j + 1] A[i, j - 2]
"""


def test_multiplication_and_isl_say_the_same():
    """Constant distances (1, 1), (1, -1), (0, 2) lose nothing as vectors: a matrix is refused
    exactly if isl finds a dependence that its order does not keep."""
    scop, random, verdicts = parse_scop(STENCIL), Random(7), Counter[bool]()
    dependences = compute_dependences(scop, form="full")
    domain = scop.domain
    while len(verdicts) < 2 or verdicts.total() < 30:
        rows = tuple(tuple(random.randint(-2, 2) for _ in range(2)) for _ in range(2))
        if not determinant(rows):
            continue
        _, remarks = schedule(scop, ";".join(",".join(map(str, row)) for row in rows))
        times = ", ".join(f"{{ S[i, j] -> [{a} i + {b} j] }}" for a, b in rows)
        direct = isl.Schedule(f'{{ domain: "{domain}", child: {{ schedule: "[{times}]" }} }}')
        legal = is_legal(scop, dependences, direct)
        assert legal == (not remarks), rows
        verdicts[legal] += 1
