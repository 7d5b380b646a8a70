"""What recurrences cost, one iteration after the other and taken together."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine, arith
from xdsl.ir import Operation, SSAValue

from polyopt.passes.loops.vectors.scan import Scan
from polyopt.support.core_model import CORE
from polyopt.support.target import Target

_LATENCIES: dict[type[Operation], float] = {
    arith.AddfOp: CORE.scans.float_latency,
    arith.SubfOp: CORE.scans.float_latency,
    arith.MulfOp: CORE.scans.float_latency,
    arith.NegfOp: CORE.scans.negation_latency,
    arith.DivfOp: CORE.scans.division_latency,
    arith.MuliOp: CORE.scans.integer_product_latency,
    arith.MaximumfOp: CORE.scans.float_latency,
    arith.MinimumfOp: CORE.scans.float_latency,
    arith.MaxnumfOp: CORE.scans.float_latency,
    arith.MinnumfOp: CORE.scans.float_latency,
}
"""Of all others, a cycle."""


def pays_to_scan(scans: Sequence[Scan], lanes: int, target: Target) -> bool:
    """Do vectors with their steps take less time than one iteration after the other?"""
    return cycles_together(scans, lanes, target) <= CORE.scans.gain * cycles_alone(scans)


def cycles_alone(scans: Sequence[Scan]) -> float:
    """Of an iteration: the longest way from what it takes to what it leaves, or its operations."""
    longest, operations = 0.0, scans[0].operations
    for one in scans:
        since: dict[SSAValue, float] = {load.result: 0.0 for load in one.taken}
        for op in operations:
            known = [since[operand] for operand in op.operands if operand in since]
            if known and op.results:
                since[op.results[0]] = max(known) + latency_of(op)
        longest = max(longest, since.get(one.value, 0.0))
    cells = {op for one in scans if one.is_cell for op in (one.store, *one.loads)}
    busy = sum(1 for op in operations if op not in cells and op.operands)
    return max(longest, (busy + 1) / CORE.scans.issue)


def latency_of(op: Operation) -> float:
    """Cycles until its result is there. A product that a sum takes up is computed with it."""
    if isinstance(op, arith.MulfOp) and op.result.has_one_use():
        (use,) = op.result.uses
        if isinstance(use.operation, (arith.AddfOp, arith.SubfOp)):
            return 0.0
    return _LATENCIES.get(type(op), 1.0)


def cycles_together(scans: Sequence[Scan], lanes: int, target: Target) -> float:
    """The same where lanes are taken together. One unit moves elements from lane to lane, and it
    is one of two for all else; without masks a step takes two operations of it."""
    model, steps = CORE.scans, (lanes - 1).bit_length()
    has_masks = target.vector_bits >= CORE.strided.wide_bits
    each = model.step_under_mask if has_masks else model.step
    moved = combined = 0.0
    for one in scans:
        factors = model.linear if one.has_factor and not one.is_steady else 1.0
        moved += (steps * each + 1.0) * factors
        combined += steps * factors + model.carry
    memory = (affine.LoadOp, affine.StoreOp)
    computed = sum(1 for op in scans[0].operations if op.operands and not isinstance(op, memory))
    return max(moved, (moved + combined + computed) / model.per_cycle) / lanes
