"""Statement domains that are no good loops: scanned by a hull, with the rest as a guard.

isl cuts a domain into disjoint parts to scan it. Where the domain is a union of lattices, such
as { i : i mod 13 = 0 or i mod 7 = 0 or i mod 11 = 0 }, the parts are as many as their least
common multiple, and tiles of them more. Such a statement is given to the generator with a set
around its domain that has no lattices in it,

    domain == hull and guard

and each instance in the generated loops is guarded by `guard`, which is what the programmer
wrote: an `if` around the statement.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import islpy as isl

from polyopt.poly.isl.lists import basic_sets, pieces, pw_affs
from polyopt.poly.loops.ast_conversion import convert_condition
from polyopt.poly.loops.expressions import all_of
from polyopt.poly.loops.loop_tree import Branch, Expr, Instance, Loop, Node
from polyopt.poly.schedule_tree import (
    Band,
    Sequence,
    Tree,
    UnsupportedTree,
    bands,
    build_schedule,
    map_tree,
    read_tree,
)
from polyopt.poly.scop import Scop


def relax_domains(scop: Scop, schedule: isl.Schedule) -> tuple[isl.Schedule, Mapping[str, isl.Set]]:
    """The schedule over hulls of the domains that are unions of lattices, and the guard of each
    statement that was relaxed; the same schedule and no guards where there is none."""
    candidates = {s.name: s.domain for s in scop.statements if _is_union_of_lattices(s.domain)}
    if not candidates:
        return schedule, {}
    try:
        tree = read_tree(schedule)
    except UnsupportedTree:
        return schedule, {}
    domain, guards = schedule.get_domain(), dict[str, isl.Set]()
    everywhere = isl.UnionSet.empty(domain.get_space())
    for name, one in candidates.items():
        hull = _hull(one)
        if hull is None or not (_is_never_cut(tree, one) and _has_functions_everywhere(tree, one)):
            continue
        domain = domain.subtract(_everywhere(one)).union(isl.UnionSet.from_set(hull))
        everywhere = everywhere.union(_everywhere(one))
        guards[name] = one.gist(hull)
    if not guards:
        return schedule, {}
    return build_schedule(domain, _widen(tree, everywhere)), guards


def guard_instances(nodes: tuple[Node, ...], guards: Mapping[str, isl.Set]) -> tuple[Node, ...]:
    """The same loops with each instance of a relaxed statement behind its guard."""
    return tuple(_guard(node, guards) for node in nodes) if guards else nodes


def _guard(node: Node, guards: Mapping[str, isl.Set]) -> Node:
    match node:
        case Loop():
            return replace(node, body=guard_instances(node.body, guards))
        case Branch():
            return replace(
                node,
                then=guard_instances(node.then, guards),
                orelse=guard_instances(node.orelse, guards),
            )
        case Instance(statement, arguments):
            if statement not in guards:
                return node
            return _behind(node, guards[statement], arguments)


def _behind(instance: Instance, guard: isl.Set, arguments: tuple[Expr, ...]) -> Branch:
    """The dimensions of the guard become parameters, whose values are the arguments."""
    names = [f"guarded{k}" for k in range(len(arguments))]
    parameters = guard.get_space().params()
    count = parameters.dim(isl.dim_type.param)
    condition = guard.move_dims(
        isl.dim_type.param, count, isl.dim_type.set, 0, len(arguments)
    ).params()
    for k, name in enumerate(names):
        condition = condition.set_dim_name(isl.dim_type.param, count + k, name)
    build = isl.AstBuild.from_context(isl.Set.universe(condition.get_space()))
    values = dict(zip(names, arguments, strict=True))
    return Branch(all_of(convert_condition(build.expr_from_set(condition), values)), (instance,))


def _is_union_of_lattices(domain: isl.Set) -> bool:
    parts = basic_sets(domain.coalesce())
    return len(parts) > 1 and any(part.dim(isl.dim_type.div) for part in parts)


def _hull(domain: isl.Set) -> isl.Set | None:
    """A set around the domain that has no lattices and is finite, for all values of parameters,
    as the domain is. Mostly a convex one will do; { 0 <= i < n } and { i = 0 : n <= 0 }, which is
    a loop tested at its end, have none with an upper bound, and stay two. A convex hull has only
    bounds that a part has: others may be a whole range of integers away."""
    parts = domain.remove_divs().coalesce()
    convex = isl.Set.from_basic_set(parts.unshifted_simple_hull())
    return next((one for one in (convex, parts) if one.is_bounded()), None)


def _everywhere(domain: isl.Set) -> isl.UnionSet:
    return isl.UnionSet.from_set(isl.Set.universe(domain.get_space()))


def _is_never_cut(tree: Tree, domain: isl.Set) -> bool:
    """No filter of the tree divides the domain, so that all filters can be widened."""
    whole = isl.UnionSet.from_set(domain)
    is_cut = False

    def look(node: Tree) -> Tree:
        nonlocal is_cut
        if isinstance(node, Sequence):
            for instances, _ in node.children:
                part = instances.intersect(whole)
                is_cut |= not part.is_empty() and not whole.is_subset(part)
        return node

    map_tree(tree, look)
    return not is_cut


def _has_functions_everywhere(tree: Tree, domain: isl.Set) -> bool:
    """Each function of a band above the domain is one expression, which has a value outside of the
    domain too."""
    found = [
        function
        for band in bands(tree)
        for member in band.members
        for function in pw_affs(member.function)
        if function.get_domain_space().is_equal(domain.get_space())
    ]
    return all(len(pieces(function)) == 1 for function in found)


def _widen(tree: Tree, everywhere: isl.UnionSet) -> Tree:
    """Each filter that has a relaxed statement's instances gets all of that statement's, and each
    function that is defined for some of them gets its value for the others."""

    def widen(node: Tree) -> Tree:
        match node:
            case Sequence(children):
                wide = tuple(
                    (instances.union(everywhere.intersect(instances.universe())), child)
                    for instances, child in children
                )
                return replace(node, children=wide)
            case Band(members):
                wide = tuple(
                    replace(one, function=_widened(one.function, everywhere)) for one in members
                )
                return replace(node, members=wide)
            case _:
                return node

    return map_tree(tree, widen)


def _widened(function: isl.UnionPwAff, everywhere: isl.UnionSet) -> isl.UnionPwAff:
    result = function.subtract_domain(everywhere)
    for part in pw_affs(function.intersect_domain(everywhere)):
        ((_, value),) = pieces(part)
        result = result.union_add(isl.UnionPwAff.from_pw_aff(isl.PwAff.from_aff(value)))
    return result
