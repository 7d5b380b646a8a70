"""Constructs that are left early: `cancel`, `cancellation point`, and barriers that know of it.

Threads leave a parallel region where they ask, and at its barriers. Those of functions that are
called in it are plain ones, as gcc's are.
"""

from __future__ import annotations

from xdsl.dialects import func, omp
from xdsl.dialects.builtin import i32
from xdsl.ir import Block, Region

from polyopt.dialects import ompx
from polyopt.passes.openmp.writer import Names, Writer

_KINDS = {"parallel": 1, "for": 2, "sections": 4, "taskgroup": 8}
"""What the runtime calls the constructs."""


def ask_to_leave(op: ompx.CancelOp, writer: Writer) -> None:
    """Tell the runtime, or ask it."""
    arguments = [writer.constant(_KINDS[op.construct.data], i32)]
    name = "GOMP_cancellation_point"
    if op.is_point is None:
        name = "GOMP_cancel"
        one = writer.constant(1, i32)
        if op.condition is not None:
            one = writer.select(op.condition, one, writer.constant(0, i32))
        arguments.append(one)
    op.result.replace_all_uses_with(writer.truth_of(name, arguments))


def is_cancelled(region: Region) -> bool:
    """Whether threads may leave a parallel region early."""
    return any(
        isinstance(op, ompx.CancelOp) and op.construct.data == "parallel" for op in region.walk()
    )


def end_early(region: Region, names: Names) -> None:
    """Where the blocks of a region leave it, they end it."""
    for block in region.blocks:
        last = block.last_op
        if isinstance(last, ompx.LeaveOp):
            writer = Writer(names, block, last.location)
            block.erase_op(last)
            writer.add(omp.TerminatorOp())


def barrier_to_leave_at(writer: Writer) -> None:
    """A barrier; who is told there that the region is cancelled leaves the function. The writer
    goes on in a block of its own behind."""
    region = writer.block.parent
    assert region is not None
    leave, following = Block(), Block()
    region.insert_block_after([following, leave], writer.block)
    writer.branch(writer.truth_of("GOMP_barrier_cancel"), leave, following)
    writer.at(leave).add(func.ReturnOp())
    writer.block = following
