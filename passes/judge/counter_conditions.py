"""What conditions do to the lanes that LLVM might make of a loop.

Stores that the loop's own counter decides on: LLVM makes both arms in each vector, and that takes
about as long as one iteration after the other (`if (i < m) a[i] += b[i]; else a[i] += c[i];` 0.29
ns, 0.10 as two loops). What is only combined under such conditions, as at the borders of an image,
has lanes under masks, and a condition that holds in all iterations decides nothing.

Variables that are stored on some ways only: where each of two conditions says which half of the
iterations stores, LLVM does not see that one of them holds, and takes what is loaded behind them to
come from iterations before. The source, whose conditions a SCoP has taken apart, has one variable.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from xdsl.dialects import affine, scf
from xdsl.ir import Block, Operation, SSAValue

from polyopt.passes.judge.loop_body import LoopBody

_STORES = ("affine.store", "memref.store")


def stores_by_counter(body: LoopBody, deciding: Collection[Operation]) -> bool:
    """Does one of these conditions say whether moving elements are stored?"""
    return any(
        one is not None and one.is_write and body.moves(one)
        for op in deciding
        for one in map(body.accesses.get, op.walk())
    )


def deciding_conditions(
    loop: affine.ForOp | scf.ForOp, holds_at_ends: Callable[[affine.IfOp], bool]
) -> list[Operation]:
    """Those on the loop's own counter that do not hold in its first and last iteration alike."""
    counter = loop.body.block.args[0]
    return [
        op
        for op in loop.body.walk()
        if isinstance(op, affine.IfOp) and counter in op.args and not holds_at_ends(op)
    ]


def is_left_over(body: LoopBody) -> bool:
    """Is there a variable that is loaded where not each way of the iteration has stored it, and
    some way stores it?"""
    assert body.loop is not None
    written = {one.array for one in body.accesses.values() if one.is_write and not one.subscripts}
    return any(
        not one.is_write and one.array in written and _is_open(one.op, one.array, body.loop)
        for one in body.accesses.values()
        if not one.subscripts
    )


def _is_open(load: Operation, variable: SSAValue, loop: Operation) -> bool:
    """Is what is loaded neither stored for certain before it, nor what the next store of it is made
    of (a sum, a greatest value)?"""
    stores = [
        op
        for op in loop.walk()
        if op.name in _STORES and variable in op.operands and op.parent is not load.parent
    ]
    if not stores:
        return False
    op: Operation | None = load
    while op is not None and op is not loop:
        before = op.prev_op
        while before is not None:
            if _stores(before, variable):
                return False
            before = before.prev_op
        op = op.parent_op()
    return True


def _stores(op: Operation, variable: SSAValue) -> bool:
    """On all ways through it?"""
    if op.name in _STORES:
        return variable in op.operands
    if not isinstance(op, (affine.IfOp, scf.IfOp)):
        return False
    return all(_has_store(region.blocks.first, variable) for region in op.regions)


def _has_store(block: Block | None, variable: SSAValue) -> bool:
    return block is not None and any(_stores(op, variable) for op in block.ops)
