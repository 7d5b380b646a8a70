"""The `omp` around blocks: a region, a loop whose range threads share, and its nest.

omp.parallel { omp.wsloop schedule(dynamic, chunk) { omp.loop_nest { body } } }
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import omp
from xdsl.dialects.builtin import (
    ArrayAttr,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Block, Operation, Region, SSAValue

from polyopt.dialects import ompx
from polyopt.passes.parallel.irregular.block_code import BlockCode


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


def counted_nest(
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
