"""Loop distribution: what is cut, what stays together, and that the result is legal."""

import islpy as isl
import pytest
from oracles.nests import NESTS

from polyopt.poly.changes.components import distribute
from polyopt.poly.dependences import compute_dependences
from polyopt.poly.legality import is_legal
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import build_schedule, read_tree
from polyopt.poly.scop import Scop


def distributed(scop: Scop) -> isl.Schedule:
    validity = compute_dependences(scop).validity
    return build_schedule(scop.domain, distribute(read_tree(scop.schedule), validity))


# Each: a nest, and the order that distribution gives it.
CASES = {
    "an imperfect nest becomes two perfect ones": (
        "for i : 0 <= i < n\n  for j : 0 <= j < n\n    S: C[i, j] =\n    for k : 0 <= k < n\n"
        "      T: C[i, j] = C[i, j] A[i, k]",
        "{ S[i, j] -> [0, i, j, 0]; T[i, j, k] -> [1, i, j, k] }",
    ),
    "a value that comes back keeps the loop": (
        "for i : 0 <= i < n\n  S: A[i] = B[i - 1]\n  T: B[i] = A[i]",
        "{ S[i] -> [i, 0]; T[i] -> [i, 1] }",
    ),
    "only a cycle stays together": (
        "for i : 0 <= i < n\n  R: C[i] =\n  S: A[i] = B[i - 1] C[i]\n  T: B[i] = A[i]\n"
        "  U: D[i] = B[i]",
        "{ R[i] -> [0, i, 0]; S[i] -> [1, i, 0]; T[i] -> [1, i, 1]; U[i] -> [2, i, 0] }",
    ),
    "what goes back is run first": (
        "for i : 0 <= i < n\n  S: A[i] = B[i - 1]\n  T: B[i] = C[i]",
        "{ S[i] -> [1, i]; T[i] -> [0, i] }",
    ),
    "a scalar keeps its loop, the arrays leave it": (
        "for i : 0 <= i < n\n  S: x[] = A[i]\n  T: B[i] = x[]\n  U: C[i] = B[i]",
        "{ S[i] -> [0, i, 0]; T[i] -> [0, i, 1]; U[i] -> [1, i, 0] }",
    ),
    "the loop that carries stays outside": (
        "for t : 0 <= t < n\n  for i : 1 <= i < n\n    S: B[i] = A[i - 1] A[i]\n"
        "    T: C[i] = B[i]\n"
        "  for i : 1 <= i < n\n    U: A[i] = C[i]",
        "{ S[t, i] -> [t, 0, 0, i]; T[t, i] -> [t, 0, 1, i]; U[t, i] -> [t, 1, 0, i] }",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_order(name: str):
    text, order = CASES[name]
    scop = parse_scop(f"[n]\n{text}")
    found = distributed(scop)
    assert is_legal(scop, compute_dependences(scop), found)
    assert _before(found.get_map(), scop).is_equal(_before(isl.UnionMap(order), scop))


def _before(schedule: isl.UnionMap, scop: Scop) -> isl.UnionMap:
    """{ s -> t : s runs before t }, whatever the numbers of the times."""
    schedule = schedule.intersect_domain(scop.domain)
    return schedule.lex_lt_union_map(schedule)


@pytest.mark.parametrize("name", NESTS)
def test_all_nests_stay_legal(name: str):
    scop = parse_scop(NESTS[name])
    assert is_legal(scop, compute_dependences(scop), distributed(scop))
