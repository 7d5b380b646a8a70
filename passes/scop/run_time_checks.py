"""The code that decides whether what a SCoP assumes holds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from polyopt.ir.expressions.isl_expressions import condition_of_set
from polyopt.passes.scop.expression_code import ExpressionCode
from polyopt.passes.scop.plan import ScopPlan


def emit_checks(plan: ScopPlan, code: ExpressionCode) -> SSAValue | None:
    """An i1; None if nothing is to be checked."""
    checks = list(_checks(plan, code))
    if not checks:
        return None
    result = reduce(lambda a, b: code.add(arith.AndIOp(a, b)), checks)
    result.name_hint = "assumptions_hold"
    return result


def _checks(plan: ScopPlan, code: ExpressionCode) -> Iterator[SSAValue]:
    if plan.assumed is not None:
        yield code.condition(condition_of_set(plan.assumed, plan.candidate.space))
    for a, b in plan.overlaps:
        yield code.disjoint((a.start, a.end), (b.start, b.end))
