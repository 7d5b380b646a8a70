"""Dependences of a SCoP in the IR: computed once, kept while the schedule stays legal."""

from __future__ import annotations

from functools import partial
from gc import collect
from weakref import ref

import islpy as isl
import pytest
from oracles.nests import GEMM, JACOBI, TWO_UPDATES
from oracles.scop_ir import scop_module
from xdsl.context import Context
from xdsl.dialects import affine
from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import ModuleOp

from polyopt.dialects.loop_facts import facts_of
from polyopt.dialects.poly import ScheduleAttr, SetAttr
from polyopt.ir import problem as problem_module
from polyopt.ir.fast_math import FASTMATH
from polyopt.ir.problem import PRICE, Problem, effort_around, problems_in
from polyopt.passes.codegen.poly_to_affine import PolyToAffinePass
from polyopt.passes.schedule.reschedule import PolySchedulePass
from polyopt.passes.schedule.tile import PolyTilePass
from polyopt.poly.dependences import Dependences, compute_dependences
from polyopt.poly.isl.budget import BudgetExceeded
from polyopt.poly.notation import parse_scop
from polyopt.poly.scop import Scop
from polyopt.support import effort as effort_module
from polyopt.support.effort import current_effort, effort
from polyopt.support.remarks import collect_remarks


def only_problem(module: ModuleOp) -> Problem:
    (problem,) = problems_in(module)
    return problem


def test_dependences_are_those_of_the_source_after_rescheduling() -> None:
    module = scop_module(parse_scop(JACOBI))
    before = only_problem(module)
    source = before.op.schedule
    PolySchedulePass().apply(Context(), module)
    PolyTilePass(sizes=(8,)).apply(Context(), module)
    after = only_problem(module)
    assert after.op.schedule != source
    assert after.dependences is before.dependences
    assert ScheduleAttr.of(after.source_schedule) == source


def test_another_schedule_has_its_own_dependences() -> None:
    module = scop_module(parse_scop(JACOBI))
    before = only_problem(module)
    order = str(before.scop.schedule).replace("S[t, i] -> [(i)]", "S[t, i] -> [(-i)]")
    before.op.properties["schedule"] = ScheduleAttr.from_text(order)
    after = only_problem(module)
    assert after.dependences is not before.dependences
    before.op.properties["context"] = SetAttr.from_text("[n, m] -> { : n = 3 }")
    assert only_problem(module).dependences is not after.dependences


def test_floating_point_sums_move_only_where_it_is_permitted() -> None:
    module = scop_module(parse_scop(GEMM))
    strict = only_problem(module)
    assert all(statement.reduction is None for statement in strict.scop.statements)
    assert strict.dependences.reduction.is_empty()
    module.attributes[FASTMATH] = FastMathFlagsAttr("fast")
    fast = only_problem(module)
    assert fast.scop.statement("T").reduction is not None
    assert not fast.dependences.reduction.is_empty()
    module.attributes[FASTMATH] = FastMathFlagsAttr("none")
    assert only_problem(module).scop.statement("T").reduction is None


def test_a_spent_budget_keeps_the_schedule() -> None:
    module = scop_module(parse_scop(JACOBI))
    source = only_problem(module).op.schedule
    with collect_remarks() as remarks:
        PolySchedulePass(operations=100).apply(Context(), module)
    after = only_problem(module)
    assert after.scop.schedule.get_map().is_equal(source.schedule().get_map())
    assert [remark.id for remark in remarks.items] == ["schedule-budget"]


def test_unknown_dependences_forbid_every_change(monkeypatch: pytest.MonkeyPatch) -> None:
    def spent(scop: Scop, *, reassociate: bool) -> Dependences:
        raise BudgetExceeded("original order", 1)

    monkeypatch.setattr(problem_module, "compute_dependences", spent)
    module = scop_module(parse_scop(TWO_UPDATES.replace("T:", "W:")))
    source = only_problem(module).op.schedule
    PolySchedulePass().apply(Context(), module)
    assert only_problem(module).op.schedule == source
    PolyToAffinePass().apply(Context(), module)
    loops = [op for op in module.walk() if isinstance(op, affine.ForOp)]
    assert loops
    assert not any(facts_of(loop).is_parallel for loop in loops)


@pytest.mark.parametrize("least", [1, 2_500], ids=["nothing", "order"])
def test_the_order_of_the_source_is_legal_whatever_its_dependences_cost(
    monkeypatch: pytest.MonkeyPatch, least: int
) -> None:
    monkeypatch.setattr(
        problem_module, "compute_dependences", partial(compute_dependences, operations=least)
    )
    problem = only_problem(scop_module(parse_scop(JACOBI)))
    own = problem.scop.schedule
    assert not problem.is_understood
    assert problem.violations(own) == []
    backward = isl.Schedule(str(own).replace("-> [(i)]", "-> [(-i)]"))
    assert problem.violations(backward)


def test_dependences_are_kept_with_their_module() -> None:
    module = scop_module(parse_scop(JACOBI))
    kept = only_problem(module).dependences
    assert only_problem(module).dependences is kept
    copy = module.clone()
    assert only_problem(copy).dependences is not kept
    weak = ref(kept)
    del module, kept
    collect()
    assert weak() is None


def test_all_of_a_large_module_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """One SCoP in a hundred states stands for a hundred."""
    module = scop_module(parse_scop(JACOBI))
    found = only_problem(module)
    asked = list[str]()

    def count_calls(scop: Scop, **_: object) -> Dependences:
        asked.append(str(scop.context))
        return found.dependences

    monkeypatch.setattr(problem_module, "compute_dependences", count_calls)
    for _ in range(2):
        for size in range(100):
            found.op.properties["context"] = SetAttr.from_text(f"[n, m] -> {{ : n = {size} }}")
            only_problem(module)
    assert len(asked) == 100


def test_passes_pay_from_the_account_of_the_function(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one has spent is missing to the next; the order of the source stays, and a remark."""
    module = scop_module(parse_scop(GEMM))
    with effort() as account:
        PolySchedulePass().apply(Context(), module)
        (name,) = (one for one in account.parts if one.startswith("the function "))
    assert account.parts[name] == account.spent > 0
    module = scop_module(parse_scop(JACOBI))
    order = only_problem(module).op.schedule
    monkeypatch.setattr(effort_module, "FLOOR", 1)
    with collect_remarks() as remarks, effort() as account:
        account.parts[name] = effort_module.FUNCTION
        PolySchedulePass().apply(Context(), module)
        assert only_problem(module).op.schedule == order
    assert "schedule-budget" in {one.id for one in remarks.items}


@pytest.mark.parametrize(
    ("subscripts", "is_dear"),
    [
        ("A[i] | A[i - 1]", False),
        ("A[floor(i / 2)] | A[i mod 2]", False),
        ("A[floor(i / 3), i mod 5, j mod 7] | A[floor(j / 3), j mod 5, i mod 7]", True),
        ("B[i] | A[floor(i / 3), i mod 5, j mod 7]", False),
        ("A[max(i - 3, j, 2 j - 9)] | A[max(i - 4, j, 5)] + A[min(i, j, n - 7)]", False),
    ],
)
def test_quotients_that_have_to_be_compared_are_dear(subscripts: str, is_dear: bool) -> None:
    """Those of what is only read are compared with nothing."""
    target, source = subscripts.split(" | ")
    text = f"[n]\nfor i : 0 <= i < n\n  for j : 0 <= j < i\n    S: {target} = {source}"
    op = only_problem(scop_module(parse_scop(text))).op
    with effort() as account, effort_around(op):
        current = current_effort()
        assert current is not None
        current.charge(1)
    assert account.spent == (PRICE if is_dear else 1)


@pytest.mark.parametrize(
    ("one", "other", "is_dear"),
    [
        ("(i + j) mod 2 = 0", "(i + j) mod 2 = 1", False),
        ("i mod 2 = 0 and j mod 2 = 0", "(i mod 2 = 1 or j mod 3 = 1)", False),
        ("i mod 16 = 0 and j mod 16 = 0", "(i mod 16 = 1 or j mod 16 > 1 or n mod 64 = 0)", True),
        (
            "(37i + 11n) mod 101 < 8 and n mod 2 = 1 and j mod 3 = 1",
            "((37i + 11n) mod 101 >= 8 or n mod 2 = 0 or j mod 3 = 2)",
            True,
        ),
    ],
)
def test_quotients_in_conditions_are_compared_too(one: str, other: str, is_dear: bool) -> None:
    """One of them is cheap; a choice by several took more than a minute for eight lines."""
    text = f"""[n]
for i : 0 <= i < n
  for j : 0 <= j < i
    if {one}
      S: t[] = A[i]
    if {other}
      T: t[] = A[j]
    U: A[i] = t[]"""
    op = only_problem(scop_module(parse_scop(text))).op
    with effort() as account, effort_around(op):
        current = current_effort()
        assert current is not None
        current.charge(1)
    assert account.spent == (PRICE if is_dear else 1)
