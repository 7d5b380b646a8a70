"""What schedulers make of random nests, run in plain Python: the order, and what bands promise."""

import pytest
from oracles.polyhedral import times
from oracles.random_nests import random_nest
from oracles.schedule_doors import Case
from xdsl.context import Context

from polyopt.passes.schedule.reschedule import PolySchedulePass
from polyopt.poly.schedulers import SCHEDULERS

SWEEPS = """[n, m] : n > 0
for i : 0 <= i < n
  S0: A[i] = B[i]
for i : 1 <= i < n
  S1: C[i] = A[i] A[i - 1]
for i : 1 <= i < n
  S2: D[i] = C[i] A[i]"""
ROWS = """[n, m] : n > 0
for i : 0 <= i < n
  for j : 0 <= j < m
    S0: M[i, j] = B[i, j]
for i : 0 <= i < n
  for j : 1 <= j < m
    S1: N[i, j] = M[i, j] M[i, j - 1]
for i : 1 <= i < n
  for j : 0 <= j < m
    S2: P[i, j] = N[i, j] N[i - 1, j]"""
NESTS = {"sweeps": SWEEPS, "rows": ROWS, **{str(seed): random_nest(seed) for seed in range(5)}}
MORE = {str(seed): random_nest(seed) for seed in range(5, 60)}


def check(text: str, scheduler: str, *, may_reassociate: bool) -> None:
    case = Case.of(text, may_reassociate=may_reassociate)
    if case is None:
        return
    item = PolySchedulePass(scheduler=scheduler, tile_sizes=(2, 3), march="x86-64-v3")
    item.apply(Context(), case.module)
    case.module.verify()
    problem = case.problem_with(lambda order: times(case.schedule, order.sizes))
    problem = problem or case.false_promise()
    assert problem is None, f"{problem}\n{text}\n{case.schedule}"


@pytest.mark.parametrize("scheduler", SCHEDULERS)
@pytest.mark.parametrize("name", NESTS)
def test_schedulers_promise_what_is_true(name: str, scheduler: str):
    check(NESTS[name], scheduler, may_reassociate=name == "3")


@pytest.mark.slow
@pytest.mark.parametrize("scheduler", SCHEDULERS)
@pytest.mark.parametrize("name", MORE)
def test_schedulers_promise_what_is_true_of_more_nests(name: str, scheduler: str):
    check(MORE[name], scheduler, may_reassociate=int(name) % 2 == 0)
