"""Loops that a team shares, as loops over what one member has of them.

Iterations are numbered from 0; a schedule gives a member stretches of numbers. A static one gives

    one stretch:    size stretches of n/size, the first n%size of them longer by one
    with a chunk c: c numbers from member*c on, then those size*c further, …

both computed from member and size, with no call. Of all others the runtime deals out the stretches.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import (
    MemRefType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Block, SSAValue

from polyopt.dialects import cmem
from polyopt.passes.openmp.stretches import SharedNest, insert_in_front, run_stretch
from polyopt.passes.openmp.writer import INDEX, Writer


def serial(writer: Writer, nest: SharedNest, after: Block) -> None:
    """All of it."""
    run_stretch(writer, nest, writer.constant(0), nest.rounds, after)


def share_evenly(
    writer: Writer, nest: SharedNest, member: SSAValue, size: SSAValue, after: Block
) -> SSAValue:
    """One stretch for each member; whether this one's is the last."""
    start, end = _even_stretch(writer, nest, member, size)
    is_some = writer.compare("slt", start, end)
    is_end = writer.compare("eq", end, nest.rounds)
    is_last = writer.add(arith.AndIOp(is_some, is_end)).result
    run_stretch(writer, nest, start, end, after)
    return is_last


def _even_stretch(
    writer: Writer, nest: SharedNest, member: SSAValue, size: SSAValue
) -> tuple[SSAValue, SSAValue]:
    """The numbers from `start` to before `end` that are one member's."""
    member, size = writer.to_i64(member), writer.to_i64(size)
    each = writer.add(arith.DivSIOp(nest.rounds, size)).result
    rest = writer.add(arith.RemSIOp(nest.rounds, size)).result
    is_longer = writer.compare("slt", member, rest)
    length = writer.select(is_longer, writer.plus(each, writer.constant(1)), each)
    start = writer.plus(
        writer.times(member, length), writer.select(is_longer, writer.constant(0), rest)
    )
    return start, writer.plus(start, length)


def numbers_in_memory(writer: Writer, numbers: Sequence[SSAValue]) -> SSAValue:
    """The address of these numbers in a row."""
    array = writer.slot(MemRefType(i64, [len(numbers)]))
    indices = [writer.constant(position, INDEX) for position in range(len(numbers))]
    for index, number in zip(indices, numbers, strict=True):
        writer.add(memref.StoreOp.get(number, array, [index]))
    return writer.add(cmem.AddressOp(array, indices[:1])).result


def share_chunks(
    writer: Writer,
    nest: SharedNest,
    chunk: SSAValue,
    member: SSAValue,
    size: SSAValue,
    after: Block,
) -> SSAValue:
    """Chunks in turns."""
    member, size = writer.to_i64(member), writer.to_i64(size)
    chunk = writer.add(arith.MaxSIOp(writer.to_i64(chunk), writer.constant(1))).result
    first = writer.times(member, chunk)
    stride = writer.times(size, chunk)
    zero, one = writer.constant(0), writer.constant(1)
    before = writer.minus(nest.rounds, one)
    turn = writer.add(arith.RemSIOp(writer.add(arith.DivSIOp(before, chunk)).result, size)).result
    is_mine = writer.compare("eq", turn, member)
    is_some = writer.compare("slt", zero, nest.rounds)
    is_last = writer.add(arith.AndIOp(is_some, is_mine)).result
    header, inside, again = Block(arg_types=[i64]), Block(), Block()
    start = header.args[0]
    insert_in_front(after, header, inside, again)
    writer.jump(header, first)
    at_header = writer.at(header)
    at_header.branch(at_header.compare("slt", start, nest.rounds), inside, after)
    at_inside = writer.at(inside)
    end = at_inside.add(arith.MinSIOp(at_inside.plus(start, chunk), nest.rounds)).result
    run_stretch(at_inside, nest, start, end, again)
    at_again = writer.at(again)
    at_again.jump(header, at_again.plus(start, stride))
    return is_last


def keep_share(writer: Writer, nest: SharedNest, member: SSAValue, size: SSAValue) -> SSAValue:
    """From here on the nest is one stretch of it; whether that one is the last."""
    start, end = _even_stretch(writer, nest, member, size)
    is_end = writer.compare("eq", end, nest.rounds)
    nest.rounds, nest.first = writer.minus(end, start), start
    return is_end


def deal_out(
    writer: Writer,
    nest: SharedNest,
    kind: str,
    chunk: SSAValue | None,
    after: Block,
    doacross: Sequence[SSAValue] = (),
) -> SSAValue:
    """The runtime gives stretches until there are no more; whether the last one was among them.
    `kind` is a part of its functions' names; `doacross` are the rounds of loops whose iterations
    wait for one another."""
    start_place, end_place, flag = (writer.slot(MemRefType(i64, [])) for _ in range(3))
    places = [writer.add(cmem.AddressOp(place, [])).result for place in (start_place, end_place)]
    zero, one = writer.constant(0), writer.constant(1)
    writer.add(memref.StoreOp.get(zero, flag, []))
    arguments = [zero, nest.rounds, one]
    if doacross:
        # LLVM's runtime wants one round at least of each loop; what it then deals out is cut below.
        some = [writer.add(arith.MaxSIOp(rounds, one)).result for rounds in doacross]
        arguments = [writer.constant(len(doacross), i32), numbers_in_memory(writer, some)]
    if chunk is not None:
        arguments.append(writer.to_i64(chunk))
    start = f"GOMP_loop_{'doacross_' if doacross else ''}{kind}_start"
    found = writer.truth_of(start, [*arguments, *places])
    header, inside, again = Block(arg_types=[i1]), Block(), Block()
    nest.leave = done = Block()
    insert_in_front(after, header, inside, again, done)
    writer.jump(header, found)
    writer.at(header).branch(header.args[0], inside, done)
    at_inside = writer.at(inside)
    start, end = (
        at_inside.add(memref.LoadOp.get(place, [])).res for place in (start_place, end_place)
    )
    if doacross:
        end = at_inside.add(arith.MinSIOp(end, nest.rounds)).result
    is_end = at_inside.add(arith.ExtUIOp(at_inside.compare("eq", end, nest.rounds), i64)).result
    seen = at_inside.add(memref.LoadOp.get(flag, [])).res
    at_inside.add(memref.StoreOp.get(at_inside.add(arith.OrIOp(seen, is_end)).result, flag, []))
    run_stretch(at_inside, nest, start, end, again)
    at_again = writer.at(again)
    at_again.jump(header, at_again.truth_of(f"GOMP_loop_{kind}_next", places))
    at_done = writer.at(done)
    last = at_done.add(memref.LoadOp.get(flag, [])).res
    is_last = at_done.compare("ne", last, at_done.constant(0))
    at_done.jump(after)
    return is_last
