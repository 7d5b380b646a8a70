"""What lanes cost, and what the loops cost without."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine, arith, memref
from xdsl.ir import Operation, SSAValue

from polyopt.dialects.pvec_accesses import is_table
from polyopt.ir.affine.affine_nest import ElementAccess
from polyopt.ir.affine.subscripts import stride_of, subscripts_of
from polyopt.ir.expressions.shapes import element_bytes
from polyopt.passes.loops.crowded_lanes import are_crowded
from polyopt.passes.loops.lanes.lane_loop import LaneLoop
from polyopt.passes.loops.lanes.lookups import lookups_in
from polyopt.passes.loops.lanes.serial_loop import LaneByLane, PickedSum, SerialLoop
from polyopt.passes.loops.pieces.parts_model import find_cut
from polyopt.passes.loops.vectors.find_vector_loop import find_scan_loop, find_vector_loop
from polyopt.passes.loops.vectors.scan_model import cycles_together
from polyopt.passes.loops.vectors.strided_model import pays_strided
from polyopt.passes.loops.vectors.vector_loop import VectorLoop
from polyopt.support.core_model import CORE
from polyopt.support.target import Target


def is_worthwhile(found: LaneLoop, lanes: int, rows: int, target: Target) -> bool:
    """Is there a recurrence, and do the inner loops take less time in lanes of vectors, so many
    `rows` of them together, than by themselves? Lanes take as long where there are fewer rows."""
    serial = [
        group
        for group in found.groups
        if isinstance(group, SerialLoop) and not isinstance(group, LaneByLane)
    ]
    if not any(_carried(found, group) for group in serial):
        return False
    there = found.loop.greatest_extent
    used = lanes if there is None else lanes * min(there, rows) / rows
    alone = sum(used * _cycles_alone(found, group, target) for group in serial)
    together = sum(_cycles_of_rows(found, group, lanes, target, rows) for group in serial)
    return together <= CORE.lanes.gain * alone


def _cycles_of_rows(
    found: LaneLoop, group: SerialLoop, lanes: int, target: Target, rows: int
) -> float:
    """Of an iteration of `lanes` rows among so many `rows` that run together. At the ends of these
    some are not there yet, or no more: short rows take more steps than they have iterations. So
    they do where each begins or ends further on than the one before, as windows along the lanes."""
    each, extent = _cycles_together(found, group, lanes), group.loop.greatest_extent
    bounds = (*(group.loop.lowers or ()), *(group.loop.uppers or ()))
    later = (abs(form.coefficient(found.loop.iv) + found.skew) for form in bounds)
    ends = max(found.skew, *later) * (rows - 1)
    if not ends or not extent:
        return each
    steps = extent + ends
    is_free = target.has_mask_registers
    masked = 0.0 if is_free else lanes * len(_touched(found, group)) * CORE.lanes.masked
    return (each * steps + masked * min(2 * ends, steps)) / extent


def _carried(found: LaneLoop, group: SerialLoop) -> list[affine.LoadOp]:
    """The loads that take what earlier iterations have stored."""
    reuses = found.reuses(group)
    stored = {store.memref for store in group.stores} & found.private
    held = found.accumulators(group)
    return [
        load
        for load in group.loads
        if load.memref in stored
        or load in held
        or (load in reuses and reuses[load].source in group.stores and not reuses[load].lanes)
    ]


def _cycles_alone(found: LaneLoop, group: SerialLoop, target: Target) -> float:
    """An iteration as it is: as long as the way from what it takes from earlier ones to what it
    gives to later ones, or as all its operations take; less where vectors along the loop, or of a
    part of what it does, pay."""
    if isinstance(group, PickedSum):
        return _cycles_picked(group, target)
    since: dict[SSAValue, float] = {load.result: 0.0 for load in _carried(found, group)}
    longest = 0.0
    for op in group.operations:
        known = [since[operand] for operand in op.operands if operand in since]
        if isinstance(op, affine.StoreOp):
            longest = max(longest, *known) if known else longest
        elif known and not isinstance(op, affine.LoadOp):
            since |= {result: max(known) + _latency(op) for result in op.results}
    alone = max(longest, len(group.operations) / CORE.lanes.per_cycle)
    along = find_scan_loop(group.loop.op)
    if along is None and (found_along := _looked_up_along(group, target)) is not None:
        return alone / target.lanes(found_along.element_bytes)
    if along is None:
        cut = find_cut(group.loop.op, target, CORE.parts.strip)
        return alone if cut is None else min(alone, cut.cycles)
    own = target.lanes(along.element_bytes)
    return min(alone, cycles_together(along.scans, own, target)) if own > 1 else alone


def _cycles_picked(group: PickedSum, target: Target) -> float:
    """In vectors along the loop: what is picked out of n vectors takes n - 1 shuffles, and lanes
    become one number at the end (bodies of a mass and three coordinates in floats, 400 x 400, Zen
    3: 17 of 27 cycles for a vector of each are shuffles; in lanes around it takes 10)."""
    along = find_vector_loop(group.loop.op)
    assert along is not None
    lanes = target.lanes(along.element_bytes)
    shuffles = sum(abs(stride_of(op, group.loop) or 1) - 1 for op in along.picked)
    ends = CORE.strided.lanes_to_one * len(along.accumulations)
    extent = group.loop.greatest_extent
    each = (len(group.operations) / CORE.lanes.per_cycle + shuffles) / lanes
    return each + CORE.lanes.divisions * _divisions(group) + (ends / extent if extent else 0.0)


def _looked_up_along(group: SerialLoop, target: Target) -> VectorLoop | None:
    """Vectors along the loop that look up all bytes of their lanes at once."""
    lookups = lookups_in(group)
    if not lookups or not all(is_table(op.memref.type) for op in lookups):
        return None
    found = find_vector_loop(group.loop.op, is_strided=True)
    return found if found is not None and pays_strided(found, target) else None


def _latency(op: Operation) -> float:
    """A product that a sum takes up is computed with it."""
    if isinstance(op, arith.DivfOp):
        return CORE.lanes.division_latency
    if isinstance(op, arith.MulfOp):
        users = [use.operation for use in op.result.uses]
        if len(users) == 1 and isinstance(users[0], arith.AddfOp | arith.SubfOp):
            return 0.0
    return CORE.lanes.latency


def _cycles_together(found: LaneLoop, group: SerialLoop, lanes: int) -> float:
    streams = found.streams(group)
    strided = sum(
        CORE.lanes.transposed
        if op in streams
        else _cycles_per_lane(op, found.steps(op, group.loop))
        for op in _touched(found, group)
    )
    strided += sum(map(_cycles_of_lookup, lookups_in(group)))
    return (
        lanes * strided
        + CORE.lanes.divisions * lanes * _divisions(group)
        + len(group.operations) / CORE.lanes.per_cycle
    )


def _divisions(group: SerialLoop) -> int:
    return sum(isinstance(op, arith.DivfOp) for op in group.operations)


def _cycles_of_lookup(op: memref.LoadOp) -> float:
    """For each lane. No machine gathers bytes and shorts."""
    size = element_bytes(op.res.type) or 8
    return CORE.lanes.strided if size >= 4 else CORE.lanes.looked_up_singly


def _touched(found: LaneLoop, group: SerialLoop) -> list[affine.LoadOp | affine.StoreOp]:
    """What is loaded and stored in each step."""
    reused, held = found.reuses(group), found.accumulators(group)
    return [
        op
        for op in (*group.loads, *group.stores)
        if op not in reused and op not in held and not _stands_still(op, group)
    ]


def _stands_still(op: affine.LoadOp | affine.StoreOp, group: SerialLoop) -> bool:
    """Is it loaded in front of the loop, for steps so many that once is nothing?"""
    extent, forms = group.loop.greatest_extent, subscripts_of(op)
    return (
        isinstance(op, affine.LoadOp)
        and (extent is None or extent >= CORE.registers.standing)
        and forms is not None
        and not any(form.uses([group.loop.iv]) for form in forms)
        and not any(store.memref is op.memref for store in group.stores)
    )


def _cycles_per_lane(op: ElementAccess, steps: Sequence[int]) -> float:
    """Beside what a vector access takes; `steps` of the subscripts from lane to lane."""
    if not steps or not (any(steps[:-1]) or abs(steps[-1]) > 1):
        return 0.0
    return CORE.lanes.crowded if are_crowded(op.memref, steps) else CORE.lanes.strided
