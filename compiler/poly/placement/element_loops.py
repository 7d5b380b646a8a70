"""Loops over the elements of a message, the same order on both sides.

Sender and receiver scan one set, each with its own numbers in it, by increasing subscripts: what
one packs first, the other unpacks first, and nothing but values travels.

The loops are isl's, compared with the set. Where that costs too much, or does not come out right,
they run over a box around the set, and a condition says which elements are in it.
"""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from polyopt.poly.generation.ast_generation import GenerationOptions, generate_loops
from polyopt.poly.generation.executed_set import check_executed
from polyopt.poly.loops.expressions import add, substitute_condition
from polyopt.poly.loops.loop_tree import Branch, Const, Expr, Instance, Loop, Name, Node
from polyopt.poly.loops.subscripts import condition_of
from polyopt.poly.placement.values import value_of
from polyopt.poly.scop import Scop, Statement
from polyopt.support.record import record

_Set, _Param = isl.dim_type.set, isl.dim_type.param

OPERATIONS = 300_000
"""For the loops of one message, and as many to compare them with the set."""


def element_loops(elements: isl.Set, known: isl.Set) -> tuple[Node, ...]:
    """Loops with an instance of the array's name for each element, in the order of subscripts."""
    name = elements.get_tuple_name() or ""
    rank = elements.dim(isl.dim_type.set)
    schedule = by_subscripts(elements)
    iterators = tuple(f"e{k}" for k in range(rank))
    scop = Scop(name, known, (Statement(name, elements, (), (), iterators),), (), schedule)
    nodes = generate_loops(scop, None, schedule, GenerationOptions(operations=OPERATIONS))
    if nodes is not None:
        if check_executed(scop, nodes, None, schedule, operations=OPERATIONS) is None:
            return nodes
    return guarded_box(elements)


def by_subscripts(points: isl.Set) -> isl.Schedule:
    """In increasing order."""
    schedule = isl.Schedule.from_domain(isl.UnionSet.from_set(points))
    if points.dim(isl.dim_type.set) == 0:
        return schedule
    order = isl.MultiAff.identity_on_domain_space(points.get_space())
    order = isl.MultiPwAff.from_multi_aff(order.reset_tuple_id(isl.dim_type.out))
    return schedule.insert_partial_schedule(isl.MultiUnionPwAff.from_multi_pw_aff(order))


def guarded_box(elements: isl.Set) -> tuple[Node, ...]:
    """The same by construction: all elements of a box, each behind the question."""
    name = elements.get_tuple_name() or ""
    rank = elements.dim(isl.dim_type.set)
    names = [f"e{k}" for k in range(rank)]
    places: dict[str, Expr] = {str(k): Name(one) for k, one in enumerate(names)}
    asked = substitute_condition(condition_of(elements), places)
    inside = Instance(name, tuple(Name(one) for one in names))
    nodes: tuple[Node, ...] = (Branch(asked, (inside,)),)
    for k in reversed(range(rank)):
        last = add(value_of(elements.dim_max(k)), Const(1))
        nodes = (Loop(names[k], value_of(elements.dim_min(k)), last, 1, nodes),)
    return nodes


@record(eq=False)
class Stretch:
    """Elements that follow one another in memory, from `first` on, for the parameters `where`."""

    first: tuple[Expr, ...]
    where: isl.Set

    @property
    def asks(self) -> frozenset[str]:
        """The parameters that `where` speaks of."""
        return frozenset(
            self.where.get_dim_name(_Param, k) or "" for k in range(self.where.dim(_Param))
        )


def stretch_of(elements: isl.Set, extents: Sequence[str | None], known: isl.Set) -> Stretch | None:
    """Of whole rows of an array of these extents, which need no packing; None where that is never
    so, or not known. The parameters are asked for what is not `known`, if there are elements."""
    rank = elements.dim(_Set)
    if rank == 0 or len(extents) != rank or None in extents[1:]:
        return None
    points = elements.reset_tuple_id()
    rows = points.project_out(_Set, 1, rank - 1).coalesce()
    hull = rows.simple_hull()
    if hull.dim(isl.dim_type.div):
        return None
    names = [f"e{k}" for k in range(rank)]
    inside = [f"0 <= {one} < {end}" for one, end in zip(names[1:], extents[1:], strict=True)]
    parameters = ", ".join(known.get_dim_name(_Param, k) or "" for k in range(known.dim(_Param)))
    box = isl.Set(f"[{parameters}] -> {{ [{', '.join(names)}] : {' and '.join(inside)} }}")
    stretch = hull.to_set().insert_dims(_Set, 1, rank - 1).intersect(box)
    other = stretch.subtract(points).union(points.subtract(stretch)).params()
    asked = points.params().intersect(known)
    if asked.is_subset(other):
        return None
    where = asked.subtract(other).gist(asked).coalesce().drop_unused_params()
    return Stretch((value_of(rows.dim_min(0)), *[Const(0)] * (rank - 1)), where)
