"""A parallel region in the making: `omp.parallel` with worksharing loops over parts in it.

    omp.parallel num_threads(%n) {
      omp.wsloop { omp.loop_nest (%part) = (0) to (%n) step (1) { … omp.yield } }
      omp.terminator
    }

The parts are what is shared out; the loops in a part are affine loops over its share of the range,
so that later stages do with them what they do with any.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine, omp
from xdsl.dialects.builtin import AffineMapAttr, IndexType, UnitAttr
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from polyopt.dialects import team
from polyopt.ir.affine.affine_nest import is_iterator
from polyopt.passes.parallel.code import Code


def open_region(code: Code, threads: SSAValue) -> Code:
    """A parallel region at the end of `code`; what goes into it. It is to be closed."""
    body = Block()
    parallel = omp.ParallelOp.build(
        operands=[[], [], [], [threads], [], []], regions=[Region(body)]
    )
    parallel.location = code.like.location
    code.block.add_op(parallel)
    return Code(body, code.like)


def close_region(region: Code) -> None:
    region.block.add_op(omp.TerminatorOp())


def share_out(
    region: Code, count: SSAValue, *, in_turns: bool = False, nowait: bool = False
) -> tuple[Code, SSAValue]:
    """A worksharing loop over 0 <= part < count at the end of the region, and the part. Each thread
    runs a row of neighbouring parts, or every s-th of s threads, `in_turns`, in increasing order;
    the others are waited for at its end. It is to be closed."""
    body = Block(arg_types=[IndexType()])
    part = body.args[0]
    part.name_hint = "part"
    nest = omp.LoopNestOp.build(
        operands=[[region.index(0)], [count], [region.index(1)]], regions=[Region(body)]
    )
    chunk = [region.index(1)] if in_turns else []
    properties: dict[str, Attribute] = {
        "schedule_kind": omp.ScheduleKindAttr(omp.ScheduleKind.STATIC)
    }
    if nowait:
        properties["nowait"] = UnitAttr()
    loop = omp.WsLoopOp.build(
        operands=[[], [], [], [], [], [], chunk],
        properties=properties,
        regions=[Region(Block([nest]))],
    )
    for op in (nest, loop):
        op.location = region.like.location
    region.block.add_op(loop)
    return Code(body, region.like), part


def close_loop(part: Code) -> None:
    part.block.add_op(omp.YieldOp())


def add_share(code: Code, loop: affine.ForOp, share: team.ShareOp) -> None:
    """The iterations of `loop` that belong to the share, at the end of `code`; `loop` is gone. What
    was known of it holds of fewer iterations too, and that they are in its range is still said."""
    code.block.add_op(within(loop, share))


Bound = tuple[AffineMapAttr, Sequence[SSAValue]]


def within(loop: affine.ForOp, share: team.ShareOp, *, is_part: bool = True) -> affine.ForOp:
    """`loop` between its own bounds and those of the share, not inserted yet; `loop` is gone.

    for i = l to u   ->   for i = max(l, first) to min(u, last)

    Where the share is a part of the loop's range (`is_part`), its own bounds are left out if no
    loop around has a say in them, as the share says to whom they are of use."""
    lower = _with(loop.lowerBoundMap.data, loop.lowerBoundOperands, share.first, is_part)
    upper = _with(loop.upperBoundMap.data, loop.upperBoundOperands, share.last, is_part)
    return with_bounds(loop, lower, upper)


def _with(map: AffineMap, operands: Sequence[SSAValue], bound: SSAValue, is_part: bool) -> Bound:
    """The bound that has one more choice."""
    if is_part and not any(is_iterator(one) for one in operands):
        return AffineMapAttr(AffineMap(0, 1, (AffineExpr.symbol(0),))), [bound]
    symbol = AffineExpr.symbol(map.num_symbols)
    more = AffineMap(map.num_dims, map.num_symbols + 1, (*map.results, symbol))
    return AffineMapAttr(more), [*operands, bound]


def with_bounds(loop: affine.ForOp, lower: Bound, upper: Bound) -> affine.ForOp:
    """The loop with these bounds, not inserted yet; `loop` is gone."""
    new = affine.ForOp.from_region(
        lower[1], upper[1], (), (), lower[0], upper[0], loop.detach_region(loop.body), loop.step
    )
    new.attributes = dict(loop.attributes)
    new.location = loop.location
    if loop.parent is not None:
        loop.detach()
    loop.erase()
    return new
