"""A function that becomes one of teams: who runs it, how its threads meet, and its blocks.

The first two arguments of a function that a team runs are member and size; others ask the runtime.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import func
from xdsl.ir import Block, Region, SSAValue

from polyopt.dialects import team
from polyopt.passes.openmp.early_ends import barrier_to_leave_at
from polyopt.passes.openmp.stretches import end_in
from polyopt.passes.openmp.writer import Names, Writer


class TeamFunction:
    """`lower_inside`: what to do with a function that a region of it has become, by
    (function, in_team, is_cancelled)."""

    def __init__(
        self,
        names: Names,
        function: func.FuncOp,
        lower_inside: Callable[..., None],
        *,
        in_team: bool,
        is_cancelled: bool = False,
    ):
        self.names = names
        self.function = function
        self.lower_inside = lower_inside
        self.in_team = in_team
        self.is_cancelled = is_cancelled

    def member(self, writer: Writer) -> SSAValue:
        if self.in_team:
            return self.function.body.blocks[0].args[0]
        return writer.number_of("omp_get_thread_num")

    def size(self, writer: Writer) -> SSAValue:
        if self.in_team:
            return self.function.body.blocks[0].args[1]
        return writer.number_of("omp_get_num_threads")

    def barrier(self, writer: Writer) -> None:
        if self.is_cancelled:
            barrier_to_leave_at(writer)
        else:
            writer.add(team.BarrierOp())

    def end_of(self, writer: Writer, what: str, *, nowait: bool) -> None:
        """Of loops and sections that the runtime deals out."""
        if nowait or self.is_cancelled:
            writer.call(f"GOMP_{what}_end_nowait")
            if not nowait:
                self.barrier(writer)
        else:
            writer.call(f"GOMP_{what}_end")


def put_before(after: Block, *blocks: Block) -> None:
    """The blocks in front of `after`."""
    region = after.parent
    assert region is not None
    region.insert_block_before(list(blocks), after)


def inline(
    region: Region, before: Block, target: Block | None = None, leave: Block | None = None
) -> Block:
    """The region's blocks in front of `before`, where they go on (or in `target`; where they leave
    it early in `leave`)."""
    entry = region.blocks.first
    assert entry is not None
    end_in(region.blocks, target or before, leave)
    region.move_blocks_before(before)
    return entry
