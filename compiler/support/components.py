"""Strongly connected components: of small graphs, in an order that the edges allow, and which nodes
of a large one lie on cycles."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def ordered_components(edges: Sequence[Sequence[bool]]) -> list[tuple[int, ...]]:
    """The strongly connected components of the graph with an edge from a to b where
    `edges[a][b]`: each after those that it depends on, else in the order of their first node."""
    reaches = _closure(edges)
    nodes = range(len(edges))
    components, placed = list[tuple[int, ...]](), set[int]()
    while len(placed) < len(edges):
        for first in nodes:
            needed = {k for k in nodes if reaches[k][first]} - placed
            if first not in placed and all(reaches[first][k] for k in needed):
                break
        else:
            raise AssertionError("components have no cycle")
        component = tuple(sorted(needed | {first}))
        components.append(component)
        placed |= set(component)
    return components


def _closure(edges: Sequence[Sequence[bool]]) -> list[list[bool]]:
    closed = [list(row) for row in edges]
    for middle in range(len(closed)):
        for row in closed:
            if row[middle]:
                row[:] = [one or other for one, other in zip(row, closed[middle], strict=True)]
    return closed


def on_cycles(nodes: Iterable[Node], targets: Callable[[Node], Iterable[Node]]) -> set[Node]:
    """Those of the nodes, and of what they lead to, that lead to themselves, in linear time (R.
    Tarjan: "Depth-First Search and Linear Graph Algorithms", SIAM J. Comput. 1, 1972): those of
    strongly connected components other than single nodes without an edge to themselves."""
    found: set[Node] = set()
    number: dict[Node, int] = {}
    least: dict[Node, int] = {}
    open_nodes: list[Node] = []
    is_open: set[Node] = set()
    for start in nodes:
        path: list[tuple[Node, Iterator[Node]]] = []
        if start not in number:
            path.append((start, iter(targets(start))))
        while path:
            node, ahead = path[-1]
            if node not in number:
                number[node] = least[node] = len(number)
                open_nodes.append(node)
                is_open.add(node)
            for target in ahead:
                if target not in number:
                    path.append((target, iter(targets(target))))
                    break
                if target in is_open:
                    least[node] = min(least[node], number[target])
            else:
                path.pop()
                if path:
                    above = path[-1][0]
                    least[above] = min(least[above], least[node])
                if least[node] == number[node]:
                    component = [open_nodes.pop()]
                    while component[-1] is not node:
                        component.append(open_nodes.pop())
                    is_open.difference_update(component)
                    if len(component) > 1 or node in targets(node):
                        found.update(component)
    return found
