"""Contractions are cut into blocks, panels and tiles."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block

from polyopt.dialects.contract import NestOp
from polyopt.dialects.contract_forms import Blocking
from polyopt.dialects.inside import operations_in
from polyopt.dialects.locations import nearest_span
from polyopt.dialects.loop_facts import facts_of, set_facts
from polyopt.ir.affine.constraints import NotRepresentable
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.contract.block_ops import BlockOps
from polyopt.passes.loops.contract.block_writer import BlockWriter
from polyopt.passes.loops.contract.kept_panels import loop_around
from polyopt.passes.loops.contract.structured import Structured
from polyopt.passes.loops.replacement import replace_op
from polyopt.support.remarks import how_many, remark


def cut(module: ModuleOp) -> None:
    """As `contract-block` promises."""
    for nest in operations_in(module, NestOp):
        if nest.blocking is not None:
            _replace(nest, nest.blocking.data)


def _replace(op: NestOp, sizes: Blocking) -> None:
    nest = Structured.of(op)
    values = nest.panels
    if values is None or op.parent is None:
        return
    builder = AffineBuilder(Block(), op)
    keeping = loop_around(op) if op.kept is not None else None
    ops = BlockOps(nest, values, sizes, builder)
    try:
        BlockWriter(nest, sizes, builder, ops, keeping).write()
    except NotRepresentable:
        return
    _tell(op, sizes)
    replace_op(op, builder.block)
    if keeping is not None:
        set_facts(keeping.op, facts_of(keeping.op).of_unknown_order())


def _tell(op: NestOp, sizes: Blocking) -> None:
    last = op.body.block.last_op
    steps = f", {sizes.group} steps of depth at once" if sizes.group > 1 else ""
    remark(
        "applied",
        "contract-block",
        f"contraction in panels of {sizes.row_block} x {sizes.depth} x {sizes.column_block}, "
        f"{how_many(sizes.rows, 'row')} of {how_many(sizes.vectors, 'vector')} in registers{steps}",
        None if last is None else nearest_span(last),
        numbers=(("lanes", sizes.lanes),),
    )
