"""Loops of a few iterations: how many lanes are enough, and which are better off without any."""

from __future__ import annotations

from math import ceil

from xdsl.dialects import affine

from polyopt.dialects.pvec_transfers import ReadOp
from polyopt.ir.affine.affine_nest import enclosing_loops
from polyopt.passes.loops.awaited_rows import waits_for_itself
from polyopt.passes.loops.index_ranges import most_iterations
from polyopt.passes.loops.vectors.just_stored import stores_of
from polyopt.passes.loops.vectors.vector_loop import VectorLoop
from polyopt.support.core_model import CORE
from polyopt.support.target import Target

_NARROWEST = 16
"""Bytes of the narrowest vectors."""


def enough_lanes(loop: VectorLoop, extent: int, lanes: int, target: Target) -> int:
    """For a loop of at most `extent` iterations, which are few: the lanes of a wider vector would
    be masked, and added up. Where a whole line takes as long as two halves, as many as fill vectors
    without a mask, if that takes less: 12 doubles are three times 4."""
    least = max(2, _NARROWEST // loop.element_bytes)
    while lanes >= 2 * max(least, extent):
        lanes //= 2
    if loop.accumulations and extent == lanes >= 2 * least and _is_exact(loop):
        return lanes // 2
    if not target.halves_lines or not _is_exact(loop) or extent > CORE.rows.filled * lanes:
        return lanes
    half = target.lanes(loop.element_bytes) // 2
    fitting = [lanes >> k for k in range(lanes.bit_length()) if lanes >> k >= least]

    def halves(count: int) -> float:
        masks = CORE.rows.mask if extent % count else 0.0
        return ceil(extent / count) * max(1.0, count / half) + masks

    return min(fitting, key=halves, default=lanes)


def _is_exact(loop: VectorLoop) -> bool:
    """Does the loop always go as far as it may?"""
    match loop.loop.lowers, loop.loop.uppers:
        case [lower], [upper]:
            return not (upper - lower).terms
        case _:
            return False


def is_taken_up(loop: VectorLoop, target: Target) -> bool:
    """Does it fill a few whole vectors that the loops behind it load, as vectors? LLVM would fill
    them in halves, and the load of what two stores have left waits until it is in memory."""
    lanes, extent = target.lanes(loop.element_bytes), loop.loop.greatest_extent
    if extent is None or not _is_exact(loop) or extent % lanes:
        return False
    if extent > CORE.rows.filled * lanes or loop.accumulations:
        return False
    filled = {store.memref for store in loop.stores}
    op = loop.loop.op.next_op
    while op is not None:
        if isinstance(op, affine.ForOp) and any(
            isinstance(one, affine.LoadOp | ReadOp) and one.memref in filled for one in op.walk()
        ):
            return True
        op = op.next_op
    return False


def is_cut_and_awaited(loop: VectorLoop, extent: int | None, lanes: int) -> bool:
    """Is it one vector and a part of one, or that part, and does its next run wait for what is
    stored under the mask?"""
    if extent is None or extent >= 2 * lanes or extent % lanes == 0:
        return False
    return waits_for_itself(loop.loop.op, loop.stores, loop.loads)


def is_left_to_llvm(loop: VectorLoop, lanes: int) -> bool:
    """Is it a sum of few terms, which LLVM unrolls and adds to those of what stands around it?

        for j:  for k = 0 to j:  s += L[i, k] * L[j, k]         j is less than the lanes
                L[i, j] = …

    Such are those that fill half a vector, and those that fill none where the loop around stores,
    one by one, what the next run loads: a vector of it waits until all of it is in memory."""
    extent = most_iterations(loop.loop) if loop.accumulations else None
    if extent is None:
        return False
    return 2 * extent <= lanes or (extent < lanes and _loads_what_is_stored_around(loop))


def _loads_what_is_stored_around(loop: VectorLoop) -> bool:
    """Of arrays that it does not add up in: those have forms of their own (`just_stored.py`)."""
    around = enclosing_loops(loop.loop.op)
    added_up = [one.store.memref for one in loop.accumulations]
    loaded = [one.memref for one in loop.loads if one.memref not in added_up]
    return bool(around) and any(one.memref in loaded for one in stores_of(around[-1]))
