"""Writes one register tile: rows of vectors, at one place, that stay in registers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import IntegerType, VectorType
from xdsl.ir import SSAValue

from polyopt.dialects import pvec
from polyopt.dialects.cmem import memref_type
from polyopt.dialects.loop_facts import LoopFacts
from polyopt.ir.affine.linear import Linear
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.elementwise import Evaluator
from polyopt.passes.loops.registers.folded_rows import FoldedRows, folded
from polyopt.passes.loops.registers.nest_groups import Element, Group, is_count
from polyopt.passes.loops.registers.register_nest import (
    RegisterNest,
    is_scattered,
    moves_with,
)
from polyopt.passes.loops.registers.register_plan import Plan
from polyopt.passes.loops.registers.register_ranges import (
    Iterators,
    SerialRange,
    TileRows,
    TileStrip,
    bounds_at,
    edges_of,
    steps_of,
)
from polyopt.passes.loops.registers.serial_steps import places_beside, steps_together
from polyopt.passes.loops.registers.uniform_values import uniform_values
from polyopt.passes.loops.transfer_builder import read, write
from polyopt.support.record import entity, record

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

    def write(self) -> None:
        b, held = self.builder, self.nest.held
        known: dict[Cell, dict[SSAValue, SSAValue]] = {cell: {} for cell in self.cells}
        for group in self.nest.groups:
            if group.loops:
                self._write_serial(group, known)
            else:
                CellStep(self, group, self.at, known, self.strip.masks).run()
        for (cell, element), value in self.registers.items():
            if not held[element]:
                array, forms = self.address(element, cell, self.at)
                write(b, value, array, forms, mask=self.strip.masks[cell[1]])

    def _write_serial(self, group: Group, known: dict[Cell, dict[SSAValue, SSAValue]]) -> None:
        held = self.nest.held
        touched = dict.fromkeys(p for p in group.elements.values() if p in held)
        stored = {p for op, p in group.elements.items() if isinstance(op, affine.StoreOp)}
        slots = [(cell, element) for cell in self.cells for element in touched]
        for cell, element in slots:
            self.register(cell, element)
        slots = [slot for slot in slots if slot[1] in stored]
        initial = [self.registers[slot] for slot in slots]
        together = steps_together(self.nest, group, self.plan.columns)

        def loops(depth: int, at: Iterators, carried: Sequence[SSAValue]) -> tuple[SSAValue, ...]:
            loop = group.loops[depth]
            if moves_with(loop, self.plan.columns):
                for edge in edges_of(self.builder, loop, self.plan.columns, at, self.strip):
                    carried = run(depth, at, carried, edge)
                return tuple(carried)
            return run(depth, at, carried, SerialRange(*bounds_at(loop, at)))

        def run(
            depth: int, at: Iterators, carried: Sequence[SSAValue], part: SerialRange
        ) -> tuple[SSAValue, ...]:
            if depth + 1 == len(group.loops) and not part.is_edge and together > 1:
                for step, some in steps_of(self.builder, part, together):
                    carried = run_in_steps(depth, at, carried, some, step)
                return tuple(carried)
            return run_in_steps(depth, at, carried, part, group.loops[depth].step)

        def run_in_steps(
            depth: int, at: Iterators, carried: Sequence[SSAValue], part: SerialRange, step: int
        ) -> tuple[SSAValue, ...]:
            loop = group.loops[depth]
            with self.builder.loop(
                part.lowers,
                part.uppers,
                step=step,
                carried=carried,
                name=loop.iv.name_hint,
                facts=LoopFacts(iterator=loop.facts.iterator),
            ) as opened:
                inside = {**at, loop.iv: opened.index}
                if depth + 1 < len(group.loops):
                    opened.yielded = loops(depth + 1, inside, opened.carried)
                else:
                    found, count = opened.carried, step // loop.step
                    for n in range(count):
                        here = {**at, loop.iv: opened.index + n * loop.step}
                        found = body(here, found, part, range(-n, count - n))
                    opened.yielded = found
            return opened.results

        def body(
            at: Iterators, carried: Sequence[SSAValue], part: SerialRange, beside: range
        ) -> tuple[SSAValue, ...]:
            self.registers.update(zip(slots, carried, strict=True))
            values = {cell: dict(known[cell]) for cell in self.cells}
            masks = self.strip.masks
            if part.is_edge:
                time = at[group.loops[-1].iv]
                masks = tuple(
                    part.mask(self.builder, time, n, self.plan.lanes) for n in range(len(masks))
                )
            CellStep(self, group, at, values, masks, part.is_edge, beside).run()
            return tuple(self.registers[slot] for slot in slots)

        results = loops(0, self.at, initial)
        self.registers.update(zip(slots, results, strict=True))

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
