"""One pair of instances that a loop carries a dependence between, looked for among all of them.

A sample has the first iterations of each loop. Where dependences begin only behind them, or where
there is room for too few iterations to meet, the least pair is computed from the sets themselves,
for sizes of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import islpy as isl

from polyopt.poly.dependences import Dependences
from polyopt.poly.example import example
from polyopt.poly.isl.lists import maps
from polyopt.poly.isl.numbers import val
from polyopt.poly.picture.arrows import Arrow
from polyopt.poly.picture.obstacles import KINDS
from polyopt.poly.picture.reuse import is_reuse
from polyopt.poly.picture.sample import Sample
from polyopt.poly.picture.touches import Touches, touches
from polyopt.poly.scop import Scop
from polyopt.support.record import record


@record
class CarriedPair:
    """With what both instances touch."""

    arrow: Arrow
    touched: Touches


def carried_pair(
    scop: Scop, dependences: Dependences, inside: Mapping[str, int], own: Collection[str] = ()
) -> CarriedPair | None:
    """The least pair of the kind that is told first; `inside` are the statements of the loop, each
    with the position of the loop among its iterators, `own` the variables that each iteration may
    have for itself. None if the loop carries nothing else."""
    kinds = {**dependences.kinds(), "reduction": dependences.reduction}
    for kind in (kind for kind in KINDS if kind in kinds):
        for part in maps(kinds[kind]):
            for pairs in _carried(part, inside):
                found = _least(scop, pairs, kind)
                if found is not None and not is_reuse(found.arrow, found.touched, own):
                    return found
    return None


def _carried(part: isl.Map, inside: Mapping[str, int]) -> Iterator[isl.Map]:
    """The pairs in the same iteration of the loops around, and in two of this one."""
    sides = isl.dim_type.in_, isl.dim_type.out
    here, there = (inside.get(part.get_tuple_name(side) or "") for side in sides)
    if here is None or here != there:
        return
    for place in range(here):
        part = part.equate(sides[0], place, sides[1], place)
    yield part.order_lt(sides[0], here, sides[1], here)
    yield part.order_gt(sides[0], here, sides[1], here)


def _least(scop: Scop, pairs: isl.Map, kind: str) -> CarriedPair | None:
    pairs = pairs.intersect_params(scop.known)
    if pairs.is_empty():
        return None
    source, target = (
        pairs.get_tuple_name(side) or "" for side in (isl.dim_type.in_, isl.dim_type.out)
    )
    found = example(pairs, pairs)
    if found is None:
        return None
    ends = (source, found.first), (target, found.second)
    for side, (_, values) in zip((isl.dim_type.in_, isl.dim_type.out), ends):
        for place, value in enumerate(values):
            pairs = pairs.fix_val(side, place, val(value))
    for name, value in found.parameters.items():
        place = pairs.find_dim_by_name(isl.dim_type.param, name)
        pairs = pairs.fix_val(isl.dim_type.param, place, val(value))
    one = pairs.intersect_params(isl.Set.from_point(pairs.params().sample_point()))
    domain = isl.UnionSet.from_set(one.domain()).union(isl.UnionSet.from_set(one.range()))
    touched = touches(scop, Sample((), 1, domain, ()), where_known=True)
    return CarriedPair(Arrow(*ends, (kind,)), touched or {})
