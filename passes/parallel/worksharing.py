"""Worksharing loops as loops over the share of one member of a team.

The iterations 0 <= k < n of the loop are dealt out by their numbers, with no word to anybody:

    neighbours     member m of s runs  q m <= k < q (m + 1),  q = ceil(n / s)
    in turns       k = m, m + s, m + 2 s, …   (a chunk of 1)
    in step        as neighbours, but each member runs q iterations, those that are not there as
                   the iteration n, in which there is nothing to do (`team.in_step`)

and all wait at the end for all, but where the loop says `nowait` or the function ends.
"""

from __future__ import annotations

from xdsl.dialects import func, omp, scf
from xdsl.ir import Block, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.dialects import team
from polyopt.passes.parallel.code import INDEX, Code, Index, known
from polyopt.support.diagnostics import CompileError


def lower_worksharing(entry: Block) -> None:
    """Lower every `omp.wsloop` of a function whose first two arguments are member and size, those
    in loops that all members run alike among them. Shares are what they are, from here on."""
    member, size = entry.args[0], entry.args[1]
    for op in [one for one in entry.walk() if isinstance(one, omp.WsLoopOp)]:
        _lower(op, member, size)
    for op in [one for one in entry.walk() if isinstance(one, team.ShareOp)]:
        Rewriter.replace_op(op, [], [op.start, op.end])


def _lower(loop: omp.WsLoopOp, member: SSAValue, size: SSAValue) -> None:
    nest = loop.body.block.first_op
    assert isinstance(nest, omp.LoopNestOp)
    if len(nest.lowerBound) != 1 or loop.private_vars or loop.reduction_vars:
        raise CompileError("this worksharing loop cannot be lowered here")
    code = Code(Block(), loop)
    lower, upper, step = (known(one[0]) for one in (nest.lowerBound, nest.upperBound, nest.step))
    span = code.greatest(code.subtract(upper, lower), 0)
    count = code.quotient_up(span, step)
    in_step = team.IN_STEP in loop.attributes
    if loop.schedule_chunk is not None:
        if known(loop.schedule_chunk) != 1:
            raise CompileError("chunks of a worksharing loop other than 1 cannot be lowered here")
        first, last, stride = member, count, size
    else:
        share = code.quotient_up(count, size)
        first = code.multiply(member, share)
        last = code.add(first, share)
        if not in_step:
            last = code.least(last, count)
        stride = 1
    body = nest.detach_region(nest.body)
    iterator = body.block.args[0]
    inside = Code(Block(arg_types=[INDEX]), loop)
    number: Index = inside.block.args[0]
    if in_step:
        number = inside.least(number, count)
    value = inside.index(inside.add(lower, inside.multiply(number, step)))
    iterator.replace_all_uses_with(value)
    for op in list(body.block.ops):
        op.detach()
        inside.block.add_op(scf.YieldOp() if isinstance(op, omp.YieldOp) else op)
    first, last, stride = code.index(first), code.index(last), code.index(stride)
    code.block.add_op(scf.ForOp(first, last, stride, [], inside.block))
    if loop.nowait is None and not isinstance(loop.next_op, func.ReturnOp):
        code.block.add_op(team.BarrierOp())
    Rewriter.inline_block(code.block, InsertPoint.before(loop))
    loop.detach()
    loop.erase()
