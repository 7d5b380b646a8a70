"""Index-set splitting and peeling: some instances of a loop run in a loop of their own.

    split   for i { S }     =>     for i where c(i) { S }  for i where not c(i) { S }
    peel    for i { S }     =>     the first iterations { S }  for the other i { S }

isl's terms: above a band comes a sequence of two filters, and each part may be transformed by
itself (M. Griebl, P. Feautrier, C. Lengauer, Index set splitting, IJPP 2000). Peeling is legal
always; splitting if no dependence goes from the second part to the first.
"""

from __future__ import annotations

import islpy as isl

from polyopt.poly.isl.lists import maps
from polyopt.poly.schedule_tree import Member, Tree, each_apart, joint_function
from polyopt.poly.transform.places import (
    CannotTransform,
    Path,
    instances_at,
    loop_at,
    loops_on,
    replace_at,
)


def split(tree: Tree, loop: Path, domain: isl.UnionSet, first: isl.UnionSet) -> Tree:
    """The loop once for the instances in `first`, then once for the others. `domain` is what the
    whole tree runs. Raises CannotTransform if all or none of the loop's are in `first`."""
    instances = instances_at(tree, loop, domain)
    chosen = instances.intersect(first).coalesce()
    others = instances.subtract(first).coalesce()
    if chosen.is_empty() or others.is_empty():
        share = "none" if chosen.is_empty() else "all"
        raise CannotTransform(f"that holds for {share} of the loop's instances: nothing to split")
    return replace_at(tree, loop, lambda node: each_apart([(chosen, node), (others, node)]))


def peel(tree: Tree, loop: Path, domain: isl.UnionSet, count: int, *, last: bool = False) -> Tree:
    """The first (the last) `count` iterations of the loop apart from the others, wherever the
    loops around it stand."""
    if count < 1:
        raise CannotTransform("peel at least one iteration")
    instances = instances_at(tree, loop, domain)
    outer = [one.member for _, one in loops_on(tree, loop)]
    time = _time(outer, instances), _time([loop_at(tree, loop).member], instances)
    iterations = time[0].reverse().apply_range(time[1])
    if iterations.is_empty():
        raise CannotTransform("the loop never runs: there is nothing to peel")
    (runs,) = maps(iterations)
    width = count * _stride(runs) - 1
    if last:
        end, near = runs.lexmax(), f"{{ [x] -> [y] : x - {width} <= y <= x }}"
    else:
        end, near = runs.lexmin(), f"{{ [x] -> [y] : x <= y <= x + {width} }}"
    peeled = isl.UnionSet.from_set(end.apply_range(isl.Map(near)).intersect(runs).wrap())
    chosen = time[0].range_product(time[1]).intersect_range(peeled).domain()
    return split(tree, loop, domain, instances.subtract(chosen) if last else chosen)


def _time(members: list[Member], instances: isl.UnionSet) -> isl.UnionMap:
    """{ S[i] -> [what the loops count] }."""
    if not members:
        return isl.UnionMap.from_domain_and_range(instances, isl.UnionSet("{ [] }"))
    function = isl.UnionMap.from_multi_union_pw_aff(joint_function(members))
    return function.intersect_domain(instances)


def _stride(runs: isl.Map) -> int:
    """How far apart the iterations are, whatever stands outside."""
    return max(1, runs.get_range_stride_info(0).get_stride().to_python())
