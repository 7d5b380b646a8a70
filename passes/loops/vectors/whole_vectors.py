"""What fills no vector, or too little of one, or may not be in vectors, is taken one element after
the other."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine
from xdsl.ir import Operation, SSAValue

from polyopt.dialects.loop_facts import LoopFacts, facts_of, set_facts
from polyopt.ir.affine.linear import Linear, floor
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.copies import Copier, CopyScope
from polyopt.passes.loops.vectors.accumulations import combined
from polyopt.passes.loops.vectors.just_stored import End
from polyopt.passes.loops.vectors.vector_loop import VectorLoop
from polyopt.passes.loops.vectors.vector_step import placed
from polyopt.passes.loops.vectors.vector_writer import VectorLoopWriter


def write_whole_vectors(writer: VectorLoopWriter) -> None:
    """Groups of stores have no masks: the iterations that are left over run one by one. Where there
    is no vector, no sum is touched."""
    builder, loop = writer.builder, writer.source.loop
    low, high = builder.range_of(loop.op)
    count = builder.named(floor(high - low, writer.lanes), "vectors")
    end = builder.named(low + builder.maximum([count, Linear()]) * writer.lanes, "end")
    if writer.source.accumulations:
        branch = builder.branch([count - 1])
        with branch.then():
            writer.write_whole(low, end)
        with branch.orelse():
            pass
        branch.close()
    else:
        writer.write_whole(low, end)
    _write_rest(writer, end, high)


def write_long_rows(writer: VectorLoopWriter, least: int, *, whole: bool) -> None:
    """A row of a sparse matrix may hold a few elements only: those shorter than `least` are taken
    one element after the other, and others in vectors as any row, the last one under a mask; where
    all are to be `whole`, of which a long row fills one, so is what fills none."""
    builder, loop = writer.builder, writer.source.loop
    assert loop.lowers is not None
    assert loop.uppers is not None
    low, high = builder.maximum(loop.lowers), builder.minimum(loop.uppers)
    branch = builder.branch([high - low - least])
    with branch.then():
        if whole:
            count = builder.named(floor(high - low, writer.lanes), "vectors")
            end = builder.named(low + count * writer.lanes, "end")
            writer.write_whole(low, end)
            _write_rest(writer, end, high)
        else:
            writer.write_nonempty(low, high)
    with branch.orelse():
        _write_rest(writer, low, high)
    branch.close()


def write_just_stored_last(writer: VectorLoopWriter, end: End) -> None:
    """One iteration at least, and what fills no vector, at that end of the row, which is behind all
    others then (`just_stored.py`)."""
    builder = writer.builder
    low, high = builder.range_of(writer.source.loop.op)
    branch = builder.branch([high - low - 1])
    with branch.then():
        count = builder.named(floor(high - low - 1, writer.lanes), "vectors")
        whole = count * writer.lanes
        vectors = (low, low + whole) if end == "high" else (high - whole, high)
        rest = (low + whole, high) if end == "high" else (low, high - whole)
        filled = builder.branch([count - 1])
        with filled.then():
            writer.write_nonempty(*vectors)
        with filled.orelse():
            pass
        filled.close()
        _add_rest(writer, *rest, end)
    with branch.orelse():
        pass
    branch.close()


def write_where(
    builder: AffineBuilder, found: VectorLoop, lanes: int, conditions: Sequence[Linear]
) -> None:
    """In vectors where no condition is negative, as it is elsewhere."""
    if not conditions:
        VectorLoopWriter(builder, found, lanes).write()
        return
    branch = builder.branch(conditions)
    with branch.then():
        VectorLoopWriter(builder, found, lanes).write()
    with branch.orelse():
        singly = builder.insert(found.loop.op.clone())
        set_facts(singly, facts_of(found.loop.op).with_marks("no_vector"))
    branch.close()


def _add_rest(writer: VectorLoopWriter, low: Linear, high: Linear, last: End) -> None:
    """The terms of the iterations from `low` to `high`, one by one, those at that end last."""
    builder, source = writer.builder, writer.source
    sums = source.accumulations
    own: set[Operation] = {op for one in sums for op in (one.load, one.combine, one.store)}
    old = [builder.load(one.store.memref, placed(one.store, {})) for one in sums]
    iterator, facts = source.loop.iv, LoopFacts(marks=("no_vector", "no_unroll"))
    with builder.loop([low], [high], carried=old, name=iterator.name_hint, facts=facts) as rest:
        at = rest.index if last == "high" else low + high - 1 - rest.index
        scope, copier = CopyScope(forms={iterator: at}), Copier(builder.insert, source.loop.op)
        for op in source.operations:
            if op not in own:
                copier.copy(op, scope)
        rest.yielded = tuple(
            combined(builder, one, before, copier.value(one.term, scope), is_last=True)
            for one, before in zip(sums, rest.carried, strict=True)
        )
    for one, new in zip(sums, rest.results, strict=True):
        builder.store(new, one.store.memref, placed(one.store, {})).location = one.store.location


def _write_rest(writer: VectorLoopWriter, low: Linear, high: Linear) -> None:
    """The iterations from `low` to `high`, one by one."""
    builder, loop = writer.builder, writer.source.loop
    facts = loop.facts.with_marks("no_vector", "no_unroll")
    with builder.loop([low], [high], name=loop.iv.name_hint, facts=facts) as rest:
        values: dict[SSAValue, SSAValue] = {loop.iv: rest.iv}
        for op in loop.block.ops:
            if not isinstance(op, affine.YieldOp):
                builder.insert(op.clone(values))
