"""Loops marked "jam" move into the loop that is all their body: unroll-and-jam's first half.

for i {jam} { for j { S } }     =>     for j { for i { S } }
"""

from __future__ import annotations

from xdsl.dialects import affine
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Region
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.dialects.inside import operations_in
from polyopt.ir.affine.affine_nest import only_child_loop
from polyopt.passes.loops.unroll.full_tiles import is_marked

JAM = "jam"


def jam_marked(module: ModuleOp) -> None:
    loops = [op for op in operations_in(module, affine.ForOp) if is_marked(op, JAM)]
    # Inner loops first, so that an outer one meets the loop that they have moved into.
    for loop in reversed(loops):
        inwards: affine.ForOp | None = loop
        while inwards is not None:
            inwards = _interchange(inwards)


def _interchange(outer: affine.ForOp) -> affine.ForOp | None:
    """`outer` inside the one loop in it, if that is not marked and does not depend on it: then
    the loop in its new place, else None and no change."""
    inner = only_child_loop(outer)
    if inner is None or outer.inits or is_marked(inner, JAM):
        return None
    iterator = outer.body.block.args[0]
    if iterator in inner.operands:
        return None
    body = inner.detach_region(inner.body)
    around = Block(arg_types=body.block.arg_types)
    around.args[0].name_hint = body.block.args[0].name_hint
    body.block.args[0].replace_all_uses_with(around.args[0])
    iterator.replace_all_uses_with(body.block.args[0])
    body.block.args[0].name_hint = iterator.name_hint
    moved = _with_body(outer, body)
    around.add_ops([moved, affine.YieldOp.get()])
    Rewriter.insert_op(_with_body(inner, Region(around)), InsertPoint.before(outer))
    Rewriter.erase_op(outer)
    return moved


def _with_body(loop: affine.ForOp, body: Region) -> affine.ForOp:
    new = affine.ForOp.from_region(
        loop.lowerBoundOperands,
        loop.upperBoundOperands,
        (),
        (),
        loop.lowerBoundMap,
        loop.upperBoundMap,
        body,
        loop.step,
    )
    new.attributes = dict(loop.attributes)
    new.location = loop.location
    return new
