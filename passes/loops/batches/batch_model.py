"""What problems in lanes cost, and what they cost one after the other."""

from __future__ import annotations

from xdsl.dialects.builtin import FixedBitwidthType

from polyopt.dialects.cmem import memref_type
from polyopt.passes.loops.batches.find_batch import Batch
from polyopt.support.core_model import CORE

_DIVIDE = ("arith.divf", "math.sqrt")


def is_worthwhile(batch: Batch, lanes: int, element_bytes: int) -> bool:
    """Do copies and lanes together take less time, and is there room for the copies?"""
    model, problem = CORE.batches, batch.problem
    moved = room = 0
    for array, seen in problem.seen.items():
        if array in batch.private:
            room += len(seen.written)
        elif array in batch.steps and not batch.lies_side_by_side(array):
            moved += len(seen.needed) + len(seen.written)
            room += max(seen.touched) - min(seen.touched) + 1
    if room * lanes * element_bytes > model.most_bytes:
        return False
    operations = sum(problem.counts.values())
    divisions = sum(problem.counts.get(name, 0) for name in _DIVIDE)
    alone = operations / model.per_cycle + problem.runs * model.run + divisions * model.division
    together = (
        operations / model.per_cycle + moved * model.moved + divisions * lanes * model.lane_division
    )
    return together <= model.gain * lanes * alone


def lane_bytes(batch: Batch) -> int:
    """The size of the widest element."""
    types = [memref_type(array).element_type for array in batch.problem.seen]
    return max(one.size for one in types if isinstance(one, FixedBitwidthType))
