"""Blocks that run for each element of a row whose length data say.

    for (i = 0; i < n; i++)
      for (k = start[i]; k < start[i + 1]; k++)     as often as the matrix has elements
        for (j = 0; j < m; j++) …                   a few columns: short, and runs often

Such a loop is long enough for threads where a sparse matrix is multiplied by a dense one of some
ten thousand columns, which nobody does; and all that has to be at hand for threads (what they are
given, how long it takes) costs each run of it: 17 % of a product by 32 columns.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import affine, arith, cf, memref
from xdsl.ir import Block, Region, SSAValue

from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import constant_integer


def blocks_within_rows(body: Region) -> set[Block]:
    if len(body.blocks) < 2:
        return set()
    flow = ControlFlow(body)
    return {
        block for loop in flow.loops.all_loops() if _is_along_a_row(loop) for block in loop.blocks
    }


def is_single(loop: affine.ForOp) -> bool:
    """Whether there is no loop in the loop."""
    return not any(isinstance(op, affine.ForOp) for op in loop.body.walk())


def _is_along_a_row(loop: NaturalLoop) -> bool:
    """Whether the loop, one in another, counts up to an element of an array."""
    return loop.parent is not None and any(
        isinstance(end.owner, memref.LoadOp)
        and enclosing_block(end.owner) in loop.parent
        and any(constant_integer(index) is None for index in end.owner.indices)
        for end in _ends(loop)
    )


def _ends(loop: NaturalLoop) -> Iterator[SSAValue]:
    """What a counter of the loop is compared with where it is left."""
    for edge in loop.exits():
        branch = edge.source.last_op
        if not isinstance(branch, cf.ConditionalBranchOp):
            continue
        test = branch.cond.owner
        if isinstance(test, arith.CmpiOp):
            counters = [one for one in test.operands if one in loop.header.args]
            yield from (one for one in test.operands if counters and one not in counters)
