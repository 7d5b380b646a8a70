"""What one thread of a team does: a section, `single` (with copies for the others), `masked`."""

from __future__ import annotations

from xdsl.dialects import arith, cf, memref, omp
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntElementsAttr,
    IntegerAttr,
    MemRefType,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Block
from xdsl.utils.hints import isa

from polyopt.dialects import cmem, ompx
from polyopt.passes.openmp.shared_loops import then_last
from polyopt.passes.openmp.team_function import TeamFunction, inline, put_before
from polyopt.passes.openmp.writer import INDEX, PTR, Writer


def lower_sections(here: TeamFunction, op: ompx.SectionsOp, writer: Writer, after: Block) -> None:
    count = len(op.sections)
    # Which section comes next (0: none), and which one this thread had before.
    header, again, end = Block(arg_types=[i32, i32]), Block(), Block()
    put_before(after, header, again, end)
    first = writer.call("GOMP_sections_start", [writer.constant(count, i32)], [i32])[0]
    writer.jump(header, first, writer.constant(0, i32))
    number, before = header.args
    entries = [inline(section, again, target=again, leave=end) for section in op.sections]
    values = DenseIntElementsAttr.from_list(VectorType(i32, [count]), list(range(1, count + 1)))
    at_header = writer.at(header)
    if count:
        at_header.add(cf.SwitchOp(number, end, [], values, entries, [[] for _ in entries]))
    else:
        at_header.jump(end)
    at_again = writer.at(again)
    at_again.jump(header, at_again.call("GOMP_sections_next", (), [i32])[0], number)
    at_end = writer.at(end)
    here.end_of(at_end, "sections", nowait=op.nowait is not None)
    is_last = at_end.compare("eq", before, at_end.constant(count, i32))
    then_last(at_end, is_last, after)


def lower_single(here: TeamFunction, op: omp.SingleOp, writer: Writer, after: Block) -> None:
    if op.copyprivate_vars:
        _single_copied(here, op, writer, after)
        return
    end = Block()
    put_before(after, end)
    entry = inline(op.region, end)
    writer.branch(writer.truth_of("GOMP_single_start"), entry, end)
    at_end = writer.at(end)
    if op.nowait is None:
        here.barrier(at_end)
    at_end.jump(after)


def _single_copied(here: TeamFunction, op: omp.SingleOp, writer: Writer, after: Block) -> None:
    """One thread leaves the addresses of its variables, the others copy what is there."""
    sizes = op.attributes[ompx.SIZES]
    assert isa(sizes, ArrayAttr[IntegerAttr])
    count = len(op.copyprivate_vars)
    type = MemRefType(i64, [count])
    array = writer.add(
        memref.AllocaOp.build(
            operands=[[], []], result_types=[type], properties={"alignment": None}
        )
    ).memref
    source = writer.call("GOMP_single_copy_start", (), [PTR])[0]
    address = writer.add(cmem.PtrToIntOp(source)).result
    chosen = writer.compare("eq", address, writer.constant(0))
    given, copied, end = Block(), Block(), Block()
    put_before(after, given, copied, end)
    entry = inline(op.region, given)
    writer.branch(chosen, entry, copied)
    at_given = writer.at(given)
    for number, place in enumerate(op.copyprivate_vars):
        index = at_given.constant(number, INDEX)
        value = at_given.add(cmem.PtrToIntOp(place)).result
        at_given.add(memref.StoreOp.get(value, array, [index]))
    zero = at_given.constant(0, INDEX)
    start = at_given.add(cmem.AddressOp(array, [zero])).result
    at_given.call("GOMP_single_copy_end", [start])
    at_given.jump(end)
    at_copied = writer.at(copied)
    view = at_copied.add(cmem.ViewOp(source, [], type)).result
    for number, (place, size) in enumerate(zip(op.copyprivate_vars, sizes, strict=True)):
        index = at_copied.constant(number, INDEX)
        value = at_copied.add(memref.LoadOp.get(view, [index])).res
        theirs = at_copied.add(cmem.IntToPtrOp(value)).result
        at_copied.call("memcpy", [place, theirs, at_copied.constant(size.value.data)], [PTR])
    at_copied.jump(end)
    at_end = writer.at(end)
    here.barrier(at_end)
    at_end.jump(after)


def lower_masked(
    here: TeamFunction, op: omp.MasterOp | omp.MaskedOp, writer: Writer, after: Block
) -> None:
    chosen = writer.constant(0, INDEX)
    if isinstance(op, omp.MaskedOp) and op.filtered_thread_id is not None:
        chosen = writer.add(arith.IndexCastOp(op.filtered_thread_id, INDEX)).result
    entry = inline(op.region, after)
    writer.branch(writer.compare("eq", here.member(writer), chosen), entry, after)
