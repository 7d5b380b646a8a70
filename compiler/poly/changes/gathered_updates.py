"""Nests that spread what is done to all that waits for it, as nests that gather it: left-looking.

    for j { x[j] /= l[j, j]; for i > j { x[i] -= x[j] * l[i, j] } }
      =>
    for i { for j < i { x[i] -= x[j] * l[i, j] }; x[i] /= l[i, i] }

The loops of the updates change places, under one loop with what stands beside them. A band has
nothing to say of that, since its members are those of all its statements. Columns become rows, and
what is stored once for each j is a sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import islpy as isl

from polyopt.poly.analysis.permutability import TreePosition
from polyopt.poly.isl.lists import maps, pieces
from polyopt.poly.legality import keeps
from polyopt.poly.schedule_tree import Band, Leaf, Member, Tree, build_schedule
from polyopt.poly.schedule_tree import Sequence as TreeSequence
from polyopt.support.record import record


@record
class _Child:
    """Some instances, which run along `inner`, up or down, below the common loop, if it is not
    None."""

    instances: isl.UnionSet
    inner: isl.UnionPwAff | None


def gathering_nest(tree: Tree, instances: isl.UnionSet, place: TreePosition) -> Tree | None:
    """The first legal order of the instances in which the updates of a nest such as the above run
    around what they run in now, up or down, before what stands beside them or behind it."""
    match tree:
        case Band(members=(outer,), child=TreeSequence(children=children, is_ordered=True)):
            found = [_child(one, below) for one, below in children]
        case _:
            return None
    parts = [one for one in found if one is not None]
    updates = [one for one in parts if one.inner is not None]
    if len(parts) < len(children) or not 0 < len(updates) < len(parts):
        return None
    beside = [one for one in parts if one.inner is None]
    for goes_down in (False, True):
        for order in ([*updates, *beside], parts, [*beside, *updates]):
            made = _gathered(outer, order, place.pending, goes_down=goes_down)
            if keeps(build_schedule(instances, made), place.pending):
                return made
    return None


def _child(instances: isl.UnionSet, tree: Tree) -> _Child | None:
    match tree:
        case Leaf():
            return _Child(instances, None)
        case Band(members=(member,), child=Leaf()):
            return _Child(instances, member.function)
        case _:
            return None


def _gathered(
    outer: Member, order: Sequence[_Child], pending: isl.UnionMap, *, goes_down: bool
) -> Tree:
    around = [outer.function.intersect_domain(one.instances) for one in order]
    inner = [one.inner.intersect_domain(one.instances) if one.inner else None for one in order]
    updates = _together([one.neg() if goes_down else one for one in inner if one is not None])
    beside = [
        _when_updated(one.instances, updates, pending) or old
        for one, old in zip(order, around, strict=True)
        if one.inner is None
    ]
    children = [
        (
            one.instances,
            Leaf() if one.inner is None else Band((Member(old),), Leaf(), permutable=True),
        )
        for one, old in zip(order, around, strict=True)
    ]
    common = Member(_together([updates, *beside]))
    return Band((common,), TreeSequence(tuple(children)), permutable=True)


def _together(functions: Sequence[isl.UnionPwAff]) -> isl.UnionPwAff:
    return reduce(isl.UnionPwAff.union_add, functions)


def _when_updated(
    instances: isl.UnionSet, updates: isl.UnionPwAff, pending: isl.UnionMap
) -> isl.UnionPwAff | None:
    """The time of the updates that each instance waits for, if it is one; for those that wait for
    none what it is for the others."""
    waits = pending.intersect_domain(updates.domain()).intersect_range(instances).reverse()
    times = waits.apply_range(isl.UnionMap.from_union_pw_aff(updates))
    if times.is_empty() or not times.is_single_valued():
        return None
    found = list[isl.UnionPwAff]()
    for one in maps(times):
        functions = pieces(isl.PwMultiAff.from_map(one.coalesce()).get_at(0))
        if len(functions) != 1:
            return None
        (_, aff) = functions[0]
        found.append(isl.UnionPwAff.from_pw_aff(isl.PwAff.from_aff(aff)))
    when = _together(found).intersect_domain(instances)
    return when if instances.is_subset(when.domain()) else None
