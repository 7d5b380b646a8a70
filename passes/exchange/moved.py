"""Accesses go where a file has them, in the order of the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import islpy as isl

from polyopt.dialects.poly import ScheduleAttr
from polyopt.ir.problem import SOURCE_SCHEDULE, Problem, read_problem
from polyopt.passes.schedule.check import check_or_refuse
from polyopt.passes.storage.moved_accesses import with_known_locals, with_new_array, write_moves
from polyopt.poly.changes.storage import Move
from polyopt.poly.dependences import compute_dependences
from polyopt.poly.exchange.new_places import NotMoved, affected, check_moves, extents_of, only
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.support.diagnostics import CompileError
from polyopt.support.remarks import remark

OPERATIONS = 8_000_000


def moved_problem(
    problem: Problem, moves: Sequence[Move], order: isl.Schedule, file: str
) -> Problem:
    """The SCoP with its accesses moved, in that order, which is from now on that of its source.
    CompileError where a value would be another one."""
    op, known = problem.op, {array.name for array in problem.scop.arrays}
    scop = with_known_locals(op, problem.scop)
    try:
        with budget("moving accesses", OPERATIONS):
            moved = check_moves(scop, moves, order)
            new = {
                one.array.name: extents_of(moved, one)
                for one in moves
                if one.array.name not in known
            }
            others = only(scop, known - affected(scop, moves))
            dependences = compute_dependences(others, reassociate=True)
    except NotMoved as reason:
        raise CompileError(f"{file}: accesses cannot be moved: {reason}", problem.span) from None
    except BudgetExceeded as error:
        raise CompileError(f"{file}: not taken: {error}", problem.span) from None
    check_or_refuse(replace(problem, scop=others, dependences=dependences), order)
    for name, extents in new.items():
        op = with_new_array(op, name, _source(problem, moves, name), extents, is_static=True)
    write_moves(op, moves)
    op.properties["schedule"] = op.attributes[SOURCE_SCHEDULE] = ScheduleAttr.of(order)
    names = ", ".join(sorted(one.array.name for one in moves))
    remark("applied", "moved-accesses", f"accesses go to {names}, as the file says", problem.span)
    return read_problem(op)


def _source(problem: Problem, moves: Sequence[Move], name: str) -> str:
    """An array from which something goes to the new one."""
    places = next(one.relations for one in moves if one.array.name == name)
    statement, position = next(iter(places))
    accesses = problem.scop.statement(statement).accesses
    return next(one.array for one in accesses if one.position == position)
