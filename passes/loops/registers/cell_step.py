"""The straight-line code of a nest in all cells of a register tile."""

from __future__ import annotations

from dataclasses import field

from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import IntegerType, VectorType
from xdsl.ir import SSAValue

from polyopt.dialects import pvec
from polyopt.ir.affine.linear import Linear
from polyopt.passes.loops.elementwise import Evaluator
from polyopt.passes.loops.registers.nest_groups import Element, Group, is_count
from polyopt.passes.loops.registers.register_nest import is_scattered
from polyopt.passes.loops.registers.register_ranges import Iterators
from polyopt.passes.loops.registers.register_tile import Cell, RegisterTile
from polyopt.passes.loops.registers.serial_steps import places_beside
from polyopt.passes.loops.registers.uniform_values import uniform_values
from polyopt.passes.loops.transfer_builder import read
from polyopt.support.record import entity


@entity
class CellStep:
    """A group's straight-line code in all cells of a tile. What is the same in all lanes is
    computed once for each row."""

    tile: RegisterTile
    group: Group
    at: Iterators
    known: dict[Cell, dict[SSAValue, SSAValue]]
    masks: tuple[SSAValue | None, ...]
    is_edge: bool = False
    """Lanes outside of the mask keep what they hold."""
    beside: range = range(1)
    """The iterations of the innermost loop that run together with this one."""
    scalars: dict[tuple[SSAValue, tuple[Linear, ...]], SSAValue] = field(
        default_factory=dict[tuple[SSAValue, tuple[Linear, ...]], SSAValue]
    )
    spread: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])

    def run(self) -> None:
        tile, group = self.tile, self.group
        b, plan, root = tile.builder, tile.plan, tile.nest.root
        moving = () if tile.folded is None else (tile.folded.rows,)
        uniform = uniform_values(tile.nest, group, plan.columns, *moving)
        scalars = [
            Evaluator(b, None, root, lambda value, row=row: self._scalar(value, row))
            for row in range(tile.rows.count)
        ]
        evaluators: dict[Cell, Evaluator] = {}
        for cell in tile.cells:

            def leaf(value: SSAValue, cell: Cell = cell) -> SSAValue | None:
                if value in uniform and not isinstance(value.owner, affine.LoadOp):
                    return self._spread(scalars[cell[0]].value(value))
                return self._vector(value, cell)

            evaluators[cell] = Evaluator(b, plan.lanes, root, leaf, known=self.known[cell])
        for op in group.operations:
            for cell, evaluator in evaluators.items():
                if isinstance(op, affine.StoreOp):
                    self._put(cell, group.elements[op], evaluator.value(op.value))
                elif op.results and (
                    op.results[0] not in uniform or op.results[0] in group.handed_on
                ):
                    evaluator.value(op.results[0])

    def _put(self, cell: Cell, element: Element, value: SSAValue) -> None:
        if self.is_edge and (mask := self.masks[cell[1]]) is not None:
            held = self.tile.register(cell, element)
            value = self.tile.builder.insert(pvec.SelectOp(mask, value, held)).result
        self.tile.registers[cell, element] = value

    def _spread(self, scalar: SSAValue) -> SSAValue:
        if scalar not in self.spread:
            lanes = self.tile.plan.lanes
            self.spread[scalar] = self.tile.builder.broadcast(scalar, lanes)
        return self.spread[scalar]

    def _scalar(self, value: SSAValue, row: int) -> SSAValue | None:
        op, cell = value.owner, (row, 0)
        if isinstance(op, affine.LoadOp) and op in self.group.elements:
            key = self.tile.address(self.group.elements[op], cell, self.at)
            if key not in self.scalars:
                self.scalars[key] = self.tile.builder.load(*key)
            return self.scalars[key]
        if isinstance(op, arith.IndexCastOp):
            b, here = self.tile.builder, self.tile.iterators(cell, self.at)
            counted = here.get(op.input, Linear.of(op.input))
            cast = arith.IndexCastOp(b.value(counted), op.result.type)
            return b.insert(cast).result
        return None

    def _vector(self, value: SSAValue, cell: Cell) -> SSAValue | None:
        op, b, plan = value.owner, self.tile.builder, self.tile.plan
        if isinstance(op, arith.IndexCastOp) and is_count(op):
            type_ = op.result.type
            assert isinstance(type_, IntegerType)
            first = self.tile.iterators(cell, self.at)[op.input]
            return b.numbers(first, 1, plan.lanes, type_)
        if not isinstance(op, affine.LoadOp) or op not in self.group.elements:
            return None
        element = self.group.elements[op]
        if element in self.tile.nest.held:
            return self.tile.register(cell, element)
        array, forms = self.tile.address(element, cell, self.at)
        if self.tile.folded is not None:
            elements = [p for group in self.tile.nest.groups for p in group.elements.values()]
            return self.tile.folded.load(element, (array, forms), elements)
        steps = [form.coefficient(plan.columns.iv) for form in element[1]]
        mask = self.masks[cell[1]] if any(steps) else None
        is_picked = any(steps) and abs(steps[-1]) > 1 and not is_scattered(element, plan.columns)
        is_close = mask is None and is_picked
        return read(
            b,
            array,
            forms,
            VectorType(op.result.type, [plan.lanes]),
            steps=steps,
            mask=mask,
            within=places_beside(element, self.group, plan.columns, self.beside)
            if is_close
            else (),
        )
