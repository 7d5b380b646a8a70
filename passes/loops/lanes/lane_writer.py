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

from polyopt.ir.linear import Linear
from polyopt.passes.loops.lanes.lane_step import LaneStep, Private
from polyopt.passes.loops.lanes.serial_loop import LaneByLane, SerialLoop
from polyopt.passes.loops.lanes.serial_writer import SerialWriter
from polyopt.passes.loops.lanes.strip import Strip
from polyopt.passes.loops.transfer_builder import write
from polyopt.passes.loops.vectors.vector_step import IteratorValues
from polyopt.support.record import record


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
            else:
                for vector in range(strip.vectors):
                    place: IteratorValues = {iv: first + vector * strip.lanes}
                    mask, own = masks[vector], private[vector]
                    LaneStep(strip, None, group, place, mask, own, {}, {}).evaluate()
        for values, mask in zip(private, masks, strict=True):
            for variable, value in values.items():
                write(strip.builder, value, variable, [], mask=mask)

    def _write_rows(self, group: LaneByLane, first: Linear, count: Linear | None) -> None:
        """The loop as it is, once for each lane."""
        b, iv = self.strip.builder, self.strip.source.loop.iv
        last = first + (Linear((), self.strip.width) if count is None else count)
        with b.loop([first], [last], name=iv.name_hint) as row:
            b.insert(group.loop.op.clone({iv: row.iv}))
