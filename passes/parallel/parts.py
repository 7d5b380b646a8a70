"""A loop's range cut in parts, one for each thread, so that they take equally long.

Part k of p runs from `first(k)` to `first(k + 1)`, with `first(0)` the loop's lower and `first(p)`
its upper bound. Where each iteration takes as long as any other, parts are equally long. Where the
first one takes w and the last one v cycles, and what lies between grows evenly, the share x of the
range that holds the share s of the work is the root of  w x + (v - w) x²/2 = s (w + v)/2.  Parts
are whole numbers of `grain` iterations, but for the last one: two threads shall not write one line.

Roots are computed once, into a table: a thread that computed its end in one way and the next one
its start in another, as fast-math permits, could leave an iteration out.
"""

from __future__ import annotations

from xdsl.dialects import memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Block, SSAValue

from polyopt.passes.parallel.code import INDEX, Amount, Code, Index
from polyopt.support.record import record


@record
class Parts:
    """`count` parts of `lower to upper step step`; `table` holds where they start, None where that
    is computed in integers by whoever asks."""

    lower: Index
    upper: Index
    step: int
    count: SSAValue
    grain: int = 1
    table: SSAValue | None = None

    def first(self, code: Code, part: SSAValue) -> Index:
        """Where part number `part` starts, 0 <= part <= count."""
        if self.table is not None:
            return code.insert(memref.LoadOp.get(self.table, [part]))
        before = code.quotient(code.multiply(part, self.grains(code)), self.count)
        return self.start(code, before)

    def grains(self, code: Code) -> Index:
        """How many grains there are."""
        span = code.greatest(code.subtract(self.upper, self.lower), 0)
        return code.quotient_up(span, self.step * self.grain)

    def start(self, code: Code, grains: Index) -> Index:
        """Where the iterations behind so many grains start."""
        start = code.add(self.lower, code.multiply(grains, self.step * self.grain))
        return code.least(start, code.greatest(self.upper, self.lower))

    def close(self, code: Code) -> None:
        """Give back what the parts are kept in."""
        if self.table is not None:
            code.block.add_op(memref.DeallocOp.get(self.table))


def parts_of_equal_work(code: Code, even: Parts, first: Amount, last: Amount) -> Parts:
    """`even`, cut anew: the first iteration takes `first` cycles, the last one `last`."""
    size = code.add(even.count, 1)
    type_ = MemRefType(INDEX, [DYNAMIC_INDEX])
    alloc = memref.AllocOp([code.index(size)], [], type_)
    alloc.memref.name_hint = "parts"
    table = code.insert(alloc)
    grains = even.grains(code)
    body = Block(arg_types=[INDEX])
    inside = Code(body, code.like)
    part = body.args[0]
    part.name_hint = "part"
    share = inside.ratio(inside.as_amount(part), inside.as_amount(even.count))
    length = _length(inside, share, first, last)
    before = inside.as_index(inside.product(length, inside.as_amount(grains)))
    before = inside.least(inside.greatest(before, 0), grains)
    before = inside.select(inside.equal(part, even.count), grains, before)
    start = even.start(inside, before)
    body.add_op(memref.StoreOp.get(inside.index(start), table, [part]))
    body.add_op(scf.YieldOp())
    code.block.add_op(scf.ForOp(code.index(0), code.index(size), code.index(1), [], body))
    return Parts(even.lower, even.upper, even.step, even.count, even.grain, table)


def _length(code: Code, share: Amount, first: Amount, last: Amount) -> Amount:
    """x = s (w + v) / (w + sqrt(w² + (v - w) s (w + v))), which divides by more than zero where
    there is work at all."""
    wanted = code.product(share, code.sum(first, last))
    inside = code.sum(
        code.product(first, first), code.product(code.difference(last, first), wanted)
    )
    return code.ratio(wanted, code.sum(code.sum(first, code.root(inside)), 1e-9))
