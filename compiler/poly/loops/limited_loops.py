"""Loops that a small parameter ends show that they are short.

    for (i = 0; i < n; i++) …                                where n is 8 at most
      =>
    if (n == 8) for (i = 0; i < 8; i++) …
    else        for (i = 0; i < min(n, 8); i++) …

What is done to loops later goes by their bounds alone. That a size is the greatest that there may
be is usual: arrays are declared for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import islpy as isl

from polyopt.poly.loops.expressions import add, all_of, compare, evaluate, names_in, substitute
from polyopt.poly.loops.loop_tree import Branch, Const, Expr, Instance, Loop, Min, Name, Node, Sum


def small_parameters(known: isl.Set, largest: int) -> dict[str, int]:
    """{ p: the greatest value that it has in `known` }, of those that are never over `largest`."""
    found = dict[str, int]()
    for place in range(known.dim(isl.dim_type.param)):
        name = known.get_dim_name(isl.dim_type.param, place)
        one = known.from_params().move_dims(isl.dim_type.set, 0, isl.dim_type.param, place, 1)
        most = one.dim_max_val(0)
        if name is not None and most.is_int() and most.to_python() <= largest:
            found[name] = most.to_python()
    return found


def with_limits(nodes: Sequence[Node], most: Mapping[str, int]) -> tuple[Node, ...]:
    """The same for parameters that are no greater than `most` says; where two loops or more, one in
    another, end with them, there is a version for the greatest values too: vectors and tiles of
    registers end with what is left of any other."""
    limited = tuple(_limited(node, most) for node in nodes)
    ends = frozenset[str]().union(*map(_ends, nodes))
    few = {name: limit for name, limit in most.items() if name in ends}
    exact = {name: Const(limit) for name, limit in few.items()}
    if max((_ended(node, few) for node in nodes), default=0) < 2:
        return limited
    tests = [compare(add(Name(name), Const(-one)), is_equality=True) for name, one in few.items()]
    whole = tuple(_with_sizes(node, exact) for node in limited)
    return (Branch(all_of(*tests), whole, limited),)


def are_versions(nodes: Sequence[Node]) -> bool:
    """Whether they are loops for a whole size, and for any."""
    return len(nodes) == 1 and isinstance(nodes[0], Branch) and bool(nodes[0].orelse)


def _limited(node: Node, most: Mapping[str, int]) -> Node:
    match node:
        case Instance():
            return node
        case Branch():
            then = tuple(_limited(one, most) for one in node.then)
            return replace(
                node, then=then, orelse=tuple(_limited(one, most) for one in node.orelse)
            )
        case Loop():
            upper = node.upper
            if _is_size(upper) and names_in(upper) <= most.keys():
                upper = Min((upper, Const(evaluate(upper, most))))
            return replace(node, upper=upper, body=tuple(_limited(one, most) for one in node.body))


def _with_sizes(node: Node, sizes: Mapping[str, Expr]) -> Node:
    match node:
        case Instance():
            return node
        case Branch():
            then = tuple(_with_sizes(one, sizes) for one in node.then)
            orelse = tuple(_with_sizes(one, sizes) for one in node.orelse)
            return replace(node, then=then, orelse=orelse)
        case Loop():
            body = tuple(_with_sizes(one, sizes) for one in node.body)
            lower, upper = substitute(node.lower, sizes), substitute(node.upper, sizes)
            return replace(node, lower=lower, upper=upper, body=body)


def _ends(node: Node) -> frozenset[str]:
    """What ends loops."""
    match node:
        case Instance():
            return frozenset()
        case Branch():
            return frozenset[str]().union(*map(_ends, (*node.then, *node.orelse)))
        case Loop():
            return names_in(node.upper).union(*map(_ends, node.body))


def _ended(node: Node, sizes: Mapping[str, int]) -> int:
    """How many loops in each other the sizes end."""
    match node:
        case Instance():
            return 0
        case Branch():
            return max((_ended(one, sizes) for one in (*node.then, *node.orelse)), default=0)
        case Loop():
            is_ended = bool(names_in(node.upper)) and names_in(node.upper) <= sizes.keys()
            return is_ended + max((_ended(one, sizes) for one in node.body), default=0)


def _is_size(bound: Expr) -> bool:
    """A parameter, or one and a number."""
    match bound:
        case Name() | Sum((Name(), Const())):
            return True
        case _:
            return False
