"""Writes a `contract.tile` as vector code.

    X tile into registers; for k: tile += row panel (broadcast) * column panel (vectors); back

One tile serves full and ragged places alike: only the transfer of the X tile asks whether it is
full or cut by an edge or a diagonal.
"""

from __future__ import annotations

from xdsl.dialects.builtin import FixedBitwidthType

from polyopt.ir.linear import Linear
from polyopt.passes.loops.affine_builder import ROLLED, AffineBuilder
from polyopt.passes.loops.contract.tile import Tile
from polyopt.passes.loops.contract.tile_transfer import Transfer
from polyopt.passes.loops.contract.tile_update import write_updates
from polyopt.passes.loops.vector_memory import prefetch
from polyopt.support.target import LINE_BYTES


def write_tile(tile: Tile, builder: AffineBuilder) -> None:
    edges = [
        form
        for form in tile.domain.without([tile.k], tile.known).involving([tile.i, tile.j])
        if not tile.known.implies(tile.extreme(form, is_least=True))
    ]
    transfer = Transfer(tile, builder, edges)
    grid = transfer.load()
    _prefetch_next(tile, builder)
    transfer.store(write_updates(tile, builder, grid))


def _prefetch_next(tile: Tile, b: AffineBuilder) -> None:
    """The tile below comes next; while k runs here, its lines arrive."""
    sizes = tile.blocking
    with b.loop([Linear()], [Linear((), sizes.rows)], name="r", facts=ROLLED) as row:
        below = row.index + sizes.rows
        for element in tile.updated:
            assert isinstance(element.type, FixedBitwidthType)
            for column in range(0, sizes.columns, LINE_BYTES // element.type.size):
                prefetch(b, element.array, tile.subscripts(element.subscripts, below, column))
