"""A stretch of a shared loop's iterations, as the loop that a member runs.

    numbers 10 to 19 of `for (i = 3; i < n; i += 2)`    =>    for (i = 23; i < 43; i += 2)

In a stretch the counter of a single loop runs as the source's does, by its step from its place, so
that what follows sees the same loop over fewer iterations. Of several loops that are collapsed,
numbers are counted, and each counter is computed from its number.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, cf, omp
from xdsl.dialects.arith import IntegerOverflowAttr, IntegerOverflowFlag
from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.dialects import cmem, ompx
from polyopt.passes.openmp.writer import Writer
from polyopt.support.record import entity


@entity
class Counter:
    """One loop of a nest: `rounds` as an i64."""

    lower: SSAValue
    upper: SSAValue
    step: SSAValue
    down: bool
    unsigned: bool
    rounds: SSAValue


@entity
class SharedNest:
    """`rounds` iterations from number `first` on (None: 0). `leave`: where a thread goes that is
    done with it early."""

    counters: list[Counter]
    body: ompx.BodyOp
    arguments: Sequence[SSAValue]
    rounds: SSAValue
    first: SSAValue | None = None
    leave: Block | None = None


def read_nest(writer: Writer, op: omp.LoopNestOp) -> SharedNest:
    """The loops with their numbers of rounds, computed where the writer is."""
    directions = _words(op.attributes[ompx.DIRECTIONS])
    unsigned = _truths(op.attributes.get(ompx.UNSIGNED), len(directions))
    counters: list[Counter] = []
    total: SSAValue | None = None
    for lower, upper, step, word, is_unsigned in zip(
        op.lowerBound, op.upperBound, op.step, directions, unsigned, strict=True
    ):
        rounds = _rounds(writer, lower, upper, step, word == "down", is_unsigned)
        counters.append(Counter(lower, upper, step, word == "down", is_unsigned, rounds))
        total = rounds if total is None else writer.times(total, rounds)
    assert total is not None
    block = op.body.block
    body = block.first_op
    assert isinstance(body, ompx.BodyOp)
    return SharedNest(counters, body, list(block.args), total)


def _words(attribute: Attribute) -> list[str]:
    assert isa(attribute, ArrayAttr[StringAttr])
    return [item.data for item in attribute]


def _truths(attribute: Attribute | None, count: int) -> list[bool]:
    if not isa(attribute, ArrayAttr[Attribute]):
        return [False] * count
    return [item == BoolAttr.from_bool(True) for item in attribute]


def _rounds(
    writer: Writer,
    lower: SSAValue,
    upper: SSAValue,
    step: SSAValue,
    down: bool,
    unsigned: bool,
) -> SSAValue:
    """How many numbers from `lower` on are before `upper`."""
    first, last = (upper, lower) if down else (lower, upper)
    low, high = (writer.to_i64(value, signed=not unsigned) for value in (first, last))
    wide = writer.to_i64(step, signed=not unsigned)
    missing = writer.minus(high, low)
    if not _is_one(step):
        one = writer.constant(1)
        above = writer.minus(wide, one)
        divide = arith.DivUIOp if unsigned else arith.DivSIOp
        missing = writer.add(divide(writer.plus(missing, above), wide)).results[0]
    is_some = writer.compare("ult" if unsigned else "slt", low, high)
    return writer.select(is_some, missing, writer.constant(0))


def _is_one(value: SSAValue) -> bool:
    owner = value.owner
    if not isinstance(owner, arith.ConstantOp):
        return False
    return str(owner.value).startswith("1 ")


def insert_in_front(after: Block, *blocks: Block) -> None:
    region = after.parent
    assert region is not None
    region.insert_block_before(list(blocks), after)


def run_stretch(
    writer: Writer, nest: SharedNest, start: SSAValue, end: SSAValue, after: Block
) -> None:
    """The iterations from number `start` to before `end`, then `after`."""
    if nest.first is not None:
        start, end = (writer.plus(nest.first, number) for number in (start, end))
    if len(nest.counters) == 1:
        _count_as_written(writer, nest, start, end, after)
    else:
        _count_numbers(writer, nest, start, end, after)


def _count_as_written(
    writer: Writer, nest: SharedNest, start: SSAValue, end: SSAValue, after: Block
) -> None:
    """The source's counter, from its value at `start` to that at `end`."""
    counter = nest.counters[0]
    first, last = (_value_at(writer, counter, number) for number in (start, end))
    header, step = Block(arg_types=[first.type]), Block()
    entry = _put_body(nest, after, step)
    region = after.parent
    assert region is not None
    region.insert_block_before(header, entry)
    region.insert_block_before(step, after)
    value = header.args[0]
    value.name_hint = nest.arguments[0].name_hint
    nest.arguments[0].replace_all_uses_with(value)
    writer.jump(header, first)
    at_header = writer.at(header)
    sign = "u" if counter.unsigned else "s"
    goes_on = at_header.compare(sign + ("gt" if counter.down else "lt"), value, last)
    at_header.branch(goes_on, entry, after)
    at_step = writer.at(step)
    operation = arith.SubiOp if counter.down else arith.AddiOp
    overflow = IntegerOverflowAttr("none" if counter.unsigned else (IntegerOverflowFlag.NSW,))
    following = at_step.add(operation(value, counter.step, overflow=overflow)).result
    at_step.add(cf.BranchOp(header, following)).attributes[cmem.PROGRESS] = UnitAttr()


def _value_at(writer: Writer, counter: Counter, number: SSAValue) -> SSAValue:
    """lower ± number * step"""
    if _is_zero(number):
        return counter.lower
    way = writer.from_i64(number, counter.lower.type)
    if not _is_one(counter.step):
        way = writer.times(way, counter.step)
    if counter.down:
        return writer.minus(counter.lower, way)
    return way if _is_zero(counter.lower) else writer.plus(counter.lower, way)


def _is_zero(value: SSAValue) -> bool:
    owner = value.owner
    return isinstance(owner, arith.ConstantOp) and str(owner.value).startswith("0 ")


def _count_numbers(
    writer: Writer, nest: SharedNest, start: SSAValue, end: SSAValue, after: Block
) -> None:
    """The numbers themselves; the counters are what is left of one by division."""
    header, inside, step = Block(arg_types=[i64]), Block(), Block()
    entry = _put_body(nest, after, step)
    region = after.parent
    assert region is not None
    region.insert_block_before([header, inside], entry)
    region.insert_block_before(step, after)
    number = header.args[0]
    writer.jump(header, start)
    at_header = writer.at(header)
    at_header.branch(at_header.compare("slt", number, end), inside, after)
    at_inside = writer.at(inside)
    rest = number
    for position in range(len(nest.counters) - 1, -1, -1):
        counter = nest.counters[position]
        digit = rest
        if position:
            digit = at_inside.add(arith.RemSIOp(rest, counter.rounds)).result
            rest = at_inside.add(arith.DivSIOp(rest, counter.rounds)).result
        value = _value_at(at_inside, counter, digit)
        value.name_hint = nest.arguments[position].name_hint
        nest.arguments[position].replace_all_uses_with(value)
    at_inside.jump(entry)
    at_step = writer.at(step)
    at_step.jump(header, at_step.plus(number, at_step.constant(1)))


def _put_body(nest: SharedNest, after: Block, step: Block) -> Block:
    """The body's blocks, before `after`; each end of it goes to `step`."""
    entry = nest.body.region.blocks.first
    assert entry is not None
    end_in(nest.body.region.blocks, step, nest.leave or after)
    nest.body.region.move_blocks_before(after)
    return entry


def end_in(blocks: Sequence[Block], target: Block, leave: Block | None = None) -> None:
    """Where blocks end in `omp.terminator` they go on in the target, where they end in `ompx.leave`
    in the other one, if there is one."""
    for block in blocks:
        last = block.last_op
        if isinstance(last, omp.TerminatorOp | ompx.LeaveOp):
            is_early = isinstance(last, ompx.LeaveOp)
            branch = cf.BranchOp(leave if is_early and leave is not None else target)
            branch.location = last.location
            block.erase_op(last)
            block.add_op(branch)


def loop_nest_of(op: Operation) -> omp.LoopNestOp:
    """The nest in `omp.wsloop` and `omp.simd`."""
    while not isinstance(op, omp.LoopNestOp):
        inner = op.regions[0].block.first_op
        assert inner is not None
        op = inner
    return op
