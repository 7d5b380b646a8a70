"""Interchange and permutation: the loops of a perfect nest change places.

    for i { for j { S } }     =>     for j { for i { S } }          { [i, j] -> [j, i] }

isl's terms: the members of a chain of bands are permuted. Each place keeps what is around it;
the loops move with their marks. Loops with a sequence between them are no perfect nest:
`distribute` cuts it apart. Legal if no dependence goes backward in the new order.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

from polyopt.poly.schedule_tree import Tree
from polyopt.poly.transform.places import (
    CannotTransform,
    Path,
    as_loop,
    loop_at,
    node_at,
    replace_loop,
)


def interchange(tree: Tree, first: Path, second: Path) -> Tree:
    """The two loops in each other's place."""
    return permute(tree, sorted((first, second), key=len, reverse=True))


def permute(tree: Tree, loops: Seq[Path]) -> Tree:
    """The places of `loops` taken by the same loops in the order in which they are listed,
    outermost first."""
    places = perfect_nest(tree, loops)
    moved = [loop_at(tree, path) for path in loops]
    for place, one in zip(places, moved, strict=True):
        tree = replace_loop(tree, place, lambda old, one=one: replace(one, body=old.body).tree())
    return tree


def perfect_nest(tree: Tree, loops: Seq[Path]) -> list[Path]:
    """The paths of `loops`, outermost first. Raises CannotTransform if they are not different
    loops of one perfect nest."""
    places = sorted(loops, key=len)
    if len(set(places)) < len(places):
        raise CannotTransform("a loop is named twice")
    innermost = places[-1]
    if any(innermost[: len(place)] != place for place in places):
        raise CannotTransform("the loops are not inside each other", "fuse joins loops")
    for depth in range(len(places[0]), len(innermost)):
        if as_loop(node_at(tree, innermost[:depth])) is None:
            raise CannotTransform(
                "something else runs between the loops: they are no perfect nest",
                "distribute cuts a loop around several statements apart",
            )
    return places
