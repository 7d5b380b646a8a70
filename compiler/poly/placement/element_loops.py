"""Loops over the elements of a message, the same order on both sides.

Sender and receiver scan one set, each with its own numbers in it, by increasing subscripts: what
one packs first, the other unpacks first, and nothing but values travels.
"""

from __future__ import annotations

import islpy as isl

from polyopt.poly.generation.ast_generation import generate_loops
from polyopt.poly.generation.executed_set import check_executed
from polyopt.poly.loops.loop_tree import Node
from polyopt.poly.placement.ownership import Unplaceable
from polyopt.poly.scop import Scop, Statement


def element_loops(elements: isl.Set, known: isl.Set) -> tuple[Node, ...]:
    """Loops with an instance of the array's name for each element, in the order of subscripts.
    Raises Unplaceable where none show to be right."""
    name = elements.get_tuple_name() or ""
    order = isl.MultiAff.identity_on_domain_space(elements.get_space())
    domain = isl.UnionSet.from_set(elements)
    schedule = isl.Schedule.from_domain(domain)
    rank = elements.dim(isl.dim_type.set)
    if rank:
        order = isl.MultiPwAff.from_multi_aff(order.reset_tuple_id(isl.dim_type.out))
        function = isl.MultiUnionPwAff.from_multi_pw_aff(order)
        schedule = schedule.insert_partial_schedule(function)
    iterators = tuple(f"e{k}" for k in range(rank))
    scop = Scop(name, known, (Statement(name, elements, (), None, iterators),), (), schedule)
    nodes = generate_loops(scop, None, schedule)
    if nodes is None or check_executed(scop, nodes, None, schedule) is not None:
        raise Unplaceable(f"no loops run over just the elements of '{name}' that are sent")
    return nodes
