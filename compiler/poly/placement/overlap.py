"""Communication beside computation: what is sent is computed first, and the rest while it travels.

    compute   { S[i] : own runs it }          compute   { S[i] : own runs it, its needs it }
    exchange  B                          =>   exchange  B
                                                meanwhile { S[i] : own runs it, its does not }

The rest is the interior: what no other processor waits for. That it comes later is right where
nothing that is sent depends on it, in any way. What arrives is put in place behind the rest, as it
was before, and what is sent is copied ahead of it, so no other value is seen by anybody.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

import islpy as isl

from polyopt.poly.dependences import compute_dependences
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.isl.lists import sets
from polyopt.poly.placement.grid import ITS
from polyopt.poly.placement.steps import Compute, Exchange, ProcessStep, Repeat
from polyopt.poly.placement.traffic import Traffic
from polyopt.poly.schedule_tree import restrict
from polyopt.support.record import record

OPERATIONS = 2_000_000
"""For the interiors of one SCoP."""

MOST_PIECES = 8
"""Of the sets of both parts together: each is loops of its own."""


def overlapped(traffic: Traffic, steps: Sequence[ProcessStep]) -> tuple[ProcessStep, ...]:
    """The same steps, with interiors computed while messages travel; as they are where to find out
    costs too much."""
    if not any(_has_exchange(step) for step in steps):
        return tuple(steps)
    try:
        with budget("what is computed while messages travel", OPERATIONS):
            dependences = compute_dependences(traffic.placement.scop).validity
            return _Overlap(traffic, dependences).steps(steps)
    except BudgetExceeded:
        return tuple(steps)


def _has_exchange(step: ProcessStep) -> bool:
    match step:
        case Exchange():
            return True
        case Repeat():
            return any(_has_exchange(one) for one in step.body)
        case Compute():
            return False


@record(eq=False)
class _Overlap:
    traffic: Traffic
    dependences: isl.UnionMap

    def steps(self, steps: Sequence[ProcessStep]) -> tuple[ProcessStep, ...]:
        result = list[ProcessStep]()
        for step in steps:
            if isinstance(step, Repeat):
                step = replace(step, body=self.steps(step.body))
            if isinstance(step, Exchange) and result and isinstance(result[-1], Compute):
                parts = self._parts(result[-1], step)
                if parts is not None:
                    result[-1], meanwhile = parts
                    step = replace(step, meanwhile=meanwhile)
            result.append(step)
        return tuple(result)

    def _parts(self, compute: Compute, exchange: Exchange) -> tuple[Compute, Compute] | None:
        """What is sent, and the rest, where both are something at once and may come so."""
        instances = compute.instances
        writes = self.traffic.placement.scop.accesses(writes=True).intersect_domain(instances)
        first = writes.intersect_range(self._sent(exchange)).domain().coalesce()
        rest = instances.subtract(first).coalesce()
        if first.params().intersect(rest.params()).is_empty():
            return None
        if not self.dependences.intersect_domain(rest).intersect_range(first).is_empty():
            return None
        if sum(one.n_basic_set() for part in (first, rest) for one in sets(part)) > MOST_PIECES:
            return None
        return _part(compute, first), _part(compute, rest)

    def _sent(self, exchange: Exchange) -> isl.UnionSet:
        """{ A[e] : own would send it to some other processor, if there were one }: edges are what
        they are whether a neighbour is behind them or not, so that parts are few."""
        found = [
            isl.UnionSet.from_set(_to_anybody(one.intersect_params(self.traffic.two_processors)))
            for one in exchange.elements.values()
        ]
        return reduce(isl.UnionSet.union, found)


def _to_anybody(elements: isl.Set) -> isl.Set:
    for position in reversed(range(elements.dim(isl.dim_type.param))):
        name = elements.get_dim_name(isl.dim_type.param, position) or ""
        if name.startswith(f"{ITS}_"):
            elements = elements.project_out(isl.dim_type.param, position, 1)
    rank = elements.dim(isl.dim_type.set)
    return elements.drop_constraints_not_involving_dims(isl.dim_type.set, 0, rank).coalesce()


def _part(compute: Compute, instances: isl.UnionSet) -> Compute:
    plain = instances.drop_unused_params()
    return Compute(plain, restrict(compute.tree, plain))
