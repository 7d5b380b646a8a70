"""Copies of the lanes' elements, transposed: `copy[e]` is a vector of the elements `e` of all.

Elements come and go in squares: as many of each lane as there are lanes. Only what the loop would
write is written; a square of which it writes a part goes by rows under masks.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from xdsl.dialects import memref
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, SSAValue

from polyopt.dialects.cmem import memref_type
from polyopt.ir.affine.linear import Linear
from polyopt.passes.loops.affine_builder import ROLLED, AffineBuilder
from polyopt.passes.loops.batches.steps import Seen
from polyopt.passes.loops.transfer_builder import read, read_square, write, write_square
from polyopt.support.record import record
from polyopt.support.target import LINE_BYTES

_Square = Callable[[Linear], None]


@record
class TransposedCopy:
    """In `room`, from element `low` of `array` on; `base`: where the first lane's elements begin,
    `steps`: how far apart lanes are, in each dimension."""

    builder: AffineBuilder
    array: SSAValue
    room: SSAValue
    low: int
    base: tuple[Linear, ...]
    steps: tuple[int, ...]
    lanes: int
    seen: Seen

    @property
    def _type(self) -> VectorType[Attribute]:
        return VectorType(memref_type(self.array).element_type, [self.lanes])

    def turn_in(self) -> None:
        for first, last in self._stretches(self.seen.needed):
            if last - first + 1 < self.lanes:
                for element in range(first, last + 1):
                    value = read(
                        self.builder, self.array, self._at(element), self._type, steps=self.steps
                    )
                    write(self.builder, value, self.room, self._in_room(element))
                continue
            squares, rest = divmod(last - first + 1, self.lanes)
            self._in_loop(first, squares, self._square_in)
            if rest:
                self._square_in(Linear((), last + 1 - self.lanes))

    def turn_out(self) -> None:
        for first, last in self._stretches(self.seen.written):
            if last - first + 1 < self.lanes:
                for element in sorted(one for one in self.seen.written if first <= one <= last):
                    value = read(self.builder, self.room, self._in_room(element), self._type)
                    write(self.builder, value, self.array, self._at(element), steps=self.steps)
                continue
            squares, rest = divmod(last - first + 1, self.lanes)
            is_whole = all(one in self.seen.written for one in range(first, last + 1))
            if is_whole:
                self._in_loop(first, squares, self._square_out)
            else:
                for number in range(squares):
                    self._part_out(first + number * self.lanes)
            if rest:
                self._part_out(last + 1 - self.lanes)

    def _stretches(self, elements: Collection[int]) -> Iterator[tuple[int, int]]:
        """From the first to the last of them, but not across what is longer than a square and not
        among them; as long as a square where there are elements enough."""
        low, high = self.low, max(self.seen.touched)
        begin = before = None
        for element in sorted(elements):
            if begin is not None and before is not None and element - before > self.lanes:
                yield self._widened(begin, before, low, high)
                begin = None
            begin = element if begin is None else begin
            before = element
        if begin is not None and before is not None:
            yield self._widened(begin, before, low, high)

    def _widened(self, first: int, last: int, low: int, high: int) -> tuple[int, int]:
        last = min(max(last, first + self.lanes - 1), high)
        return max(low, min(first, last - self.lanes + 1)), last

    def _in_loop(self, first: int, squares: int, do: _Square) -> None:
        if squares == 1:
            do(Linear((), first))
        elif squares:
            low, high = Linear((), first), Linear((), first + squares * self.lanes)
            with self.builder.loop([low], [high], step=self.lanes, facts=ROLLED) as square:
                do(square.index)

    def _square_in(self, element: Linear) -> None:
        b = self.builder
        at = self._place(element)
        vectors = read_square(b, self.array, at, self.steps, self._type)
        for number, vector in enumerate(vectors):
            write(b, vector, self.room, [element + number - self.low, Linear()])

    def _columns(self, element: Linear) -> list[SSAValue]:
        b = self.builder
        places = [[element + number - self.low, Linear()] for number in range(self.lanes)]
        return [read(b, self.room, place, self._type) for place in places]

    def _square_out(self, element: Linear) -> None:
        at = self._place(element)
        write_square(self.builder, self._columns(element), self.array, at, self.steps)

    def _part_out(self, first: int) -> None:
        b, lanes = self.builder, self.lanes
        chosen = [first + number in self.seen.written for number in range(lanes)]
        if not any(chosen):
            return
        if all(chosen):
            self._square_out(Linear((), first))
            return
        element = memref_type(self.array).element_type
        rows = b.insert(memref.AllocaOp.get(element, alignment=LINE_BYTES, shape=[lanes, lanes]))
        write_square(b, self._columns(Linear((), first)), rows.memref, [Linear(), Linear()], [1, 0])
        mask = b.mask(chosen)
        for lane in range(lanes):
            row = read(b, rows.memref, [Linear((), lane), Linear()], self._type)
            write(b, row, self.array, self._at(first, lane), mask=mask)

    def _in_room(self, element: int) -> list[Linear]:
        return [Linear((), element - self.low), Linear()]

    def _at(self, element: int, lane: int = 0) -> list[Linear]:
        return self._place(Linear((), element), lane)

    def _place(self, element: Linear, lane: int = 0) -> list[Linear]:
        place = [base + step * lane for base, step in zip(self.base, self.steps, strict=True)]
        return [*place[:-1], place[-1] + element]
