"""The sizes of a blocked contraction, from the machine.

The shape of the register tile and the blocks follow the analysis of the GotoBLAS/BLIS family:
K. Goto, R. van de Geijn, "Anatomy of High-Performance Matrix Multiplication", ACM TOMS 34(3),
2008; T. M. Low et al., "Analytical Modeling Is Enough for High-Performance BLIS", ACM TOMS
43(2), 2016. The numbers that are not theirs were measured, and stand in `BlockModel`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from polyopt.dialects.contract_forms import Blocking
from polyopt.support.core_model import CORE
from polyopt.support.target import Target


def choose_blocking(
    target: Target,
    element_bytes: int,
    accumulators: int,
    row_panels: int,
    column_panels: int,
    extents: tuple[int | None, int | None] = (None, None),
    *,
    is_fused: bool = True,
) -> Blocking:
    """`extents` are those of rows and columns, where they are known; `is_fused`: an update is one
    operation.

    Registers: the tile with the least work per update, loads and what is computed in vain at the
    ends, that keeps accumulators, one row of each column panel, one broadcast and, where updates
    are not fused, one product in registers.
    L1: more than fits of a column panel's tile, since it is read in order. L2: a part of it for
    the row panels. The column panels stream from further out."""
    lanes = target.lanes(element_bytes)
    rows, vectors = _register_tile(
        target.vector_registers if is_fused else target.vector_registers - 1,
        lanes,
        (accumulators, row_panels, column_panels),
        extents,
        CORE.blocks.rows_unit if is_fused else CORE.blocks.rows_unit // 2,
    )
    step_bytes = vectors * lanes * element_bytes * column_panels
    blocks = CORE.blocks
    depth = min(blocks.deepest, int(blocks.l1_share * target.l1_bytes) // step_bytes)
    depth = max(blocks.least_depth, depth // blocks.depth_unit * blocks.depth_unit)
    row_block = int(blocks.l2_share * target.l2_bytes) // (depth * element_bytes * row_panels)
    column_block = blocks.column_block_bytes // (depth * element_bytes * column_panels)
    columns = vectors * lanes
    return Blocking(
        lanes=lanes,
        vectors=vectors,
        rows=rows,
        depth=depth,
        row_block=max(rows, row_block // rows * rows),
        column_block=max(columns, column_block // columns * columns),
    )


def in_groups(chosen: Blocking, steps: int) -> Blocking:
    """The sizes where so many steps of k lie in the place of one."""
    return replace(chosen, depth=chosen.depth * steps, group=steps)


def with_given(chosen: Blocking, given: Mapping[str, int]) -> Blocking:
    """The sizes that are given, and for the others those chosen: blocks, if they are not given, as
    whole tiles; whole groups of steps in any case."""
    sizes = replace(chosen, **given)
    sizes = replace(sizes, depth=-(-sizes.depth // sizes.group) * sizes.group)
    rows, columns = sizes.rows, sizes.columns
    return replace(
        sizes,
        row_block=given.get("row_block") or max(rows, sizes.row_block // rows * rows),
        column_block=given.get("column_block")
        or max(columns, sizes.column_block // columns * columns),
    )


def _register_tile(
    registers: int,
    lanes: int,
    operands: tuple[int, int, int],
    extents: tuple[int | None, int | None],
    unit: int,
) -> tuple[int, int]:
    """(rows, vectors) of least cost per update, rows in units that pack well; `operands` are
    accumulators, row panels and column panels."""
    accumulators, row_panels, column_panels = operands

    def fits(rows: int, vectors: int) -> bool:
        return accumulators * rows * vectors + column_panels * vectors + 1 <= registers

    def cost(shape: tuple[int, int]) -> float:
        rows, vectors = shape
        loads = (rows * row_panels + vectors * column_panels) / (rows * vectors)
        return (1 + loads) * _padding(extents[0], rows) * _padding(extents[1], vectors * lanes)

    shapes = [
        (rows, vectors)
        for vectors in range(1, CORE.blocks.most_vectors + 1)
        for rows in range(CORE.blocks.rows_unit, registers, unit)
        if fits(rows, vectors)
    ]
    return min(shapes, key=cost, default=(CORE.blocks.rows_unit, 1))


def _padding(extent: int | None, tile: int) -> float:
    """By how much tiles make an extent longer."""
    return -(-extent // tile) * tile / extent if extent else 1.0
