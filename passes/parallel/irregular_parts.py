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

from collections.abc import Callable, Sequence

from xdsl.dialects import arith, cf, memref, omp
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    ArrayAttr,
    FixedBitwidthType,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    LocationAttr,
    MemRefType,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue
from xdsl.utils.hints import isa

from polyopt.dialects import cmem, ompx, team
from polyopt.ir.branches import outgoing
from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.expressions.integer_expr import ZERO
from polyopt.passes.parallel.block_code import INDEX, BlockCode
from polyopt.passes.parallel.irregular_loops import IrregularLoop
from polyopt.passes.parallel.shared_bins import SharedBins
from polyopt.passes.parallel.shared_sums import SharedSum
from polyopt.passes.parallel.shared_updates import SharedUpdate
from polyopt.passes.parallel.sums_of_parts import combined, neutral, wrap_around
from polyopt.passes.prepare.branches.block_editing import copied
from polyopt.passes.scop.expression_code import ExpressionCode
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.target import LINE_BYTES


def parallel(code: BlockCode, inside: BlockCode, threads: int) -> None:
    """A region with this inside, at the end of the code."""
    number = [code.number(threads)] if threads else []
    inside.put(omp.TerminatorOp())
    region = Region(inside.blocks)
    code.put(omp.ParallelOp.build(operands=[[], [], [], number, [], []], regions=[region]))


def shared_loop(nest: Operation, chunk: SSAValue | None) -> Operation:
    """Dealt out by the chunk, or shared out evenly; nobody waits at its end."""
    kind = omp.ScheduleKind.STATIC if chunk is None else omp.ScheduleKind.DYNAMIC
    return omp.WsLoopOp.build(
        operands=[[], [], [], [], [], [], [] if chunk is None else [chunk]],
        properties={"schedule_kind": omp.ScheduleKindAttr(kind), "nowait": UnitAttr()},
        regions=[Region(Block([nest]))],
    )


def own_storage(found: IrregularLoop, inside: BlockCode) -> dict[SSAValue, SSAValue]:
    """What stands for variables of which each thread has its own, and for views."""
    own: dict[SSAValue, SSAValue] = {}
    in_memory = [one.place for one in found.sums if not one.is_carried]
    for variable in (*found.private, *in_memory):
        assert isinstance(variable, OpResult)
        _copy(inside, variable.op, own)
    bases = {one.base for one in found.bins}
    for op in _views_of(found):
        if not _leads_to(op, bases):
            _copy(inside, op, own)
    return own


def _views_of(found: IrregularLoop) -> list[Operation]:
    """What stands in front of the loop and says where its arrays are: made again in the region, it
    says so there, too. In the order in which it is computed."""
    ops: dict[Operation, None] = {}

    def visit(value: SSAValue) -> None:
        owner = value.owner
        is_outside = isinstance(owner, Operation) and enclosing_block(owner) not in found.loop
        if isinstance(owner, _PLACES) and is_outside and owner not in ops:
            for operand in owner.operands:
                visit(operand)
            ops[owner] = None

    for block in found.loop.blocks:
        for op in block.walk():
            for operand in op.operands:
                visit(operand)
    return list(ops)


_PLACES = (cmem.ViewOp, cmem.AddressOfOp, cmem.OffsetOp, cmem.AddressOp)


def _leads_to(op: Operation, bases: set[SSAValue]) -> bool:
    """It is one of these objects, or a place in one."""
    if any(result in bases for result in op.results):
        return True
    owners = (one.owner for one in op.operands if one not in bases)
    return any(one in bases for one in op.operands) or any(
        isinstance(owner, _PLACES) and _leads_to(owner, bases) for owner in owners
    )


def _copy(code: BlockCode, op: Operation, own: dict[SSAValue, SSAValue]) -> None:
    copy = op.clone(own)
    code.block.add_op(copy)
    copy.location = op.location
    for old, new in zip(op.results, copy.results, strict=True):
        new.name_hint = old.name_hint
        own[old] = new


@record(eq=False)
class _Copies:
    """`array` has `step` elements for each part, of which the first `count` are the copy of the
    bins from `first` on."""

    bins: SharedBins
    array: SSAValue
    count: SSAValue
    step: SSAValue
    first: SSAValue


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

        inside.put(shared_loop(_nest(inside, self.wide_count, part), inside.number(1)))
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

    def _copies(self, bins: SharedBins) -> _Copies:
        code = self.code
        expressions = ExpressionCode(code.block, code.location)
        count, first = expressions.index(bins.count), expressions.index(bins.first)
        line = LINE_BYTES // _bytes(bins.element)
        lines = code.value(
            arith.DivSIOp(code.add(count, code.number(line - 1, INDEX)), code.number(line, INDEX))
        )
        step = code.times(lines, code.number(line, INDEX))
        array = self._allocate(bins.element, code.times(step, self.count))
        return _Copies(bins, array, count, step, first)

    # A part

    def _part(
        self,
        at: BlockCode,
        number: SSAValue,
        own: dict[SSAValue, SSAValue],
        partial: Sequence[tuple[SharedSum, SSAValue]],
        copies: Sequence[_Copies],
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
        self, at: BlockCode, part: SSAValue, one: _Copies, own: dict[SSAValue, SSAValue]
    ) -> None:
        """The part's copy, with nothing in it, stands for the bins."""
        base = one.bins.base
        start = at.times(part, one.step)
        nothing = at.constant(_nothing(one.bins.updates[0]))

        def clear(number: SSAValue, _: Sequence[SSAValue]) -> Sequence[SSAValue]:
            at.store(nothing, one.array, at.add(start, number))
            return ()

        at.count(one.count, (), clear)
        place = at.value(cmem.AddressOp(one.array, [start]))
        if one.bins.first != ZERO:
            back = at.value(arith.SubiOp(at.number(0, INDEX), one.first))
            place = at.value(cmem.OffsetOp(place, back, _bytes(one.bins.element)))
        if not isinstance(base.type, LLVMPointerType):
            place = at.value(cmem.ViewOp(place, [], cmem.memref_type(base)))
        place.name_hint = base.name_hint
        own[base] = place
        for op in _views_of(self.found):
            if op is not base.owner and _leads_to(op, {base}):
                _copy(at, op, own)

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

    def _put_together(self, copies: _Copies) -> None:
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
        inside.put(shared_loop(_nest(inside, end, each), None))
        parallel(code, inside, self.threads)

    def _bin(self, at: BlockCode, bin: SSAValue, copies: _Copies, array: SSAValue) -> None:
        update = copies.bins.updates[0]
        nothing = at.constant(_nothing(update))

        def add(part: SSAValue, sofar: Sequence[SSAValue]) -> Sequence[SSAValue]:
            more = at.load(copies.array, at.add(at.times(part, copies.step), bin))
            return [_combine(at, update, sofar[0], more)]

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
        at.store(_combine(at, update, at.load(array, place), total), array, place)
        at.put(cf.BranchOp(end))
        at.start(end)

    def _total(self, one: SharedSum, array: SSAValue) -> SSAValue:
        """Of a sum; in memory it is stored, too."""
        code = self.code
        place = one.place
        start = self.first[place] if one.is_carried else code.load(place)  # pyright: ignore[reportArgumentType]

        def add(part: SSAValue, sofar: Sequence[SSAValue]) -> Sequence[SSAValue]:
            return [_combine(code, one.updates[0], sofar[0], code.load(array, part))]

        (total,) = code.count(self.count, [start], add)
        if not one.is_carried:
            code.store(total, place)
        return total


def _nest(
    inside: BlockCode, end: SSAValue, body: Callable[[BlockCode, SSAValue], None]
) -> Operation:
    """`body` for each number from 0 to before `end`."""
    at = BlockCode(Block(arg_types=[i64]), inside.location)
    each = BlockCode(Block(), inside.location)
    body(each, at.block.args[0])
    each.put(omp.TerminatorOp())
    bounds = [[inside.number(0)], [end], [inside.number(1)]]
    op = omp.LoopNestOp.build(operands=bounds, regions=[Region(at.block)])
    op.location = inside.location
    op.attributes[ompx.DIRECTIONS] = ArrayAttr([StringAttr("up")])
    at.put(ompx.BodyOp(Region(each.blocks)))
    at.put(omp.YieldOp())
    return op


def _combine(at: BlockCode, update: SharedUpdate, sofar: SSAValue, more: SSAValue) -> SSAValue:
    (*_, value) = [at.value(op) for op in combined(update, sofar, more)]
    return value


def _nothing(update: SharedUpdate) -> Attribute:
    """What a copy begins with; of sums 0, which memory is cleared to at once."""
    element = update.result.type
    if update.kind == "add" and isa(element, AnyFloat):
        return FloatAttr(0.0, element)
    return neutral(update)


def _bytes(element: Attribute) -> int:
    assert isinstance(element, FixedBitwidthType)
    return element.size
