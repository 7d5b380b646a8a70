"""Loops whose iterations a team shares, and what follows the last one.

    static                 from member and size (`worksharing`), with no call
    dynamic, guided, …     the runtime deals them out, as it does where iterations are ordered
    doacross               the runtime counts, and iterations wait for one another

The thread that has the last iteration does what follows it (`lastprivate`).
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, omp
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Block, SSAValue

from polyopt.dialects import ompx
from polyopt.passes.openmp.stretches import SharedNest, loop_nest_of, read_nest
from polyopt.passes.openmp.team_function import TeamFunction, inline, put_before
from polyopt.passes.openmp.worksharing import (
    deal_out,
    keep_share,
    numbers_in_memory,
    serial,
    share_chunks,
    share_evenly,
)
from polyopt.passes.openmp.writer import INDEX, Writer


def lower_wsloop(here: TeamFunction, op: omp.WsLoopOp, writer: Writer, after: Block) -> None:
    nest = read_nest(writer, loop_nest_of(op))
    kind = _schedule(op)
    end = Block()
    put_before(after, end)
    is_end = None
    if ompx.DISTRIBUTED in op.attributes:
        is_end = keep_share(writer, nest, *_teams_of(writer))
    doacross = _doacross(op)
    if kind in ("dynamic", "guided", "runtime") or op.ordered is not None or doacross:
        is_last = _dealt(here, op, nest, kind, writer, end, doacross)
        at_end = writer.at(end)
        here.end_of(at_end, "loop", nowait=op.nowait is not None)
    else:
        is_dealt = kind == "distribute"
        member, size = _teams_of(writer) if is_dealt else (here.member(writer), here.size(writer))
        if op.schedule_chunk is None:
            is_last = share_evenly(writer, nest, member, size, end)
        else:
            is_last = share_chunks(writer, nest, op.schedule_chunk, member, size, end)
        at_end = writer.at(end)
        if op.nowait is None:
            here.barrier(at_end)
    if is_end is not None:
        is_last = at_end.add(arith.AndIOp(is_last, is_end)).result
    then_last(at_end, is_last, after)


def _dealt(
    here: TeamFunction,
    op: omp.WsLoopOp,
    nest: SharedNest,
    kind: str,
    writer: Writer,
    end: Block,
    doacross: Sequence[SSAValue],
) -> SSAValue:
    """By the runtime."""
    name = f"ordered_{kind}" if op.ordered is not None else kind
    chunk = op.schedule_chunk
    if kind != "runtime" and chunk is None:
        chunk = writer.constant(0 if kind == "static" else 1)
    return deal_out(writer, nest, name, chunk, end, doacross)


def lower_post(here: TeamFunction, op: ompx.PostOp, writer: Writer, after: Block) -> None:
    together = _unless_alone(here, writer, after)
    together.call("GOMP_doacross_post", [numbers_in_memory(together, op.numbers)])
    together.jump(after)


def lower_await(here: TeamFunction, op: ompx.AwaitOp, writer: Writer, after: Block) -> None:
    together = _unless_alone(here, writer, after)
    together.call_variadic("GOMP_doacross_wait", list(op.numbers))
    together.jump(after)


def _unless_alone(here: TeamFunction, writer: Writer, after: Block) -> Writer:
    """A block in front of `after`, for where there are other threads: one alone runs its
    iterations in order, and LLVM's runtime (19) has no counters for it: it crashes there."""
    alone = writer.compare("sle", here.size(writer), writer.constant(1, INDEX))
    together = Block()
    put_before(after, together)
    writer.branch(alone, after, together)
    return writer.at(together)


def then_last(writer: Writer, is_last: SSAValue, after: Block) -> None:
    """What the thread with the last iteration does, if anything, then `after`."""
    last = after.first_op
    if not isinstance(last, ompx.LastOp):
        writer.jump(after)
        return
    last.detach()
    entry = inline(last.region, after)
    writer.branch(is_last, entry, after)
    last.erase(safe_erase=False)


def lower_simd(here: TeamFunction, op: omp.SimdOp, writer: Writer, after: Block) -> None:
    serial(writer, read_nest(writer, loop_nest_of(op)), after)


def _schedule(op: omp.WsLoopOp) -> str:
    """ "auto" is ours to choose."""
    other = op.attributes.get(ompx.SCHEDULE)
    if isinstance(other, StringAttr):
        return other.data
    is_dynamic = op.schedule_kind is not None and op.schedule_kind.data is omp.ScheduleKind.DYNAMIC
    return "dynamic" if is_dynamic else "static"


def _doacross(op: omp.WsLoopOp) -> Sequence[SSAValue]:
    """The rounds of loops whose iterations wait for one another, if they do."""
    inner = op.body.block.first_op
    return list(inner.rounds) if isinstance(inner, ompx.DoacrossOp) else ()


def _teams_of(writer: Writer) -> tuple[SSAValue, SSAValue]:
    """Which team of its league this one is, and how many there are."""
    return writer.number_of("omp_get_team_num"), writer.number_of("omp_get_num_teams")
