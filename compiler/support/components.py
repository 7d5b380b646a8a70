"""Strongly connected components of small graphs, in an order that the edges allow."""

from __future__ import annotations

from collections.abc import Sequence


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
