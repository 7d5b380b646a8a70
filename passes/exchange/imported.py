"""A schedule that was read from somewhere becomes a SCoP's, if it is legal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import islpy as isl

from polyopt.ir.problem import Problem, read_problem
from polyopt.passes.exchange.moved import moved_problem
from polyopt.passes.schedule.check import check_or_refuse
from polyopt.passes.storage.moved_accesses import with_known_locals, write_domains
from polyopt.poly.analysis.permutability import TreePosition, merge_bands, verify_bands
from polyopt.poly.changes.dead_instances import needed, without
from polyopt.poly.changes.storage import Move
from polyopt.poly.exchange.dates import NoDates, tree_of
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.schedule_tree import Tree, UnsupportedTree, build_schedule, read_tree
from polyopt.poly.scop import Scop
from polyopt.support.diagnostics import CompileError
from polyopt.support.remarks import remark

OPERATIONS = 4_000_000


def import_dates(
    problem: Problem, dates: Mapping[str, isl.Map], file: str, moves: Sequence[Move] = ()
) -> None:
    """Let each statement run at its dates { S[i] -> [d] }; CompileError where they are illegal.
    Instances without a date are not run, if nothing needs them. `moves` are part of the change."""
    for name, relation in dates.items():
        _check_parameters(problem, relation.get_space(), f"{file}: the schedule of '{name}'")
    problem = _without(problem, _undated(problem.scop, dates), f"{file}: no schedule")
    scop = problem.scop
    domains = {one.name: one.domain.intersect_params(scop.known) for one in scop.statements}
    try:
        with budget("reading a schedule", OPERATIONS):
            tree = tree_of(domains, dates)
            order = build_schedule(scop.domain, tree)
    except NoDates as error:
        raise CompileError(f"{file}: no schedule: {error}") from None
    except BudgetExceeded as error:
        raise CompileError(f"{file}: schedule not taken: {error}") from None
    if moves:
        problem = moved_problem(problem, moves, order, file)
    check_or_refuse(problem, order)
    problem.accept(_with_bands(problem, tree) or order)


def _undated(scop: Scop, dates: Mapping[str, isl.Map]) -> isl.UnionSet:
    """The instances that have no date, of statements some of which may have one."""
    dated = isl.UnionSet.empty(scop.context.get_space())
    for one in scop.statements:
        domain = one.domain
        if one.name in dates:
            domain = dates[one.name].intersect_domain(domain).domain()
        dated = dated.union(isl.UnionSet.from_set(domain))
    return scop.domain.subtract(dated)


def _without(problem: Problem, undated: isl.UnionSet, what: str) -> Problem:
    """The problem without these instances; CompileError where one is needed."""
    scop = problem.scop
    if undated.intersect_params(scop.known).is_empty():
        return problem
    try:
        with budget("instances without a date", OPERATIONS):
            whole = with_known_locals(problem.op, scop)
            users = needed(whole, problem.dependences.value_flow, undated)
            if not users.is_empty():
                raise CompileError(
                    f"{what}: some instances have no date, and what they compute is "
                    f"needed: {users.sample()}",
                    problem.span,
                )
            write_domains(problem.op, without(scop, undated))
    except BudgetExceeded as error:
        raise CompileError(f"{what}: not taken: {error}") from None
    message = "instances that have no date are not run: nothing needs them"
    remark("applied", "partial-schedule", message, problem.span)
    return read_problem(problem.op)


def import_tree(problem: Problem, schedule: isl.Schedule) -> None:
    """Let the SCoP run as the tree says; CompileError where that is illegal."""
    for space in _spaces(schedule):
        _check_parameters(problem, space, "the schedule")
    undated = problem.scop.domain.subtract(schedule.get_domain())
    problem = _without(problem, undated, "no schedule")
    check_or_refuse(problem, schedule)
    try:
        with budget("bands of a schedule", OPERATIONS):
            place = TreePosition((), problem.dependences.validity)
            tree = verify_bands(read_tree(schedule), place)
            problem.accept(build_schedule(problem.scop.domain, tree))
    except (BudgetExceeded, UnsupportedTree) as error:
        raise CompileError(f"schedule not taken: {error}") from None


def _spaces(schedule: isl.Schedule) -> list[isl.Space]:
    """Those of the domain, the filters and the bands. Called back by isl, nothing may raise."""
    found = [schedule.get_domain().get_space()]

    def look(node: isl.ScheduleNode) -> bool:
        match node.get_type():
            case isl.schedule_node_type.filter:
                found.append(node.filter_get_filter().get_space())
            case isl.schedule_node_type.band:
                found.append(node.band_get_partial_schedule().get_space())
            case isl.schedule_node_type.context:
                found.append(node.context_get_context().get_space())
            case isl.schedule_node_type.guard:
                found.append(node.guard_get_guard().get_space())
            case _:
                pass
        return True

    schedule.foreach_schedule_node_top_down(look)
    return found


def _check_parameters(problem: Problem, space: isl.Space, what: str) -> None:
    known = problem.scop.context.get_space()
    for k in range(space.dim(isl.dim_type.param)):
        name = space.get_dim_name(isl.dim_type.param, k) or ""
        if known.find_dim_by_name(isl.dim_type.param, name) < 0:
            raise CompileError(f"{what} speaks of '{name}', which is no parameter of the SCoP")


def _with_bands(problem: Problem, tree: Tree) -> isl.Schedule | None:
    """The same order, with what is known of it: which loops commute, which carry nothing."""
    try:
        with budget("bands of a schedule", OPERATIONS):
            bands = merge_bands(tree, TreePosition((), problem.dependences.validity))
            return build_schedule(problem.scop.domain, bands)
    except BudgetExceeded:
        remark("missed", "band-budget", "which loops commute costs too much to say", problem.span)
        return None
