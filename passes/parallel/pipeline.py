"""Two loops in threads that stay in step: rows of tiles, each a tile behind the one before.

    for t { for i { tile(t, i) } }      tile (t, i) after (t - 1, j) for all j <= i

Rows are handed out in turns and run in increasing order; a counter for each says how far it is:
all of its tiles below the counter are done. Whoever runs tile i of a row waits until the row before
has passed i; whoever is at the end of a row waits for the end of the row before, so that a counter
that says "all done" says it of all rows before too. The first unfinished row waits for nobody: with
fewer threads than rows, and with one, somebody always gets on. Each counter has a cache line of its
own.
"""

from __future__ import annotations

from xdsl.dialects import affine, arith, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, IntegerAttr, MemRefType, i64
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from polyopt.dialects import team
from polyopt.passes.parallel.code import INDEX, Code
from polyopt.passes.parallel.region import (
    close_loop,
    close_region,
    open_region,
    share_out,
    with_bounds,
)
from polyopt.passes.parallel.work import Work

_LINE = 8
"""Counters in a cache line."""

NOTHING, ALL = -(1 << 63), (1 << 63) - 1


def write_pipeline(
    code: Code, rows: affine.ForOp, steps: affine.ForOp, work: Work, threads: SSAValue
) -> None:
    """`rows` with `steps` in it, row by row in threads, at the end of `code`."""
    lower, upper = work.bounds(rows)
    step = rows.step.value.data
    count = code.index(code.quotient_up(code.greatest(code.subtract(upper, lower), 0), step))
    counters = _counters(code, count)
    region = open_region(code, threads)
    inside, number = share_out(region, count, in_turns=True)
    following = inside.index(inside.add(number, 1))
    _keep_in_step(steps, counters, number, following)
    start = inside.index(inside.add(lower, inside.multiply(number, step)))
    symbol = AffineExpr.symbol(0)
    row = with_bounds(
        rows,
        (AffineMapAttr(AffineMap(0, 1, (symbol,))), [start]),
        (AffineMapAttr(AffineMap(0, 1, (symbol + 1,))), [start]),
    )
    inside.block.add_op(row)
    all_done = inside.index(ALL)
    zero = inside.index(0)
    inside.block.add_op(team.WaitOp(counters, [number, zero], all_done))
    inside.block.add_op(team.PostOp(counters, [following, zero], all_done))
    close_loop(inside)
    close_region(region)
    code.block.add_op(memref.DeallocOp.get(counters))


def _counters(code: Code, rows: SSAValue) -> SSAValue:
    """One for each row, behind one that says that all is done before the first."""
    size = code.index(code.add(rows, 1))
    alloc = memref.AllocOp(
        [size], [], MemRefType(i64, [DYNAMIC_INDEX, _LINE]), IntegerAttr(64, i64)
    )
    alloc.memref.name_hint = "progress"
    counters = code.insert(alloc)
    zero = code.index(0)
    nothing = code.insert(arith.ConstantOp(IntegerAttr(NOTHING, i64)))
    body = Block(arg_types=[INDEX])
    body.add_op(memref.StoreOp.get(nothing, counters, [body.args[0], zero]))
    body.add_op(scf.YieldOp())
    code.block.add_op(scf.ForOp(zero, size, code.index(1), [], body))
    everything = code.insert(arith.ConstantOp(IntegerAttr(ALL, i64)))
    code.block.add_op(memref.StoreOp.get(everything, counters, [zero, zero]))
    return counters


def _keep_in_step(
    steps: affine.ForOp, counters: SSAValue, row: SSAValue, following: SSAValue
) -> None:
    """Wait before each step for the row before to have passed it; say after it that it is done."""
    body = steps.body.block
    iterator, end = body.args[0], body.last_op
    first = body.first_op
    assert end is not None
    assert first is not None
    before, after = Code(Block(), steps), Code(Block(), steps)
    passed = before.index(before.add(iterator, 1))
    zero = before.index(0)
    before.block.add_op(team.WaitOp(counters, [row, zero], passed))
    reached = after.index(after.add(iterator, steps.step.value.data))
    after.block.add_op(team.PostOp(counters, [following, zero], reached))
    _insert(before.block, first)
    _insert(after.block, end)


def _insert(block: Block, place: Operation) -> None:
    for op in list(block.ops):
        op.detach()
        parent = place.parent
        assert parent is not None
        parent.insert_op_before(op, place)
