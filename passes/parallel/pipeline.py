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
from polyopt.passes.parallel.code import INDEX, Code, Index
from polyopt.passes.parallel.region import (
    close_loop,
    close_region,
    open_region,
    share_out,
    with_bounds,
)
from polyopt.passes.parallel.work import Work
from polyopt.support.record import record

_LINE = 8
"""Counters in a cache line."""

NOTHING, ALL = -(1 << 63), (1 << 63) - 1


def write_pipeline(
    code: Code, loop: affine.ForOp, steps: affine.ForOp, work: Work, threads: SSAValue
) -> None:
    """`loop` with `steps` in it, row by row in threads, at the end of `code`."""
    rows = Rows.count_them(code, loop, steps, work)
    region = open_region(code, threads)
    inside, number = share_out(region, rows.count, in_turns=True)
    rows.write_one(inside, number)
    close_loop(inside)
    close_region(region)
    rows.close(code)


@record(eq=False)
class Rows:
    """The iterations of `loop`, `count` of them, the first at `lower`; `steps` is in each. In front
    of `counters[k + 1]`, which says how far row k is, there is one that says that all is done."""

    loop: affine.ForOp
    steps: affine.ForOp
    lower: Index
    count: SSAValue
    counters: SSAValue

    @staticmethod
    def count_them(code: Code, loop: affine.ForOp, steps: affine.ForOp, work: Work) -> Rows:
        lower, upper = work.bounds(loop)
        span = code.greatest(code.subtract(upper, lower), 0)
        count = code.index(code.quotient_up(span, loop.step.value.data))
        return Rows(loop, steps, lower, count, _counters(code, count))

    def write_one(self, code: Code, number: SSAValue) -> None:
        """The row of that number, in step with the one before, at the end of `code`; the loop is
        gone. Whoever writes rows runs each in one thread, in increasing order."""
        following = code.index(code.add(number, 1))
        _keep_in_step(self.steps, self.counters, number, following)
        step = self.loop.step.value.data
        start = code.index(code.add(self.lower, code.multiply(number, step)))
        symbol = AffineExpr.symbol(0)
        row = with_bounds(
            self.loop,
            (AffineMapAttr(AffineMap(0, 1, (symbol,))), [start]),
            (AffineMapAttr(AffineMap(0, 1, (symbol + 1,))), [start]),
        )
        code.block.add_op(row)
        all_done = code.index(ALL)
        zero = code.index(0)
        code.block.add_op(team.WaitOp(self.counters, [number, zero], all_done))
        code.block.add_op(team.PostOp(self.counters, [following, zero], all_done))

    def close(self, code: Code) -> None:
        code.block.add_op(memref.DeallocOp.get(self.counters))


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
