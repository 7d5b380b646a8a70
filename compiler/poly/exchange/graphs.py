"""What may be looked at of a SCoP: its statements in their loops, its dependences, its schedule.

scop          the loops of the tree as boxes, in them the statements with domains and accesses
dependences   statements, and an edge for each kind of dependence between two
schedule      the schedule tree, node by node
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, pairwise

import islpy as isl

from polyopt.poly.dependences import Dependences
from polyopt.poly.exchange.dot import Cluster, Edge, Graph, Node
from polyopt.poly.isl.lists import maps, pw_affs, sets
from polyopt.poly.schedule_tree import Band, Leaf, Mark, Member, Sequence, Tree, read_tree
from polyopt.poly.scop import Array, Scop, Statement

COLORS = {"flow": "blue", "anti": "red", "output": "darkgreen", "reduction": "gray"}


def scop_graph(scop: Scop) -> Graph:
    """Raises UnsupportedTree."""
    tree = read_tree(scop.schedule)
    inside = tuple(_members(scop, tree, scop.domain))
    sizes = ", ".join(map(_array, scop.arrays))
    title = f"{scop.name}   {_condition(scop.known)}\n{sizes}"
    return Graph(scop.name, (Cluster(title, inside),), tuple(_sequence_edges(inside)))


def _array(array: Array) -> str:
    return array.name + "".join(f"[{size or ''}]" for size in array.extents)


def _condition(known: isl.Set) -> str:
    """What a set of parameter values says of them, without isl's braces."""
    return str(known).partition(":")[2].strip(" }") or "any sizes"


def _members(scop: Scop, tree: Tree, instances: isl.UnionSet) -> Iterator[Node | Cluster]:
    match tree:
        case Leaf():
            names = {part.get_tuple_name() for part in sets(instances)}
            yield from (_statement(one) for one in scop.statements if one.name in names)
        case Band(members, child):
            title = "\n".join(_function_text(member, instances) for member in members)
            yield Cluster(f"for {title}", tuple(_members(scop, child, instances)))
        case Mark(name, child):
            yield Cluster(f"mark {name}", tuple(_members(scop, child, instances)))
        case Sequence(children):
            for chosen, child in children:
                yield from _members(scop, child, instances.intersect(chosen))


def _statement(statement: Statement) -> Node:
    lines = [f"{statement.name}({', '.join(statement.iterators)})"]
    if statement.span is not None:
        lines.append(str(statement.span))
    lines.append(str(statement.domain))
    for access in sorted(statement.accesses, key=lambda one: one.position):
        kind = ("write" if access.is_write else "read") if access.is_must else "may"
        lines.append(f"{kind:<5} {access.relation}")
    return Node(statement.name, tuple(lines))


def _sequence_edges(members: tuple[Node | Cluster, ...]) -> Iterator[Edge]:
    """In the order in which statements stand in the tree."""
    names = list(dict.fromkeys(_names(members)))
    for first, second in pairwise(names):
        yield Edge(first, second, style="dotted")


def _names(members: tuple[Node | Cluster, ...]) -> Iterator[str]:
    for member in members:
        if isinstance(member, Node):
            yield member.name
        else:
            yield from _names(member.members)


def dependence_graph(scop: Scop, dependences: Dependences) -> Graph:
    nodes = tuple(
        Node(one.name, (one.name, *([str(one.span)] if one.span else [])), "ellipse")
        for one in scop.statements
    )
    kinds = dependences.kinds() | {"reduction": dependences.reduction}
    edges = [
        Edge(
            part.get_tuple_name(isl.dim_type.in_) or "",
            part.get_tuple_name(isl.dim_type.out) or "",
            f"{kind} {_distance(part)}".strip(),
            "dashed" if kind == "reduction" else "",
            COLORS[kind],
        )
        for kind, relation in kinds.items()
        for part in maps(relation)
    ]
    return Graph(scop.name, nodes, tuple(edges))


def _distance(part: isl.Map) -> str:
    """The distance vector, if it is one and the same for all pairs."""
    if part.dim(isl.dim_type.in_) != part.dim(isl.dim_type.out):
        return ""
    untupled = part.reset_tuple_id(isl.dim_type.in_).reset_tuple_id(isl.dim_type.out)
    distances = untupled.deltas().coalesce()
    numbers = [
        distances.plain_get_val_if_fixed(isl.dim_type.set, k)
        for k in range(distances.dim(isl.dim_type.set))
    ]
    if not all(number.is_int() for number in numbers):
        return ""
    return f"({', '.join(str(number) for number in numbers)})"


def schedule_graph(scop: Scop) -> Graph:
    """Raises UnsupportedTree."""
    nodes, edges = list[Node](), list[Edge]()
    fresh = (f"n{number}" for number in count())

    def add(tree: Tree, instances: isl.UnionSet) -> str:
        name = next(fresh)
        match tree:
            case Leaf():
                lines = sorted(str(part) for part in sets(instances))
                nodes.append(Node(name, tuple(lines), style="rounded"))
            case Mark(mark, child):
                nodes.append(Node(name, (f"mark: {mark}",), "note"))
                edges.append(Edge(name, add(child, instances)))
            case Band(members, child, permutable):
                lines = [_function_text(member, instances) for member in members]
                title = "band, permutable" if permutable else "band"
                nodes.append(Node(name, (title, *lines)))
                edges.append(Edge(name, add(child, instances)))
            case Sequence(children, is_ordered):
                nodes.append(Node(name, ("sequence" if is_ordered else "set",), "diamond"))
                for position, (chosen, child) in enumerate(children):
                    below = add(child, instances.intersect(chosen))
                    edges.append(Edge(name, below, str(position)))
        return name

    add(read_tree(scop.schedule), scop.domain)
    return Graph(scop.name, tuple(nodes), tuple(edges))


def _function_text(member: Member, instances: isl.UnionSet) -> str:
    """The functions of the statements that are there, "parallel" where none carries anything."""
    parts = "; ".join(
        str(part).partition("{ ")[2].rpartition(" }")[0]
        for part in pw_affs(member.function.intersect_domain(instances).gist(instances))
    )
    return f"{parts}{'   parallel' if member.coincident else ''}"
