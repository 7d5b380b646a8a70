"""Stretches of rows, transposed: what lanes that run through rows of memory load and store.

A stretch is as many iterations as there are lanes. What it loads comes in squares into a buffer in
front of it, column by column; what it stores goes from a buffer to memory behind it.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine, memref
from xdsl.dialects.builtin import VectorType
from xdsl.ir import SSAValue

from polyopt.ir.affine.affine_nest import ElementAccess
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import subscripts_of
from polyopt.passes.loops.lanes.serial_loop import SerialLoop
from polyopt.passes.loops.lanes.strip import Strip
from polyopt.passes.loops.transfer_builder import read, read_square, write, write_square
from polyopt.passes.loops.vectors.lane_places import IteratorValues
from polyopt.support.record import record
from polyopt.support.target import LINE_BYTES


@record
class Buffer:
    """The squares of an access, by vector, time and lane."""

    op: ElementAccess
    direction: int
    room: SSAValue

    def times(self, lanes: int) -> range:
        """The time of each element of a stretch, as they lie in memory."""
        return range(lanes) if self.direction == 1 else range(lanes - 1, -1, -1)

    def at(self, vector: int, time: Linear) -> list[Linear]:
        return [Linear((), vector), time, Linear()]


@record
class Stretch:
    """As many iterations as there are lanes, from `first` on, that find their rows in buffers."""

    first: Linear
    buffers: list[Buffer]


@record
class SquareMover:
    """Between memory and the buffers of an inner loop of a strip, whose first lane is iteration
    `first_lane`."""

    strip: Strip
    group: SerialLoop
    first_lane: Linear

    def buffers(self, streams: dict[ElementAccess, int]) -> list[Buffer]:
        """Room for a square of each stream and vector. Accesses to the same place share one."""
        found: list[Buffer] = []
        for op, direction in streams.items():
            element = op.result.type if isinstance(op, affine.LoadOp) else op.value.type
            shape = [self.strip.vectors, self.strip.lanes, self.strip.lanes]
            room = self.strip.builder.insert(
                memref.AllocaOp.get(element, alignment=LINE_BYTES, shape=shape)
            ).memref
            room.name_hint = "transposed"
            found.append(Buffer(op, direction, room))
        return found

    def turn_in(self, buffers: Sequence[Buffer], first: Linear) -> None:
        b, lanes = self.strip.builder, self.strip.lanes
        for buffer in buffers:
            if not isinstance(buffer.op, affine.LoadOp):
                continue
            type_ = VectorType(buffer.op.result.type, [lanes])
            for vector in range(self.strip.vectors):
                square = self._square(buffer, vector, first)
                columns = read_square(b, buffer.op.memref, *square, type_)
                for time, column in zip(buffer.times(lanes), columns, strict=True):
                    write(b, column, buffer.room, buffer.at(vector, Linear((), time)))

    def turn_out(self, buffers: Sequence[Buffer], first: Linear) -> None:
        b, lanes = self.strip.builder, self.strip.lanes
        for buffer in buffers:
            if not isinstance(buffer.op, affine.StoreOp):
                continue
            type_ = VectorType(buffer.op.value.type, [lanes])
            for vector in range(self.strip.vectors):
                columns = [
                    read(b, buffer.room, buffer.at(vector, Linear((), time)), type_)
                    for time in buffer.times(lanes)
                ]
                square = self._square(buffer, vector, first)
                write_square(b, columns, buffer.op.memref, *square)

    def _square(
        self, buffer: Buffer, vector: int, first: Linear
    ) -> tuple[list[Linear], Sequence[int]]:
        """Where the first lane's stretch begins in memory, and how far apart lanes are."""
        source, lane = self.strip.source, vector * self.strip.lanes
        forms = subscripts_of(buffer.op)
        assert forms is not None
        time = first if buffer.direction == 1 else first + (self.strip.lanes - 1)
        place: IteratorValues = {
            source.loop.iv: self.first_lane + lane,
            self.group.loop.iv: time - source.skew * lane,
        }
        at = [form.substitute(place) for form in forms]
        return at, source.steps(buffer.op, self.group.loop)
