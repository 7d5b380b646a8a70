"""Which loops carry no dependence, and which carry nothing but a reduction.

A dependence { s -> t } is carried by dimension d of a schedule f if f(s) and f(t) are equal
before d and differ at d. A loop that carries none may run its iterations in any order, or at
once.
"""

from __future__ import annotations

import islpy as isl

from polyopt.poly.dependences import Dependences
from polyopt.poly.isl_lists import maps
from polyopt.poly.scop import Scop
from polyopt.support.record import record


@record
class LoopParallelism:
    """`is_parallel`: nothing is carried; `reductions`: the arrays whose reductions are all that
    is carried (empty if nothing or more is)."""

    is_parallel: bool
    reductions: tuple[str, ...] = ()


def judge_loop(
    scop: Scop, dependences: Dependences, schedule: isl.UnionMap, depth: int
) -> LoopParallelism:
    """The loop at `depth` that runs the instances of `schedule` { S[i] -> [c_0, ..., c_depth] }
    and no others: a dependence between other instances is none of its business."""
    if not carried(dependences.unconditional, schedule, depth).is_empty():
        return LoopParallelism(False)
    updates = carried(dependences.reduction, schedule, depth)
    if updates.is_empty():
        return LoopParallelism(True)
    if not dependences.reassociate:
        return LoopParallelism(False)
    arrays = {
        reduction.array
        for pairs in maps(updates)
        if (reduction := scop.statement(_source(pairs)).reduction) is not None
    }
    return LoopParallelism(False, tuple(sorted(arrays)))


def carried(pairs: isl.UnionMap, schedule: isl.UnionMap, depth: int) -> isl.UnionMap:
    """The part of `pairs` that dimension `depth` of `schedule` carries."""
    instances = schedule.domain()
    pairs = pairs.intersect_domain(instances).intersect_range(instances)
    if pairs.is_empty():
        return pairs
    time = isl.MultiUnionPwAff.from_union_map(schedule)
    if depth:
        outer = time.drop_dims(isl.dim_type.out, depth, 1)
        pairs = pairs.eq_at_multi_union_pw_aff(outer)
    here = time.drop_dims(isl.dim_type.out, 0, depth)
    return pairs.subtract(pairs.eq_at_multi_union_pw_aff(here))


def _source(pairs: isl.Map) -> str:
    name = pairs.get_tuple_name(isl.dim_type.in_)
    assert name is not None
    return name
