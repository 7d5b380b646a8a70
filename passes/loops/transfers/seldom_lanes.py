"""What a mask of data may leave out for all lanes of a vector runs where it leaves some in.

    m = a[v] < 0                                     m = a[v] < 0
    x = read b[v], y = read c[v]            =>       if any lane of m { x = read b[v]
    write x * y, b[v] masked m                         y = read c[v], write x * y, b[v] masked m }

A condition that hardly ever holds, or holds in stretches, then costs its comparison: neither are
the lines of the other arrays fetched, nor is stored under a mask of no lanes, which cores are slow
at. Where lanes are chosen at random, some nearly always are, and the branch is foreseen.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine, arith, scf, vector
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import IsTerminator

from polyopt.dialects import pvec
from polyopt.dialects.pvec_transfers import ReadOp, WriteOp
from polyopt.ir.effects import is_pure
from polyopt.passes.loops.transfers.meeting import Spot
from polyopt.passes.loops.vector_memory import any_lane

_CHOICES = (arith.AndIOp, arith.OrIOp, arith.XOrIOp)
_COMPARISONS = (arith.CmpfOp, arith.CmpiOp, pvec.CmpfOp, pvec.CmpiOp)


def skip_empty_masks(block: Block) -> None:
    """Requires: writes wait for the end of the block (`sharing.py`). Ensures: each element holds
    the same behind it. Only what reads, too, is worth a branch. The mask whose writes are last
    comes first: of the others, what they need stands in front of the branch that it gets."""
    if not isinstance(block.parent_op(), affine.ForOp):
        return
    writes = _last_writes(block)
    for mask in {op.mask: None for op in reversed(writes) if op.mask is not None}:
        group = [op for op in writes if op.mask is mask]
        if not is_of_data(mask) or not _may_go_together(group, writes):
            continue
        only_here = _only_for(group, mask)
        if any(isinstance(op, ReadOp) for op in only_here):
            _put_under(mask, [*only_here, *group])


def _last_writes(block: Block) -> list[WriteOp]:
    """Those that nothing but the block's end follows, in order."""
    found: list[WriteOp] = []
    op = block.last_op
    while op is not None and (isinstance(op, WriteOp) or op.has_trait(IsTerminator)):
        if isinstance(op, WriteOp):
            found.append(op)
        op = op.prev_op
    return found[::-1]


def is_of_data(mask: SSAValue) -> bool:
    """Of comparisons alone: no lane is left out because the loop ends."""
    owner = mask.owner
    if isinstance(owner, _COMPARISONS):
        return True
    if not isinstance(owner, _CHOICES):
        return False
    sides = [one for one in owner.operands if not _is_constant(one)]
    return bool(sides) and all(map(is_of_data, sides))


def _is_constant(value: SSAValue) -> bool:
    owner = value.owner
    if isinstance(owner, vector.BroadcastOp):
        owner = owner.source.owner
    return isinstance(owner, arith.ConstantOp)


def _may_go_together(group: Sequence[WriteOp], writes: Sequence[WriteOp]) -> bool:
    """To the place of the last of them, over the others."""
    others = [op for op in writes[writes.index(group[0]) :] if op not in group]
    return not any(_may_meet(one, other) for one in group for other in others)


def _may_meet(one: ReadOp | WriteOp, other: ReadOp | WriteOp) -> bool:
    here, there = Spot.of(one), Spot.of(other)
    return here is None or there is None or here.may_meet(there)


def _only_for(group: Sequence[WriteOp], mask: SSAValue) -> list[Operation]:
    """What nothing else needs, in order, of the run of operations in front whose effects are known;
    reads only if they may be as late as the last of the writes."""
    found: set[Operation] = set(group)
    taken: list[Operation] = []
    passed: list[WriteOp] = []
    op: Operation | None = group[-1]
    while (op := op.prev_op) is not None:
        if isinstance(op, WriteOp):
            if op not in found:
                passed.append(op)
            continue
        if not isinstance(op, ReadOp) and (op.regions or not is_pure(op)):
            break
        is_needed_here = op.results and all(
            use.operation in found for one in op.results for use in one.uses
        )
        if not is_needed_here or mask in op.results:
            continue
        if isinstance(op, ReadOp) and any(_may_meet(op, write) for write in passed):
            continue
        found.add(op)
        taken.append(op)
    return taken[::-1]


def _put_under(mask: SSAValue, operations: Sequence[Operation]) -> None:
    """In a conditional at the place of the last of them."""
    last = operations[-1]
    block, behind = last.parent, last.next_op
    assert block is not None
    assert behind is not None
    is_any = any_lane(mask)
    inside = Block()
    for op in operations:
        op.detach()
        inside.add_op(op)
    inside.add_op(scf.YieldOp())
    branch = scf.IfOp(is_any.dest, [], Region(inside))
    for one in (is_any, branch):
        one.location = last.location
    block.insert_ops_before([is_any, branch], behind)
