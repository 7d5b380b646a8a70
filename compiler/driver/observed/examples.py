"""Pairs of iterations that stand as examples of what loops carry.

Those of the pictures, where there are some; of fewer iterations, where these are too many; and for
a loop that carries something which no iteration of a picture does, one pair of its own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from polyopt.report.contents import Examples, ScopView

if TYPE_CHECKING:
    import islpy as isl

    from polyopt.ir.problem import Problem
    from polyopt.poly.picture.tree_rows import TreeRow

FEW = (4, 3, 2)
"""How many iterations of each loop are enough for an example, where more are too many."""


def examples_of(problem: Problem, view: ScopView, operations: int) -> Examples | None:
    """Of a control part that is looked at; so many operations for each search."""
    found = view.examples
    held = [row for row in view.rows_before if is_held(row)]
    if found is None or (not found.arrows and held):
        found = _few_examples(problem, operations) or found
    if problem.dependences.precision != "exact" or not held:
        return found
    found = found or Examples((), {})
    further = [_further(problem, view, row, found, operations) for row in held]
    return replace(found, further=tuple(one for one in further if one is not None))


def is_held(row: TreeRow) -> bool:
    return row.kind == "loop" and not row.parallelism.is_parallel


def _further(
    problem: Problem, view: ScopView, row: TreeRow, found: Examples, operations: int
) -> Examples | None:
    """One pair that the loop carries, where it carries none of those."""
    from polyopt.poly.isl.budget import BudgetExceeded, budget
    from polyopt.poly.picture.carried_pair import carried_pair
    from polyopt.poly.picture.obstacles import carried_by
    from polyopt.poly.picture.reuse import is_reuse

    iterators = {one.name: one.iterators for one in view.statements}
    inside = {one: iterators[one].index(name) for one, name in row.names if name in iterators[one]}
    carried = carried_by(found.arrows, inside)
    if any(not is_reuse(one, found.touched, view.own) for one in carried):
        return None
    try:
        with budget("examples", operations):
            pair = carried_pair(problem.scop, problem.dependences, inside, view.own)
    except BudgetExceeded:
        return None
    return None if pair is None else Examples((pair.arrow,), pair.touched)


def _few_examples(problem: Problem, operations: int) -> Examples | None:
    """Of a few iterations, for when more are too many to look at; for sizes for which one needs
    another, if there are some."""
    from polyopt.poly.isl.budget import BudgetExceeded, budget
    from polyopt.poly.picture.arrows import arrows
    from polyopt.poly.picture.sample import draw_sample
    from polyopt.poly.picture.touches import touches

    scop = problem.scop
    for extent, meet in [*((one, True) for one in FEW), *((one, False) for one in FEW)]:
        try:
            with budget("examples", operations):
                sizes = _where_some_meet(problem) if meet else None
                sample = draw_sample(scop, extent, sizes)
                found = None if sample is None else arrows(problem.dependences, sample)
                if sample is not None and found is not None:
                    return Examples(found, touches(scop, sample, where_known=True) or {})
        except BudgetExceeded:
            continue
    return None


def _where_some_meet(problem: Problem) -> isl.Set | None:
    """The sizes for which an iteration needs another one, of the kind that is told first; none of
    them negative, if that can be."""
    import islpy as isl

    from polyopt.poly.isl.lists import maps
    from polyopt.poly.isl.numbers import val

    known = problem.scop.known
    natural = known
    for k in range(known.dim(isl.dim_type.param)):
        natural = natural.lower_bound_val(isl.dim_type.param, k, val(0))
    for within in (natural, known):
        for relation in problem.dependences.kinds().values():
            for part in maps(relation):
                is_in_loops = part.dim(isl.dim_type.in_) and part.dim(isl.dim_type.out)
                sizes = part.params().intersect(within)
                if is_in_loops and not sizes.is_empty():
                    return sizes
    return None
