"""Which loops of a tree commute: nested bands become one permutable band where they may.

The members of a band may be interchanged and tiled if every dependence between the instances
that the band orders goes forward, or nowhere, along each of them (F. Irigoin, R. Triolet,
Supernode partitioning, POPL 1988). A member along which none goes anywhere is coincident.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace

import islpy as isl

from polyopt.poly.legality import backward
from polyopt.poly.schedule_tree import Band, Leaf, Mark, Member, Tree
from polyopt.poly.schedule_tree import Sequence as TreeSequence
from polyopt.support.record import record


@record
class TreePosition:
    """A node of a tree: the members of the bands above it, and the dependences between the
    instances below it that those do not carry. `reaching` are, for each member above, those that
    reach it, of instances that may stand elsewhere too."""

    outer: tuple[Member, ...]
    pending: isl.UnionMap
    reaching: tuple[isl.UnionMap, ...] = ()
    _below: dict[int, TreePosition] = field(
        default_factory=dict["int", "TreePosition"], compare=False, repr=False
    )
    """Inside of single members, by what these are identical to: each order of a band's members is
    asked about by itself."""
    _equal: dict[int, tuple[isl.UnionPwAff, isl.UnionMap]] = field(
        default_factory=dict[int, tuple[isl.UnionPwAff, isl.UnionMap]], compare=False, repr=False
    )
    """The pairs that functions give the same time, by what these are identical to."""

    def inside(self, members: Sequence[Member]) -> TreePosition:
        place = self
        for member in members:
            place = place._inside_one(member)
        return place

    def _inside_one(self, member: Member) -> TreePosition:
        below = self._below.get(id(member))
        if below is None:
            reaching = (*self.reaching, self.pending)
            below = TreePosition((*self.outer, member), self._equal_at(member), reaching)
            self._below[id(member)] = below
        return below

    def is_coincident(self, member: Member) -> bool:
        """Whether all dependences that reach a member here go nowhere along it."""
        return self.pending.is_subset(self._equal_at(member))

    def _equal_at(self, member: Member) -> isl.UnionMap:
        known = self._equal.get(id(member.function))
        if known is None:
            known = member.function, equal_at(self.pending, member)
            self._equal[id(member.function)] = known
        return known[1]

    def among(self, instances: isl.UnionSet) -> TreePosition:
        pending = self.pending.intersect_domain(instances).intersect_range(instances)
        return TreePosition(self.outer, pending, self.reaching)


def equal_at(pairs: isl.UnionMap, member: Member) -> isl.UnionMap:
    """The pairs that `member` gives the same time."""
    return pairs if pairs.is_empty() else pairs.eq_at_multi_union_pw_aff(_function(member))


def is_coincident(pairs: isl.UnionMap, member: Member) -> bool:
    return pairs.is_subset(equal_at(pairs, member))


def is_forward(pairs: isl.UnionMap, member: Member) -> bool:
    return pairs.is_empty() or backward(pairs, _function(member)).is_empty()


def _function(member: Member) -> isl.MultiUnionPwAff:
    return isl.MultiUnionPwAff.from_union_pw_aff(member.function)


def at_bands(
    tree: Tree, place: TreePosition, change: Callable[[Band, TreePosition], Tree], *, but: str = ""
) -> Tree:
    """Each band that has no band above it becomes `change` of it and of its place; what is below
    is left to `change`, and what stands below a mark `but` stays as it is. `tree` itself if
    nothing changes."""
    match tree:
        case Leaf():
            return tree
        case Mark(name, child):
            new = child if name == but else at_bands(child, place, change, but=but)
            return tree if new is child else replace(tree, child=new)
        case TreeSequence(children):
            parts = tuple(
                (one, at_bands(old, place.among(one), change, but=but)) for one, old in children
            )
            same = all(new is old for (_, new), (_, old) in zip(parts, children, strict=True))
            return tree if same else replace(tree, children=parts)
        case Band():
            return change(tree, place)


def merge_bands(tree: Tree, place: TreePosition) -> Tree:
    """Nested bands made one permutable band as far as their members commute. The order is the
    same; only more is known of it."""
    return at_bands(tree, place, _merged)


def _merged(band: Band, place: TreePosition) -> Tree:
    members, child = band.members, band.child
    if not band.permutable and len(members) > 1:
        return replace(band, child=merge_bands(child, place.inside(members)))
    while isinstance(child, Band) and all(
        is_forward(place.pending, member) for member in child.members
    ):
        members, child = (*members, *child.members), child.child
    known = _known(members, place)
    return Band(known, merge_bands(child, place.inside(known)), permutable=True)


def nest_of(band: Band) -> tuple[tuple[Member, ...], Tree]:
    """The members of bands directly inside each other, and what is below."""
    members, child = band.members, band.child
    while isinstance(child, Band):
        members, child = (*members, *child.members), child.child
    return members, child


def verify_bands(tree: Tree, place: TreePosition) -> Tree:
    """Bands with what is true of them: a member coincident where it is, a band permutable only
    where it is and the tree says so too."""
    return at_bands(tree, place, _verified)


def _verified(band: Band, place: TreePosition) -> Tree:
    known = _known(band.members, place)
    forward = all(is_forward(place.pending, member) for member in known)
    child = verify_bands(band.child, place.inside(known))
    return Band(known, child, band.permutable and forward)


def _known(members: Sequence[Member], place: TreePosition) -> tuple[Member, ...]:
    return tuple(replace(one, coincident=place.is_coincident(one)) for one in members)
