"""Fusion: loops that run one after another become one loop, iteration by iteration.

    for i { S }  for i { T }     =>     for i { S; T }

isl's terms: bands under children of one sequence become one band over a sequence. Iterations meet
where both loops count the same value: `shift` and `scale` choose which do. Legal if no dependence
from an earlier loop to a later one goes to a smaller value.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq

from polyopt.poly.schedule_tree import Member, Tree
from polyopt.poly.transform.places import (
    CannotTransform,
    Child,
    Loop,
    Path,
    as_loop,
    replace_at,
    sequence,
    sequence_at,
    union_of,
)


def fuse(tree: Tree, loops: Seq[Path]) -> Tree:
    """One loop in the place of the first of `loops`, whose body is theirs one after another, in
    the order in which they are listed. What stood between them runs after the new loop."""
    parent = common_sequence(loops)
    around = sequence_at(tree, parent)
    positions = [path[-1] for path in loops]
    parts = tuple(around.children[k] for k in positions)
    children = [child for k, child in enumerate(around.children) if k not in positions]
    children.insert(min(positions), (union_of(parts), _together(parts)))
    return replace_at(tree, parent, lambda _: sequence(tuple(children)))


def _together(parts: tuple[Child, ...]) -> Tree:
    loops = list[Loop]()
    for instances, child in parts:
        loop = as_loop(child)
        if loop is None:
            raise CannotTransform("what is to be fused has no loop of its own")
        loops.append(loop.counting(loop.function.intersect_domain(instances)))
    function = loops[0].function
    for loop in loops[1:]:
        function = function.union_add(loop.function)
    bodies = tuple((one, loop.body) for (one, _), loop in zip(parts, loops, strict=True))
    marks = tuple(name for name in loops[0].marks if all(name in loop.marks for loop in loops))
    return Loop(Member(function.coalesce()), sequence(bodies), marks).tree()


def common_sequence(places: Seq[Path]) -> Path:
    """The path of the sequence whose children all of `places` are."""
    parent = places[0][:-1]
    if any(not path or path[:-1] != parent for path in places):
        raise CannotTransform(
            "these do not run one after another inside the same loops",
            "fuse the loops around them first, or name the outer loops",
        )
    if len(set(places)) < len(places):
        raise CannotTransform("two of the places are one")
    return parent
