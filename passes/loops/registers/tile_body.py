"""The innermost code of a register tile, counted: what an iteration of it takes, of a tile of any
size (`register_plan.py` has the model)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import affine
from xdsl.ir import Operation, SSAValue

from polyopt.ir.affine.affine_nest import AffineLoop, ElementAccess
from polyopt.ir.fast_math import is_fused
from polyopt.passes.loops.crowded_lanes import are_crowded
from polyopt.passes.loops.registers.nest_groups import Element, Group
from polyopt.passes.loops.registers.register_nest import (
    RegisterNest,
    element_bytes,
    is_scattered,
    strides_along,
)
from polyopt.passes.loops.registers.row_places import RowPlaces
from polyopt.passes.loops.registers.serial_steps import shuffles_left, steps_together
from polyopt.passes.loops.registers.uniform_values import uniform_values
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.target import LANE_BYTES, Target


@record
class TileBody:
    """The innermost code, counted."""

    moving: RowPlaces
    fixed: RowPlaces
    scattered: RowPlaces
    """What is loaded: as a vector, as one element that all lanes share, and lane by lane."""
    gathered: float
    """Cycles for a lane of each of the latter."""
    arithmetic: float
    by_row: float
    """Operations in each cell, and those whose result all lanes of a row share."""
    spread: float
    """Values that are computed for a row, each of which is then put into all lanes."""
    way: float
    held: int
    element_bytes: int
    together: int
    """Iterations of the innermost loop that share the vectors they are picked from."""

    @staticmethod
    def of(
        nest: RegisterNest,
        group: Group,
        columns: AffineLoop,
        target: Target,
        still: set[SSAValue] | frozenset[SSAValue] = frozenset(),
    ) -> TileBody:
        """`still`: what is computed in front of the innermost loop."""
        loads = {
            element: None
            for op, element in group.elements.items()
            if isinstance(op, affine.LoadOp) and element not in nest.held and op.result not in still
        }
        scattered = [p for p in loads if is_scattered(p, columns)]
        moving = [p for p in loads if strides_along(p, columns)[1] and p not in scattered]
        fixed = [p for p in loads if p not in moving and p not in scattered]
        held = {element for element in group.elements.values() if element in nest.held}
        uniform = uniform_values(nest, group, columns)
        return TileBody(
            RowPlaces(moving, columns.iv),
            RowPlaces(fixed, columns.iv),
            RowPlaces(scattered, columns.iv),
            _gathered(scattered, columns, target),
            arithmetic_of(group, lambda op: not (uniform | still).issuperset(op.results)),
            arithmetic_of(group, lambda op: (uniform - still).issuperset(op.results)),
            _spread(group, uniform - still),
            _longest_way(nest, group),
            max(1, len(held)),
            element_bytes(nest),
            steps_together(nest, group, columns),
        )

    def fits(self, row_loop: AffineLoop | None, rows: int, vectors: int, registers: int) -> bool:
        spread = 0 if not self.fixed.places else 1
        moving = len(self.moving.places) + len(self.scattered.places)
        in_use = rows * vectors * self.held + min(vectors, moving * vectors) + spread
        operations = (self.arithmetic + moving) * rows * vectors * self.together
        is_short = operations <= CORE.registers.largest
        return in_use <= registers - 1 and (is_short or rows * vectors == 1)

    def rest_heights(self, rows: int, vectors: int) -> tuple[int, ...]:
        """Powers of two below the tile's, each in a loop of its own that runs once at most: a tile
        of few rows waits for its sums. Of long bodies the code is worth more: single rows."""
        operations = (self.arithmetic + len(self.moving.places)) * rows * vectors
        if operations > CORE.registers.largest_of_rests:
            return (1,)
        return tuple(1 << n for n in reversed(range((rows - 1).bit_length()))) or (1,)

    def may_repeat(
        self, row_loop: AffineLoop | None, heights: Sequence[int], vectors: int, lanes: int
    ) -> bool:
        """Is a tile that is a few rows too high as quick as the two that these rows are left to?"""
        alone = [self.cycles(row_loop, height, vectors, lanes, 1) for height in heights]
        short = [n for n, height in enumerate(heights) if least_rows(height, repeats=True) < height]
        return bool(short) and all(alone[n] <= alone[n + 1] + alone[n + 2] for n in short)

    def cycles(
        self, row_loop: AffineLoop | None, rows: int, vectors: int, lanes: int, fold: int
    ) -> float:
        """One iteration of the innermost loop, for a whole tile, of which `fold` rows of `lanes`
        are a vector."""
        if row_loop is not None and fold > 1:
            return self._folded_cycles(row_loop, rows, lanes, fold)
        row = None if row_loop is None else row_loop.iv
        moving, picked = self.moving.distinct(row, rows)
        fixed, _ = self.fixed.distinct(row, rows)
        picks = vectors * picked
        loads = vectors * moving + picks / self.together + fixed
        shuffles = picks * shuffles_left(self.together)
        work = self.arithmetic * rows * vectors + shuffles * CORE.registers.pipes
        work += (self.by_row + self.spread) * rows
        gathers = self.scattered.distinct(row, rows)[0] * vectors * lanes * self.gathered
        loads += gathers * CORE.registers.loads
        work += gathers * CORE.registers.pipes
        return max(self.spread * rows, self._slowest(loads, work))

    def alone(self) -> float:
        """One iteration as it is, for one column of one row."""
        places = (self.moving, self.fixed, self.scattered)
        return self._slowest(sum(len(one.places) for one in places), self.arithmetic + self.by_row)

    def _slowest(self, loads: float, work: float) -> float:
        return max(
            loads / CORE.registers.loads,
            work / CORE.registers.pipes,
            (loads + work) / CORE.registers.issue,
            CORE.registers.latency * self.way,
        )

    def _folded_cycles(self, row_loop: AffineLoop, rows: int, lanes: int, fold: int) -> float:
        """What each row has of its own is picked out of a vector that is loaded, by shuffles that
        one pipe does: an element goes to all of a row in one step where that is one part of the
        register or elements are long, else in two, the first of which is for two elements."""
        one, _ = self.moving.distinct(row_loop.iv, 1)
        moving, _ = self.moving.distinct(row_loop.iv, rows)
        fixed, _ = self.fixed.distinct(row_loop.iv, rows)
        shuffles = fixed / fold
        if lanes * self.element_bytes > LANE_BYTES and self.element_bytes < CORE.registers.long:
            shuffles *= CORE.registers.steps_across
        of_rows = (moving - one) / (rows - 1) * rows
        loads = (moving - of_rows) + (of_rows + fixed / lanes) / fold
        work = (self.arithmetic + self.by_row) * rows / fold
        is_wide = lanes * fold * self.element_bytes > CORE.registers.wide_bytes
        busy = work / CORE.registers.wide_pipes if is_wide else 0.0
        return max(shuffles, busy, self._slowest(loads, work + shuffles))


def least_rows(height: int, *, repeats: bool) -> int:
    """The fewest rows that a tile of this height, a power of two, is used for: all, or three
    quarters of them, which is what the next two heights make together."""
    return height - height // 4 if repeats else height


def _gathered(scattered: Sequence[Element], columns: AffineLoop, target: Target) -> float:
    """The mean of all places."""
    is_wide = target.vector_bits >= CORE.strided.wide_bits
    lane = CORE.strided.gathered if is_wide else CORE.strided.narrow_gathered
    crowded = sum(
        are_crowded(array, [form.coefficient(columns.iv) for form in forms])
        for array, forms in scattered
    )
    return lane * (1.0 + (CORE.registers.crowded - 1.0) * crowded / max(1, len(scattered)))


def _spread(group: Group, uniform: set[SSAValue]) -> int:
    """How many: what is loaded is put into all lanes by its load."""
    return sum(
        not isinstance(op, affine.LoadOp)
        and uniform.issuperset(op.results)
        and any(uniform.isdisjoint(use.operation.results) for use in op.results[0].uses)
        for op in group.operations
        if op.results and op.operands
    )


def arithmetic_of(group: Group, counts: Callable[[Operation], bool] = lambda op: True) -> float:
    """A product that only a sum takes up is computed with it."""
    count = 0
    for op in group.operations:
        if isinstance(op, ElementAccess) or not op.operands or not counts(op):
            continue
        count += 0 if is_fused(op) else 1
    return count


def _longest_way(nest: RegisterNest, group: Group) -> float:
    """The most operations, one waiting for the other, from a held element to itself."""
    since: dict[SSAValue, float] = {}
    longest = 0.0
    for op in group.operations:
        if isinstance(op, affine.LoadOp):
            if group.elements[op] in nest.held:
                since[op.result] = 0.0
            continue
        known = [since[operand] for operand in op.operands if operand in since]
        if isinstance(op, affine.StoreOp):
            longest = max([longest, *known])
        elif known:
            since |= dict.fromkeys(op.results, max(known) + (0.0 if is_fused(op) else 1.0))
    return longest
