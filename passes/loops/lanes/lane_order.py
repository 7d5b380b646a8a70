"""What iterations that run in lanes leave to each other: which touch the same memory, and by how
much the lanes are skewed so that each finds what those before it have left."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine
from xdsl.ir import SSAValue

from polyopt.ir.affine.affine_nest import AffineLoop, ElementAccess, is_defined_inside
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import may_meet, subscripts_of
from polyopt.passes.loops.lanes.meetings import Meeting, meeting, meeting_in_row
from polyopt.passes.loops.lanes.serial_loop import (
    Group,
    InTurn,
    LaneByLane,
    SerialLoop,
    accesses_in,
)
from polyopt.support.core_model import CORE


def is_parallel(
    loop: AffineLoop,
    groups: Sequence[Group],
    private: frozenset[SSAValue],
    width: int,
    *,
    but: SerialLoop | None = None,
) -> bool:
    """Does no iteration touch what another one, fewer than `width` on, writes? What the lanes run
    one after the other in their order, they may also pass on; what `but` touches alone is not
    asked."""
    touches = [(op, group) for op, group in accesses_in(groups) if op.memref not in private]
    for number, (source, group) in enumerate(touches):
        for sink, other in touches[number:]:
            if group is other and (group is but or isinstance(group, LaneByLane | InTurn)):
                continue
            if isinstance(source, affine.StoreOp) or isinstance(sink, affine.StoreOp):
                is_before = _is_before_row(source, sink, other) or _is_before_row(
                    sink, source, group
                )
                is_kept = group is not other and _meet_in_later_lane(source, sink, loop)
                if not (is_before or is_kept or _meet_in_one_lane(source, sink, loop, width)):
                    return False
    return True


def least_skew(
    loop: AffineLoop, group: SerialLoop, private: frozenset[SSAValue], width: int
) -> int | None:
    """By how many iterations of `group` each lane waits for the one before it; None: no number
    that lanes may have keeps the order."""
    skew = 0
    touches = [op for op in (*group.loads, *group.stores) if op.memref not in private]
    for source in touches:
        for sink in touches:
            if isinstance(source, affine.LoadOp) and isinstance(sink, affine.LoadOp):
                continue
            ivs = loop.iv, group.loop.iv
            found = meeting(source, sink, ivs)
            if isinstance(found, Meeting):
                if _meet_in_one_lane(source, sink, loop, width):
                    continue
                # In a row that all of them share, the next lane is the one to wait for.
                in_row = meeting_in_row(source, sink, ivs)
                if in_row is None:
                    return None
                found = 1, in_row
            if found is not None and 0 < found[0] < width:
                lanes, iterations = found
                skew = max(skew, -(-(1 - iterations) // lanes))
    return skew if skew <= CORE.lanes.greatest_skew else None


def _is_before_row(source: ElementAccess, sink: ElementAccess, group: Group) -> bool:
    """Does `source` touch an element in front of all those that `sink` does in an inner loop?"""
    if not isinstance(group, SerialLoop) or source.memref is not sink.memref:
        return False
    inner = group.loop
    low, *others = inner.lowers or (Linear(),)
    here, there = subscripts_of(source), subscripts_of(sink)
    if others or here is None or there is None:
        return False
    for one, other in zip(here, there, strict=True):
        behind = other.substitute({inner.iv: low}) - one
        if other.coefficient(inner.iv) > 0 and not behind.terms and behind.constant > 0:
            return True
    return False


def _meet_in_one_lane(
    source: ElementAccess, sink: ElementAccess, loop: AffineLoop, width: int
) -> bool:
    """By a dimension in which only the lane counts, if they meet at all."""
    if not may_meet(source, sink):
        return True
    if source.memref is not sink.memref:
        return False
    for one, other in zip(subscripts_of(source) or (), subscripts_of(sink) or (), strict=True):
        factor, difference = one.coefficient(loop.iv), one - other
        if not factor or difference.terms or _uses_inside(one, loop):
            continue
        distance = abs(difference.constant)
        if distance == 0 or distance % factor or distance >= width * abs(factor):
            return True
    return False


def _meet_in_later_lane(source: ElementAccess, sink: ElementAccess, loop: AffineLoop) -> bool:
    """Is it an earlier iteration whose `source` touches what `sink` does in another one? Of two
    groups, all lanes run the first before the second."""
    if source.memref is not sink.memref:
        return False
    for one, other in zip(subscripts_of(source) or (), subscripts_of(sink) or (), strict=True):
        factor, difference = one.coefficient(loop.iv), one - other
        if factor and not difference.terms and not _uses_inside(one, loop):
            if difference.constant * factor >= 0:
                return True
    return False


def _uses_inside(form: Linear, loop: AffineLoop) -> bool:
    """Does it depend on an iterator of an inner loop?"""
    return any(is_defined_inside(value, loop.op) for value in form.values if value is not loop.iv)
