"""isl's scheduler: bands as deep as the dependences allow, values close to their uses.

A variant of the Pluto algorithm: U. Bondhugula, A. Hartono, J. Ramanujam, P. Sadayappan, A
practical automatic polyhedral parallelizer and locality optimizer, PLDI 2008; with its fallback
P. Feautrier, Some efficient solutions to the affine scheduling problem, part II, IJPP 1992. Sizes
stay symbolic: with constant sizes isl's integers grow beyond reason.
"""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from polyopt.poly.budget import BudgetExceeded, budget
from polyopt.poly.dependences import Dependences, input_dependences
from polyopt.poly.isl_options import isl_options
from polyopt.poly.schedulers.interface import SchedulerOptions
from polyopt.poly.scop import Scop
from polyopt.support.remarks import remark


def schedule_with_isl(
    scop: Scop, dependences: Dependences, options: SchedulerOptions
) -> isl.Schedule:
    """The schedule of isl's scheduler, or the original one if the budget is spent or isl fails
    (it may be "unable to carry dependences" that a schedule could carry)."""
    validity = dependences.validity
    constraints = isl.ScheduleConstraints.on_domain(scop.domain.intersect_params(scop.known))
    constraints = (
        constraints.set_context(scop.known)
        .set_validity(validity)
        .set_coincidence(validity)
        .set_proximity(_proximity(scop, dependences, options))
    )
    span = next((s.span for s in scop.statements if s.span), None)
    try:
        with _switches(options), budget("isl scheduler", options.operations):
            return constraints.compute_schedule()
    except BudgetExceeded:
        remark("missed", "schedule-budget", "scheduling costs too much: original order kept", span)
    except isl.Error:
        remark("missed", "schedule-failed", "isl finds no schedule: original order kept", span)
    return scop.schedule


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
