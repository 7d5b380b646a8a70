"""Dependences against a run of the program that remembers who wrote what."""

from dataclasses import replace
from typing import get_args

import islpy as isl
import pytest
from oracles.nests import GEMM, NESTS, SCALAR, TWO_UPDATES
from oracles.polyhedral import closure, conflicts, execution_order, pairs_of, value_flow

from polyopt.poly.dependences import (
    Form,
    ReductionClass,
    certain_flow,
    compute_dependences,
    final_writes,
    input_dependences,
    reduction_classes,
)
from polyopt.poly.isl.budget import BudgetExceeded
from polyopt.poly.notation import parse_scop
from polyopt.poly.scop import Reduction
from polyopt.support.remarks import collect_remarks

SIZES = {"n": 4, "m": 5, "k": 3}


@pytest.mark.parametrize("name", NESTS)
def test_flow_is_exactly_where_values_come_from(name: str):
    scop = parse_scop(NESTS[name])
    dependences = compute_dependences(scop)
    order = execution_order(scop.schedule, SIZES)
    assert pairs_of(dependences.value_flow, SIZES) == value_flow(scop, order, SIZES)


@pytest.mark.parametrize("form", get_args(Form))
@pytest.mark.parametrize("name", NESTS)
def test_every_conflict_is_ordered(name: str, form: Form):
    scop = parse_scop(NESTS[name])
    dependences = compute_dependences(scop, form=form)
    wanted = conflicts(scop, execution_order(scop.schedule, SIZES), SIZES)
    kept = pairs_of(dependences.validity, SIZES)
    assert kept <= wanted
    assert closure(kept) >= wanted
    if form == "full":
        assert kept == wanted
    if form == "minimal":
        paths = {(s, u) for s, t in kept for v, u in kept if t == v}
        assert not kept & paths


def test_reassociation_frees_updates_but_not_what_is_around_them():
    scop = parse_scop(SCALAR)
    strict = pairs_of(compute_dependences(scop).validity, SIZES)
    dependences = compute_dependences(scop, reassociate=True)
    free = pairs_of(dependences.validity, SIZES)
    wanted = conflicts(scop, execution_order(scop.schedule, SIZES), SIZES)
    within_a_sum = {(s, t) for s, t in wanted if s[0] == t[0] == "T" and s[1][0] == t[1][0]}
    assert closure(strict) >= within_a_sum
    assert closure(free) >= wanted - within_a_sum
    assert not closure(free) & within_a_sum


def test_updates_of_one_accumulator_by_two_statements_commute():
    scop = parse_scop(TWO_UPDATES)
    assert reduction_classes(scop) == [ReductionClass("x", "arith.addf", frozenset({"T", "U"}))]
    dependences = compute_dependences(scop, reassociate=True)
    wanted = conflicts(scop, execution_order(scop.schedule, SIZES), SIZES)
    commuting = {(s, t) for s, t in wanted if {s[0], t[0]} <= {"T", "U"}}
    kept = pairs_of(dependences.validity, SIZES)
    assert closure(kept) >= wanted - commuting
    assert pairs_of(dependences.reduction, SIZES) <= commuting
    # V reads x between the updates of U, so those of U around a V stay where they are.
    assert (("U", (0,)), ("V", (0,))) in kept
    assert (("V", (0,)), ("U", (1,))) in kept


def test_a_statement_that_reads_its_accumulator_twice_is_no_reduction():
    scop = parse_scop("[n]\nfor i : 0 <= i < n\n  S: x[] += x[]")
    assert reduction_classes(scop) == []
    assert compute_dependences(scop, reassociate=True).reduction.is_empty()


def test_a_sum_beside_other_writes_is_free_and_these_are_not():
    scop = parse_scop("""
[n]
for s : 0 <= s < 2
  for i : 0 < i < n
    S: x[] a[i] += a[i - 1] b[i]
""")
    dependences = compute_dependences(scop, reassociate=True)
    wanted = conflicts(scop, execution_order(scop.schedule, SIZES), SIZES)
    places = {(s, t) for s, t in wanted if -1 <= s[1][1] - t[1][1] <= 1}
    kept = pairs_of(dependences.validity, SIZES)
    assert reduction_classes(scop) == [ReductionClass("x", "arith.addf", frozenset({"S"}))]
    assert closure(kept) >= places
    assert (("S", (0, 3)), ("S", (1, 1))) in pairs_of(dependences.reduction, SIZES)
    assert (("S", (0, 3)), ("S", (1, 1))) not in kept


def test_what_updates_one_array_together_may_meet_in_another():
    """S writes what T adds to; that both add to x frees nothing of it."""
    scop = parse_scop("""
[n]
for i : 0 <= i < n
  S: x[] b[i] += c[i]
for i : 0 <= i < n
  T: x[] b[i] += b[i] c[i]
""")
    first, second = scop.statements
    also = Reduction("arith.addf", "b", 1, 4)
    second = replace(second, reductions=(*second.reductions, also))
    scop = replace(scop, statements=(first, second))
    assert len(reduction_classes(scop)) == 2
    dependences = compute_dependences(scop, reassociate=True)
    kept = pairs_of(dependences.validity, SIZES)
    assert kept == {(("S", (i,)), ("T", (i,))) for i in range(SIZES["n"])}
    assert (("S", (0,)), ("T", (1,))) in pairs_of(dependences.reduction, SIZES)


def test_updates_that_read_other_elements_of_the_array_are_a_reduction():
    scop = parse_scop("""
[n]
for i : 0 <= i < n
  for j : 0 <= j < i
    for l : 0 <= l < j
      S: A[i, j] += A[i, l] A[j, l]
    T: A[i, j] = A[i, j] A[j, j]
""")
    dependences = compute_dependences(scop, reassociate=True)
    wanted = conflicts(scop, execution_order(scop.schedule, SIZES), SIZES)
    of_one_sum = {(s, t) for s, t in wanted if s[0] == t[0] == "S" and s[1][:2] == t[1][:2]}
    kept = closure(pairs_of(dependences.validity, SIZES))
    assert of_one_sum
    assert kept >= wanted - of_one_sum
    assert not kept & of_one_sum


HISTOGRAMS = """
[n, m, x]
for i : 0 <= i < n
  for j : 0 <= j < m
    if (i + j - x) mod 3 = 0 and 0 <= x < 3
      S: A[(7 i + j) mod 64] += B[i]
    if 3*floor((i + j - x) / 3) < i + j - x
      T: C[(i + 5 j) mod 64] += B[j]
"""


def test_updates_by_remainders_take_no_complement():
    """Which of them come first nobody asks: that would cost millions of operations."""
    scop = parse_scop(HISTOGRAMS)
    dependences = compute_dependences(scop, reassociate=True, operations=200_000)
    assert dependences.precision == "exact"
    sizes = {"n": 5, "m": 14, "x": 1}
    order = execution_order(scop.schedule, sizes)
    assert pairs_of(dependences.reduction, sizes) == conflicts(scop, order, sizes)
    assert dependences.unconditional.is_empty()
    reads = scop.accesses(writes=False)
    assert pairs_of(dependences.live_in, sizes) == pairs_of(reads, sizes)


def test_an_array_that_nothing_hides_beside_one_that_is_hidden():
    """s is the same in all iterations, t is set anew in each."""
    scop = parse_scop("""
[n]
for i : 0 <= i < n
  S: t[] = A[i]
  T: s[] += t[]
  U: B[i] = s[] t[]
""")
    dependences = compute_dependences(scop, reassociate=True)
    sizes = {"n": 4}
    pairs = {(source, target) for source, target in pairs_of(dependences.flow, sizes)}
    wanted = {((one, (i,)), (two, (i,))) for one, two in ("ST", "SU") for i in range(4)}
    wanted |= {(("T", (i,)), ("U", (j,))) for i in range(4) for j in range(i, 4)}
    assert pairs == wanted
    wanted = {(("U", (i,)), ("T", (j,))) for i in range(4) for j in range(i + 1, 4)}
    anti = pairs_of(dependences.anti, sizes)
    assert {pair for pair in anti if pair[0][0] == "U" and pair[1][0] == "T"} == wanted
    live = {element for _, element in pairs_of(dependences.live_in, sizes)}
    assert live == {("A", (i,)) for i in range(4)} | {("s", ())}


def test_matmul_flow():
    dependences = compute_dependences(parse_scop(GEMM))
    assert dependences.flow.union(dependences.reduction).is_equal(
        isl.UnionMap(
            "[n, m, k] -> { S[i, j] -> T[i, j, 0] : 0 <= i < n and 0 <= j < m and k > 0;"
            " T[i, j, l] -> T[i, j, l + 1] : 0 <= i < n and 0 <= j < m and 0 <= l < k - 1 }"
        )
    )


def test_may_writes_to_a_range_hide_nothing():
    """Grosser, Enabling polyhedral optimizations in LLVM, 2011, figure 20."""
    scop = parse_scop("""
[]
for i : 0 <= i < 100
  StmtOne: C[i] =
  for j : i <= j < 50
    StmtTwo: ?C[*] =
  StmtThree: D[i] = C[i]
""")
    dependences = compute_dependences(scop)
    flow = dependences.flow.intersect_range(isl.UnionSet("{ StmtThree[i] }"))
    assert flow.is_equal(
        isl.UnionMap(
            "{ StmtOne[i] -> StmtThree[i] : 0 <= i < 100;"
            "  StmtTwo[i, j] -> StmtThree[i] : 0 <= i < 50 and i <= j < 50 }"
        )
    )
    assert certain_flow(scop).is_equal(
        isl.UnionMap("{ StmtOne[i] -> StmtThree[i] : 50 <= i < 100 }")
    )
    assert dependences.live_in.is_empty()


def test_minimal_dependences_leave_out_what_a_path_implies():
    """A value that is read again after the first reader has written what the second one reads."""
    scop = parse_scop("""
[n]
for i : 0 <= i < n
  S: A[i] =
  T: B[i] = A[i]
  U: C[i] = A[i] B[i]
""")
    flow = {form: compute_dependences(scop, form=form).flow for form in get_args(Form)}
    skipped = isl.UnionMap("[n] -> { S[i] -> U[i] : 0 <= i < n }")
    assert flow["reduced"].is_equal(flow["full"])
    assert skipped.is_subset(flow["reduced"])
    assert flow["minimal"].is_equal(flow["reduced"].subtract(skipped))


def test_what_a_conditional_write_may_hide_is_not_certain():
    """if (…) A[i] = …, as C has it."""
    scop = parse_scop("""
[n] : n > 0
for i : 0 <= i < n
  S: A[i] =
  T: ?A[i] =
  U: B[i] = A[i]
V: B[0] = B[0]
""")
    assert certain_flow(scop).is_equal(isl.UnionMap("[n] -> { U[0] -> V[] : n > 0 }"))
    assert compute_dependences(scop).flow.is_equal(
        isl.UnionMap(
            "[n] -> { S[i] -> U[i] : 0 <= i < n; T[i] -> U[i] : 0 <= i < n; U[0] -> V[] : n > 0 }"
        )
    )


def test_live_in_and_live_out():
    scop = parse_scop(
        """
[n] : n > 0
for i : 0 <= i < n
  S: t[] = A[i] A[i - 1]
  T: A[i] = t[]
""",
        local=("t",),
    )
    dependences = compute_dependences(scop)
    assert dependences.live_in.is_equal(
        isl.UnionMap("[n] -> { S[i] -> A[i] : 0 <= i < n; S[0] -> A[-1] : n > 0 }")
    )
    assert final_writes(scop).is_equal(
        isl.UnionMap("[n] -> { T[i] -> A[i] : 0 <= i < n and n > 0}")
    )


def test_input_dependences_link_each_read_to_the_next():
    scop = parse_scop("[n]\nfor i : 0 <= i < n\n  S: B[i] = A[i] A[i + 2]")
    assert input_dependences(scop).is_equal(
        isl.UnionMap("[n] -> { S[i] -> S[i + 2] : 0 <= i < n - 2 }")
    )
    assert input_dependences(scop, arrays=["B"]).is_empty()


@pytest.mark.parametrize(("operations", "precision"), [(18_000, "memory"), (2_500, "order")])
def test_a_spent_budget_gives_coarser_dependences(operations: int, precision: str):
    scop = parse_scop(NESTS["jacobi"])
    with collect_remarks() as remarks:
        dependences = compute_dependences(scop, operations=operations)
    assert dependences.precision == precision
    assert remarks.counters["budget-spent"] > 0
    order = execution_order(scop.schedule, SIZES)
    assert closure(pairs_of(dependences.validity, SIZES)) >= conflicts(scop, order, SIZES)


def test_a_budget_that_buys_nothing_is_told():
    with pytest.raises(BudgetExceeded):
        compute_dependences(parse_scop(NESTS["jacobi"]), operations=1)


def test_memory_based_dependences_see_more_where_quotients_stand():
    """Nothing is missed, and what a quotient says is not asked."""
    scop = parse_scop("[n, m]\nfor i : 0 <= i < n\n  S: A[2 i] = A[floor(i / 2)] A[i mod 4]")
    with collect_remarks():
        dependences = next(
            found
            for operations in range(1_000, 40_000, 500)
            if (found := compute_dependences(scop, operations=operations)).precision == "memory"
        )
    exact = compute_dependences(scop, form="full")
    order = execution_order(scop.schedule, SIZES)
    pairs = pairs_of(dependences.validity, SIZES)
    assert pairs >= pairs_of(exact.validity, SIZES) >= conflicts(scop, order, SIZES)
    assert all(order.index(a) < order.index(b) for a, b in pairs)
