"""Contractions: which statements they are, and what they are cut out of stays in order."""

from itertools import pairwise

import pytest
from oracles.kernels import KERNELS
from oracles.nests import NESTS
from oracles.polyhedral import execution_order

from polyopt.poly.analysis.permutability import TreePosition
from polyopt.poly.changes.contractions import (
    CONTRACT,
    ContractionOptions,
    expose_contractions,
    is_contraction,
)
from polyopt.poly.changes.pushes import pushed
from polyopt.poly.changes.skewing import skew_for_tiling
from polyopt.poly.dependences import Dependences, compute_dependences
from polyopt.poly.legality import check_schedule
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import Band, Mark, Sequence, Tree, build_schedule, read_tree
from polyopt.poly.schedulers import SCHEDULERS
from polyopt.poly.schedulers.interface import SchedulerOptions
from polyopt.poly.scop import Scop

EXPOSED = {
    "2mm": {"S1", "S3"},
    "3mm": {"S1", "S3", "S5"},
    "gemm": {"S1"},
    "syrk": {"S1"},
    "syr2k": {"S1"},
    "trmm": {"S0"},
    "symm": {"S1"},
    "covariance": {"S5"},
    "correlation": {"S12"},
    "lu": {"S0", "S2"},
    "cholesky": {"S0"},
}
"""What has loops of its own in the end; nothing in the other kernels."""


def scheduled(text: str) -> tuple[Scop, Dependences, Tree]:
    scop = parse_scop(text)
    dependences = compute_dependences(scop, reassociate=True)
    schedule = SCHEDULERS["isl"]()(scop, dependences, SchedulerOptions())
    return scop, dependences, read_tree(schedule)


def contracted(tree: Tree, inside: frozenset[str] = frozenset()) -> set[str]:
    """The statements under the mark."""
    match tree:
        case Mark(name, Band(members, _)) if name == CONTRACT:
            names: list[str] = []
            members[0].function.domain().foreach_set(
                lambda one: names.append(one.get_tuple_name() or "")
            )
            return set(names)
        case Mark(_, child) | Band(_, child):
            return contracted(child)
        case Sequence(children):
            return set[str]().union(*(contracted(child) for _, child in children))
        case _:
            return set()


@pytest.mark.parametrize("name", KERNELS)
def test_what_is_exposed_is_legal(name: str):
    scop, dependences, tree = scheduled(KERNELS[name])
    exposed = expose_contractions(scop, dependences, tree)
    assert contracted(exposed) == EXPOSED.get(name, set())
    if exposed is tree:
        return
    schedule = build_schedule(scop.domain, exposed)
    assert check_schedule(scop, dependences, schedule) == []


@pytest.mark.parametrize("name", ["gemm", "cholesky", "lu", "trmm", "correlation"])
def test_every_instance_runs_once(name: str):
    """With blocks of two steps, so that there are several panels in a small matrix."""
    scop, dependences, tree = scheduled(KERNELS[name])
    exposed = expose_contractions(scop, dependences, tree, ContractionOptions(block=2))
    schedule = build_schedule(scop.domain, exposed)
    assert check_schedule(scop, dependences, schedule) == []
    sizes = {name: 6 for name in ["n", "m", "ni", "nj", "nk"]}
    order = execution_order(schedule, sizes)
    assert sorted(order) == sorted(execution_order(scop.schedule, sizes))


@pytest.mark.parametrize("name", NESTS)
def test_small_nests_stay_legal(name: str):
    scop, dependences, tree = scheduled(NESTS[name])
    exposed = expose_contractions(scop, dependences, tree, ContractionOptions(block=2))
    if exposed is not tree:
        assert check_schedule(scop, dependences, build_schedule(scop.domain, exposed)) == []


def test_the_update_of_a_block_waits_for_its_panel():
    """In an LU factorisation by blocks of 2: rows and columns of the block first."""
    scop, dependences, tree = scheduled(KERNELS["lu"])
    exposed = expose_contractions(scop, dependences, tree, ContractionOptions(block=2))
    order = execution_order(build_schedule(scop.domain, exposed), {"n": 5})
    updates = [
        (name, point)
        for name, point in order
        if name in ("S0", "S2") and point[2] < 2 and min(point[0], point[1]) >= 2
    ]
    assert len(updates) == 2 * 9
    first = order.index(updates[0])
    assert order[first : first + len(updates)] == updates


ALONE = """
[n, m]
for k : 0 <= k < n
  for i : k < i < n
    for j : k < j < n
      U: X[i, j] += X[i, k] X[k, j]
"""
"""An elimination in one statement, whose operands are what it has updated."""

SCALED = """
[n, m]
for k : 0 <= k < n
  for i : 0 <= i < n
    for j : 0 <= j < n
      U: X[i, j] += A[i, k] B[k, j]
      if i < m
        V: X[i, j] = X[i, j] s[k]
"""
"""Rows of which some are scaled after each term."""


@pytest.mark.parametrize(("text", "least"), [(ALONE, (2, 2)), (SCALED, (3, 0))])
def test_what_nothing_else_of_a_block_touches_waits(text: str, least: tuple[int, int]):
    """Neither as an operand nor to update it; `least` is the first row and column of which that is
    so, in the block of the first two steps."""
    scop, dependences, _ = scheduled(text)
    place = TreePosition((), dependences.validity)
    tree = skew_for_tiling(read_tree(scop.schedule), place)
    exposed = expose_contractions(scop, dependences, tree, ContractionOptions(block=2))
    assert contracted(exposed) == {"U"}
    schedule = build_schedule(scop.domain, exposed)
    assert check_schedule(scop, dependences, schedule) == []
    order = execution_order(schedule, {"n": 5, "m": 3})
    assert sorted(order) == sorted(execution_order(scop.schedule, {"n": 5, "m": 3}))
    block = [(name, at) for name, at in order if at[0] < 2]
    waits = [name == "U" and at[1] >= least[0] and at[2] >= least[1] for name, at in block]
    assert order[: len(block)] == block
    assert waits == sorted(waits)
    assert any(waits)


INTERVALS = """
[n]
for i : 1 - n <= i <= 0
  for j : 1 - i <= j < n
    S: T[-i, j] += T[-i, j - 1] T[1 - i, j]
    for k : 1 - i <= k < j
      U: T[-i, j] += T[-i, k] T[k + 1, j]
"""
"""The best way to split each interval [-i, j]: shorter ones first."""


def test_what_is_finished_goes_first():
    """In tiles of 3 x 3 an interval is split between two other tiles before any of the rest."""
    scop, dependences, tree = scheduled(INTERVALS)
    exposed = expose_contractions(scop, dependences, tree, ContractionOptions(block=3))
    assert contracted(exposed) == {"U"}
    schedule = build_schedule(scop.domain, exposed)
    assert check_schedule(scop, dependences, schedule) == []
    order = execution_order(schedule, {"n": 10})
    assert sorted(order) == sorted(execution_order(scop.schedule, {"n": 10}))

    def tile(row: int, column: int) -> tuple[int, int]:
        return -row // 3, column // 3

    seen: dict[tuple[int, int], bool] = {}
    finished = 0
    for name, (i, j, *rest) in order:
        here = tile(-i, j)
        if name == "U" and here not in (tile(-i, rest[0]), tile(rest[0] + 1, j)):
            assert not seen.get(here)
            finished += 1
        else:
            seen[here] = True
    assert finished > 20


def test_what_is_left_of_a_tile_goes_along_rows():
    """Each finished element is pushed to those behind it in its row."""
    scop, dependences, tree = scheduled(INTERVALS)
    exposed = expose_contractions(scop, dependences, tree, ContractionOptions(block=4))
    order = execution_order(build_schedule(scop.domain, exposed), {"n": 4})
    first_row = [point for name, point in order if name == "U" and point[0] == 0]
    assert first_row == [(0, 2, 1), (0, 3, 1), (0, 3, 2)]
    wide = execution_order(build_schedule(scop.domain, exposed), {"n": 8})
    steps = [(first, second) for first, second in pairwise(wide) if {first[0], second[0]} == {"U"}]
    along_rows = [a[1][2] == b[1][2] and b[1][1] == a[1][1] + 1 for a, b in steps]
    assert sum(along_rows) > len(along_rows) / 2


@pytest.mark.parametrize(
    "change",
    [
        ("U: T[-i, j] += T[-i, k] T[k + 1, j]", "U: T[-i, j] += T[k, -i] T[k + 1, j]"),
        ("U: T[-i, j] += T[-i, k] T[k + 1, j]", "U: T[-i, j] += T[-i, k] T[j, k + 1]"),
    ],
    ids=["from another row", "along a column"],
)
def test_what_would_not_go_along_rows_is_not_pushed(change: tuple[str, str]):
    scop, dependences, tree = scheduled(INTERVALS.replace(*change))
    assert isinstance(tree, Band)
    everything = dependences.validity
    assert pushed(scop, tree, scop.domain, everything, ["U"]) is None


def test_what_is_pushed_keeps_the_dependences():
    """An element that is begun by its neighbour in the row cannot have been updated before."""
    for begins, may in (("S: T[-i, j] +=", True), ("S: T[-i, j] =", False)):
        scop, dependences, tree = scheduled(INTERVALS.replace("S: T[-i, j] +=", begins))
        assert isinstance(tree, Band)
        found = pushed(scop, tree, scop.domain, dependences.validity, ["U"])
        assert (found is not None) == may
        if found is not None:
            schedule = build_schedule(scop.domain, found)
            assert check_schedule(scop, dependences, schedule) == []


def test_updates_in_their_order_are_not_pulled():
    """Without reassociation each split waits for the one before."""
    scop = parse_scop(INTERVALS)
    dependences = compute_dependences(scop)
    tree = read_tree(SCHEDULERS["isl"]()(scop, dependences, SchedulerOptions()))
    assert expose_contractions(scop, dependences, tree) is tree


def test_what_is_overwritten_in_the_tile_is_not_pulled():
    """Where S overwrites the element, in the tile and from the tile, the splits wait for it."""
    scop, dependences, tree = scheduled(INTERVALS.replace("S: T[-i, j] +=", "S: T[-i, j] ="))
    assert expose_contractions(scop, dependences, tree) is tree


CASES = {
    "product": ("C[i, j] += A[i, k] B[k, j]", True),
    "symmetric": ("C[i, j] += A[i, k] A[j, k]", True),
    "two products": ("C[i, j] += A[i, k] B[j, k] A[j, k] B[i, k]", True),
    "scaled": ("C[i, j] += A[i, k] B[k, j] x[]", True),
    "a window": (
        "C[i, j] += A[i, 0, k] A[i, 1, k] A[i, 2, k] A[i, 3, k] B[k, j] B[k, j + 1] B[k, j + 2]",
        False,
    ),
    "three loops in one operand": ("C[i, j] += A[i, k] B[k, j] D[i, j, k]", False),
    "one operand": ("C[i, j] += A[i, k]", False),
    "no update": ("C[i, j] = A[i, k] B[k, j]", False),
    "column of the result": ("C[2*i, 2*j] += A[i, k] B[k, j]", False),
    "nothing to sum": ("C[i, j, k] += A[i, k] B[k, j]", False),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_a_contraction(case: str):
    text, wanted = CASES[case]
    scop = parse_scop(f"""
[n]
for i : 0 <= i < n
  for j : 0 <= j < n
    for k : 0 <= k < n
      S: {text}
""")
    assert is_contraction(scop.statement("S"), range(3)) == wanted
    assert not is_contraction(scop.statement("S"), range(2))


def test_fusion_is_kept_where_there_is_nothing_to_gain():
    scop, dependences, tree = scheduled(KERNELS["jacobi-2d"])
    assert expose_contractions(scop, dependences, tree) is tree


def test_a_loop_around_products_with_nothing_in_common_stays_outermost():
    scop, dependences, _ = scheduled(BATCH)
    tree = read_tree(scop.schedule)
    exposed = expose_contractions(scop, dependences, tree)
    order = execution_order(build_schedule(scop.domain, exposed), {"m": 2, "n": 2})
    assert contracted(exposed) == {"P"}
    assert [name for name, _ in order] == 2 * (["Z"] * 4 + ["P"] * 8)


BATCH = """
[m, n]
for b : 0 <= b < m
  for i : 0 <= i < n
    for j : 0 <= j < n
      Z: C[b, i, j] =
      for k : 0 <= k < n
        P: C[b, i, j] += A[b, i, k] B[b, k, j]
"""


def test_a_loop_around_products_that_share_an_operand_does_not():
    """The panels of what they share are packed once for all."""
    scop, dependences, _ = scheduled(BATCH.replace("B[b, k, j]", "B[k, j]"))
    tree = read_tree(scop.schedule)
    exposed = expose_contractions(scop, dependences, tree)
    order = execution_order(build_schedule(scop.domain, exposed), {"m": 2, "n": 2})
    assert contracted(exposed) == {"P"}
    assert [name for name, _ in order] == ["Z"] * 8 + ["P"] * 16


@pytest.mark.parametrize("name", ["gemm", "lu", "correlation"])
def test_a_mark_around_hides_nothing(name: str):
    scop, dependences, tree = scheduled(KERNELS[name])
    exposed = expose_contractions(scop, dependences, tree)
    marked = expose_contractions(scop, dependences, Mark("told", tree))
    assert contracted(marked) == contracted(exposed) == EXPOSED.get(name, set())
    assert check_schedule(scop, dependences, build_schedule(scop.domain, marked)) == []
