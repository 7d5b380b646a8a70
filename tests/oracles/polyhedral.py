"""Naive answers for small sizes: every instance is listed, in order, one by one.

Nothing here uses isl's dependence analysis, scheduler or AST generator; isl only lists the points
of finite sets.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import islpy as isl

from polyopt.poly.isl.lists import maps, points, pw_affs, sets
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
    return replace(scop, context=scop.context.intersect(_these(sizes)))


def times(
    schedule: isl.Schedule, sizes: Sizes, only: Iterable[Point] | None = None
) -> dict[Point, tuple[int, ...]]:
    """When `schedule` runs each instance, or `only` these. Node by node, and one instance after the
    other: isl's map of a whole tree holds the pieces of all its bands together, in minutes or
    never."""
    instances = instances_of(schedule.get_domain(), sizes) if only is None else set(only)
    return _times_below(schedule.get_root(), instances, sizes)


def _these(sizes: Sizes) -> isl.Set:
    bounds = " and ".join(f"{name} = {value}" for name, value in sizes.items())
    return isl.Set(f"[{', '.join(sizes)}] -> {{ : {bounds} }}")


def _times_below(
    node: isl.ScheduleNode, instances: set[Point], sizes: Sizes
) -> dict[Point, tuple[int, ...]]:
    """Of the instances that come to the node."""
    kind = isl.schedule_node_type
    match node.get_type():
        case kind.leaf:
            return dict.fromkeys(instances, ())
        case kind.band:
            below = _times_below(node.child(0), instances, sizes)
            members = node.band_get_partial_schedule()
            dates = [values_at(members.get_at(k), instances, sizes) for k in range(len(members))]
            return {one: (*(date[one] for date in dates), *time) for one, time in below.items()}
        case kind.sequence | kind.set:
            found = dict[Point, tuple[int, ...]]()
            for k in range(node.n_children()):
                below = _times_below(node.child(k), instances, sizes)
                found |= {one: (k, *time) for one, time in below.items()}
            return found
        case kind.filter:
            here = inside(node.filter_get_filter(), instances, sizes)
            return _times_below(node.child(0), here, sizes)
        case kind.domain | kind.context | kind.guard | kind.mark:
            return _times_below(node.child(0), instances, sizes)
        case other:
            raise AssertionError(f"no times below a node of kind {other}")


def inside(chosen: isl.UnionSet, instances: set[Point], sizes: Sizes) -> set[Point]:
    """The instances that are in the set."""
    parts = {part.get_tuple_name() or "": bind(part, sizes) for part in sets(chosen)}
    return {
        (name, at)
        for name, at in instances
        if name in parts
        and not parts[name].is_disjoint(isl.Set.from_point(_point(parts[name].get_space(), at)))
    }


def values_at(function: isl.UnionPwAff, instances: set[Point], sizes: Sizes) -> dict[Point, int]:
    """What the function is at each of the instances."""
    found = dict[Point, int]()
    for part in pw_affs(function.intersect_params(_these(sizes))):
        space = part.get_domain_space()
        name = space.get_tuple_name(isl.dim_type.set) or ""
        names = [
            space.get_dim_name(isl.dim_type.param, k) or ""
            for k in range(space.dim(isl.dim_type.param))
        ]
        for one in instances:
            if one[0] == name:
                value = part.eval(_point(space, one[1], [sizes[at] for at in names]))
                found[one] = value.to_python()
    return found


def _point(space: isl.Space, at: Sequence[int], parameters: Sequence[int] = ()) -> isl.Point:
    point = isl.Point.zero(space)
    for kind, values in ((isl.dim_type.param, parameters), (isl.dim_type.set, at)):
        for k, value in enumerate(values):
            point = point.set_coordinate_val(
                kind, k, isl.Val.int_from_si(isl.DEFAULT_CONTEXT, value)
            )
    return point


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
