"""Loops of a few iterations: how many lanes are enough, and which are better off without any."""

from __future__ import annotations

from polyopt.passes.loops.awaited_rows import waits_for_itself
from polyopt.passes.loops.vectors.vector_loop import VectorLoop

_NARROWEST = 16
"""Bytes of the narrowest vectors."""


def enough_lanes(extent: int, lanes: int, element_bytes: int) -> int:
    """For a loop of a few iterations: the lanes of a wider vector would be masked, and added up."""
    least = max(2, _NARROWEST // element_bytes)
    while lanes >= 2 * max(least, extent):
        lanes //= 2
    return lanes


def is_cut_and_awaited(loop: VectorLoop, extent: int | None, lanes: int) -> bool:
    """Is it one vector and a part of one, or that part, and does its next run wait for what is
    stored under the mask?"""
    if extent is None or extent >= 2 * lanes or extent % lanes == 0:
        return False
    return waits_for_itself(loop.loop.op, loop.stores, loop.loads)
