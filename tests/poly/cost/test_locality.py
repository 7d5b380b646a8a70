"""Which loop goes innermost, which loops commute, and which nests become one."""

from dataclasses import replace

import pytest
from oracles.kernels import KERNELS
from oracles.nests import GEMM, JACOBI, NESTS
from oracles.polyhedral import at_sizes, conflicts, execution_order, times

from polyopt.poly.analysis.permutability import TreePosition, merge_bands
from polyopt.poly.analysis.strides import AccessMatrices, steps_of
from polyopt.poly.changes.common_data import fuse_nests
from polyopt.poly.cost.locality import LocalityModel, order_for_locality, tree_cost
from polyopt.poly.dependences import Dependences, compute_dependences
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import (
    Band,
    Sequence,
    Tree,
    bands,
    build_schedule,
    members_below,
    read_tree,
    statements_of,
)
from polyopt.poly.schedulers import SCHEDULERS
from polyopt.poly.schedulers.interface import SchedulerOptions
from polyopt.poly.scop import Scop

SIZES = {"n": 4, "m": 5, "k": 3}


class Case:
    """A SCoP with its dependences and the tree of the source or of isl's scheduler."""

    def __init__(self, text: str, scheduler: str = "identity", *, reassociate: bool = True):
        self.scop: Scop = parse_scop(text)
        self.dependences: Dependences = compute_dependences(self.scop, reassociate=reassociate)
        options = SchedulerOptions(fuse="min")
        self.tree: Tree = read_tree(SCHEDULERS[scheduler]()(self.scop, self.dependences, options))
        self.model = LocalityModel(AccessMatrices(self.scop), lanes=4)
        self.place = TreePosition((), self.dependences.validity)

    def innermost(self, statement: str) -> str:
        """The C name of the statement's innermost loop after ordering."""
        tree = order_for_locality(merge_bands(self.tree, self.place), self.model, self.place)
        (step,) = steps_of(statement, members_below(tree, statement))[-1:]
        assert step is not None
        moved = [k for k, value in enumerate(step) if value]
        return self.scop.statement(statement).iterators[moved[0]]


@pytest.mark.parametrize(
    ("kernel", "statement", "innermost"),
    [
        ("2mm", "S1", "j"),  # C[i][j] and B[k][j] run along rows, A[i][k] stands still
        ("2mm", "S3", "l"),
        ("covariance", "S5", "j"),
        ("covariance", "S1", "j"),  # a sum over rows: columns side by side
        ("syrk", "S1", "k"),  # a product of two rows: a reduction
        ("mvt", "S0", "j"),
        ("mvt", "S1", "i"),
        ("gemver", "S1", "i"),
    ],
)
def test_the_innermost_loop(kernel: str, statement: str, innermost: str):
    assert Case(KERNELS[kernel], "isl").innermost(statement) == innermost


def test_a_sum_that_may_not_be_reassociated_is_no_vector_loop():
    text = "[n]\nfor j : 0 <= j < n\n  for i : 0 <= i < n\n    S: x[j] += A[j, i]"
    assert Case(text, reassociate=True).innermost("S") == "i"
    strict, free = (Case(text, reassociate=allowed) for allowed in (False, True))
    tree = merge_bands(strict.tree, strict.place)
    vectors = tree_cost(merge_bands(free.tree, free.place), free.model, free.place)
    alone = replace(strict.model, in_lanes=False)
    assert tree_cost(tree, alone, strict.place) > 10 * vectors
    # In lanes of the rows it costs more than vectors, and much less than one by one.
    assert 2 * vectors < tree_cost(tree, strict.model, strict.place) < 5 * vectors


def test_rows_that_are_recurrences_keep_their_order():
    """In lanes, rows of 16 turned into columns; down the columns each step would be far apart."""
    text = "[n]\nfor i : 0 <= i < n\n  for j : 1 <= j < n\n    S: A[i, j] = A[i, j - 1] B[i, j]"
    assert Case(text).innermost("S") == "j"
    text = "[n]\nfor i : 0 <= i < n\n  for j : 1 <= j < n\n    S: A[j, i] = A[j - 1, i] B[j, i]"
    assert Case(text).innermost("S") == "i"


def test_bands_of_a_perfect_nest_become_one_with_what_is_known_of_its_members():
    case = Case("[n]\nfor i : 0 <= i < n\n  for j : 0 <= j < n\n    S: A[i, j] = A[i - 1, j]")
    (band,) = bands(merge_bands(case.tree, case.place))
    assert band.permutable
    assert [member.coincident for member in band.members] == [False, True]


def test_loops_that_do_not_commute_stay_apart():
    text = "[n]\nfor i : 0 <= i < n\n  for j : 0 <= j < n\n    S: A[i, j] = A[i - 1, j + 1]"
    case = Case(text)
    outer, inner = bands(merge_bands(case.tree, case.place))
    assert [len(outer.members), len(inner.members)] == [1, 1]
    assert inner.members[0].coincident


def fused(case: Case) -> Tree:
    return fuse_nests(merge_bands(case.tree, case.place), case.model, case.place)


def check_legal(case: Case, tree: Tree, sizes: dict[str, int]) -> None:
    """By execution, at some sizes."""
    scop = at_sizes(case.scop, sizes)
    when = times(build_schedule(scop.domain, tree), sizes)
    for source, target in conflicts(scop, execution_order(scop.schedule, sizes), sizes):
        updates = {source[0], target[0]}
        reductions = {s.name for s in scop.statements if s.reduction}
        if not updates <= reductions:
            assert when[source] < when[target]


def test_two_products_of_one_matrix_share_a_pass_over_it():
    case = Case(KERNELS["mvt"], "isl")
    tree = fused(case)
    assert isinstance(tree, Band)
    assert sorted(statements_of(tree)) == ["S0", "S1"]
    assert len(tree.members) == 2
    # Both touch the same element of A in one iteration: i and j of one are j and i of the other.
    steps = {name: steps_of(name, tree.members) for name in ("S0", "S1")}
    assert steps["S0"] == [tuple(reversed(step)) for step in steps["S1"] if step]
    check_legal(case, tree, {"n": 4})


def test_a_row_at_a_time_where_the_second_nest_needs_the_first_nests_sum():
    case = Case(KERNELS["atax"], "isl")
    tree = fused(case)
    shared = [band for band in bands(tree) if sorted(statements_of(band)) == ["S2", "S3"]]
    assert [len(band.members) for band in shared] == [1]
    check_legal(case, tree, {"n": 4, "m": 3})


def test_nests_with_nothing_big_in_common_stay_apart():
    text = """
[n]
for i : 0 <= i < n
  S: A[i] = x[i]
for i : 0 <= i < n
  T: B[i] = y[i]
"""
    assert isinstance(fused(Case(text)), Sequence)


def test_a_wavefront_stays_alone():
    """Where it is, its rows may be lanes; beside a parallel loop they could not."""
    text = """
[n]
for i : 0 <= i < n
  for j : 0 <= j < n
    S: A[i, j] = x[i, j]
for i : 1 <= i < n
  for j : 1 <= j < n
    T: A[i, j] = A[i - 1, j] {left}
"""
    assert isinstance(fused(Case(text.format(left="A[i, j]"))), Band)
    assert isinstance(fused(Case(text.format(left="A[i, j - 1]"))), Sequence)


def test_a_dependence_that_would_go_backward_keeps_nests_apart():
    text = """
[n]
for i : 0 <= i < n
  S: A[i] = x[i]
for i : 0 <= i < n
  T: B[i] = A[n - 1 - i] x[i]
"""
    assert isinstance(fused(Case(text)), Sequence)


def test_a_nest_passes_others_that_it_does_not_depend_on():
    text = """
[n]
for i : 0 <= i < n
  S: A[i] = x[i]
for i : 0 <= i < n
  T: B[i] = y[i]
for i : 0 <= i < n
  U: C[i] = A[i]
"""
    case = Case(text)
    tree = fused(case)
    assert isinstance(tree, Sequence)
    groups = [sorted(statements_of(child)) for _, child in tree.children if isinstance(child, Band)]
    assert groups == [["S", "U"], ["T"]]
    check_legal(case, tree, {"n": 5})


@pytest.mark.parametrize("name", NESTS)
def test_fusion_of_all_nests_is_legal(name: str):
    case = Case(NESTS[name], "isl", reassociate=False)
    check_legal(case, fused(case), SIZES)


def test_a_stencil_keeps_its_innermost_loops():
    source = Case(JACOBI)
    skewed = Case(JACOBI, "isl")
    assert tree_cost(merge_bands(source.tree, source.place), source.model, source.place) < (
        tree_cost(skewed.tree, skewed.model, skewed.place)
    )


def test_a_matrix_product_keeps_its_loops_apart_from_what_initialises():
    case = Case(GEMM, "isl")
    tree = fused(case)
    assert isinstance(tree, Sequence)
    assert [sorted(statements_of(band)) for band in bands(tree)] == [["S"], ["T"]]
