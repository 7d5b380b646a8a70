"""Schedules of isl whose loops would run nothing in most of their iterations, or in many.

isl says in which order instances run, and is content with numbers that are far apart: a loop over
them has an iteration for each number between.
"""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from polyopt.poly.cost.work import estimated_work
from polyopt.poly.linear.linear_forms import independent, map_of
from polyopt.poly.schedule_tree import Member, bands, read_tree
from polyopt.poly.schedulers.interface import SchedulerOptions
from polyopt.poly.scop import Scop, Statement

FARTHEST = 16
"""A skew by more is none: one loop is run inside another. A Viterbi step of 48 states became the
loop 46 t + p, each iteration of which divides (459 us; t and p apart 10)."""

FARTHEST_NEAREST = 8
"""If all iterators step on by more, loops were put together that have nothing to do with each
other: a chain through two variables became one loop over [240 i + 15 k], [240 i + 16 k]."""


def runs_nothing_often(schedule: isl.Schedule, scop: Scop, options: SchedulerOptions) -> bool:
    """Whether one step of an iterator is more iterations of a loop than all accesses there are, or
    more than `FARTHEST` of another's.

    isl separates loops by the most that a size can be: where that is what a type holds (`n` of
    `for (unsigned i = 0; i < n; i++)`), S[j] is run at 2^32 j, whatever n is; where it is a number,
    two loops become one, and each iteration asks which of the two it belongs to.
    """
    found = [member for band in bands(read_tree(schedule)) for member in band.members]
    if options.algorithm == "isl" and any(_is_two_loops(member, scop) for member in found):
        return True
    if any(_nearest(member, scop) > FARTHEST_NEAREST for member in found):
        return True
    if any(_has_holes(found, one) for one in scop.statements):
        return True
    factors = [
        abs(factor)
        for member in found
        for statement in scop.statements
        for factor in member.factors(statement.name) or ()
    ]
    farthest = max(factors, default=0)
    return farthest > options.max_coefficient and farthest > sum(estimated_work(scop).values())


def _has_holes(members: Sequence[Member], statement: Statement) -> bool:
    """Whether the statement has fewer loops than iterators that are free, and not every iteration
    of them runs it.

    for (i = 0; i < n; i += 8) for (j = i; j < i + 4; j++): isl is content with j, which says what i
    is, and half the iterations of a loop over all j would run nothing.
    """
    domain = statement.domain.reset_tuple_id()
    size = domain.dim(isl.dim_type.set)
    rows = [row for one in members if any(row := one.factors(statement.name) or ())]
    rows = [rows[k] for k in independent(rows)]
    fixed = domain.affine_hull().n_constraint()
    if not rows or len(rows) >= size - fixed:
        return False
    image = domain.apply(map_of(rows, size)).coalesce()
    return not image.remove_divs().is_subset(image)


def _nearest(member: Member, scop: Scop) -> int:
    """The least that any iterator steps on by in a loop of all statements: at fewer than one in so
    many of its iterations one of them runs, but for what others run between."""
    rows = [member.factors(statement.name) or () for statement in scop.statements]
    return min((abs(factor) for row in rows for factor in row if factor), default=0)


def _is_two_loops(member: Member, scop: Scop) -> bool:
    """Whether it counts one iterator by 1 or so and another in great steps: 46 t + p. (Feautrier's
    algorithm is asked for the fewest serial loops, whatever they are.)"""
    rows = [member.factors(statement.name) or () for statement in scop.statements]
    factors = {abs(factor) for row in rows for factor in row if factor}
    return bool(factors) and max(factors) > FARTHEST * min(factors)
