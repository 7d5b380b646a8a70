"""Writes a register tile: its groups in turn, with the serial loops around theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from functools import cached_property

from xdsl.dialects import affine
from xdsl.ir import SSAValue

from polyopt.dialects.loop_facts import LoopFacts
from polyopt.passes.loops.registers.cell_step import CellStep
from polyopt.passes.loops.registers.nest_groups import Element, Group
from polyopt.passes.loops.registers.partial_sums import combined, nothing_yet, sums_apart
from polyopt.passes.loops.registers.register_nest import moves_with
from polyopt.passes.loops.registers.register_ranges import (
    Iterators,
    SerialRange,
    bounds_at,
    edges_of,
    steps_of,
)
from polyopt.passes.loops.registers.register_tile import Cell, RegisterTile
from polyopt.passes.loops.registers.serial_steps import steps_together
from polyopt.passes.loops.transfer_builder import write
from polyopt.support.record import entity

Values = tuple[SSAValue, ...]


def write_tile(tile: RegisterTile) -> None:
    b, held = tile.builder, tile.nest.held
    known: dict[Cell, dict[SSAValue, SSAValue]] = {cell: {} for cell in tile.cells}
    for group in tile.nest.groups:
        if group.loops:
            _SerialLoops(tile, group, known).write()
        else:
            CellStep(tile, group, tile.at, known, tile.strip.masks).run()
    for (cell, element), value in tile.registers.items():
        if not held[element]:
            array, forms = tile.address(element, cell, tile.at)
            write(b, value, array, forms, mask=tile.strip.masks[cell[1]])


@entity
class _SerialLoops:
    """Those of one group. `slots` are what it changes of what the registers hold; the loops carry
    their values from iteration to iteration."""

    tile: RegisterTile
    group: Group
    known: dict[Cell, dict[SSAValue, SSAValue]]
    slots: list[tuple[Cell, Element]] = field(default_factory=list[tuple[Cell, Element]])

    @cached_property
    def together(self) -> int:
        return steps_together(self.tile.nest, self.group, self.tile.plan.columns)

    def write(self) -> None:
        tile, elements = self.tile, self.group.elements
        touched = dict.fromkeys(p for p in elements.values() if p in tile.nest.held)
        stored = {p for op, p in elements.items() if isinstance(op, affine.StoreOp)}
        for cell in tile.cells:
            for element in touched:
                tile.register(cell, element)
                if element in stored:
                    self.slots.append((cell, element))
        results = self._loops(0, tile.at, [tile.registers[slot] for slot in self.slots])
        tile.registers.update(zip(self.slots, results, strict=True))

    def _loops(self, depth: int, at: Iterators, carried: Sequence[SSAValue]) -> Values:
        loop, tile = self.group.loops[depth], self.tile
        if moves_with(loop, tile.plan.columns):
            for edge in edges_of(tile.builder, loop, tile.plan.columns, at, tile.strip):
                carried = self._run(depth, at, carried, edge)
            return tuple(carried)
        return self._run(depth, at, carried, SerialRange(*bounds_at(loop, at)))

    def _run(
        self, depth: int, at: Iterators, carried: Sequence[SSAValue], part: SerialRange
    ) -> Values:
        if depth + 1 < len(self.group.loops) or part.is_edge:
            return self._run_in_steps(depth, at, carried, part, self.group.loops[depth].step)
        apart = sums_apart(self.tile, self.group) if self.together == 1 else 1
        if apart > 1:
            return self._run_apart(depth, at, carried, part, apart)
        if self.together == 1:
            return self._run_in_steps(depth, at, carried, part, self.group.loops[depth].step)
        for step, some in steps_of(self.tile.builder, part, self.together):
            carried = self._run_in_steps(depth, at, carried, some, step)
        return tuple(carried)

    def _run_apart(
        self, depth: int, at: Iterators, carried: Sequence[SSAValue], part: SerialRange, apart: int
    ) -> Values:
        """Sums of every so many-th iteration, which are added up behind the loop."""
        b = self.tile.builder
        for step, some in steps_of(b, part, apart):
            if step == 1:
                carried = self._run_in_steps(depth, at, carried, some, 1)
                continue
            others = [nothing_yet(b, one) for _ in range(apart - 1) for one in carried]
            found = self._run_in_steps(depth, at, [*carried, *others], some, step)
            with b.in_place_of(self.group.accesses[-1]):
                carried = combined(b, found, len(self.slots))
        return tuple(carried)

    def _run_in_steps(
        self, depth: int, at: Iterators, carried: Sequence[SSAValue], part: SerialRange, step: int
    ) -> Values:
        loop, tile = self.group.loops[depth], self.tile
        with tile.builder.loop(
            part.lowers,
            part.uppers,
            step=step,
            carried=carried,
            name=loop.iv.name_hint,
            facts=LoopFacts(iterator=loop.facts.iterator),
        ) as opened:
            inside = {**at, loop.iv: opened.index}
            if depth + 1 < len(self.group.loops):
                opened.yielded = self._loops(depth + 1, inside, opened.carried)
            else:
                found, width, count = list(opened.carried), len(self.slots), step // loop.step
                for n in range(count):
                    here = {**at, loop.iv: opened.index + n * loop.step}
                    first = n * width % len(found)
                    own = slice(first, first + width)
                    found[own] = self._body(here, found[own], part, range(-n, count - n))
                opened.yielded = tuple(found)
        return opened.results

    def _body(
        self, at: Iterators, carried: Sequence[SSAValue], part: SerialRange, beside: range
    ) -> Values:
        tile = self.tile
        tile.registers.update(zip(self.slots, carried, strict=True))
        values = {cell: dict(self.known[cell]) for cell in tile.cells}
        masks = tile.strip.masks
        if part.is_edge:
            time = at[self.group.loops[-1].iv]
            masks = tuple(
                part.mask(tile.builder, time, n, tile.plan.lanes) for n in range(len(masks))
            )
        CellStep(tile, self.group, at, values, masks, part.is_edge, beside).run()
        return tuple(tile.registers[slot] for slot in self.slots)
