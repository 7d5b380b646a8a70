"""The estimate of work: how it orders statements, and that nothing unbounded stops it."""

from dataclasses import replace

import pytest

from polyopt.poly.cost.work import estimated_work, likely_parameters
from polyopt.poly.notation import parse_scop
from polyopt.support.core_model import CORE

ASSUMED = CORE.assumed.extent

NESTS = """
[n, m, few]: n >= 0 and 0 <= few <= 7
for i : 0 <= i < n
  S0: a[i] = a[i]
  for j : 0 <= j < 10
    S1: b[i, j] = b[i, j]
  for j : 0 <= j <= i
    S2: c[i, j] = c[i, j] a[j]
for i : 0 <= i < few
  for j : 0 <= j < 7
    S3: d[i, j] = d[i, j]
for i : 0 <= i
  S4: e[i] = e[i]
for i : 5 <= i < 5
  S5: e[i] = e[i]
"""


def test_instances_times_accesses():
    work = estimated_work(parse_scop(NESTS))
    assert work["S0"] == ASSUMED * 2
    assert work["S1"] == ASSUMED * 10 * 2
    assert work["S2"] == ASSUMED * ASSUMED * 3


def test_what_is_known_of_parameters_counts():
    assert estimated_work(parse_scop(NESTS))["S3"] == 7 * 7 * 2


def test_what_has_no_bound_and_what_never_runs():
    work = estimated_work(parse_scop(NESTS))
    assert work["S4"] == ASSUMED * 2
    assert work["S5"] == 2


def test_parameters_that_hang_together_stay_possible():
    scop = parse_scop("[n, m] : n + m = 300 and m >= 100\nfor i : 0 <= i < n\n  S: a[i] = a[i]\n")
    assert estimated_work(scop) == {"S": 200 * 2}


def test_the_largest_of_a_type_is_no_size():
    scop = parse_scop("[n] : 0 <= n < 2147483648\nfor i : 0 <= i < n\n  S: a[i] = a[i]\n")
    assert estimated_work(scop) == {"S": ASSUMED * 2}


def test_where_one_loop_ends_and_another_begins_is_in_the_middle():
    scop = parse_scop(
        "[w] : 0 <= w <= 1500\n"
        "for i : 0 <= i < w\n  S: a[i] = a[i]\n"
        "for i : w <= i <= 1500\n  T: b[i] = b[i]\n"
    )
    assert likely_parameters(scop)["w"] in range(700, 800)


def test_what_was_seen_of_a_parameter_is_expected_as_far_as_it_is_allowed():
    scop = parse_scop("[n, m] : n <= 1500\nfor i : 0 <= i < n\n  S: a[i] = a[i] b[m]\n")
    assert likely_parameters(scop, 0, {"n": 20})["n"] == 20
    assert likely_parameters(scop, 0, {"n": 2000}) == likely_parameters(scop)


def test_a_size_of_all_loops_is_as_large_as_can_be():
    scop = parse_scop(
        "[n] : 0 <= n <= 1500\n"
        "for i : 0 <= i < n\n  S: a[i] = a[i]\n"
        "for i : n <= i <= n\n  T: b[i] = b[i]\n"
    )
    assert likely_parameters(scop)["n"] == 1500


def test_a_loop_from_one_unknown_place_to_another_runs_as_far_as_others():
    rows = "for k : low <= k < high\n  for j : 0 <= j < 32\n    S: y[j] = y[j] v[k]\n"
    at = likely_parameters(parse_scop("[low, high]\n" + rows))
    assert at["high"] - at["low"] == ASSUMED


@pytest.mark.parametrize("known", ["[low, high]", "[low, high] : high <= 8000"])
def test_a_row_of_a_sparse_matrix_is_short(known: str):
    scop = parse_scop(known + "\nfor k : low <= k < high\n  S: y[0] = y[0] ?x[*]\n")
    (statement,) = scop.statements
    looked_up = [
        replace(one, moves=((None,),)) if one.array == "x" else one for one in statement.accesses
    ]
    scop = replace(scop, statements=(replace(statement, accesses=tuple(looked_up)),))
    at = likely_parameters(scop)
    assert at["high"] - at["low"] == CORE.assumed.row


@pytest.mark.parametrize("smallest", [(1 << 63) - 2, 1 << 63, 1 << 70])
def test_parameters_beyond_what_a_c_long_holds(smallest: int):
    scop = parse_scop(
        f"[n, m] : n >= {smallest}\nfor i : n <= i < m\n  S: a[i] = a[i]\n"
        "for i : 0 <= i < 5\n  T: a[i] = b[i]\n"
    )
    assert likely_parameters(scop)["n"] >= smallest
    assert estimated_work(scop)["T"] == 5 * 2
