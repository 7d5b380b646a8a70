"""Loops are what the definitions say, told block by block on small random flow graphs."""

from __future__ import annotations

import pytest
from oracles.random_flow import Edges, flow_of, random_edges, reached

SEEDS = range(100)


def _dominates(edges: Edges, above: int, below: int) -> bool:
    return above == below or below not in reached(edges, 0, above)


def _has_cycle(edges: Edges) -> bool:
    return any(
        start in reached(edges, one) for start, targets in enumerate(edges) for one in targets
    )


def _natural_loops(edges: Edges) -> dict[int, set[int]]:
    """For each header the blocks that reach one of its back edges without coming through it."""
    found: dict[int, set[int]] = {}
    for latch, targets in enumerate(edges):
        for header in targets:
            if _dominates(edges, header, latch):
                body = {n for n in range(len(edges)) if latch in reached(edges, n, header)}
                found.setdefault(header, {header}).update(body)
    return found


def _without_back_edges(edges: Edges) -> Edges:
    return [
        tuple(one for one in targets if not _dominates(edges, one, source))
        for source, targets in enumerate(edges)
    ]


@pytest.mark.parametrize("seed", SEEDS)
def test_loops_are_the_natural_ones_and_what_is_left_of_cycles_is_irreducible(seed: int):
    edges = random_edges(seed)
    flow = flow_of(edges)
    place = {block: n for n, block in enumerate(flow.body.blocks)}
    loops = flow.loops.all_loops()
    natural = _natural_loops(edges)
    assert {place[one.header]: {place[b] for b in one.blocks} for one in loops} == natural
    assert bool(flow.loops.irreducible) == _has_cycle(_without_back_edges(edges))
    for loop in loops:
        around = [one for one in loops if loop.header in one.blocks]
        assert loop.depth == len(around)
        assert all(one.encloses(loop) for one in around)
        latches = {source for source, to in enumerate(edges) if place[loop.header] in to}
        assert {place[one] for one in loop.latches} == latches & natural[place[loop.header]]


def test_there_are_graphs_of_each_kind():
    graphs = [random_edges(seed) for seed in SEEDS]
    assert sum(_has_cycle(_without_back_edges(one)) for one in graphs) > 10
    assert sum(len(_natural_loops(one)) > 1 for one in graphs) > 10
