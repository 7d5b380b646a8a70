"""Temporaries with a place for each iteration: the loops that this frees, and no value lost."""

from dataclasses import replace

import pytest
from oracles.kernels import KERNELS, LOCAL
from oracles.polyhedral import Sizes, conflicts, execution_order, value_flow

from polyopt.poly.changes import band_expansion
from polyopt.poly.changes.band_expansion import Choice, choose, find_candidates
from polyopt.poly.changes.expansion import add_statement, expanded, move_over
from polyopt.poly.changes.storage import apply_moves
from polyopt.poly.dependences import Dependences, compute_dependences
from polyopt.poly.isl.budget import BudgetExceeded
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import read_tree
from polyopt.poly.scop import Scop

SIZES: Sizes = {"n": 4, "m": 3, "w": 4, "h": 3, "nr": 2, "nq": 3, "np": 3, "tsteps": 2}

ROWS = """
[n, m]
for i : 0 <= i < n
  S0: s[] =
  for j : 0 <= j < m
    S1: s[] = s[] A[i, j]
  S2: B[i] = s[]
"""

SCALAR_IN_THREE_LOOPS = """
[n, m]
for t : 0 <= t < 3
  for i : 0 <= i < n
    for j : 0 <= j < m
      S0: x[] = A[i, j] A[i, j + 1]
      S1: A[i, j] = x[]
"""


def choice_of(scop: Scop, *arrays: str) -> Choice:
    return choose(scop, read_tree(scop.schedule), find_candidates(scop, arrays))


def expand(scop: Scop, choice: Choice) -> Scop:
    for candidate, dims in choice.items():
        found = expanded(scop, candidate.web.array, move_over(scop, [candidate.web], dims))
        assert found is not None
        scop = apply_moves(scop, [found.moves])
        if found.copy is not None:
            scop = add_statement(scop, found.copy)
    return scop


def test_rows_become_independent():
    scop = parse_scop(ROWS, local=("s",))
    (dims,) = choice_of(scop).values()
    assert dims == (0,)
    moved = expand(scop, choice_of(scop))
    order = execution_order(moved.schedule, SIZES)
    pairs = conflicts(moved, order, SIZES)
    assert pairs
    assert all(s[1][0] == t[1][0] for s, t in pairs)


def test_as_few_loops_as_free_a_band():
    """A scalar for each j lets i and j commute; that for each (i, j) would free no more. The loop
    over t is held by A, whatever becomes of x."""
    scop = parse_scop(SCALAR_IN_THREE_LOOPS, local=("x",))
    (candidate,) = find_candidates(scop)
    assert candidate.dims == (0, 1, 2)
    (dims,) = choice_of(scop).values()
    assert 0 not in dims


def test_what_frees_nothing_stays():
    """The recurrence along i holds the loop, not the scalar."""
    scop = parse_scop(
        """
[n]
for i : 1 <= i < n
  S0: x[] = A[i - 1]
  S1: A[i] = x[]
""",
        local=("x",),
    )
    assert len(find_candidates(scop)) == 1
    assert choice_of(scop) == {}


def test_a_web_that_does_not_matter_stays():
    """y is used in one statement after the other anyway; only x holds the rows back."""
    scop = parse_scop(
        """
[n, m]
for i : 0 <= i < n
  S0: x[] =
  for j : 0 <= j < m
    S1: x[] = x[] A[i, j]
  S2: B[i] = x[]
for i : 1 <= i < n
  S3: y[] = C[i - 1]
  S4: C[i] = y[]
""",
        local=("x", "y"),
    )
    assert {candidate.web.array.name for candidate in choice_of(scop)} == {"x"}


@pytest.mark.parametrize(
    ("name", "arrays"),
    [
        # Each row is filtered by itself, each column as well: all that is carried is in scalars.
        pytest.param("deriche", set(LOCAL["deriche"]), marks=pytest.mark.slow),
        # A time step takes from the one before it by u and v, not by p and q.
        ("adi", set[str]()),
        # A column needs those before it; a norm for each frees what begins the sum, and no more.
        ("gramschmidt", set[str]()),
    ],
)
def test_kernels(name: str, arrays: set[str]):
    scop = parse_scop(KERNELS[name], local=LOCAL[name] if name in LOCAL else ())
    assert {candidate.web.array.name for candidate in choice_of(scop)} == arrays


@pytest.mark.parametrize("is_local", [True, False])
@pytest.mark.parametrize(
    "name",
    ["rows", "symm", "doitgen", pytest.param("ludcmp", marks=pytest.mark.slow)],
)
def test_values_are_the_same(name: str, is_local: bool):
    text = ROWS if name == "rows" else KERNELS[name]
    local = ("s", "sum", *LOCAL.get(name, ())) if is_local else ()
    scop = parse_scop(text, local=local)
    choice = choice_of(scop)
    assert choice
    moved = expand(scop, choice)
    added = {s.name for s in moved.statements} - {s.name for s in scop.statements}
    assert not (is_local and added)
    order = execution_order(moved.schedule, SIZES)
    flow = {pair for pair in value_flow(moved, order, SIZES) if pair[1][0] not in added}
    assert flow == set(value_flow(scop, execution_order(scop.schedule, SIZES), SIZES))


def test_an_order_of_everything_ends_the_search(monkeypatch: pytest.MonkeyPatch):
    def coarse(scop: Scop, *, reassociate: bool = False) -> Dependences:
        return replace(compute_dependences(scop, reassociate=reassociate), precision="order")

    scop = parse_scop(ROWS, local=("s",))
    assert choice_of(scop)
    monkeypatch.setattr(band_expansion, "compute_dependences", coarse)
    with pytest.raises(BudgetExceeded):
        choice_of(scop)
