"""Writes a serial loop in pieces: strips, in each of them one loop for each piece, and buffers of
a strip's length for what one piece hands on to another."""

from __future__ import annotations

from xdsl.dialects import affine, memref
from xdsl.dialects.builtin import Float32Type, Float64Type, IntegerType, i1
from xdsl.ir import Attribute, Block, SSAValue

from polyopt.dialects.loop_facts import LoopFacts
from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.pieces.call_pieces import Pieces, taken_by
from polyopt.passes.loops.replacement import replace_op
from polyopt.support.target import LINE_BYTES


def is_handed_on(type_: Attribute) -> bool:
    """Can a buffer hold such values?"""
    return isinstance(type_, (Float32Type, Float64Type, IntegerType)) and type_ != i1


def write_pieces(op: affine.ForOp, pieces: Pieces, strip: int) -> None:
    """In the place of the loop."""
    builder, facts = AffineBuilder(Block(), op), AffineLoop(op).facts
    low, high = builder.range_of(op)
    buffers = {
        one: builder.insert(memref.AllocaOp.get(one.type, LINE_BYTES, [strip])).memref
        for one in pieces.handed_on()
    }
    iv = op.body.block.args[0]
    with builder.loop([low], [high], step=strip, name="strip") as around:
        bounds = [around.index], [around.index + strip, high]
        for piece, for_lanes in enumerate(pieces.for_lanes):
            free = LoopFacts(carried="parallel", iterator=facts.iterator)
            known = free if for_lanes else facts.of_unknown_order()
            with builder.loop(*bounds, name=iv.name_hint, facts=known) as loop:
                place = [loop.index - around.index]
                values: dict[SSAValue, SSAValue] = {iv: loop.iv}
                done = pieces.operations(piece)
                for inner in done:
                    for value in taken_by(inner):
                        if value in buffers and value not in values:
                            values[value] = builder.load(buffers[value], place)
                    builder.block.add_op(inner.clone(values))
                for value, buffer in buffers.items():
                    if pieces.number[value.op] == piece:
                        builder.store(values[value], buffer, place)
    replace_op(op, builder.block)
