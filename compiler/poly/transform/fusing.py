"""Fusion: loops that run one after another become one loop, iteration by iteration.

    for i { S }  for i { T }     =>     for i { S; T }

isl's terms: bands under children of one sequence become one band over a sequence. Iterations meet
where both loops count the same value: `shift` and `scale` choose which do. Legal if no dependence
from an earlier loop to a later one goes to a smaller value.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq

import islpy as isl

from polyopt.poly.isl.lists import pw_affs
from polyopt.poly.schedule_tree import Member, Tree, on_statements_of
from polyopt.poly.transform.places import (
    CannotTransform,
    Child,
    Path,
    SingleLoop,
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
    loops = list[SingleLoop]()
    for _, child in parts:
        loop = as_loop(child)
        if loop is None:
            raise CannotTransform("what is to be fused has no loop of its own")
        loops.append(loop)
    instances = [one for one, _ in parts]
    function = joined([loop.function for loop in loops], instances)
    bodies = tuple((one, loop.body) for one, loop in zip(instances, loops, strict=True))
    marks = tuple(name for name in loops[0].marks if all(name in loop.marks for loop in loops))
    return SingleLoop(Member(function), sequence(bodies), marks).tree()


def joined(functions: Seq[isl.UnionPwAff], instances: Seq[isl.UnionSet]) -> isl.UnionPwAff:
    """Each function for its instances. Parts of one statement that count alike stay one piece."""
    pieces = dict[str | None, list[tuple[isl.PwAff, isl.UnionSet]]]()
    for function, one in zip(functions, instances, strict=True):
        for part in pw_affs(on_statements_of(function, one)):
            name = part.get_domain_space().get_tuple_name(isl.dim_type.set)
            pieces.setdefault(name, []).append((part, one))
    joined = isl.UnionPwAff.empty(functions[0].get_space())
    for parts in pieces.values():
        first, _ = parts[0]
        if all(part.plain_is_equal(first) for part, _ in parts):
            joined = joined.union_add(isl.UnionPwAff.from_pw_aff(first))
            continue
        for part, one in parts:
            joined = joined.union_add(isl.UnionPwAff.from_pw_aff(part).intersect_domain(one))
    return joined


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
