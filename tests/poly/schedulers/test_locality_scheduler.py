"""The locality scheduler on every nest and kernel: legal, complete, of the right shape."""

from itertools import pairwise

import pytest
from oracles.kernels import KERNELS, LOCAL
from oracles.nests import NESTS
from oracles.polyhedral import at_sizes, conflicts, execution_order, run_loops

from polyopt.poly.dependences import compute_dependences
from polyopt.poly.generation.ast_generation import generate_loops
from polyopt.poly.generation.executed_set import check_executed
from polyopt.poly.legality import check_schedule
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import Tree, bands, build_schedule, marks, read_tree, statements_of
from polyopt.poly.schedulers import SCHEDULERS
from polyopt.poly.schedulers.interface import SchedulerOptions
from polyopt.poly.scop import Scop

SIZES = {"n": 5, "m": 6, "k": 3}


def schedule(scop: Scop, *, reassociate: bool = True, **options: object) -> Tree:
    dependences = compute_dependences(scop, reassociate=reassociate)
    found = SCHEDULERS["locality"]()(
        scop,
        dependences,
        SchedulerOptions(march="x86-64-v3", **options),  # pyright: ignore[reportArgumentType]
    )
    assert check_schedule(scop, dependences, found) == []
    return read_tree(found)


@pytest.mark.parametrize("contractions", [False, True])
@pytest.mark.parametrize("name", NESTS)
def test_nests_run_every_instance_in_a_legal_order(name: str, contractions: bool):
    scop = at_sizes(parse_scop(NESTS[name]), SIZES)
    dependences = compute_dependences(scop)
    options = SchedulerOptions(tile_sizes=(2, 3), contractions=contractions)
    found = SCHEDULERS["locality"]()(scop, dependences, options)
    nodes = generate_loops(scop, dependences, found)
    assert nodes is not None
    order = list(run_loops(nodes, SIZES))
    original = execution_order(scop.schedule, SIZES)
    assert sorted(order) == sorted(original)
    when = {instance: time for time, instance in enumerate(order)}
    for source, target in conflicts(scop, original, SIZES):
        assert when[source] < when[target]


QUICK = ("2mm", "mvt", "jacobi-2d", "gramschmidt", "lu")


@pytest.mark.parametrize("reassociate", [False, True])
@pytest.mark.parametrize(
    "name", [pytest.param(k, marks=() if k in QUICK else pytest.mark.slow) for k in KERNELS]
)
def test_kernels_are_legal_and_complete(name: str, reassociate: bool):
    scop = parse_scop(KERNELS[name], local=LOCAL.get(name, ()))
    dependences = compute_dependences(scop, reassociate=reassociate)
    found = SCHEDULERS["locality"]()(scop, dependences, SchedulerOptions(march="x86-64-v3"))
    assert check_schedule(scop, dependences, found) == []
    nodes = generate_loops(scop, dependences, found)
    assert nodes is not None
    assert check_executed(scop, nodes, operations=5_000_000) is None


def test_nests_that_are_good_as_they_are_keep_the_order_of_the_source():
    for name in ("gesummv", "atax", "durbin", "trisolv", "floyd-warshall"):
        scop = parse_scop(KERNELS[name], local=LOCAL.get(name, ()))
        tree = schedule(scop)
        functions = [str(band.members[0].function) for band in bands(read_tree(scop.schedule))]
        assert len(functions) >= len(bands(tree))
        assert marks(tree) == []


def test_a_contraction_is_left_to_the_loop_stage_or_tiled_here():
    scop = parse_scop(KERNELS["gemm"])
    assert marks(schedule(scop)) == ["contract"]
    assert marks(schedule(scop, contractions=False)) == ["tile", "point"]
    assert marks(schedule(scop, contractions=False, tile=False)) == []


def test_a_skewed_stencil_has_the_loops_of_the_source_inside_its_tiles():
    scop = parse_scop(KERNELS["jacobi-2d"])
    tile, time, first, second = bands(schedule(scop))
    assert len(tile.members) >= 2
    assert sorted(statements_of(time)) == ["S0", "S1"]
    assert [len(first.members), len(second.members)] == [2, 2]
    assert all(member.coincident for band in (first, second) for member in band.members)


def test_given_sizes_are_used_where_the_model_tiles():
    scop = parse_scop(KERNELS["gemm"])
    tree = schedule(scop, contractions=False, tile_sizes=(4, 5, 6))
    tile = next(band for band in bands(tree) if len(band.members) == 3)
    assert [size in str(member.function) for size, member in zip("456", tile.members, strict=True)]


def test_a_spent_budget_keeps_the_order_of_the_source():
    scop = parse_scop(KERNELS["gemm"])
    dependences = compute_dependences(scop)
    options = SchedulerOptions(operations=50)
    assert SCHEDULERS["locality"]()(scop, dependences, options).plain_is_equal(scop.schedule)


SMALL_PRODUCTS = """
[m, n]
for b : 0 <= b < m
  for i : 0 <= i < n
    for j : 0 <= j < n
      Z: C[b, i, j] =
      for k : 0 <= k < n
        P: C[b, i, j] += A[b, i, k] {right}
"""


@pytest.mark.parametrize(("right", "changes"), [("B[b, k, j]", 3), ("B[k, j]", 1)])
def test_products_with_nothing_in_common_run_one_after_the_other(right: str, changes: int):
    """Zeros and product of one b, then of the next; with a matrix that all share, whose panels
    would be packed again for each b, all zeros go first."""
    scop = parse_scop(SMALL_PRODUCTS.format(right=right))
    tree = schedule(scop)
    order = execution_order(build_schedule(scop.domain, tree), {"m": 2, "n": 2})
    assert marks(tree) == ["contract"]
    assert sum(a != b for (a, _), (b, _) in pairwise(order)) == changes
