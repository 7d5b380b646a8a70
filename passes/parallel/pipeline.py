"""Two loops in threads that stay in step: rows of tiles, each a tile behind the one before.

    for t { for i { tile(t, i) } }      tile (t, i) after (t - 1, j) for all j <= i

Rows are handed out in turns and run in increasing order; a counter for each says how far it is:
all of its tiles below the counter are done. Whoever runs tile i of a row waits until the row before
has passed i; whoever is at the end of a row waits for the end of the row before, so that a counter
that says "all done" says it of all rows before too. The first unfinished row waits for nobody: with
fewer threads than rows, and with one, somebody always gets on. Each counter has a cache line of its
own.

Where a step is a stretch of memory's rows, whoever runs it fetches lines behind its end. Right
behind the row before, these are what that one writes, and has to get back each time: there, the row
before has to have passed some steps more (`apart_by`), if rows are long enough for that.
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
from polyopt.passes.parallel.traffic import bytes_of_a_step
from polyopt.passes.parallel.work import Work
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.target import LINE_BYTES

_LINE = 8
"""Counters in a cache line."""

NOTHING, ALL = -(1 << 63), (1 << 63) - 1


def write_pipeline(
    code: Code, loop: affine.ForOp, steps: affine.ForOp, work: Work, threads: SSAValue
) -> None:
    """`loop` with `steps` in it, row by row in threads, at the end of `code`."""
    rows = Rows.count_them(code, loop, steps, work, threads)
    region = open_region(code, threads)
    inside, number = share_out(region, rows.count, in_turns=True)
    rows.write_one(inside, number)
    close_loop(inside)
    close_region(region)
    rows.close(code)


@record(eq=False)
class Rows:
    """The iterations of `loop`, `count` of them, the first at `lower`; `steps` is in each. In front
    of `counters[k + 1]`, which says how far row k is, there is one that says that all is done. The
    row before has passed a step and `apart` more of its iterator before it is run."""

    loop: affine.ForOp
    steps: affine.ForOp
    lower: Index
    count: SSAValue
    counters: SSAValue
    apart: Index

    @staticmethod
    def count_them(
        code: Code, loop: affine.ForOp, steps: affine.ForOp, work: Work, threads: SSAValue
    ) -> Rows:
        lower, upper = work.bounds(loop)
        span = code.greatest(code.subtract(upper, lower), 0)
        count = code.index(code.quotient_up(span, loop.step.value.data))
        apart = apart_by(code, loop, steps, work, threads)
        return Rows(loop, steps, lower, count, _counters(code, count), apart)

    def write_one(self, code: Code, number: SSAValue) -> None:
        """The row of that number, in step with the one before, at the end of `code`; the loop is
        gone. Whoever writes rows runs each in one thread, in increasing order."""
        following = code.index(code.add(number, 1))
        step = self.loop.step.value.data
        start = code.index(code.add(self.lower, code.multiply(number, step)))
        _keep_in_step(self, number, following, self._apart_in(code, start))
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

    def _apart_in(self, code: Code, start: Index) -> Index:
        """What a row stays apart: of a short one, a part of it."""
        if self.apart == 0:
            return 0
        length = Work(code, self.loop, 1).length_in(self.loop, start, self.steps)
        if length is None:
            return self.apart
        return code.least(self.apart, code.quotient(length, CORE.threads.apart_in_row))

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


def apart_by(
    code: Code, loop: affine.ForOp, steps: affine.ForOp, work: Work, threads: SSAValue
) -> Index:
    """How far rows stay apart, in the iterator of `steps`: as many of them as are fetched ahead,
    as far as it is little of the time that the last thread waits for its first step."""
    length = bytes_of_a_step(loop, steps)
    if length is None:
        return 0
    ahead = -(-int(CORE.threads.fetched_ahead) * LINE_BYTES // length)
    count, each = work.trips([loop, steps])
    all_ = code.product(count, each)
    used = code.as_amount(code.multiply(threads, threads))
    most = code.as_index(code.ratio(code.product(all_, CORE.threads.apart), used))
    return code.multiply(code.least(most, ahead), steps.step.value.data)


def _keep_in_step(rows: Rows, row: SSAValue, following: SSAValue, apart: Index) -> None:
    """Wait before each step for the row before to have passed it, and what lies between the rows;
    say after it that it is done."""
    steps, counters = rows.steps, rows.counters
    body = steps.body.block
    iterator, end = body.args[0], body.last_op
    first = body.first_op
    assert end is not None
    assert first is not None
    before, after = Code(Block(), steps), Code(Block(), steps)
    passed = before.index(before.add(iterator, before.add(apart, 1)))
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
