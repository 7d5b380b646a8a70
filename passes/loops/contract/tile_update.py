"""Writes the updates of a register tile: for each step of depth, row panel * column panel.

The panels are defined for the whole tile, so k runs over all of it without a guard. Where k's range
depends on i or j (a triangle in k), the steps that every element of the tile takes run
unguarded; in those before and after each element keeps its old value where it has no instance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field

from xdsl.dialects import vector
from xdsl.dialects.builtin import DenseArrayBase, VectorType, i64
from xdsl.ir import SSAValue

from polyopt.dialects import pvec
from polyopt.dialects.contract_groups import narrow_product
from polyopt.dialects.loop_facts import LoopFacts
from polyopt.dialects.pvec_group_sums import GroupDotOp
from polyopt.ir.affine.constraints import Bounds, Constraints
from polyopt.ir.affine.linear import Linear, ceiling
from polyopt.passes.loops.affine_builder import ROLLED, AffineBuilder
from polyopt.passes.loops.contract.tile import Grid, Key, Panel, Tile
from polyopt.passes.loops.elementwise import Evaluator
from polyopt.passes.loops.vector_memory import vector_load
from polyopt.support.record import entity

_HOT = LoopFacts(marks=("unroll_by_4", "long"))
"""Of the loop over k: counting costs a sixth of its instructions, a tenth of its time. All of its
accumulators are in registers, and what masks before and behind it need is not (16 registers, an
accumulator in memory: a tenth of the time of a triangular product)."""


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
    bounds = _in_groups(tile, b, bounds)
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


def _in_groups(tile: Tile, b: AffineBuilder, bounds: Bounds) -> Bounds:
    """The groups of the panels, all of which are filled: k begins where they do."""
    group = tile.blocking.group
    if group == 1:
        return bounds
    ends = [ceiling(form - tile.corner.depth, group) for form in bounds.uppers]
    return Bounds((Linear(),), (b.minimum(ends),))


@entity
class _DepthStep:
    """One k, or one group of them: a value that varies with rows only, or with vectors only, is
    made once for each."""

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
        if self.tile.blocking.group > 1:
            return self._summed(key)
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

    def _summed(self, key: Key) -> SSAValue:
        """A group of products more."""
        _, row, vector = key
        tile = self.tile
        product = narrow_product(tile.op.yielded, tile.updated[0].argument)
        assert product is not None
        (rows,), (columns,) = tile.rows, tile.columns
        ours = self._once(rows.argument, row, lambda: self._row_group(rows, row))
        theirs = self._once(columns.argument, vector, lambda: self._column(columns, vector))
        dot = GroupDotOp(
            (product.extending(rows.argument), ours),
            (product.extending(columns.argument), theirs),
            self.old[key],
        )
        return self.builder.insert(dot).sum

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
        at = [corner.row_tile, self._step, Linear((), row)]
        return b.broadcast(b.load(panel.memref, at), self.tile.blocking.lanes)

    def _row_group(self, panel: Panel, row: int) -> SSAValue:
        """The row's group in each lane."""
        b, sizes, narrow = self.builder, self.tile.blocking, panel.argument.type
        at = [self.tile.corner.row_tile, self._step, Linear((), row * sizes.group)]
        group = vector_load(b, panel.memref, at, VectorType(narrow, [sizes.group]))
        order = DenseArrayBase.from_list(i64, list(range(sizes.group)) * sizes.lanes)
        wide = VectorType(narrow, [sizes.group * sizes.lanes])
        return b.insert(vector.ShuffleOp(group, group, order, result_type=wide)).result

    @property
    def _step(self) -> Linear:
        """In the panels."""
        is_grouped = self.tile.blocking.group > 1
        return self.depth if is_grouped else self.depth - self.tile.corner.depth

    def _column(self, panel: Panel, vector: int) -> SSAValue:
        lanes = self.tile.blocking.lanes * self.tile.blocking.group
        at = [self.tile.corner.column_tile, self._step, Linear((), vector * lanes)]
        type_ = VectorType(panel.argument.type, [lanes])
        return vector_load(self.builder, panel.memref, at, type_)

    def _scalar(self, array: SSAValue) -> SSAValue:
        """A value that nothing in the nest changes and that lies in memory."""
        return self.builder.broadcast(self.builder.load(array, []), self.tile.blocking.lanes)
