"""Loops joined to bands: what a tree of single loops says of order, and what is known of it.

Neighbouring loops with the same marks become one permutable band as far as no dependence that is
left there goes backward along any of them; a member along which none goes anywhere is coincident.
The order is the same.
"""

from __future__ import annotations

from dataclasses import replace

from polyopt.poly.analysis.permutability import TreePosition, is_coincident, is_forward
from polyopt.poly.schedule_tree import Band, Leaf, Member, Sequence, Tree
from polyopt.poly.transform.places import SingleLoop, as_loop


def join_loops(tree: Tree, place: TreePosition) -> Tree:
    """`tree` is legal and of single loops; `place` is where it stands."""
    if isinstance(tree, Leaf):
        return tree
    if isinstance(tree, Sequence):
        children = tuple((one, join_loops(child, place.among(one))) for one, child in tree.children)
        return replace(tree, children=children)
    loop = as_loop(tree)
    assert loop is not None
    members, body = [loop.member], loop.body
    while (inner := _next(loop, body, place)) is not None:
        members.append(inner.member)
        body = inner.body
    known = tuple(Member(one.function, is_coincident(place.pending, one)) for one in members)
    band: Tree = Band(known, join_loops(body, place.inside(known)), permutable=True)
    return loop.marked(band)


def _next(loop: SingleLoop, body: Tree, place: TreePosition) -> SingleLoop | None:
    """The loop that is all of `body`, if it may be in one band with `loop`."""
    inner = as_loop(body)
    if inner is None or inner.marks != loop.marks or not is_forward(place.pending, inner.member):
        return None
    return inner
