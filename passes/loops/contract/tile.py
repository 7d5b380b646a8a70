"""A `contract.tile` read into plain data, and where its elements are."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, SSAValue

from polyopt.dialects.contract_blocks import TileOp
from polyopt.dialects.contract_body import BeginOp, FinishOp
from polyopt.dialects.contract_forms import Blocking
from polyopt.ir.affine.constraints import Constraints
from polyopt.ir.affine.linear import Linear, linear_forms
from polyopt.ir.affine.linear_sets import forms_of_map, forms_of_set
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.contract.structured import Element, elements_of
from polyopt.support.record import record

Key = tuple[int, int, int]
"""(number of what is updated, row, vector)"""
Grid = dict[Key, SSAValue]


@record
class Corner:
    """The tile's number and first row, its number and first column, its first step of depth."""

    row_tile: Linear
    row: Linear
    column_tile: Linear
    column: Linear
    depth: Linear


@record
class Panel:
    """`argument` stands for a value of the panel in the body."""

    argument: SSAValue
    memref: SSAValue


@record
class Finish:
    """What `op` makes of an element goes to `subscripts` of its array."""

    op: FinishOp
    element: int
    subscripts: tuple[Linear, ...]


@record
class Tile:
    """`domain` are the block's instances, `known` is what holds here; the rest as the operation
    has it."""

    op: TileOp
    i: SSAValue
    j: SSAValue
    k: SSAValue
    blocking: Blocking
    domain: Constraints
    known: Constraints
    corner: Corner
    is_first: tuple[Linear, ...]
    is_last: tuple[Linear, ...]
    room: tuple[Linear, ...]
    updated: tuple[Element, ...]
    scalars: tuple[Element, ...]
    rows: tuple[Panel, ...]
    columns: tuple[Panel, ...]

    @staticmethod
    def of(op: TileOp) -> Tile:
        i, j, k = op.iterators
        elements = elements_of(op, [*op.updated, *op.taken])
        count = len(op.updated)
        panels = [
            Panel(argument, memref)
            for argument, memref in zip(
                op.elements[len(elements) :], (*op.row_panels, *op.column_panels), strict=True
            )
        ]
        outside = [op.first, op.last, op.room]
        is_first, is_last, room = (forms_of_set(one, (), op.symbols) for one in outside)
        return Tile(
            op,
            i,
            j,
            k,
            op.blocking.data,
            Constraints(forms_of_set(op.domain, (i, j, k), op.symbols)),
            Constraints(forms_of_set(op.assuming, (), op.symbols)),
            Corner(*forms_of_map(op.corner, (), op.symbols)),
            is_first,
            is_last,
            room,
            elements[:count],
            elements[count:],
            tuple(panels[: len(op.row_panels)]),
            tuple(panels[len(op.row_panels) :]),
        )

    @property
    def keys(self) -> list[Key]:
        return [
            (a, r, v)
            for a in range(len(self.updated))
            for r in range(self.blocking.rows)
            for v in range(self.blocking.vectors)
        ]

    @property
    def begins(self) -> dict[int, BeginOp]:
        """By the number of what is updated."""
        block = self.op.body.block
        return {self._number(op.element): op for op in block.ops if isinstance(op, BeginOp)}

    @property
    def finishes(self) -> list[Finish]:
        found: list[Finish] = []
        for op in self.op.body.block.ops:
            if isinstance(op, FinishOp):
                forms = linear_forms(op.map.data, op.places)
                assert forms is not None
                found.append(Finish(op, self._number(op.element), forms))
        return found

    def _number(self, element: SSAValue) -> int:
        return next(n for n, one in enumerate(self.updated) if one.argument is element)

    def type_of(self, number: int) -> VectorType[Attribute]:
        """Of the vectors of what is updated."""
        return VectorType(self.updated[number].type, [self.blocking.lanes])

    def extreme(self, form: Linear, *, is_least: bool) -> Linear:
        """The least (or greatest) value of `form` in the tile."""
        i, j = self.i, self.j
        replacement: dict[SSAValue, Linear] = {}
        for value, start, size in (
            (i, self.corner.row, self.blocking.rows),
            (j, self.corner.column, self.blocking.columns),
        ):
            is_end = (form.coefficient(value) < 0) == is_least
            replacement[value] = start + (size - 1) if is_end else start
        return form.substitute(replacement)

    def subscripts(self, forms: Sequence[Linear], row: Linear, column: int) -> list[Linear]:
        """What forms over the iterators are for the element in this row and column of the tile."""
        i, j = self.i, self.j
        here = {i: self.corner.row + row, j: self.corner.column + column}
        return [form.substitute(here) for form in forms]

    def masks_of_row(
        self,
        builder: AffineBuilder,
        forms: Sequence[Linear],
        row: Linear,
        depth: Linear | None = None,
    ) -> list[SSAValue]:
        """For each vector of a row, the lanes where all forms are at least zero (at this k).

        A form without j holds for all lanes or none: times the tile's width it is a number of
        lanes that is at most zero, or at least all.
        """
        i, j, k = self.i, self.j, self.k
        lanes, width, b = self.blocking.lanes, self.blocking.columns, builder
        here = {i: self.corner.row + row}
        if depth is not None:
            here[k] = depth
        placed = [form.substitute(here) for form in forms]
        bounds = Constraints(tuple(placed)).bounds(j)
        ends = [form - self.corner.column for form in bounds.uppers]
        ends += [(form + 1) * width for form in placed if not form.coefficient(j)]
        end = b.minimum([*ends, Linear((), width)])
        begin = b.maximum([form - self.corner.column for form in bounds.lowers] or [Linear()])
        masks: list[SSAValue] = []
        for first in range(0, width, lanes):
            start = begin - first if bounds.lowers else Linear()
            masks.append(b.lanes_between(start, end - first, lanes))
        return masks
