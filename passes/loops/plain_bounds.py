"""Loops from a quotient or to one, as loops from a value to a value."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import affine
from xdsl.ir import Block, SSAValue

from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.replacement import move_all


def is_divided(op: affine.ForOp) -> bool:
    """Does it begin or end at a quotient, as a loop over half of a row does?"""
    maps = (op.lowerBoundMap.data, op.upperBoundMap.data)
    is_single = all(len(one.results) == 1 for one in maps)
    loop = AffineLoop(op)
    return is_single and (loop.lowers is None or loop.uppers is None)


def with_plain_bounds_where(
    op: affine.ForOp, reader: Callable[[affine.ForOp], object | None]
) -> affine.ForOp:
    """The same loop from a value to a value if the reader finds what it looks for then, itself if
    not: for the stores of such loops that fill rows together LLVM has shuffles."""
    plain = _with_plain_bounds(op)
    op.detach()
    if reader(plain) is not None:
        op.erase()
        return plain
    block = plain.parent
    assert block is not None
    block.insert_op_before(op, plain)
    plain.detach()
    plain.erase()
    return op


def with_plain_bounds(op: affine.ForOp) -> affine.ForOp:
    """The same loop from a value to a value, where bounds are divided as those of loops by threes
    are."""
    plain = _with_plain_bounds(op)
    op.detach()
    op.erase()
    return plain


def _with_plain_bounds(op: affine.ForOp) -> affine.ForOp:
    """It, in front of `op`."""
    builder, loop = AffineBuilder(Block(), op), AffineLoop(op)
    low, high = builder.range_of(op)
    with builder.loop([low], [high], step=loop.step, name=loop.iv.name_hint, facts=loop.facts) as b:
        values: dict[SSAValue, SSAValue] = {loop.iv: b.iv}
        for one in op.body.block.ops:
            if not isinstance(one, affine.YieldOp):
                builder.insert(one.clone(values))
    plain = builder.block.last_op
    assert isinstance(plain, affine.ForOp)
    parent = op.parent
    assert parent is not None
    move_all(builder.block, parent, op)
    return plain
