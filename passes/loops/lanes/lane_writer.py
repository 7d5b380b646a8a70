"""Writes lane loops: strips of lanes, their inner loops in step.

for i = low to high          for i = low to high step width, the last strip masked
  scalar(i)                    scalar(i .. i + width - 1)
  for j: S(i, j)       =>      for time while not all lanes are inside: S in those that are
                               for time while all lanes are inside: S, reuses in registers
                               for time while some lanes are inside: S in those that are

Lane l runs iteration j of an inner loop at time `j + skew * l`. A strip is one vector or several;
with several, the arithmetic of one hides the latency of another.
"""

from __future__ import annotations

from xdsl.dialects import affine, memref
from xdsl.dialects.builtin import VectorType
from xdsl.ir import SSAValue

from polyopt.dialects.cmem import memref_type
from polyopt.ir.affine.linear import Linear
from polyopt.passes.loops.affine_builder import ROLLED
from polyopt.passes.loops.lanes.lane_step import LaneStep, Private
from polyopt.passes.loops.lanes.serial_loop import InTurn, LaneByLane, SerialLoop
from polyopt.passes.loops.lanes.serial_writer import SerialWriter
from polyopt.passes.loops.lanes.strip import Strip
from polyopt.passes.loops.transfer_builder import read, write
from polyopt.passes.loops.vectors.lane_places import IteratorValues
from polyopt.support.record import record
from polyopt.support.target import LINE_BYTES


@record
class LaneLoopWriter:
    strip: Strip

    def write(self) -> None:
        b, loop = self.strip.builder, self.strip.source.loop
        lowers, uppers = loop.lowers, loop.uppers
        assert lowers is not None
        assert uppers is not None
        facts = loop.facts
        name = loop.iv.name_hint
        with b.loop(lowers, uppers, step=self.strip.width, name=name, facts=facts) as strip:
            branch = b.branch([upper - strip.index - self.strip.width for upper in uppers])
            with branch.then():
                self._write_strip(strip.index, None)
            with branch.orelse():
                self._write_strip(strip.index, b.minimum([u - strip.index for u in uppers]))
            branch.close()

    def _write_strip(self, first: Linear, count: Linear | None) -> None:
        """The lanes from iteration `first` on, only `count` of them if that is given."""
        strip, iv = self.strip, self.strip.source.loop.iv
        ends = [] if count is None else [count]
        masks = [strip.mask(vector, [], ends) for vector in range(strip.vectors)]
        private: list[Private] = [{} for _ in range(strip.vectors)]
        for group in strip.source.groups:
            if isinstance(group, LaneByLane):
                self._write_rows(group, first, count)
            elif isinstance(group, SerialLoop):
                SerialWriter(strip, group, first, count, masks, private).write()
            elif isinstance(group, InTurn):
                self._write_in_turn(group, first, count, private)
            else:
                for vector in range(strip.vectors):
                    place: IteratorValues = {iv: first + vector * strip.lanes}
                    mask, own = masks[vector], private[vector]
                    LaneStep(strip, None, group, place, mask, own, {}, {}).evaluate()
        for values, mask in zip(private, masks, strict=True):
            for variable, value in values.items():
                write(strip.builder, value, variable, [], mask=mask)

    def _write_in_turn(
        self, group: InTurn, first: Linear, count: Linear | None, private: list[Private]
    ) -> None:
        """The code once for each lane; private variables are elements of buffers meanwhile."""
        strip, iv = self.strip, self.strip.source.loop.iv
        b, lanes = strip.builder, strip.lanes
        touches = [op for op in group if isinstance(op, (affine.LoadOp, affine.StoreOp))]
        variables = dict.fromkeys(op.memref for op in touches if op.memref in strip.source.private)
        rooms = {one: b.insert(_buffer(one, strip.width)).memref for one in variables}
        for number, own in enumerate(private):
            for variable in own.keys() & rooms.keys():
                write(b, own[variable], rooms[variable], [Linear((), number * lanes)])
        last = first + (Linear((), strip.width) if count is None else count)
        with b.loop([first], [last], name=iv.name_hint, facts=ROLLED) as lane:
            values: dict[SSAValue, SSAValue] = {iv: lane.iv}
            place = [lane.index - first]
            for op in group:
                if isinstance(op, affine.StoreOp) and op.memref in rooms:
                    b.store(values.get(op.value, op.value), rooms[op.memref], place)
                elif isinstance(op, affine.LoadOp) and op.memref in rooms:
                    values[op.result] = b.load(rooms[op.memref], place)
                else:
                    b.insert(op.clone(values))
        for number, own in enumerate(private):
            for variable, room in rooms.items():
                type_ = VectorType(memref_type(variable).element_type, [lanes])
                own[variable] = read(b, room, [Linear((), number * lanes)], type_)

    def _write_rows(self, group: LaneByLane, first: Linear, count: Linear | None) -> None:
        """The loop as it is, once for each lane."""
        b, iv = self.strip.builder, self.strip.source.loop.iv
        last = first + (Linear((), self.strip.width) if count is None else count)
        with b.loop([first], [last], name=iv.name_hint) as row:
            b.insert(group.loop.op.clone({iv: row.iv}))


def _buffer(variable: SSAValue, width: int) -> memref.AllocaOp:
    element = memref_type(variable).element_type
    return memref.AllocaOp.get(element, alignment=LINE_BYTES, shape=[width])
