"""Random changes of schedule trees, legal and illegal."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import islpy as isl

from polyopt.poly.isl.lists import pw_affs
from polyopt.poly.schedule_tree import Band, Leaf, Mark, Member, Sequence, Tree


def mutate(tree: Tree, random: Random) -> Tree:
    """Each node changed with some probability."""
    match tree:
        case Leaf():
            return tree
        case Mark():
            return replace(tree, child=mutate(tree.child, random))
        case Sequence(children):
            parts = [(instances, mutate(child, random)) for instances, child in children]
            if random.random() < 0.2:
                random.shuffle(parts)
            return replace(tree, children=tuple(parts))
        case Band(members, child):
            changed = [replace(one, function=_change(one.function, random)) for one in members]
            below = mutate(child, random)
            if isinstance(below, Band) and random.random() < 0.3:
                return replace(below, child=Band(tuple(changed), below.child))
            if isinstance(below, Band) and random.random() < 0.3:
                skewed = changed[0].function.add(below.members[0].function)
                return Band((Member(skewed),), below)
            return Band(tuple(changed), below)


def _change(function: isl.UnionPwAff, random: Random) -> isl.UnionPwAff:
    """Reversed, scaled, tiled, or shifted statement by statement; often the same."""

    def number(value: int) -> isl.Val:
        return isl.Val.int_from_si(isl.DEFAULT_CONTEXT, value)

    match random.choice(["keep", "keep", "keep", "reverse", "scale", "tile", "shift"]):
        case "reverse":
            return function.neg()
        case "scale":
            return function.scale_val(number(2))
        case "tile":
            return function.scale_down_val(number(2)).floor()
        case "shift":
            shifted = isl.UnionPwAff.empty(function.get_space())
            for part in pw_affs(function):
                constant = isl.Aff.zero_on_domain(
                    isl.LocalSpace.from_space(part.get_domain_space())
                ).set_constant_val(number(random.randint(-1, 2)))
                shifted = shifted.union_add(
                    isl.UnionPwAff.from_pw_aff(part.add(isl.PwAff.from_aff(constant)))
                )
            return shifted
        case _:
            return function
