"""Writes one register tile: rows of vectors, at one place, that stay in registers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from xdsl.dialects.builtin import VectorType
from xdsl.ir import SSAValue

from polyopt.dialects.cmem import memref_type
from polyopt.ir.affine.linear import Linear
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.registers.folded_rows import FoldedRows, folded
from polyopt.passes.loops.registers.nest_groups import Element
from polyopt.passes.loops.registers.register_nest import (
    RegisterNest,
)
from polyopt.passes.loops.registers.register_plan import Plan
from polyopt.passes.loops.registers.register_ranges import (
    Iterators,
    TileRows,
    TileStrip,
)
from polyopt.passes.loops.transfer_builder import read
from polyopt.support.record import record

Cell = tuple[int, int]
"""A row and a vector."""


@record
class RegisterTile:
    """One tile, at one place; `registers` hold the elements that it stores to."""

    builder: AffineBuilder
    nest: RegisterNest
    plan: Plan
    at: Iterators
    rows: TileRows
    strip: TileStrip
    folded: FoldedRows | None = None
    """Where a vector holds several rows: `rows` are such vectors, `plan.lanes` all lanes."""
    registers: dict[tuple[Cell, Element], SSAValue] = field(
        default_factory=dict[tuple[Cell, Element], SSAValue]
    )

    @staticmethod
    def of(
        builder: AffineBuilder,
        nest: RegisterNest,
        plan: Plan,
        at: Iterators,
        rows: TileRows,
        strip: TileStrip,
        lines: Mapping[SSAValue, SSAValue],
    ) -> RegisterTile:
        """Of so many rows, as few vectors as may be."""
        fold = folded(rows.count, plan.most_folded)
        if fold == 1:
            return RegisterTile(builder, nest, plan, at, rows, strip)
        assert not rows.at
        assert plan.row_loop is not None
        several = FoldedRows(builder, plan.lanes, fold, plan.row_loop.iv, plan.columns.iv, lines)
        wide = replace(plan, lanes=plan.lanes * fold)
        vectors = TileRows(rows.count // fold)
        return RegisterTile(builder, nest, wide, at, vectors, strip, several)

    @property
    def cells(self) -> list[Cell]:
        return [(row, n) for row in range(self.rows.count) for n in range(len(self.strip.masks))]

    def register(self, cell: Cell, element: Element) -> SSAValue:
        """What the cell's element holds now."""
        found = self.registers.get((cell, element))
        if found is None:
            array, forms = self.address(element, cell, self.at)
            type_ = VectorType(memref_type(array).element_type, [self.plan.lanes])
            mask = self.strip.masks[cell[1]]
            found = read(self.builder, array, forms, type_, mask=mask)
            self.registers[cell, element] = found
        return found

    def address(
        self, element: Element, cell: Cell, at: Iterators
    ) -> tuple[SSAValue, tuple[Linear, ...]]:
        here = self.iterators(cell, at)
        place = element[0], tuple(form.substitute(here) for form in element[1])
        if self.folded is None or element not in self.nest.held:
            return place
        return self.folded.place(place)

    def iterators(self, cell: Cell, at: Iterators) -> dict[SSAValue, Linear]:
        """Those of the nest, of the cell's first lane."""
        plan, (row, vector) = self.plan, cell
        here = {**at, plan.columns.iv: at[plan.columns.iv] + vector * plan.lanes}
        if plan.row_loop is not None and self.rows.at:
            here[plan.row_loop.iv] = self.rows.at[row]
        elif plan.row_loop is not None:
            fold = 1 if self.folded is None else self.folded.fold
            here[plan.row_loop.iv] = at[plan.row_loop.iv] + row * fold
        return here
