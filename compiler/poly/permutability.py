"""Which loops of a tree commute: nested bands become one permutable band where they may.

The members of a band may be interchanged and tiled if every dependence between the instances
that the band orders goes forward, or nowhere, along each of them (F. Irigoin, R. Triolet,
Supernode partitioning, POPL 1988). A member along which none goes anywhere is coincident.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import islpy as isl

from polyopt.poly.legality import backward
from polyopt.poly.schedule_tree import Band, Leaf, Mark, Member, Tree
from polyopt.poly.schedule_tree import Sequence as TreeSequence
from polyopt.support.record import record


@record
class Place:
    """A node of a tree: the members of the bands above it, and the dependences between the
    instances below it that those do not carry."""

    outer: tuple[Member, ...]
    pending: isl.UnionMap

    def inside(self, members: Sequence[Member]) -> Place:
        pending = self.pending
        for member in members:
            pending = equal_at(pending, member)
        return Place((*self.outer, *members), pending)

    def among(self, instances: isl.UnionSet) -> Place:
        pending = self.pending.intersect_domain(instances).intersect_range(instances)
        return Place(self.outer, pending)


def equal_at(pairs: isl.UnionMap, member: Member) -> isl.UnionMap:
    """The pairs that `member` gives the same time."""
    return pairs if pairs.is_empty() else pairs.eq_at_multi_union_pw_aff(_function(member))


def is_coincident(pairs: isl.UnionMap, member: Member) -> bool:
    return pairs.is_subset(equal_at(pairs, member))


def is_forward(pairs: isl.UnionMap, member: Member) -> bool:
    return pairs.is_empty() or backward(pairs, _function(member)).is_empty()


def _function(member: Member) -> isl.MultiUnionPwAff:
    return isl.MultiUnionPwAff.from_union_pw_aff(member.function)


def merge_bands(tree: Tree, place: Place) -> Tree:
    """Nested bands made one permutable band as far as their members commute. The order is the
    same; only more is known of it."""
    match tree:
        case Leaf():
            return tree
        case Mark(_, child):
            return replace(tree, child=merge_bands(child, place))
        case TreeSequence(children):
            return replace(
                tree,
                children=tuple(
                    (instances, merge_bands(child, place.among(instances)))
                    for instances, child in children
                ),
            )
        case Band(members, child, permutable):
            if not permutable and len(members) > 1:
                return replace(tree, child=merge_bands(child, place.inside(members)))
            while isinstance(child, Band) and all(
                is_forward(place.pending, member) for member in child.members
            ):
                members, child = (*members, *child.members), child.child
            known = tuple(
                replace(member, coincident=is_coincident(place.pending, member))
                for member in members
            )
            return Band(known, merge_bands(child, place.inside(known)), permutable=True)
