"""Index-set splitting as passes do it: the loops are cut and still legal, or stay as they are."""

from __future__ import annotations

from collections.abc import Callable

from polyopt.ir.problem import Problem
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.schedule_tree import Tree, UnsupportedTree, build_schedule, read_tree
from polyopt.support.remarks import remark


def split_index_sets(problem: Problem, cut: Callable[[Tree], Tree], operations: int) -> bool:
    """Give the SCoP the schedule tree that `cut` makes of its own, and say whether it got it; `cut`
    is asked to give the tree itself back where there is nothing to cut. More than `operations` of
    isl's are not spent."""
    try:
        tree = read_tree(problem.scop.schedule)
        with budget("index-set splitting", operations):
            split = cut(tree)
    except BudgetExceeded:
        remark("missed", "split-budget", "splitting loops costs too much", problem.span)
        return False
    except UnsupportedTree as error:
        remark("missed", "split-unsupported", f"not split: {error}", problem.span)
        return False
    if split is tree:
        return False
    schedule = build_schedule(problem.scop.schedule.get_domain(), split)
    violations = problem.violations(schedule)
    if violations:
        remark("missed", "illegal-schedule", f"not split: {violations[0]}", problem.span)
        return False
    problem.accept(schedule)
    return True
