"""Loops of `scf` as loops of `affine`.

scf.for over index                 the same loop, with maps for bounds
scf.for over i32, i64              a loop over index; the iterator is converted in it
scf.parallel                       one loop inside the other; what it reduces is carried
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine, arith, scf
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.ir.effects import constant_integer
from polyopt.passes.raising.affine_values import INDEX, AffineReader, NotAffineValue


def raise_loop(op: scf.ForOp) -> affine.ForOp:
    """The loop in its place; raises NotAffine, and then it is as it was."""
    iterator = op.body.block.args[0]
    step = constant_integer(op.step)
    if step is None:
        advice = "arith.constant makes it one"
        raise NotAffineValue(op.step, "its step is not a constant", advice)
    if step <= 0:
        raise NotAffineValue(op.step, f"its step is {step}, and loops of scf count upwards")
    if "unsignedCmp" in op.attributes or "unsignedCmp" in op.properties:
        raise NotAffineValue(op.ub, "it compares unsigned numbers")
    lower, upper = AffineReader(), AffineReader()
    try:
        low = lower.map(lower.lower_bounds(op.lb))
        high = upper.map(upper.upper_bounds(op.ub))
    except NotAffineValue as error:
        raise NotAffineValue(
            error.value, f"its bound is not affine: {error.cause}", error.advice
        ) from None
    body = op.detach_region(op.body)
    new = affine.ForOp.from_region(
        lower.operands, upper.operands, op.iter_args, op.result_types, low, high, body, step
    )
    new.attributes, new.location = dict(op.attributes), op.location
    if not isinstance(iterator.type, IndexType):
        _convert_iterator(body.block)
    replace_yield(body.block)
    Rewriter.insert_op(new, InsertPoint.before(op))
    for old, result in zip(op.res, new.res, strict=True):
        result.name_hint = old.name_hint
        old.replace_all_uses_with(result)
    Rewriter.erase_op(op)
    return new


def _convert_iterator(block: Block) -> None:
    """The iterator is between the bounds, which are numbers of its type."""
    old = block.args[0]
    new = block.insert_arg(INDEX, 0)
    cast = arith.IndexCastOp(new, old.type)
    new.name_hint = cast.result.name_hint = old.name_hint
    old.replace_all_uses_with(cast.result)
    block.erase_arg(old)
    Rewriter.insert_op(cast, InsertPoint.at_start(block))


def replace_yield(block: Block) -> None:
    """The terminator of `scf` by that of `affine`."""
    terminator = block.last_op
    assert isinstance(terminator, scf.YieldOp)
    new = affine.YieldOp.get(*terminator.arguments)
    new.location = terminator.location
    Rewriter.insert_op(new, InsertPoint.before(terminator))
    Rewriter.erase_op(terminator)


def serial_loops(op: scf.ParallelOp) -> scf.ForOp:
    """The loops of `op` in its place: one order of those that it permits."""
    innermost = op.body.block
    values: list[SSAValue] = list(op.initVals)
    loops: list[scf.ForOp] = []
    for low, high, step in zip(op.lowerBound, op.upperBound, op.step, strict=True):
        block = Block(arg_types=[INDEX, *(value.type for value in values)])
        loop = scf.ForOp(low, high, step, values, Region(block))
        loop.location = op.location
        if loops:
            outer = loops[-1].body.block
            outer.add_ops([loop, scf.YieldOp(*loop.res)])
        loops.append(loop)
        values = list(block.args[1:])
    loops[0].attributes = dict(op.attributes)
    Rewriter.insert_op(loops[0], InsertPoint.before(op))
    iterators = [loop.body.block.args[0] for loop in loops]
    for new, old in zip(iterators, innermost.args, strict=True):
        new.name_hint = old.name_hint
    last = loops[-1].body.block
    Rewriter.inline_block(innermost, InsertPoint.at_end(last), iterators)
    _carry_reductions(last, values)
    for old, result in zip(op.res, loops[0].res, strict=True):
        result.name_hint = old.name_hint
        old.replace_all_uses_with(result)
    Rewriter.erase_op(op)
    return loops[0]


def _carry_reductions(block: Block, carried: Sequence[SSAValue]) -> None:
    """`scf.reduce` at the end of a block becomes what it does to the carried values."""
    reduce = block.last_op
    values: list[SSAValue] = []
    if isinstance(reduce, scf.ReduceOp):
        for region, old, given in zip(reduce.reductions, carried, reduce.args, strict=True):
            combine = region.block
            last = combine.last_op
            assert isinstance(last, scf.ReduceReturnOp)
            Rewriter.inline_block(combine, InsertPoint.before(reduce), [old, given])
            values.append(last.result)
            Rewriter.erase_op(last)
    if isinstance(reduce, scf.ReduceOp | scf.YieldOp):
        Rewriter.erase_op(reduce)
    block.add_op(scf.YieldOp(*values))
