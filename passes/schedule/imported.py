"""A schedule that was read from somewhere becomes a SCoP's, if it is legal."""

from __future__ import annotations

from collections.abc import Mapping

import islpy as isl

from polyopt.passes.schedule.check import check_or_refuse
from polyopt.passes.schedule.problem import Problem
from polyopt.poly.budget import BudgetExceeded, budget
from polyopt.poly.exchange.dates import NoDates, tree_of
from polyopt.poly.permutability import Place, merge_bands
from polyopt.poly.schedule_tree import Tree, build_schedule
from polyopt.support.diagnostics import CompileError

OPERATIONS = 4_000_000


def import_dates(problem: Problem, dates: Mapping[str, isl.Map], file: str) -> None:
    """Let each statement run at its dates { S[i] -> [d] }; CompileError where they are illegal."""
    scop = problem.scop
    known = scop.context.get_space()
    for name, relation in dates.items():
        for k in range(relation.dim(isl.dim_type.param)):
            parameter = relation.get_dim_name(isl.dim_type.param, k) or ""
            if known.find_dim_by_name(isl.dim_type.param, parameter) < 0:
                raise CompileError(
                    f"{file}: the schedule of '{name}' speaks of '{parameter}', "
                    "which is no parameter of the SCoP"
                )
    domains = {one.name: one.domain.intersect_params(scop.known) for one in scop.statements}
    try:
        with budget("reading a schedule", OPERATIONS):
            tree = tree_of(domains, dates)
            order = build_schedule(scop.domain, tree)
    except NoDates as error:
        raise CompileError(f"{file}: no schedule: {error}") from None
    except BudgetExceeded as error:
        raise CompileError(f"{file}: schedule not taken: {error}") from None
    check_or_refuse(problem, order)
    problem.accept(_with_bands(problem, tree) or order)


def _with_bands(problem: Problem, tree: Tree) -> isl.Schedule | None:
    """The same order, with what is known of it: which loops commute, which carry nothing."""
    try:
        with budget("bands of a schedule", OPERATIONS):
            bands = merge_bands(tree, Place((), problem.dependences.validity))
            return build_schedule(problem.scop.domain, bands)
    except BudgetExceeded:
        return None
