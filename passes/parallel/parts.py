"""A loop's range cut in parts, one for each thread, so that they take equally long.

Part k of p runs from `first(k)` to `first(k + 1)`, with `first(0)` the loop's lower and `first(p)`
its upper bound. Where each iteration takes as long as any other, parts are equally long. Where it
depends on the iteration, a few of them are asked, evenly spread (triangles grow from nothing,
tetrahedra do so quadratically, bands and what is skewed grow and shrink again); between two of them
the cycles grow evenly from w to v, and the share x of that segment that holds the share s of its
work is the root of  w x + (v - w) x²/2 = s (w + v)/2.

Parts start at multiples of `grain` (of the iterator, where the step is 1), but for the first one:
two threads shall not write one line.

Starts are computed once, into a table: a thread that computed its end in one way and the next one
its start in another, as fast-math permits, could leave an iteration out.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, f64
from xdsl.ir import Block, SSAValue

from polyopt.dialects import team
from polyopt.passes.parallel.code import INDEX, Amount, Code, Index
from polyopt.support.core_model import CORE
from polyopt.support.record import record


@record
class Parts:
    """`count` parts of `lower to upper step step`; `table` holds where they start, None where that
    is computed in integers by whoever asks. `grain` is a power of two."""

    lower: Index
    upper: Index
    step: int
    count: SSAValue
    grain: int = 1
    table: SSAValue | None = None

    def first(self, code: Code, part: SSAValue) -> Index:
        """Where part number `part` starts, 0 <= part <= count + 1: nothing is in part `count`."""
        if self.table is not None:
            return code.insert(memref.LoadOp.get(self.table, [part]))
        before = code.quotient(code.multiply(part, self.grains(code)), self.count)
        return self.start(code, before)

    def share(self, code: Code, part: SSAValue) -> team.ShareOp:
        """Where the part starts and ends, and of which range it is a part."""
        following = code.index(code.add(part, 1))
        start, end = (code.index(self.first(code, one)) for one in (part, following))
        share = team.ShareOp((start, end), (code.index(self.lower), code.index(self.upper)))
        code.insert(share)
        return share

    def grains(self, code: Code) -> Index:
        """How many grains there are, those at the ends that are not whole among them."""
        span = code.greatest(code.subtract(self.upper, self._base(code)), 0)
        return code.quotient_up(span, self.step * self.grain)

    def start(self, code: Code, grains: Index) -> Index:
        """Where the iterations behind so many grains start."""
        start = code.add(self._base(code), code.multiply(grains, self.step * self.grain))
        end = code.greatest(self.upper, self.lower)
        return code.least(code.greatest(start, self.lower), end)

    def _base(self, code: Code) -> Index:
        """Where the grain that the first iteration is in starts."""
        if self.grain == 1 or self.step != 1:
            return self.lower
        return code.rounded_down(self.lower, self.grain)

    def close(self, code: Code) -> None:
        """Give back what the parts are kept in."""
        if self.table is not None:
            code.block.add_op(memref.DeallocOp.get(self.table))


CyclesAt = Callable[[Code, Index], Amount]
"""Written at the end of the code: the cycles of the iteration."""


def parts_of_equal_work(code: Code, even: Parts, cycles: CyclesAt) -> Parts:
    """`even`, cut anew, by the cycles of some iterations, none of which is negative."""
    size = code.add(even.count, 2)
    type_ = MemRefType(INDEX, [DYNAMIC_INDEX])
    alloc = memref.AllocOp([code.index(size)], [], type_)
    alloc.memref.name_hint = "parts"
    table = code.insert(alloc)
    profile = _Profile.measure(code, even, cycles)
    grains = even.grains(code)

    zero = code.index(0)
    code.block.add_op(memref.StoreOp.get(code.index(even.start(code, 0)), table, [zero]))

    def fill(inside: Code, part: SSAValue) -> None:
        following = inside.index(inside.add(part, 1))
        share = inside.ratio(inside.as_amount(following), inside.as_amount(even.count))
        length = profile.length_of(inside, share)
        before = inside.as_index(inside.product(length, inside.as_amount(grains)))
        before = inside.least(inside.greatest(before, 0), grains)
        before = inside.select(inside.equal(following, even.count), grains, before)
        last = inside.insert(memref.LoadOp.get(table, [part]))
        start = inside.index(inside.greatest(even.start(inside, before), last))
        inside.block.add_op(memref.StoreOp.get(start, table, [following]))

    _count(code, even.count, "part", fill)
    end = code.insert(memref.LoadOp.get(table, [code.index(even.count)]))
    behind = code.index(code.add(even.count, 1))
    code.block.add_op(memref.StoreOp.get(end, table, [behind]))
    return Parts(even.lower, even.upper, even.step, even.count, even.grain, table)


@record
class _Profile:
    """`cycles[k]` are those of the iteration at k segments from the first; `before[k]` those of all
    segments before, in units of a segment's iterations."""

    cycles: SSAValue
    before: SSAValue

    @staticmethod
    def measure(code: Code, parts: Parts, cycles: CyclesAt) -> _Profile:
        at, before = _amounts(code, "cycles"), _amounts(code, "before")
        one_less = code.subtract(code.subtract(parts.upper, 1), parts.lower)
        longest = code.greatest(one_less, 0)

        def ask(inside: Code, segment: SSAValue) -> None:
            behind = inside.quotient(inside.multiply(segment, longest), CORE.threads.segments)
            amount = inside.amount(cycles(inside, inside.add(parts.lower, behind)))
            inside.block.add_op(memref.StoreOp.get(amount, at, [segment]))

        def add_up(inside: Code, segment: SSAValue) -> None:
            sofar = inside.insert(memref.LoadOp.get(before, [segment]))
            ends = inside.sum(*_ends(inside, at, segment))
            total = inside.amount(inside.sum(sofar, inside.product(ends, 0.5)))
            following = inside.index(inside.add(segment, 1))
            inside.block.add_op(memref.StoreOp.get(total, before, [following]))

        _count(code, code.index(CORE.threads.segments + 1), "segment", ask)
        zero = code.index(0)
        code.block.add_op(memref.StoreOp.get(code.amount(0.0), before, [zero]))
        _count(code, code.index(CORE.threads.segments), "segment", add_up)
        return _Profile(at, before)

    def length_of(self, code: Code, share: Amount) -> Amount:
        """The share of the range, from its start, that takes this share of the cycles."""
        all_ = code.insert(memref.LoadOp.get(self.before, [code.index(CORE.threads.segments)]))
        wanted = code.product(share, all_)
        segment = self._segment_of(code, wanted)
        before = code.insert(memref.LoadOp.get(self.before, [segment]))
        first, last = _ends(code, self.cycles, segment)
        within = _length(code, code.difference(wanted, before), first, last)
        whole = code.as_amount(segment)
        return code.product(code.sum(whole, within), 1.0 / CORE.threads.segments)

    def _segment_of(self, code: Code, cycles: Amount) -> SSAValue:
        """The last one that starts with fewer cycles behind it, or the first one."""
        body = Block(arg_types=[INDEX, INDEX])
        segment, found = body.args
        inside = Code(body, code.like)
        before = inside.insert(memref.LoadOp.get(self.before, [segment]))
        test = inside.insert(arith.CmpfOp(before, inside.amount(cycles), "olt"))
        body.add_op(scf.YieldOp(inside.select(test, segment, found)))
        ends = (code.index(0), code.index(CORE.threads.segments), code.index(1))
        return code.insert(scf.ForOp(*ends, [code.index(0)], body))


def _amounts(code: Code, name: str) -> SSAValue:
    alloca = memref.AllocaOp.get(f64, shape=[CORE.threads.segments + 1])
    alloca.memref.name_hint = name
    return code.insert(alloca)


def _ends(code: Code, amounts: SSAValue, segment: SSAValue) -> tuple[Amount, Amount]:
    """What is at the two ends of the segment."""
    following = code.index(code.add(segment, 1))
    first, last = (memref.LoadOp.get(amounts, [one]) for one in (segment, following))
    return code.insert(first), code.insert(last)


def _count(code: Code, end: SSAValue, name: str, body: Callable[[Code, SSAValue], None]) -> None:
    """`body` for each number from 0 to before `end`."""
    block = Block(arg_types=[INDEX])
    number = block.args[0]
    number.name_hint = name
    body(Code(block, code.like), number)
    block.add_op(scf.YieldOp())
    code.block.add_op(scf.ForOp(code.index(0), end, code.index(1), [], block))


def _length(code: Code, wanted: Amount, first: Amount, last: Amount) -> Amount:
    """Behind which share of a segment so many cycles have passed: with c = 2 wanted,
    x = c / (w + sqrt(w² + (v - w) c)), which divides by more than zero where there is work."""
    twice = code.product(wanted, 2.0)
    inside = code.sum(code.product(first, first), code.product(code.difference(last, first), twice))
    root = code.root(code.insert(arith.MaximumfOp(code.amount(inside), code.amount(0.0))))
    return code.ratio(twice, code.sum(code.sum(first, root), 1e-9))
