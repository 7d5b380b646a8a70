"""contract-to-affine: what is left of contractions becomes affine loops and vector code."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block
from xdsl.passes import ModulePass

from polyopt.dialects.contract import NestOp
from polyopt.dialects.contract_blocks import PackOp, TileOp
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.contract.nest_loops import write_loops
from polyopt.passes.loops.contract.pack_writer import PackWriter
from polyopt.passes.loops.contract.place import ContractPlacePass
from polyopt.passes.loops.contract.structured import Structured
from polyopt.passes.loops.contract.tile import Tile
from polyopt.passes.loops.contract.tile_writer import write_tile
from polyopt.passes.loops.replacement import move_all


@dataclass(frozen=True)
class ContractToAffinePass(ModulePass):
    """Replace every operation of `contract` by loops: a pack by one that copies (`pack_writer.py`),
    a tile by masked vector code with the tile in registers (`tile_writer.py`), a nest by the loops
    that it stands for.

    Requires: nothing; panels that have no place get one first, as by `contract-place`.
    Ensures: nothing of the dialect is left; each element sees its updates in the order of depth.

        contract.tile … {                        affine.for %k iter_args(vectors) {
          %t = %p * %q; yield %x + %t }    =>      vector += broadcast(row panel) * column panel }
    """

    name = "contract-to-affine"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        ContractPlacePass().apply(ctx, op)
        for one in list(op.walk()):
            if isinstance(one, NestOp | PackOp | TileOp):
                _replace(one)


def _replace(op: NestOp | PackOp | TileOp) -> None:
    builder = AffineBuilder(Block(), op)
    match op:
        case NestOp():
            write_loops(Structured.of(op), builder)
        case PackOp():
            PackWriter.of(op, builder).write()
        case TileOp():
            write_tile(Tile.of(op), builder)
    parent, anchor = op.parent, op.next_op
    assert parent is not None
    op.detach()
    op.erase()
    move_all(builder.block, parent, anchor)
