"""Naive answers for small sizes: every instance is listed, in order, one by one.

Nothing here uses isl's dependence analysis, scheduler or AST generator; isl only lists the points
of finite sets.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import islpy as isl

from polyopt.poly.isl.lists import maps, points, sets
from polyopt.poly.loops.expressions import evaluate, holds
from polyopt.poly.loops.loop_tree import Branch, Instance, Loop, Node
from polyopt.poly.scop import Access, Scop

Sizes = Mapping[str, int]
Point = tuple[str, tuple[int, ...]]
"""A statement instance or an array element: its space's name and its coordinates."""


def bind(value: isl.Set, sizes: Sizes) -> isl.Set:
    """`value` for one choice of its parameters, without parameters."""
    for k in reversed(range(value.dim(isl.dim_type.param))):
        name = value.get_dim_name(isl.dim_type.param, k)
        assert name is not None
        value = value.fix_val(
            isl.dim_type.param, k, isl.Val.int_from_si(isl.DEFAULT_CONTEXT, sizes[name])
        )
        value = value.project_out(isl.dim_type.param, k, 1)
    return value


def coordinates(value: isl.Set, sizes: Sizes) -> list[tuple[int, ...]]:
    bound = bind(value, sizes)
    rank = bound.dim(isl.dim_type.set)
    return [
        tuple(point.get_coordinate_val(isl.dim_type.set, k).to_python() for k in range(rank))
        for point in points(bound)
    ]


def pairs_of(relation: isl.UnionMap, sizes: Sizes) -> set[tuple[Point, Point]]:
    """Every pair of a relation between named spaces."""
    found = set[tuple[Point, Point]]()
    for part in maps(relation):
        source = part.get_tuple_name(isl.dim_type.in_) or ""
        target = part.get_tuple_name(isl.dim_type.out) or ""
        split = part.dim(isl.dim_type.in_)
        for values in coordinates(part.wrap(), sizes):
            found.add(((source, values[:split]), (target, values[split:])))
    return found


def instances_of(domain: isl.UnionSet, sizes: Sizes) -> set[Point]:
    return {
        (part.get_tuple_name() or "", values)
        for part in sets(domain)
        for values in coordinates(part, sizes)
    }


def at_sizes(scop: Scop, sizes: Sizes) -> Scop:
    """The same SCoP, known to run with these sizes only."""
    bounds = " and ".join(f"{name} = {value}" for name, value in sizes.items())
    fixed = isl.Set(f"[{', '.join(sizes)}] -> {{ : {bounds} }}")
    return replace(scop, context=scop.context.intersect(fixed))


def times(schedule: isl.Schedule, sizes: Sizes) -> dict[Point, tuple[int, ...]]:
    """When `schedule` runs each instance."""
    order = schedule.get_map().intersect_domain(schedule.get_domain())
    return {instance: time for instance, (_, time) in pairs_of(order, sizes)}


def execution_order(schedule: isl.Schedule, sizes: Sizes) -> list[Point]:
    """All instances in the order in which `schedule` runs them."""
    when = times(schedule, sizes)
    assert len(set(when.values())) == len(when), "two instances at one time"
    return sorted(when, key=when.__getitem__)


def accesses_of(
    scop: Scop, sizes: Sizes, *, reach: int = 12
) -> dict[Point, list[tuple[Access, Point]]]:
    """Each instance's elements, in the order of its accesses; of the unlimited range that an
    access with an unknown subscript may touch, those from 0 to `reach`."""
    found: dict[Point, list[tuple[Access, Point]]] = defaultdict(list)
    for statement in scop.statements:
        for access in sorted(statement.accesses, key=lambda one: one.position):
            relation = access.relation.intersect_domain(statement.domain)
            if not access.is_must:
                box = isl.Set.universe(relation.get_space().range())
                first, last = (isl.Val.int_from_si(isl.DEFAULT_CONTEXT, v) for v in (0, reach))
                for k in range(relation.dim(isl.dim_type.out)):
                    box = box.lower_bound_val(isl.dim_type.set, k, first)
                    box = box.upper_bound_val(isl.dim_type.set, k, last)
                relation = relation.intersect_range(box)
            for instance, element in sorted(pairs_of(isl.UnionMap.from_map(relation), sizes)):
                found[instance].append((access, element))
    return found


def conflicts(scop: Scop, order: Sequence[Point], sizes: Sizes) -> set[tuple[Point, Point]]:
    """All pairs of instances in `order` that touch one element, one of them writing."""
    accesses = accesses_of(scop, sizes)
    return {
        (first, second)
        for k, second in enumerate(order)
        for first in order[:k]
        if any(
            a_element == b_element and (a.is_write or b.is_write)
            for a, a_element in accesses[first]
            for b, b_element in accesses[second]
        )
    }


def value_flow(scop: Scop, order: Iterable[Point], sizes: Sizes) -> set[tuple[Point, Point]]:
    """{ writer -> reader } by running: each element remembers who may have written it last."""
    accesses = accesses_of(scop, sizes)
    writers: dict[Point, set[Point]] = defaultdict(set)
    flow = set[tuple[Point, Point]]()
    for instance in order:
        for access, element in accesses[instance]:
            if not access.is_write:
                flow |= {(writer, instance) for writer in writers[element]}
        for access, element in accesses[instance]:
            if access.is_write and access.is_must:
                writers[element] = {instance}
            elif access.is_write:
                writers[element].add(instance)
    return flow


def closure(pairs: Iterable[tuple[Point, Point]]) -> set[tuple[Point, Point]]:
    """The transitive closure."""
    after: dict[Point, set[Point]] = defaultdict(set)
    for source, target in pairs:
        after[source].add(target)
    result = set[tuple[Point, Point]]()
    for source in list(after):
        seen = set[Point]()
        todo = list(after[source])
        while todo:
            target = todo.pop()
            if target not in seen:
                seen.add(target)
                todo += after.get(target, ())
        result |= {(source, target) for target in seen}
    return result


def run_loops(nodes: Sequence[Node], sizes: Sizes) -> Iterator[Point]:
    """The instances that a loop tree runs, in its order."""
    for node in nodes:
        match node:
            case Instance(statement, arguments):
                yield statement, tuple(evaluate(one, sizes) for one in arguments)
            case Branch(condition, then, orelse):
                yield from run_loops(then if holds(condition, sizes) else orelse, sizes)
            case Loop():
                first, end = evaluate(node.lower, sizes), evaluate(node.upper, sizes)
                for value in range(first, end, node.step):
                    yield from run_loops(node.body, {**sizes, node.iterator: value})
