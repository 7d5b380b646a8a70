"""Writes pairs of loops with columns (`transposed_rows.py`) as squares of elements.

for i = low to high            for j = first to last step side
  for j = first to last          for i = low to high step side
    B[j, i] = A[i, j]      =>      side vectors of A, transposed, side vectors of B

Squares that fill whole lines follow each other along the rows that are loaded, which prefetchers
follow: a third to a half less time than the other way for 4 MB of floats in rows of 4000 bytes, the
same for rows of 4096 and for doubles. Where a square of narrow elements only begins a line, the
next one along the row that is stored goes on with it (a fifth to a half less for 1 to 9 MB of bytes
and shorts); and so it does where what is loaded is a slice that the first level of the cache holds,
of an array of more dimensions (y[k][i][j] = x[i][j][k], slices of 80 x 100 floats: a fifth less).

Where rows are equally long and an iteration may run twice, the last square of a row and the last
row of squares are moved back to end where the range does; else what squares do not cover runs one
iteration at a time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from xdsl.dialects import affine
from xdsl.dialects.builtin import VectorType
from xdsl.ir import OpResult, SSAValue

from polyopt.dialects.loop_facts import LoopFacts
from polyopt.ir.affine.affine_nest import AffineLoop, ElementAccess
from polyopt.ir.affine.linear import Linear, floor
from polyopt.ir.affine.subscripts import stride_of, subscripts_of
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.elementwise import Evaluator
from polyopt.passes.loops.lane_shuffles import picked
from polyopt.passes.loops.transfer_builder import read, read_square, write, write_square
from polyopt.passes.loops.vectors.transposed_rows import TransposedRows
from polyopt.support.record import entity

_SINGLE = LoopFacts(marks=("no_vector", "no_unroll"))
"""Of what squares do not cover: little, and LLVM would gather and scatter it."""


@entity
class SquareWriter:
    builder: AffineBuilder
    source: TransposedRows
    side: int
    line_bytes: int
    held_bytes: int

    def write(self) -> None:
        b, side, source = self.builder, self.side, self.source
        low, high = b.range_of(source.rows.op)
        if not source.is_box or not source.may_run_twice:
            self._write_with_rest(low, high)
            return
        first, last = b.range_of(source.loop.op)
        branch = b.branch([high - low - side, last - first - side])
        with branch.then():
            self._write_box({source.rows.iv: (low, high), source.loop.iv: (first, last)})
        with branch.orelse():
            b.insert(source.rows.op.clone())
        branch.close()

    def _write_box(self, ranges: Mapping[SSAValue, tuple[Linear, Linear]]) -> None:
        """One row of squares after the other."""
        b, side, source = self.builder, self.side, self.source
        is_stored_along = any(op not in source.transposed for op in source.stores)
        fills_lines = side * source.element_bytes >= self.line_bytes
        follows_loads = fills_lines and not source.is_slice_within(self.held_bytes)
        loops = source.rows, source.loop
        outer, inner = loops if is_stored_along != follows_loads else reversed(loops)
        place: dict[SSAValue, Linear] = {}
        low, high = ranges[outer.iv]
        with b.loop([low], [high], step=side, name=outer.iv.name_hint) as across:
            place[outer.iv] = b.minimum([across.index, high - side])
            first, last = ranges[inner.iv]
            with b.loop([first], [last], step=side, name=inner.iv.name_hint) as along:
                place[inner.iv] = b.minimum([along.index, last - side])
                self._square(place[source.rows.iv], place[source.loop.iv])

    # What squares do not cover is left over

    def _write_with_rest(self, low: Linear, high: Linear) -> None:
        b, side, rows = self.builder, self.side, self.source.rows
        with b.loop([low], [high], step=side, name=rows.iv.name_hint) as block:
            branch = b.branch([high - block.index - side])
            with branch.then():
                self._row_of_squares(block.index)
            with branch.orelse():
                self._singly((block.index, high), None, None)
            branch.close()

    def _row_of_squares(self, first: Linear) -> None:
        b, side, loop = self.builder, self.side, self.source.loop
        begin, end = self._range(first)
        count = b.named(floor(end - begin, side), "squares")
        whole = b.named(begin + b.maximum([count, Linear()]) * side, "whole")
        rows = first, first + side
        self._singly(rows, None, begin)
        with b.loop([begin], [whole], step=side, name=loop.iv.name_hint) as along:
            self._square(first, along.index)
        self._singly(rows, whole, None)

    def _ends(self, row: Linear) -> tuple[Linear, Linear]:
        b, loop = self.builder, self.source.loop
        place: dict[SSAValue, Linear] = {self.source.rows.iv: row}
        firsts = [form.substitute(place) for form in loop.lowers or ()]
        lasts = [form.substitute(place) for form in loop.uppers or ()]
        return b.maximum(firsts), b.minimum(lasts)

    def _range(self, row: Linear) -> tuple[Linear, Linear]:
        """What all rows of squares from `row` on have: bounds change steadily from the first row to
        the last."""
        firsts, lasts = zip(*(self._ends(one) for one in (row, row + self.side - 1)), strict=True)
        return self.builder.maximum(firsts), self.builder.minimum(lasts)

    # Code

    def _singly(
        self, rows: tuple[Linear, Linear], begin: Linear | None, end: Linear | None
    ) -> None:
        """What is in these rows, from `begin` on, up to `end`."""
        b, source = self.builder, self.source
        with b.loop([rows[0]], [rows[1]], name="row", facts=_SINGLE) as row:
            first, last = self._ends(row.index)
            firsts = [first] if begin is None else [first, begin]
            lasts = [last] if end is None else [last, end]
            with b.loop(firsts, lasts, name=source.loop.iv.name_hint, facts=_SINGLE) as loop:
                self._single({source.rows.iv: row.index, source.loop.iv: loop.index})

    def _single(self, place: Mapping[SSAValue, Linear]) -> None:
        b, source = self.builder, self.source

        def leaf(value: SSAValue) -> SSAValue | None:
            if isinstance(value, OpResult) and value.op in source.operations:
                if isinstance(value.op, affine.LoadOp):
                    return b.load(value.op.memref, _placed(value.op, place))
            return None

        evaluator = Evaluator(b, None, source.rows.op, leaf)
        for op in source.operations:
            if isinstance(op, affine.StoreOp):
                b.store(evaluator.value(op.value), op.memref, _placed(op, place))
            elif op.results:
                evaluator.value(op.results[0])

    def _square(self, row: Linear, column: Linear) -> None:
        """All loads, then what is computed row by row, then the stores in their order."""
        source = self.source
        loaded: dict[SSAValue, list[SSAValue]] = {}
        for load in source.loads:
            loaded[load.result] = self._load(load, row, column)
        stored: dict[affine.StoreOp, list[SSAValue]] = {op: [] for op in source.stores}
        for number in range(self.side):

            def leaf(value: SSAValue, number: int = number) -> SSAValue | None:
                rows = loaded.get(value)
                return None if rows is None else rows[number]

            evaluator = Evaluator(self.builder, self.side, source.rows.op, leaf)
            for op, values in stored.items():
                values.append(evaluator.value(op.value))
        for op, values in stored.items():
            self._store(op, values, row, column)

    def _load(self, load: affine.LoadOp, row: Linear, column: Linear) -> list[SSAValue]:
        """The vector of each row."""
        b = self.builder
        places = self._places(load, row, column)
        if stride_of(load, self.source.loop) == 0:
            return [b.broadcast(b.load(load.memref, at), self.side) for at in places]
        type_ = VectorType(load.result.type, [self.side])
        if load not in self.source.transposed:
            return self._in_lanes(load, [read(b, load.memref, at, type_) for at in places])
        rows = read_square(b, load.memref, places[0], _steps(places), type_)
        # Columns upside down are rows in the other order: nothing is reversed in registers.
        return rows[::-1] if _is_backward(load, self.source.rows) else rows

    def _store(
        self, store: affine.StoreOp, rows: list[SSAValue], row: Linear, column: Linear
    ) -> None:
        b, places = self.builder, self._places(store, row, column)
        if store in self.source.transposed:
            values = rows[::-1] if _is_backward(store, self.source.rows) else rows
            write_square(b, values, store.memref, places[0], _steps(places))
            return
        for value, at in zip(self._in_lanes(store, rows), places, strict=True):
            write(b, value, store.memref, at)

    def _in_lanes(self, touch: ElementAccess, vectors: list[SSAValue]) -> list[SSAValue]:
        """From the order of memory to that of the lanes, or back."""
        if _is_backward(touch, self.source.loop) == self._is_flipped:
            return vectors
        order = range(self.side - 1, -1, -1)
        return [picked(self.builder, [one], [0], order) for one in vectors]

    @cached_property
    def _is_flipped(self) -> bool:
        """Is the first lane the last column? So most that is walked along is as it lies."""
        along = [op for op in self.source.touches if stride_of(op, self.source.loop) in (1, -1)]
        backward = sum(1 for op in along if _is_backward(op, self.source.loop))
        return 2 * backward > len(along)

    def _places(self, touch: ElementAccess, row: Linear, column: Linear) -> list[list[Linear]]:
        """Where its vectors begin: one for each row, or one for each column in the order of the
        lanes."""
        source = self.source
        corner = {source.rows.iv: row, source.loop.iv: column}
        along, across = source.loop, source.rows
        if touch in source.transposed:
            along, across = across, along
        if _is_backward(touch, along):
            corner[along.iv] = corner[along.iv] + (self.side - 1)
        numbers = range(self.side)
        if across is source.loop and self._is_flipped:
            numbers = reversed(numbers)
        return [
            _placed(touch, {**corner, across.iv: corner[across.iv] + number}) for number in numbers
        ]


def _is_backward(touch: ElementAccess, along: AffineLoop) -> bool:
    *_, last = subscripts_of(touch) or [Linear()]
    return last.coefficient(along.iv) < 0


def _steps(places: Sequence[Sequence[Linear]]) -> list[int]:
    """From one place to the next."""
    first, second, *_ = places
    return [(after - before).constant for before, after in zip(first, second, strict=True)]


def _placed(op: ElementAccess, place: Mapping[SSAValue, Linear]) -> list[Linear]:
    subscripts = subscripts_of(op)
    assert subscripts is not None
    return [form.substitute(place) for form in subscripts]
