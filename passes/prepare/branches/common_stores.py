"""What both arms of a branch store to one place is stored behind them, once.

    if (with > best[c]) { best[c] = with; take[c] = 1; } else take[c] = 0;
    t = with > best[c] ? 1 : 0;  if (with > best[c]) best[c] = with;  take[c] = t;

The values are chosen in front of the branch; what only one arm stores stays in it, and so does what
is loaded behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith, memref
from xdsl.ir import Block, Operation

from polyopt.ir.branches import incoming
from polyopt.ir.effects import is_pure
from polyopt.ir.objects.alias import may_overlap
from polyopt.passes.prepare.branches.hammocks import Hammock, needed_in, place_of


def sink_common_stores(hammock: Hammock, may_move: Callable[[Operation], bool]) -> bool:
    """Whether a store has moved behind the arms; `may_move` says what may run in front of them."""
    if hammock.then is None or hammock.orelse is None or len(incoming(hammock.join)) != 2:
        return False
    arms = (hammock.then, hammock.orelse)
    stores = [_stores_at_end(hammock.arm_ops(arm)) for arm in arms]
    common: list[tuple[memref.StoreOp, memref.StoreOp]] = []
    for one in stores[0]:
        pair = [(one, other) for other in stores[1] if place_of(one) == place_of(other)]
        others = [op for op in (*stores[0], *stores[1]) if op not in (one, *(b for _, b in pair))]
        if len(pair) == 1 and not any(may_overlap(one.memref, op.memref) for op in others):
            common += pair
    is_any = False
    for then, orelse in common:
        needed = [needed_in(op.value, arm) for op, arm in zip((then, orelse), arms, strict=True)]
        places = {value.owner for op in (then, orelse) for value in place_of(op)}
        if any(isinstance(op, Operation) and op.parent in arms for op in places):
            continue
        if any(_loads_behind_stores(ops, arm) for ops, arm in zip(needed, arms, strict=True)):
            continue
        if all(may_move(op) for ops in needed for op in ops):
            _sink(hammock, then, orelse, needed)
            is_any = True
    return is_any


def _stores_at_end(ops: Sequence[Operation]) -> list[memref.StoreOp]:
    """Those that could as well stand behind all that follows them, other ones of these apart."""
    found: list[memref.StoreOp] = []
    staying: list[memref.LoadOp | memref.StoreOp] = []
    for op in reversed(ops):
        if isinstance(op, memref.LoadOp | memref.StoreOp):
            is_free = not any(may_overlap(op.memref, one.memref) for one in staying)
            if isinstance(op, memref.StoreOp) and is_free:
                found.append(op)
            else:
                staying.append(op)
        elif not is_pure(op):
            break
    return found[::-1]


def _loads_behind_stores(ops: Sequence[Operation], arm: Block) -> bool:
    """Whether one of the arm's operations may load what the arm has stored."""
    stores = [op for op in arm.ops if isinstance(op, memref.StoreOp)]
    return any(
        store.is_before_in_block(op) and may_overlap(store.memref, op.memref)
        for op in ops
        if isinstance(op, memref.LoadOp)
        for store in stores
    )


def _sink(
    hammock: Hammock,
    then: memref.StoreOp,
    orelse: memref.StoreOp,
    needed: Sequence[Sequence[Operation]],
) -> None:
    branch, join = hammock.branch, hammock.join
    block, first = branch.parent, join.first_op
    assert block is not None
    assert first is not None
    for op in (one for ops in needed for one in ops):
        op.detach()
        block.insert_op_before(op, branch)
    value = then.value
    if orelse.value is not value:
        chosen = arith.SelectOp(branch.cond, value, orelse.value)
        chosen.location = branch.location
        block.insert_op_before(chosen, branch)
        value = chosen.result
    store = memref.StoreOp.get(value, then.memref, then.indices)
    store.location = then.location
    join.insert_op_before(store, first)
    for op in (then, orelse):
        op.detach()
        op.erase()
