"""Nests with another loop outermost, up or down, so that loops inside commute.

    for l { for i { for k { m[i, i+l] = min(m[i, i+l], m[i, k] + m[k+1, i+l]) } } }
      =>
    for i down { for k { for l { … } } }

By the lengths of intervals, each element waits for a row and a column of shorter ones, and the sum
over k goes down a column. With i outermost, down, all rows below are there, and in a row k and l
commute: along l the accesses lie side by side and nothing is carried. A band as deep as it can be
says nothing of that, since i and l are in it and k is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from polyopt.poly.analysis.permutability import TreePosition, is_forward, nest_of
from polyopt.poly.schedule_tree import Band, Leaf, Member, Tree

MOST_LOOPS = 4
"""Of a nest, each of which is asked about outermost, up and down."""


def interchanged_nests(tree: Tree, place: TreePosition) -> Iterator[Tree]:
    """The orders of the nest in which one of its loops, up or down, is around all others. These
    keep their order, and as many of the inner ones as dependences allow, two at least, are one
    permutable band. None where there are statements between the loops."""
    if not isinstance(tree, Band):
        return
    members, below = nest_of(tree)
    if not isinstance(below, Leaf) or not 2 < len(members) <= MOST_LOOPS:
        return
    for k, first in enumerate(members):
        others = [*members[:k], *members[k + 1 :]]
        for outer in (first, _down(first)):
            if is_forward(place.pending, outer):
                inside = _bands(others, place.inside([outer]))
                if inside is not None:
                    yield Band((outer,), inside, permutable=True)


def _down(member: Member) -> Member:
    return replace(member, function=member.function.neg())


def _bands(members: Sequence[Member], place: TreePosition) -> Tree | None:
    """The loops in their order, the inner ones as one permutable band of at least two; None where
    there is none such, or an outer loop goes backward."""
    for first in range(len(members) - 1):
        around, inner = members[:first], members[first:]
        inside = place.inside(around)
        if all(is_forward(inside.pending, one) for one in inner):
            tree: Tree = Band(tuple(inner), Leaf(), permutable=True)
            for one in reversed(around):
                tree = Band((one,), tree, permutable=True)
            return tree
        if not is_forward(inside.pending, members[first]):
            return None
    return None
