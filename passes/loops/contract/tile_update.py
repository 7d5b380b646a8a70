"""Writes the updates of a register tile: for each step of depth, row panel * column panel.

The panels are defined for the whole tile, so k runs over all of it without a guard. Where k's range
depends on i or j (a triangle in k), the steps that every element of the tile takes run
unguarded; in those before and after each element keeps its old value where it has no instance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field

from xdsl.dialects.builtin import VectorType
from xdsl.ir import SSAValue

from polyopt.dialects import pvec
from polyopt.dialects.loop_facts import LoopFacts
from polyopt.ir.constraints import Bounds, Constraints
from polyopt.ir.linear import Linear
from polyopt.passes.loops.affine_builder import ROLLED, AffineBuilder
from polyopt.passes.loops.contract.tile import Grid, Key, Panel, Tile
from polyopt.passes.loops.elementwise import Evaluator
from polyopt.passes.loops.vector_memory import vector_load
from polyopt.support.record import entity

_HOT = LoopFacts(marks=("unroll_by_4",))
"""Of the loop over k: counting costs a sixth of its instructions, a tenth of its time."""


def write_updates(tile: Tile, builder: AffineBuilder, grid: Grid) -> Grid:
    """The loop over k, in up to three parts: see the head of the file."""
    forms = tile.domain.simplified(tile.known).involving([tile.k])
    steady = [form for form in forms if not form.uses((tile.i, tile.j))]
    coupled = [form for form in forms if form.uses((tile.i, tile.j))]
    if not coupled:
        return _update(tile, builder, grid, Constraints(tuple(steady)).bounds(tile.k), [])
    greatest = [tile.extreme(form, is_least=False) for form in coupled]
    least = [tile.extreme(form, is_least=True) for form in coupled]
    hull = Constraints((*steady, *greatest)).bounds(tile.k)
    core = Constraints(tuple(least)).bounds(tile.k)
    b = builder
    first, last = b.maximum(hull.lowers), b.minimum(hull.uppers)
    begin = b.minimum([last, b.maximum([first, *core.lowers])])
    end = b.minimum([last, *core.uppers])
    if core.lowers:
        grid = _update(tile, b, grid, Bounds((first,), (begin,)), coupled)
    grid = _update(tile, b, grid, Bounds((begin,), (end,)), [])
    if core.uppers:
        rest = b.maximum([begin, end])
        grid = _update(tile, b, grid, Bounds((rest,), (last,)), coupled)
    return grid


def _update(
    tile: Tile, b: AffineBuilder, grid: Grid, bounds: Bounds, guards: Sequence[Linear]
) -> Grid:
    carried, facts = list(grid.values()), ROLLED if guards else _HOT
    with b.loop(bounds.lowers, bounds.uppers, carried=carried, name="k", facts=facts) as loop:
        old: Grid = dict(zip(grid, loop.carried, strict=True))
        step = _DepthStep(tile, b, loop.index, old)
        new = {key: step.updated(key) for key in grid}
        if guards:
            rows = range(tile.blocking.rows)
            masks = [tile.masks_of_row(b, guards, Linear((), r), loop.index) for r in rows]
            for (a, row, vector), value in new.items():
                key = (a, row, vector)
                chosen = pvec.SelectOp(masks[row][vector], value, old[key])
                new[key] = b.insert(chosen).result
        loop.yielded = tuple(new.values())
    return dict(zip(grid, loop.results, strict=True))


@entity
class _DepthStep:
    """One k: a value that varies with rows only, or with vectors only, is made once for each."""

    tile: Tile
    builder: AffineBuilder
    depth: Linear
    old: Grid
    _panels: dict[tuple[SSAValue, int], SSAValue] = field(
        default_factory=dict[tuple[SSAValue, int], SSAValue]
    )
    _evaluators: dict[tuple[int, int], Evaluator] = field(
        default_factory=dict[tuple[int, int], Evaluator]
    )

    def updated(self, key: Key) -> SSAValue:
        """The next value of what is updated."""
        number, row, vector = key
        if (row, vector) not in self._evaluators:
            self._evaluators[row, vector] = Evaluator(
                self.builder,
                self.tile.blocking.lanes,
                self.tile.op,
                lambda value: self._leaf(value, row, vector),
                # LLVM would sum four steps of k first, in registers that are not there.
                in_order=True,
            )
        return self._evaluators[row, vector].value(self.tile.op.yielded[number])

    def _leaf(self, value: SSAValue, row: int, vector: int) -> SSAValue | None:
        for number, element in enumerate(self.tile.updated):
            if value is element.argument:
                return self.old[number, row, vector]
        for panel in self.tile.rows:
            if panel.argument is value:
                return self._once(value, row, lambda: self._row(panel, row))
        for panel in self.tile.columns:
            if panel.argument is value:
                return self._once(value, vector, lambda: self._column(panel, vector))
        for scalar in self.tile.scalars:
            if scalar.argument is value:
                return self._once(value, 0, lambda: self._scalar(scalar.array))
        return None

    def _once(self, value: SSAValue, number: int, make: Callable[[], SSAValue]) -> SSAValue:
        if (value, number) not in self._panels:
            self._panels[value, number] = make()
        return self._panels[value, number]

    def _row(self, panel: Panel, row: int) -> SSAValue:
        b, corner = self.builder, self.tile.corner
        at = [corner.row_tile, self.depth - corner.depth, Linear((), row)]
        return b.broadcast(b.load(panel.memref, at), self.tile.blocking.lanes)

    def _column(self, panel: Panel, vector: int) -> SSAValue:
        corner, lanes = self.tile.corner, self.tile.blocking.lanes
        at = [corner.column_tile, self.depth - corner.depth, Linear((), vector * lanes)]
        type_ = VectorType(panel.argument.type, [lanes])
        return vector_load(self.builder, panel.memref, at, type_)

    def _scalar(self, array: SSAValue) -> SSAValue:
        """A value that nothing in the nest changes and that lies in memory."""
        return self.builder.broadcast(self.builder.load(array, []), self.tile.blocking.lanes)
