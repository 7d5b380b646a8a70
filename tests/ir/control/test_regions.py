"""Regions are what the definition says, told block by block on small random flow graphs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from oracles.random_flow import Edges, flow_of, random_edges, reached

from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.regions import FlowRegion, inner_sequences, sequence


def _sequences(
    flow: ControlFlow, within: FlowRegion | None = None
) -> Iterator[tuple[list[FlowRegion], FlowRegion | None]]:
    """All that a function is taken apart into, each with the region that it lies in."""
    if within is None:
        found = [list(sequence(flow, flow.cfg.blocks[0]))]
    else:
        found = list(inner_sequences(flow, within))
    for parts in found:
        yield parts, within
        for part in parts:
            yield from _sequences(flow, part)


def _ways_in(edges: Edges, blocks: set[int]) -> set[int]:
    return {
        to for source, targets in enumerate(edges) if source not in blocks for to in targets
    } & blocks


def _exits(
    edges: Edges, flow: ControlFlow, region: FlowRegion, within: FlowRegion | None
) -> dict[int, set[int]]:
    """Every block to which alone some blocks lead that are entered at the region's entry alone,
    and these blocks. A loop that begins there is among them as a whole, or stands around."""
    place = {block: n for n, block in enumerate(flow.body.blocks)}
    start = place[region.entry]
    loop = flow.loops.innermost(region.entry)
    loops = set[int]()
    if loop is not None and loop.header is region.entry:
        loops = {place[block] for block in loop.blocks}
    inside = set(range(len(edges))) if within is None else {place[b] for b in within.blocks}
    found: dict[int, set[int]] = {}
    for exit in set(range(len(edges))) - {start} - loops:
        blocks = reached(edges, start, exit)
        leaves = {to for one in blocks for to in edges[one]} - blocks
        if leaves == {exit} and all(edges[one] for one in blocks) and blocks <= inside:
            if _ways_in(edges, blocks) <= {start}:
                found[exit] = blocks
    return found


@pytest.mark.parametrize("seed", range(100))
def test_a_region_has_one_way_in_and_one_out_and_is_the_least_that_has(seed: int):
    edges = random_edges(seed)
    flow = flow_of(edges)
    place = {block: n for n, block in enumerate(flow.body.blocks)}
    for parts, within in _sequences(flow):
        for part, following in zip(parts, [*parts[1:], None], strict=True):
            exits = _exits(edges, flow, part, within)
            blocks = {place[block] for block in part.blocks}
            if part.exit is None:
                assert not exits
            else:
                assert exits[place[part.exit]] == blocks
                assert len(blocks) == min(map(len, exits.values()))
            assert following is None or following.entry is part.exit
        together = [block for part in parts for block in part.blocks]
        assert len(together) == len(set(together))
