"""The dependences among the instances of a sample, pair by pair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import islpy as isl

from polyopt.poly.dependences import Dependences
from polyopt.poly.isl.lists import maps, points
from polyopt.poly.picture.sample import Instance, Sample, coordinates
from polyopt.support.record import record

LIMIT = 1500
"""More pairs than that are not enumerated."""


@record
class Arrow:
    """`target` needs what `source` does; `kinds` are those of `Dependences.kinds`, and
    "reduction"."""

    source: Instance
    target: Instance
    kinds: tuple[str, ...]


def arrows(dependences: Dependences, sample: Sample) -> tuple[Arrow, ...] | None:
    """All of them, in the order of their sources; None where they are too many to draw."""
    kinds = {**dependences.kinds(), "reduction": dependences.reduction}
    found = dict[tuple[Instance, Instance], tuple[str, ...]]()
    for kind, relation in kinds.items():
        among = relation.intersect_domain(sample.domain).intersect_range(sample.domain)
        for part in maps(among):
            names = [
                part.get_tuple_name(side) or "" for side in (isl.dim_type.in_, isl.dim_type.out)
            ]
            depth = part.dim(isl.dim_type.in_)
            pairs = part.wrap()
            if len(found) + pairs.count_val().to_python() > LIMIT:
                return None
            for point in points(pairs):
                values = coordinates(point)
                pair = (names[0], values[:depth]), (names[1], values[depth:])
                found[pair] = (*found.get(pair, ()), kind)
    return tuple(Arrow(*pair, kind) for pair, kind in sorted(found.items()))


def backward(found: Iterable[Arrow], positions: Mapping[Instance, int]) -> list[Arrow]:
    """Those whose target runs before their source: none, in a legal order, but for updates that
    may be done in any order."""
    return [
        one
        for one in found
        if one.kinds != ("reduction",) and positions[one.target] <= positions[one.source]
    ]
