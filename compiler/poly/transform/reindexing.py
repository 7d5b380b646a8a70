"""Skewing, shifting, reversal, scaling: a loop counts by another function of its instances.

    skew      i + c j instead of i        { [i, j] -> [i + c j, j] }
    shift     i + c for one statement     retiming: what ran at i runs at i + c
    reverse   -i                          { [i] -> [-i] }
    scale     c i                         { [i] -> [c i] }, c > 0

isl's terms: a member of a band gets another function. Scaling, and skewing by an outer loop, never
change the order; the others are legal if no dependence goes backward in the new one.
"""

from __future__ import annotations

import islpy as isl

from polyopt.poly.isl.lists import pw_affs
from polyopt.poly.isl.numbers import val
from polyopt.poly.schedule_tree import Tree
from polyopt.poly.transform.places import CannotTransform, Path, SingleLoop, loop_at, replace_loop


def skew(tree: Tree, loop: Path, by: Path, factor: int) -> Tree:
    """`loop` counts f + factor g, where g is what the loop `by` outside or inside of it counts."""
    if loop == by:
        raise CannotTransform("a loop cannot be skewed by itself", "scale multiplies it")
    if factor == 0:
        raise CannotTransform("skewing by 0 changes nothing")
    shorter, longer = sorted((loop, by), key=len)
    if longer[: len(shorter)] != shorter:
        raise CannotTransform("the loops are not inside each other", "fuse joins loops")
    mine, other = loop_at(tree, loop).function, loop_at(tree, by).function
    if not mine.domain().is_subset(other.domain()):
        raise CannotTransform(
            "not every statement in the loop is in the one that it would be skewed by",
            "distribute cuts a loop around several statements apart",
        )
    skewed = mine.add(other.scale_val(val(factor)))
    return replace_loop(tree, loop, lambda one: one.counting(skewed).tree())


def shift(tree: Tree, loop: Path, statement: str, amount: int) -> Tree:
    """The instances of `statement` run `amount` iterations of the loop later."""

    def change(one: SingleLoop) -> Tree:
        shifted = isl.UnionPwAff.empty(one.function.get_space())
        for part in pw_affs(one.function):
            space = part.get_domain_space()
            if space.get_tuple_name(isl.dim_type.set) == statement:
                part = later(part, amount)
            shifted = shifted.union_add(isl.UnionPwAff.from_pw_aff(part))
        return one.counting(shifted).tree()

    return replace_loop(tree, loop, change)


def later(function: isl.PwAff, amount: int) -> isl.PwAff:
    """{ S[i] -> function(i) + amount }"""
    constant = isl.Aff.val_on_domain_space(function.get_domain_space(), val(amount))
    return function.add(isl.PwAff.from_aff(constant))


def reverse(tree: Tree, loop: Path) -> Tree:
    """The loop runs from its last iteration to its first."""
    return replace_loop(tree, loop, lambda one: one.counting(one.function.neg()).tree())


def scale(tree: Tree, loop: Path, factor: int) -> Tree:
    """The loop counts in steps `factor` times as long: room between its iterations for those of
    another that is fused with it."""
    if factor < 1:
        raise CannotTransform("a loop is scaled by a positive factor", "reverse runs it backward")
    value = val(factor)
    return replace_loop(tree, loop, lambda one: one.counting(one.function.scale_val(value)).tree())
