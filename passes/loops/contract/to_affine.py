"""What is left of contractions becomes affine loops and vector code."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block

from polyopt.dialects.contract import NestOp
from polyopt.dialects.contract_blocks import PackOp, TileOp
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.contract.group_packs import GroupPackWriter
from polyopt.passes.loops.contract.nest_loops import write_loops
from polyopt.passes.loops.contract.pack_writer import PackWriter
from polyopt.passes.loops.contract.place import place
from polyopt.passes.loops.contract.structured import Structured
from polyopt.passes.loops.contract.tile import Tile
from polyopt.passes.loops.contract.tile_writer import write_tile
from polyopt.passes.loops.replacement import replace_op


def to_affine(module: ModuleOp) -> None:
    """As `contract-to-affine` promises."""
    place(module)
    for one in list(module.walk()):
        if isinstance(one, NestOp | PackOp | TileOp):
            _replace(one)


def _replace(op: NestOp | PackOp | TileOp) -> None:
    builder = AffineBuilder(Block(), op)
    match op:
        case NestOp():
            write_loops(Structured.of(op), builder)
        case PackOp():
            (GroupPackWriter if op.steps > 1 else PackWriter).of(op, builder).write()
        case TileOp():
            write_tile(Tile.of(op), builder)
    replace_op(op, builder.block)
