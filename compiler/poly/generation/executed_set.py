"""Do generated loops run each instance of the SCoP once, in order? Asked of the loops themselves.

Of what they run and when (`executions`), { S[i] -> [time] }, for the parameters' values that are
known to occur:

    the domain of the union is the SCoP's domain           nothing left out, nothing added
    the union is single-valued                             nothing twice
    the times keep the order of the schedule               or, where that does not show or is not
    every dependence goes from an earlier to a later time  asked, of the dependences

A schedule that has been proved legal is cheap to compare with (`realised_order`); the dependences
themselves are dear. The loops need not come from isl: what is checked is what will run.
"""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from polyopt.poly.dependences import Dependences
from polyopt.poly.generation.executions import TooManyCases, execution_times, executions
from polyopt.poly.generation.realised_order import realises
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.legality import backward
from polyopt.poly.loops.loop_tree import Node
from polyopt.poly.schedule_tree import UnsupportedTree, read_tree
from polyopt.poly.scop import Scop
from polyopt.support.record import record

OPERATIONS = 2_000_000


@record
class ExecutionFault:
    """`kind`: "missing", "extra", "twice", "order", or "unknown" where that costs too much;
    `example` is an instance, or for "order" a pair of them."""

    kind: str
    example: str = ""

    def __str__(self) -> str:
        what = {
            "missing": "an instance does not run",
            "extra": "an instance runs that is none of the SCoP's",
            "twice": "an instance runs twice",
            "order": "a dependence is not kept",
            "unknown": "the executed instances could not be computed at a bearable cost",
        }
        return f"{what[self.kind]}: {self.example}" if self.example else what[self.kind]


def check_executed(
    scop: Scop,
    nodes: Sequence[Node],
    dependences: Dependences | None = None,
    schedule: isl.Schedule | None = None,
    *,
    operations: int = OPERATIONS,
) -> ExecutionFault | None:
    """The first fault of the loops `nodes` as an execution of `scop`. The order is checked where
    `dependences` are given or `schedule`, which keeps them. None if there is no fault."""
    try:
        with budget("executed set", operations):
            fault = _check_instances(scop, nodes)
            if fault is not None or (dependences is None and schedule is None):
                return fault
        if schedule is not None:
            with budget("realised order", operations):
                if _is_realised(scop, nodes, schedule):
                    return None
        if dependences is None:
            return ExecutionFault("unknown")
        with budget("order of dependences", operations):
            return _check_order(_times(scop, nodes), dependences)
    except (BudgetExceeded, TooManyCases):
        return ExecutionFault("unknown")


def _times(scop: Scop, nodes: Sequence[Node]) -> isl.UnionMap:
    return execution_times(scop, nodes).intersect_params(scop.known)


def _check_instances(scop: Scop, nodes: Sequence[Node]) -> ExecutionFault | None:
    times = _times(scop, nodes)
    wanted, run = scop.domain.intersect_params(scop.known), times.domain()
    for kind, instances in (("missing", wanted.subtract(run)), ("extra", run.subtract(wanted))):
        if not instances.is_empty():
            return ExecutionFault(kind, str(instances.sample_point()))
    if not times.is_single_valued():
        twice = times.subtract(times.lexmin()).domain()
        return ExecutionFault("twice", str(twice.sample_point()))
    return None


def _is_realised(scop: Scop, nodes: Sequence[Node], schedule: isl.Schedule) -> bool:
    try:
        return realises(scop, executions(nodes), read_tree(schedule)) is None
    except UnsupportedTree:
        return False


def _check_order(times: isl.UnionMap, dependences: Dependences) -> ExecutionFault | None:
    pending = dependences.validity
    if pending.is_empty():
        return None
    time = isl.MultiUnionPwAff.from_union_map(times)
    for k in range(len(time)):
        if pending.is_empty():
            return None
        here = isl.MultiUnionPwAff.from_union_pw_aff(time.get_at(k))
        late = backward(pending, here)
        if not late.is_empty():
            return ExecutionFault("order", str(late.sample()))
        pending = pending.eq_at_multi_union_pw_aff(here)
    return None if pending.is_empty() else ExecutionFault("order", str(pending.sample()))
