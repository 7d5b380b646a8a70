"""The loop over time of an inner loop's strip, while all of its lanes are inside."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import affine
from xdsl.ir import SSAValue

from polyopt.ir.affine.affine_nest import ElementAccess
from polyopt.ir.affine.linear import Linear
from polyopt.passes.loops.lanes.lane_step import LaneStep, Old, Private
from polyopt.passes.loops.lanes.serial_loop import Reuse
from polyopt.passes.loops.lanes.stretches import Stretch
from polyopt.passes.loops.lanes.strip import Mask, Strip
from polyopt.support.record import record


@record
class SerialTimes:
    """`masks` and `private` are those of the strip's vectors, `step` gives what one of them does at
    a time."""

    strip: Strip
    masks: list[Mask]
    private: list[Private]
    step: Callable[
        [int, Linear, Mask, Private, Old, dict[affine.LoadOp, Reuse], Stretch | None], LaneStep
    ]
    kept: tuple[tuple[ElementAccess, int], ...]
    changed: tuple[SSAValue, ...]
    reuses: dict[affine.LoadOp, Reuse]
    held: dict[ElementAccess, affine.StoreOp]

    def loop(
        self,
        lowers: Sequence[Linear],
        uppers: Sequence[Linear],
        initial: Sequence[SSAValue],
        stretch: Stretch | None,
    ) -> tuple[SSAValue, ...]:
        """What is carried out of it."""
        kept, changed = self.kept, self.changed
        b, vectors = self.strip.builder, self.strip.vectors
        places = list(dict.fromkeys(self.held.values()))
        size = len(kept) + len(changed) + len(places)
        with b.loop(lowers, uppers, carried=initial, name="time") as loop:
            steps: list[LaneStep] = []
            for vector in range(vectors):
                values = loop.carried[vector * size : (vector + 1) * size]
                old = dict(zip(kept, values[: len(kept)], strict=True))
                now = dict(zip(changed, values[len(kept) :][: len(changed)], strict=True))
                private = {**self.private[vector], **now}
                mask = self.masks[vector]
                step = self.step(vector, loop.index, mask, private, old, self.reuses, stretch)
                step.held = self.held
                step.in_registers = dict(zip(places, values[size - len(places) :], strict=True))
                step.neighbour = steps[-1].old if steps else {}
                steps.append(step)
            for step in steps:
                step.evaluate()
            loop.yielded = tuple(
                value
                for step in steps
                for value in (*_next_values(step, kept, changed), *step.in_registers.values())
            )
        return loop.results


def _next_values(
    step: LaneStep, kept: Sequence[tuple[ElementAccess, int]], changed: Sequence[SSAValue]
) -> list[SSAValue]:
    """What the next iteration finds as old, and in its private variables."""
    values = [
        step.touched(source) if age == 1 else step.old[source, age - 1] for source, age in kept
    ]
    return values + [step.private[variable] for variable in changed]
