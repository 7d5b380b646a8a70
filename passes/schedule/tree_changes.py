"""Changes of schedule trees as passes do them: loops are cut or joined and still legal, or stay as
they are."""

from __future__ import annotations

from collections.abc import Callable

from polyopt.ir.problem import Problem
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.schedule_tree import Tree, UnsupportedTree, build_schedule, read_tree
from polyopt.support.remarks import remark


def change_tree(problem: Problem, change: Callable[[Tree], Tree], operations: int) -> bool:
    """Give the SCoP the schedule tree that `change` makes of its own, and say whether it got it;
    `change` is asked to give the tree itself back where there is nothing to do. More than
    `operations` of isl's are not spent."""
    try:
        tree = read_tree(problem.scop.schedule)
        with budget("changing loops", operations):
            changed = change(tree)
    except BudgetExceeded:
        remark("missed", "change-budget", "changing loops costs too much", problem.span)
        return False
    except UnsupportedTree as error:
        remark("missed", "change-unsupported", f"loops not changed: {error}", problem.span)
        return False
    if changed is tree:
        return False
    schedule = build_schedule(problem.scop.schedule.get_domain(), changed)
    violations = problem.violations(schedule)
    if violations:
        remark("missed", "illegal-schedule", f"loops not changed: {violations[0]}", problem.span)
        return False
    problem.accept(schedule)
    return True
