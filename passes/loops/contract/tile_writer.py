"""Writes a `contract.tile` as vector code.

    X tile into registers; for k: tile += row panel (broadcast) * column panel (vectors); back

One tile serves full and ragged places alike: only the transfer of the X tile asks whether it is
full or cut by an edge or a diagonal. Where the last columns take fewer vectors than a tile has,
they are updated as a tile of so many: the others would be computed in vain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.dialects.builtin import FixedBitwidthType
from xdsl.ir import SSAValue

from polyopt.ir.affine.linear import Linear
from polyopt.passes.loops.affine_builder import ROLLED, AffineBuilder
from polyopt.passes.loops.contract.tile import Tile
from polyopt.passes.loops.contract.tile_transfer import Transfer
from polyopt.passes.loops.contract.tile_update import write_updates
from polyopt.passes.loops.vector_memory import prefetch
from polyopt.support.target import LINE_BYTES


def write_tile(tile: Tile, builder: AffineBuilder) -> None:
    _write_from(1, tile, builder)


def _write_from(vectors: int, tile: Tile, builder: AffineBuilder) -> None:
    """The tile with this number of vectors where no column is beyond them, else with more."""
    if vectors == tile.blocking.vectors:
        _write(tile, builder)
        return
    narrow = replace(tile, blocking=replace(tile.blocking, vectors=vectors))
    end = _end(tile, narrow.blocking.columns)
    if end is None:
        _write_from(vectors + 1, tile, builder)
        return
    branch = builder.branch([end])
    with branch.then():
        _write(narrow, builder)
    with branch.orelse():
        _write_from(vectors + 1, tile, builder)
    branch.close()


def _end(tile: Tile, columns: int) -> Linear | None:
    """At least zero where the block has no column from this one of the tile's on; None where that
    is more than one condition, or never so."""
    forms = _edges(tile, [tile.i, tile.k], [tile.j])
    ends = [form for form in forms if form.coefficient(tile.j) < 0]
    if len(ends) != 1 or _vectors_left(tile, ends[0]) not in (None, columns // tile.blocking.lanes):
        return None
    beyond = -ends[0].substitute({tile.j: tile.corner.column + columns}) - 1
    return beyond if beyond.terms else None


def _vectors_left(tile: Tile, end: Linear) -> int | None:
    """How many vectors the columns behind whole tiles take, where their number is known."""
    own = Linear.of(tile.j)
    forms = tile.domain.without([tile.i, tile.k]).involving([tile.j])
    starts = [form for form in forms if not (form - own).terms]
    if len(starts) != 1 or (end + own).terms:
        return None
    left = (starts[0] + end).constant + 1
    return -(-(left % tile.blocking.columns) // tile.blocking.lanes)


def _write(tile: Tile, builder: AffineBuilder) -> None:
    edges = _edges(tile, [tile.k], [tile.i, tile.j])
    transfer = Transfer(tile, builder, edges)
    grid = transfer.load()
    _prefetch_next(tile, builder)
    transfer.store(write_updates(tile, builder, grid))


def _edges(tile: Tile, without: Sequence[SSAValue], over: Sequence[SSAValue]) -> list[Linear]:
    """The bounds of the block's instances `over` some iterators that may cut the tile."""
    return [
        form
        for form in tile.domain.without(without, tile.known).involving(over)
        if not tile.known.implies(tile.extreme(form, is_least=True))
    ]


def _prefetch_next(tile: Tile, b: AffineBuilder) -> None:
    """The tile below comes next; while k runs here, its lines arrive."""
    sizes = tile.blocking
    with b.loop([Linear()], [Linear((), sizes.rows)], name="r", facts=ROLLED) as row:
        below = row.index + sizes.rows
        for element in tile.updated:
            assert isinstance(element.type, FixedBitwidthType)
            for column in range(0, sizes.columns, LINE_BYTES // element.type.size):
                prefetch(b, element.array, tile.subscripts(element.subscripts, below, column))
