"""An innermost loop as several, where what it stores comes from different worlds.

Two stores belong together if one touches memory that the other, or what it is computed from,
may touch too. Loops for each such set of stores may run one after the other, in any order.
"""

from __future__ import annotations

from xdsl.dialects import affine
from xdsl.ir import Operation, OpResult

from polyopt.dialects.loop_facts import NO_FACTS, set_facts
from polyopt.ir.affine.affine_nest import ElementAccess
from polyopt.ir.objects.alias import may_overlap


def split_loop(loop: affine.ForOp) -> list[affine.ForOp]:
    """Detached loops, one for each set of stores that belong together; none if that is one."""
    return [_copy(loop, needed) for needed in _parts(loop)]


def can_be_split(loop: affine.ForOp) -> bool:
    """Whether `split_loop` gives any."""
    return bool(_parts(loop))


def _parts(loop: affine.ForOp) -> list[set[Operation]]:
    """What each of the loops needs of the body."""
    body = list(loop.body.block.ops)
    if loop.inits or any(op.regions for op in body):
        return []
    sets = _sets([_slice(op, loop) for op in body if isinstance(op, affine.StoreOp)])
    return sets if len(sets) > 1 else []


def _slice(store: affine.StoreOp, loop: affine.ForOp) -> set[Operation]:
    """The operations of the body that the store needs, and the store."""
    found: set[Operation] = set()
    pending: list[Operation] = [store]
    while pending:
        op = pending.pop()
        if op in found:
            continue
        found.add(op)
        for operand in op.operands:
            if isinstance(operand, OpResult) and operand.op.parent is loop.body.block:
                pending.append(operand.op)
    return found


def _sets(slices: list[set[Operation]]) -> list[set[Operation]]:
    """Slices that belong together as one, in the order of their first stores."""
    sets: list[set[Operation]] = []
    for one in slices:
        near = [other for other in sets if _meet(one, other)]
        rest = [other for other in sets if other not in near]
        sets = [*rest, one.union(*near)]
    return sets


def _meet(one: set[Operation], other: set[Operation]) -> bool:
    """May one store to what the other touches?"""
    return any(
        (isinstance(a, affine.StoreOp) or isinstance(b, affine.StoreOp))
        and may_overlap(a.memref, b.memref)
        for a in _touches(one)
        for b in _touches(other)
    )


def _touches(operations: set[Operation]) -> list[ElementAccess]:
    return [op for op in operations if isinstance(op, (affine.LoadOp, affine.StoreOp))]


def _copy(loop: affine.ForOp, needed: set[Operation]) -> affine.ForOp:
    copy = loop.clone()
    # What the schedule says of the whole loop may be too little for a part of it.
    set_facts(copy, NO_FACTS)
    pairs = list(zip(loop.body.block.ops, copy.body.block.ops, strict=True))
    for original, op in reversed(pairs):
        if original not in needed and not isinstance(original, affine.YieldOp):
            op.detach()
            op.erase()
    return copy
