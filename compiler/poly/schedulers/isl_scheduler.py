"""isl's scheduler: bands as deep as the dependences allow, values close to their uses.

A variant of the Pluto algorithm: U. Bondhugula, A. Hartono, J. Ramanujam, P. Sadayappan, A
practical automatic polyhedral parallelizer and locality optimizer, PLDI 2008; with its fallback
P. Feautrier, Some efficient solutions to the affine scheduling problem, part II, IJPP 1992. Sizes
stay symbolic: with constant sizes isl's integers grow beyond reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import islpy as isl

from polyopt.poly.dependences import Dependences, input_dependences
from polyopt.poly.isl.budget import BudgetExceeded, IslRefused, budget
from polyopt.poly.isl.lists import basic_sets, maps, sets
from polyopt.poly.isl.options import isl_options
from polyopt.poly.schedulers.interface import SchedulerOptions
from polyopt.poly.schedulers.sparse_loops import runs_nothing_often
from polyopt.poly.scop import Scop
from polyopt.support.remarks import remark

MANY_DIMENSIONS = 4

SHARE = 50
"""isl's linear programs take at most this part of a scheduler's operations. They count few: one
with large numbers takes the time of a thousand others. The kernels of PolyBench need 60,000."""

PIECES = 3
"""A pair of statements whose dependence is in this many pieces or more is scattered."""

MOST_CONSTRAINTS = 250
"""The most constraints of scattered dependences that are given to isl together."""

MANY_CONSTRAINTS = 600
"""Dependences with more constraints are given to isl without the bounds of the domains."""

MANY_BETWEEN_NUMBERS = 100
"""The same where all bounds are numbers: of these isl's integers grow beyond reason."""

TOGETHER = 7_500
"""The same for the sum of the squares of the constraints of each piece, which say how long isl's
elimination of multipliers may take: eight loops with subscripts in seven parameters had 13,500 and
took 4 s, for which isl counts no operations; all others tried have at most 7,000."""

SMALL = 1000
"""That a size is at least so much is given to isl."""


def schedule_with_isl(
    scop: Scop, dependences: Dependences, options: SchedulerOptions
) -> isl.Schedule:
    """The schedule of isl's scheduler, or the original one if the budget is spent or isl fails
    (it may be "unable to carry dependences" that a schedule could carry)."""
    span = scop.span
    if _is_scattered(dependences.validity):
        message = "the dependences are in too many pieces: original order kept"
        remark("missed", "schedule-budget", message, span)
        return scop.schedule
    has_sizes = bool(scop.domain.dim(isl.dim_type.param))
    many = MANY_CONSTRAINTS if has_sizes else MANY_BETWEEN_NUMBERS
    sizes = _constraints(maps(dependences.validity))
    everywhere = sum(sizes) > many or sum(size * size for size in sizes) > TOGETHER
    operations = max(options.operations // SHARE, 1) if options.operations else 0
    try:
        with _switches(options), budget("isl scheduler", operations):
            constraints = _constraints_of(scop, dependences, options, everywhere=everywhere)
            schedule = constraints.compute_schedule()
            is_too_far = runs_nothing_often(schedule, scop, options)
            if is_too_far and not everywhere:
                constraints = _constraints_of(scop, dependences, options, everywhere=True)
                schedule = constraints.compute_schedule()
                is_too_far = runs_nothing_often(schedule, scop, options)
            if not is_too_far:
                return schedule.intersect_domain(scop.domain.intersect_params(scop.known))
        message = "isl's loops would run nothing most of the time: original order kept"
        remark("missed", "schedule-sparse", message, span)
    except IslRefused:
        remark("missed", "schedule-failed", "isl finds no schedule: original order kept", span)
    except BudgetExceeded:
        remark("missed", "schedule-budget", "scheduling costs too much: original order kept", span)
    return scop.schedule


def _constraints_of(
    scop: Scop, dependences: Dependences, options: SchedulerOptions, *, everywhere: bool
) -> isl.ScheduleConstraints:
    """What isl is asked; `everywhere`: without the bounds of the domains."""
    domain = scop.domain.intersect_params(scop.known)
    validity = drop_bounds(dependences.validity, domain, everywhere=everywhere)
    proximity = _whole(_proximity(scop, dependences, options))
    proximity = drop_bounds(proximity, domain, everywhere=everywhere)
    known = scop.known
    if bounds_sizes(known) or any(bounds_sizes(part) for part in sets(domain)):
        domain, known = for_all_sizes(domain), set_for_all_sizes(known)
        validity = for_all_sizes(validity.wrap()).unwrap()
        proximity = for_all_sizes(proximity.wrap()).unwrap()
    return (
        isl.ScheduleConstraints.on_domain(domain)
        .set_context(known)
        .set_validity(validity)
        .set_coincidence(validity)
        .set_proximity(proximity)
    )


def schedule_with_feautrier(
    scop: Scop, dependences: Dependences, options: SchedulerOptions
) -> isl.Schedule:
    """As `schedule_with_isl`, by Feautrier's algorithm: the least depth of sequential loops."""
    return schedule_with_isl(scop, dependences, replace(options, algorithm="feautrier"))


def _proximity(scop: Scop, dependences: Dependences, options: SchedulerOptions) -> isl.UnionMap:
    match options.proximity:
        case "raw":
            return dependences.value_flow
        case "raw+rar":
            return dependences.value_flow.union(input_dependences(scop))
        case "all":
            return dependences.unconditional.union(dependences.reduction)
        case "none":
            return isl.UnionMap.empty(scop.context.get_space())


def _is_scattered(pairs: isl.UnionMap) -> bool:
    """Whether a schedule would have to respect so many pieces, each with its own bounds, that no
    count of operations says what it costs: where subscripts are linear in several loops, or have
    moduli. The dependences of regular loops have one piece or two for each pair of statements."""
    scattered = [part for part in maps(pairs) if part.n_basic_map() >= PIECES]
    return sum(_constraints(scattered)) > MOST_CONSTRAINTS


def _constraints(parts: Sequence[isl.Map]) -> list[int]:
    """How many each piece has."""
    return [len(piece.get_constraints()) for part in parts for piece in part.get_basic_maps()]


def _whole(pairs: isl.UnionMap) -> isl.UnionMap:
    """Without what is scattered: that pairs run close together is a wish only, and isl has
    unknowns for the distance in each piece."""
    result = isl.UnionMap.empty(pairs.get_space())
    for part in maps(pairs):
        if part.n_basic_map() < PIECES:
            result = result.union(isl.UnionMap.from_map(part))
    return result


def drop_bounds(
    pairs: isl.UnionMap, domain: isl.UnionSet, *, everywhere: bool = False
) -> isl.UnionMap:
    """`pairs`, wider: without the bounds of `domain` where they cost much and say little.

    Where two statements of many dimensions depend on each other, each instance on others at
    bounded distances, a stencil, their schedules must have the same factors anyway, and what is
    left of a dependence is its distance. isl has an unknown for each bound and each dependence:
    a three-dimensional stencil is scheduled 70 times faster without them. `everywhere`: between
    all statements, whatever they say.
    """
    if everywhere:
        return pairs.gist_domain(domain).gist_range(domain)
    parts = maps(pairs)
    bounded = {_ends(part) for part in parts if _has_bounded_distance(part)}
    result = isl.UnionMap.empty(pairs.get_space())
    for part in parts:
        source, target = _ends(part)
        if (source, target) in bounded and (target, source) in bounded:
            union = isl.UnionMap.from_map(part)
            result = result.union(union.gist_domain(domain).gist_range(domain))
        else:
            result = result.union(isl.UnionMap.from_map(part))
    return result


def for_all_sizes(union: isl.UnionSet) -> isl.UnionSet:
    """`union`, wider: whatever the most is that a size can be, and the least where that is much.

    A schedule that is right for all sizes is right for those there are. How large one may be (46340
    where `w * h` does not wrap, 2^32 by its type) says nothing about an order; but isl multiplies
    its unknowns by it, and its integers grow beyond reason: six loops took 28 seconds.
    """
    result = isl.UnionSet.empty(union.get_space())
    for part in sets(union):
        result = result.union(isl.UnionSet.from_set(set_for_all_sizes(part)))
    return result


def set_for_all_sizes(part: isl.Set) -> isl.Set:
    kept = [
        (piece, [(one, _is_bound_of_sizes(one)) for one in piece.get_constraints()])
        for piece in basic_sets(part)
    ]
    if not any(is_bound for _, constraints in kept for _, is_bound in constraints):
        return part
    result = isl.Set.empty(part.get_space())
    for piece, constraints in kept:
        wider = isl.BasicSet.universe(piece.get_space())
        for constraint, is_bound in constraints:
            if not is_bound:
                wider = wider.add_constraint(constraint)
        result = result.union(isl.Set.from_basic_set(wider))
    return result.coalesce()


def bounds_sizes(part: isl.Set) -> bool:
    """Whether numbers are given that sizes, alone or added up, are at most, or large ones that they
    are at least."""
    return any(
        _is_bound_of_sizes(constraint)
        for piece in basic_sets(part)
        for constraint in piece.get_constraints()
    )


def _is_bound_of_sizes(constraint: isl.Constraint) -> bool:
    if constraint.is_equality():
        return False
    for kind in (isl.dim_type.set, isl.dim_type.div):
        if constraint.involves_dims(kind, 0, constraint.dim(kind)):
            return False
    sizes = range(constraint.dim(isl.dim_type.param))
    factors = [
        constraint.get_coefficient_val(isl.dim_type.param, size).to_python() for size in sizes
    ]
    is_least = all(factor >= 0 for factor in factors)
    if is_least:
        return constraint.get_constant_val().to_python() < -SMALL
    return all(factor <= 0 for factor in factors)


def _ends(part: isl.Map) -> tuple[str | None, str | None]:
    return part.get_tuple_name(isl.dim_type.in_), part.get_tuple_name(isl.dim_type.out)


def _has_bounded_distance(part: isl.Map) -> bool:
    """Between statements of many dimensions, as many in both."""
    dimensions = part.dim(isl.dim_type.in_)
    if dimensions < MANY_DIMENSIONS or dimensions != part.dim(isl.dim_type.out):
        return False
    part = part.reset_tuple_id(isl.dim_type.in_).reset_tuple_id(isl.dim_type.out)
    return part.project_out_all_params().deltas().is_bounded()


def _switches(options: SchedulerOptions):
    algorithm = isl.schedule_algorithm
    return isl_options(
        schedule_algorithm=algorithm.ISL if options.algorithm == "isl" else algorithm.FEAUTRIER,
        schedule_serialize_sccs=options.fuse == "min",
        schedule_maximize_band_depth=options.maximize_band_depth,
        schedule_maximize_coincidence=options.maximize_coincidence,
        schedule_outer_coincidence=options.outer_coincidence,
        schedule_max_coefficient=options.max_coefficient,
        schedule_max_constant_term=options.max_constant_term,
        schedule_carry_self_first=options.carry_self_first,
        schedule_separate_components=options.separate_components,
        schedule_split_scaled=options.split_scaled,
        schedule_treat_coalescing=options.treat_coalescing,
        schedule_whole_component=options.whole_component,
    )
