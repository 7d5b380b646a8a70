"""Lanes that data leave out of a write get back what has been read of them.

    x = read a[v]                                    x = read a[v]
    write y, a[v] masked m                =>         if any lane of m { write m ? y : x, a[v] }

Without registers for masks, a store under one takes as long as several whole ones (Zen 4: 6 to 12
cycles). Elements of one array are either all for writing or none (C11 6.7.3p6), and where a lane
is chosen, they are; what this iteration reads, no other thread may write meanwhile (5.1.2.4p25).
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import affine, scf
from xdsl.ir import Block, Operation, Region, SSAValue

from polyopt.dialects import pvec
from polyopt.dialects.pvec_transfers import ReadOp, WriteOp
from polyopt.ir.effects import is_pure
from polyopt.passes.loops.transfers.meeting import Spot
from polyopt.passes.loops.transfers.seldom_lanes import is_of_data
from polyopt.passes.loops.vector_memory import any_lane


def write_back(block: Block) -> None:
    """Each element holds the same behind each write. Only writes side by side, forward or backward,
    are asked, of which a whole vector has been read by the same iteration."""
    for op in [one for one in block.ops if isinstance(one, WriteOp)]:
        if op.mask is None or not _is_side_by_side(op) or op.nontemporal is not None:
            continue
        held = _what_is_there(op) if is_of_data(op.mask) else None
        if held is not None:
            _write_whole(op, op.mask, held)


def _is_side_by_side(write: WriteOp) -> bool:
    steps = write.distances
    return bool(steps) and abs(steps[-1]) == 1 and not any(steps[:-1])


def _what_is_there(write: WriteOp) -> SSAValue | None:
    """The whole vector that was read of this place, and is still there."""
    spot = Spot.of(write)
    if spot is None:
        return None
    for op in _in_front(write):
        if isinstance(op, ReadOp):
            if op.mask is None and op.result.type == write.value.type and Spot.of(op) == spot:
                return op.result
        elif isinstance(op, WriteOp):
            other = Spot.of(op)
            if other is None or other.may_meet(spot):
                return None
        elif op.regions or not is_pure(op):
            return None
    return None


def _in_front(write: WriteOp) -> Iterator[Operation]:
    """The operations that come before it in its iteration, the nearest first."""
    op: Operation = write
    while not isinstance(op, affine.ForOp):
        while op.prev_op is not None:
            op = op.prev_op
            yield op
        around = op.parent_op()
        if not isinstance(around, scf.IfOp):
            return
        op = around


def _write_whole(op: WriteOp, mask: SSAValue, held: SSAValue) -> None:
    block = op.parent
    assert block is not None
    chosen = pvec.SelectOp(mask, op.value, held)
    whole = WriteOp(chosen.result, op.memref, (op.map, op.indices), op.distances)
    is_any = any_lane(mask)
    branch = scf.IfOp(is_any.dest, [], Region(Block([chosen, whole, scf.YieldOp()])))
    for one in (is_any, branch, chosen, whole):
        one.location = op.location
    block.insert_ops_before([is_any, branch], op)
    block.erase_op(op)
