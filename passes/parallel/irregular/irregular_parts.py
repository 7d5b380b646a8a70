"""A loop of the source whose iterations update something together, in parts with copies of it.

    for (i …) { bins[key[i]] += 1; if (v[i] > best) best = v[i]; }
    =>
    threads ask for parts of the range; each:   own = nothing yet; the part's iterations; copy = own
    threads, each for some bins:                bins[b] += copy 0 [b] + copy 1 [b] + …
    one thread:                                 best = the greater of best and copy 0, copy 1, …

Copies are put together in the order of the parts. Of scalars there are so many parts that threads
come out even; of arrays as many as threads. What the parts have not changed is not touched.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, cf, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IntegerAttr,
    IntegerType,
    LocationAttr,
    MemRefType,
    i64,
)
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, Block, SSAValue

from polyopt.dialects import cmem, team
from polyopt.ir.branches import outgoing
from polyopt.ir.expressions.integer_expr import ZERO
from polyopt.passes.parallel.irregular.bin_copies import (
    BinCopies,
    combine,
    element_bytes,
    start_of_copy,
)
from polyopt.passes.parallel.irregular.block_code import INDEX, BlockCode
from polyopt.passes.parallel.irregular.dealt_loop import counted_nest, parallel, shared_loop
from polyopt.passes.parallel.irregular.irregular_loops import IrregularLoop
from polyopt.passes.parallel.irregular.own_storage import copy_into, leads_to, own_storage, views_of
from polyopt.passes.parallel.irregular.shared_bins import SharedBins
from polyopt.passes.parallel.irregular.shared_sums import SharedSum
from polyopt.passes.parallel.irregular.sums_of_parts import neutral, wrap_around
from polyopt.passes.prepare.branches.block_editing import copied
from polyopt.passes.scop.expression_code import ExpressionCode
from polyopt.support.core_model import CORE
from polyopt.support.target import LINE_BYTES


class Parts:
    """Writes the loop at the end of `code`, from where counter and sums are `first` on, in
    `is_fixed` many parts or as many as suit."""

    def __init__(
        self,
        found: IrregularLoop,
        code: BlockCode,
        rounds: SSAValue,
        first: Sequence[SSAValue],
        threads: int,
        is_fixed: bool,
    ):
        self.found = found
        self.code = code
        self.first = dict(zip(found.loop.header.args, first, strict=True))
        self.threads = threads
        for one in (*found.sums, *found.bins):
            wrap_around(one.updates)
        self.count = self._how_many(is_fixed)
        wide = code.value(arith.IndexCastOp(self.count, i64))
        self.each = code.value(arith.DivSIOp(rounds, wide))
        self.rest = code.value(arith.RemSIOp(rounds, wide))
        self.wide_count = wide

    def _how_many(self, is_fixed: bool) -> SSAValue:
        if not self.found.bins:
            return self.code.number(CORE.threads.dealt_parts, INDEX)
        if is_fixed:
            return self.code.number(CORE.threads.fixed_parts, INDEX)
        if self.threads:
            return self.code.number(self.threads, INDEX)
        return self.code.value(team.AvailableOp())

    def write(self) -> dict[SSAValue, SSAValue]:
        """What the sums that are handed on come to."""
        code = self.code
        partial = [(one, self._allocate(one.type, self.count)) for one in self.found.sums]
        copies = [self._copies(one) for one in self.found.bins]
        inside = BlockCode(Block(), code.location)
        own = own_storage(self.found, inside)

        def part(at: BlockCode, number: SSAValue) -> None:
            self._part(at, number, own, partial, copies)

        inside.put(shared_loop(counted_nest(inside, self.wide_count, part), inside.number(1)))
        parallel(code, inside, self.threads)
        for one in copies:
            self._put_together(one)
        totals = {one.place: self._total(one, array) for one, array in partial}
        for array in [*(array for _, array in partial), *(one.array for one in copies)]:
            code.put(memref.DeallocOp.get(array))
        return totals

    def _allocate(self, element: Attribute, count: SSAValue) -> SSAValue:
        type = MemRefType(element, [DYNAMIC_INDEX])
        op = memref.AllocOp([count], [], type, IntegerAttr(LINE_BYTES, i64))
        op.memref.name_hint = "copies"
        return self.code.value(op)

    def _copies(self, bins: SharedBins) -> BinCopies:
        code = self.code
        expressions = ExpressionCode(code.block, code.location)
        count, first = expressions.index(bins.count), expressions.index(bins.first)
        line = LINE_BYTES // element_bytes(bins.element)
        lines = code.value(
            arith.DivSIOp(code.add(count, code.number(line - 1, INDEX)), code.number(line, INDEX))
        )
        step = code.times(lines, code.number(line, INDEX))
        array = self._allocate(bins.element, code.times(step, self.count))
        return BinCopies(bins, array, count, step, first)

    # A part

    def _part(
        self,
        at: BlockCode,
        number: SSAValue,
        own: dict[SSAValue, SSAValue],
        partial: Sequence[tuple[SharedSum, SSAValue]],
        copies: Sequence[BinCopies],
    ) -> None:
        """What is dealt out at once."""
        own, header = dict(own), self.found.loop.header
        index = at.index(number)
        for one in copies:
            self._begin_copy(at, index, one, own)
        started: dict[SSAValue, SSAValue] = {}
        for one, _ in partial:
            nothing = at.constant(neutral(one.updates[0]))
            if one.is_carried:
                started[one.place] = nothing
            else:
                at.store(nothing, own[one.place])
        lower, upper = self._range(at, number)
        blocks = copied(list(self.found.loop.blocks), own)
        start, end = blocks[header], Block()
        passed = [started.get(argument, lower) for argument in header.args]
        at.put(cf.BranchOp(start, *passed))
        self._end_at(start, upper, set(blocks.values()), end, at.location)
        at.blocks += blocks.values()
        at.start(end)
        ends = dict(zip(header.args, start.args, strict=True))
        for one, array in partial:
            value = ends[one.place] if one.is_carried else at.load(own[one.place])  # pyright: ignore[reportArgumentType]
            at.store(value, array, index)

    def _begin_copy(
        self, at: BlockCode, part: SSAValue, one: BinCopies, own: dict[SSAValue, SSAValue]
    ) -> None:
        """The part's copy, with nothing in it, stands for the bins."""
        base = one.bins.base
        start = at.times(part, one.step)
        nothing = at.constant(start_of_copy(one.bins.updates[0]))

        def clear(number: SSAValue, _: Sequence[SSAValue]) -> Sequence[SSAValue]:
            at.store(nothing, one.array, at.add(start, number))
            return ()

        at.count(one.count, (), clear)
        place = at.value(cmem.AddressOp(one.array, [start]))
        if one.bins.first != ZERO:
            back = at.value(arith.SubiOp(at.number(0, INDEX), one.first))
            place = at.value(cmem.OffsetOp(place, back, element_bytes(one.bins.element)))
        if not isinstance(base.type, LLVMPointerType):
            place = at.value(cmem.ViewOp(place, [], cmem.memref_type(base)))
        place.name_hint = base.name_hint
        own[base] = place
        for op in views_of(self.found):
            if op is not base.owner and leads_to(op, {base}):
                copy_into(at, op, own)

    def _range(self, at: BlockCode, part: SSAValue) -> tuple[SSAValue, SSAValue]:
        """What the counter is at the start of a part, and behind it: the first parts are longer by
        one where the range is no multiple."""
        found, type = self.found, self.found.counter_type
        first = self.first[found.counter]
        one = at.number(1)

        def start_of(number: SSAValue) -> SSAValue:
            before = at.add(at.times(number, self.each), at.value(arith.MinSIOp(number, self.rest)))
            steps = before if type == i64 else at.value(arith.TruncIOp(before, type))
            return at.add(first, at.times(steps, at.number(found.step, type)))

        return start_of(part), start_of(at.add(part, one))

    def _end_at(
        self,
        start: Block,
        upper: SSAValue,
        blocks: set[Block],
        end: Block,
        location: LocationAttr,
    ) -> None:
        """The copy of the loop goes on as long as its counter is in front of `upper`."""
        found = self.found
        counter = start.args[found.loop.header.args.index(found.counter)]
        inner = next(edge for edge in outgoing(start) if edge.target in blocks)
        last = inner.terminator
        word = ("s" if found.is_signed else "u") + ("lt" if found.step > 0 else "gt")
        test = arith.CmpiOp(counter, upper, word)
        branch = cf.ConditionalBranchOp(test.result, inner.target, list(inner.values), end, [])
        for op in (test, branch):
            op.location = location
        start.erase_op(last)
        start.add_ops((test, branch))

    # What parts have

    def _put_together(self, copies: BinCopies) -> None:
        """Threads take some bins each."""
        code, bins = self.code, copies.bins
        base = bins.base
        inside = BlockCode(Block(), code.location)
        type = MemRefType(bins.element, [DYNAMIC_INDEX])
        array = base
        if (
            not isinstance(base.type, LLVMPointerType)
            and cmem.memref_type(base).get_num_dims() != 1
        ):
            zeros = [code.number(0, INDEX)] * cmem.memref_type(base).get_num_dims()
            array = code.value(cmem.AddressOp(base, zeros))
        if isinstance(array.type, LLVMPointerType):
            array = inside.value(cmem.ViewOp(array, [], type))

        def each(at: BlockCode, number: SSAValue) -> None:
            self._bin(at, at.index(number), copies, array)

        end = code.value(arith.IndexCastOp(copies.count, i64))
        inside.put(shared_loop(counted_nest(inside, end, each), None))
        parallel(code, inside, self.threads)

    def _bin(self, at: BlockCode, bin: SSAValue, copies: BinCopies, array: SSAValue) -> None:
        update = copies.bins.updates[0]
        nothing = at.constant(start_of_copy(update))

        def add(part: SSAValue, sofar: Sequence[SSAValue]) -> Sequence[SSAValue]:
            more = at.load(copies.array, at.add(at.times(part, copies.step), bin))
            return [combine(at, update, sofar[0], more)]

        (total,) = at.count(self.count, [nothing], add)
        is_integer = isinstance(total.type, IntegerType)
        differs = (
            arith.CmpiOp(total, nothing, "ne")
            if is_integer
            else arith.CmpfOp(total, nothing, "une")
        )
        touched, end = Block(), Block()
        at.put(cf.ConditionalBranchOp(at.value(differs), touched, [], end, []))
        at.start(touched)
        place = at.add(bin, copies.first)
        at.store(combine(at, update, at.load(array, place), total), array, place)
        at.put(cf.BranchOp(end))
        at.start(end)

    def _total(self, one: SharedSum, array: SSAValue) -> SSAValue:
        """Of a sum; in memory it is stored, too."""
        code = self.code
        place = one.place
        start = self.first[place] if one.is_carried else code.load(place)  # pyright: ignore[reportArgumentType]

        def add(part: SSAValue, sofar: Sequence[SSAValue]) -> Sequence[SSAValue]:
            return [combine(code, one.updates[0], sofar[0], code.load(array, part))]

        (total,) = code.count(self.count, [start], add)
        if not one.is_carried:
            code.store(total, place)
        return total
