"""Orders that a person asks for are paid from the account of the function, too, and where that is
spent the order of the source stays."""

from collections.abc import Callable

import pytest
from oracles.polyhedral import execution_order
from oracles.scop_ir import scop_module
from xdsl.context import Context
from xdsl.passes import ModulePass

import polyopt.support.effort as effort_module
from polyopt.dialects.poly import ScopOp
from polyopt.dialects.poly_view import read_scop
from polyopt.ir.problem import read_problem
from polyopt.passes.exchange.schedule_files import PolyImportSchedulePass
from polyopt.passes.schedule.apply_steps import PolyApplyStepsPass
from polyopt.passes.schedule.check import PolyCheckPass
from polyopt.passes.schedule.localize import PolyLocalizePass
from polyopt.passes.schedule.tile import PolyTilePass
from polyopt.poly.notation import parse_scop
from polyopt.support.diagnostics import CompileError
from polyopt.support.effort import effort
from polyopt.support.remarks import collect_remarks

SWEEP = """
[n]
for t : 0 <= t < n
  for i : 1 <= i < n - 1
    S: A[i] = A[i-1], A[i+1]
"""
PASSES: dict[str, Callable[[ScopOp], ModulePass]] = {
    "steps": lambda op: PolyApplyStepsPass(steps="skew S.i S.t 1"),
    "tiles": lambda op: PolyTilePass((2,), skew=True),
    "tiles of one": lambda op: PolyTilePass((2,), skew=True, shape="diamond"),
    "stripes": lambda op: PolyTilePass(shape="hyperplanes", normals=(1, 0, 1, 1), spacing=(2, 2)),
    "copies": lambda op: PolyLocalizePass(at="S.t"),
    "tree": lambda op: PolyImportSchedulePass(schedule=op.schedule.data),
    "check": lambda op: PolyCheckPass(),
}


@pytest.mark.parametrize("name", PASSES)
def test_it_costs_the_function_something(name: str) -> None:
    module = scop_module(parse_scop(SWEEP))
    (op,) = (one for one in module.walk() if isinstance(one, ScopOp))
    assert read_problem(op).is_understood
    made = PASSES[name](op)
    with effort() as account:
        made.apply(Context(), module)
    assert account.parts["the function 'f'"] > 0


@pytest.mark.parametrize("name", PASSES)
def test_spent_the_order_stays_and_somebody_says_so(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = scop_module(parse_scop(SWEEP))
    (op,) = (one for one in module.walk() if isinstance(one, ScopOp))
    assert read_problem(op).is_understood  # what it depends on is known
    made = PASSES[name](op)
    before = op.schedule
    monkeypatch.setattr(effort_module, "FLOOR", 1)
    with effort(1), collect_remarks() as remarks:
        try:
            made.apply(Context(), module)
            told = [one.message for one in remarks.items]
        except CompileError as error:
            told = [error.diagnostic.message]
    words = ("cost", "operations", "budget")
    assert any(word in one for one in told for word in words), told
    assert op.schedule == before
    assert execution_order(read_scop(op).schedule, {"n": 3})
