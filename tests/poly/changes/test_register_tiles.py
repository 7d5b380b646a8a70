"""Register tiles keep every dependence, do every instance once, and are as large as counted."""

import islpy as isl
import pytest
from oracles.nests import NESTS
from oracles.polyhedral import at_sizes, conflicts, execution_order

from polyopt.poly.analysis.permutability import TreePosition
from polyopt.poly.changes.factors import FACTORS, read_factors
from polyopt.poly.changes.register_tiles import RegisterTiles
from polyopt.poly.dependences import compute_dependences
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import Tree, build_schedule, marks, read_tree
from polyopt.poly.scop import Scop
from polyopt.poly.transform.places import single_loops

SIZES = {"n": 5, "m": 7, "k": 3}


def tiled(scop: Scop, factors: tuple[int, int] | None, registers: int = 16) -> Tree:
    place = TreePosition((), compute_dependences(scop).validity)
    tiles = RegisterTiles(scop, registers, factors)
    return tiles.of(single_loops(read_tree(scop.schedule)), place, scop.domain)


@pytest.mark.parametrize("name", NESTS)
@pytest.mark.parametrize("factors", [(2, 2), (4, 1), (6, 8), None], ids=str)
def test_every_dependence_is_kept(name: str, factors: tuple[int, int] | None):
    scop = at_sizes(parse_scop(NESTS[name]), SIZES)
    schedule = build_schedule(scop.domain, tiled(scop, factors))
    order = execution_order(schedule, SIZES)
    source = execution_order(scop.schedule, SIZES)
    assert sorted(map(str, order)) == sorted(map(str, source))
    when = {instance: time for time, instance in enumerate(order)}
    for before, after in conflicts(scop, source, SIZES):
        assert when[before] < when[after]


PRODUCT = """
[n]
for k : 0 <= k < n
  for i : 0 <= i < n
    for j : 0 <= j < n
      S: C[i, j] = C[i, j] + A[i, k] * B[k, j]
"""
LEAN = "[n]\nfor i : 1 <= i < n\n  for j : 0 <= j < n - 1\n    S: A[i, j] = A[i - 1, j + 1]"


def test_rows_of_a_product_run_together():
    scop = parse_scop(PRODUCT)
    tree = tiled(scop, (2, 1))
    assert marks(tree) == ["unroll"]
    sizes = {"n": 3}
    order = execution_order(build_schedule(scop.domain, tree), sizes)
    wanted = [
        (k, i, j)
        for k in range(3)
        for first in (0, 2)
        for j in range(3)
        for i in range(first, min(first + 2, 3))
    ]
    assert [point for _, point in order] == wanted


def test_what_goes_back_along_the_inner_loop_forbids_it():
    assert marks(tiled(parse_scop(LEAN), (4, 1))) == []


@pytest.mark.parametrize(("registers", "rows"), [(16, 4), (32, 8), (4, 1)])
def test_as_many_rows_as_registers_hold(registers: int, rows: int):
    """C is read and written, A read for each row, B for all of them: 3 p + 1."""
    tree = tiled(parse_scop(PRODUCT), None, registers)
    text = str(build_schedule(parse_scop(PRODUCT).domain, tree))
    assert ("mod" in text) == (rows > 1)
    assert rows == 1 or f"mod {rows}" in text
    assert len(marks(tree)) == (rows > 1)


SOLVER = """
[n]
for i : 0 <= i < n
  for j : 0 <= j < i
    S: x[i] += L[i, j] x[j]
  T: x[i] = x[i] L[i, i]
"""


@pytest.mark.parametrize(
    ("in_any_order", "text", "is_done"),
    [
        (True, SOLVER, False),
        (False, SOLVER, True),
        (True, SOLVER.replace("L[i, j] x[j]", "L[i, j] b[j]"), True),
    ],
)
def test_sums_of_an_array_that_they_read_stay_alone(in_any_order: bool, text: str, is_done: bool):
    """Where they become lanes: in the order of the source rows run together."""
    scop = parse_scop(text)
    place = TreePosition((), compute_dependences(scop, reassociate=in_any_order).validity)
    order = "[n] -> [{ S[i, j] -> [(i)]; T[i] -> [(i)] }, { S[i, j] -> [(j)]; T[i] -> [(i)] }]"
    schedule = isl.Schedule.from_domain(scop.domain)
    schedule = schedule.insert_partial_schedule(isl.MultiUnionPwAff(order))
    domain = scop.schedule.get_domain()
    tree = RegisterTiles(scop, 32).of(single_loops(read_tree(schedule)), place, domain)
    assert (marks(tree) != []) == is_done


def test_factors_are_of_a_list():
    assert read_factors(()) is None
    assert read_factors(FACTORS[1:3]) == (2, 4)
    for wrong in ((3, 1), (4,), (1, 2, 4), (0, 0)):
        with pytest.raises(ValueError, match="each one of 1, 2, 4, 6, 8"):
            read_factors(wrong)
