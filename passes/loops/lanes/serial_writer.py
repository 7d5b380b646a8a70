"""Writes one inner loop of a strip: in part of the lanes, in all of them, in part of them.

Lane l runs iteration j at time `j + skew * l`. Where all lanes are inside, what was touched some
iterations before, accumulators and private variables that change are carried in registers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from xdsl.dialects import affine
from xdsl.ir import SSAValue

from polyopt.dialects import pvec
from polyopt.ir.affine.affine_nest import ElementAccess
from polyopt.ir.affine.linear import Form, Linear, ceiling, floor
from polyopt.passes.loops.lanes.lane_step import LaneStep, Old, Private
from polyopt.passes.loops.lanes.serial_loop import Reuse, SerialLoop
from polyopt.passes.loops.lanes.serial_times import SerialTimes
from polyopt.passes.loops.lanes.stretches import SquareMover, Stretch
from polyopt.passes.loops.lanes.strip import Mask, Strip
from polyopt.passes.loops.vectors.lane_places import IteratorValues
from polyopt.support.record import record


@record
class SerialWriter:
    """One inner loop of one strip; `masks` and `private` are those of the strip's vectors."""

    strip: Strip
    group: SerialLoop
    first: Linear
    count: Linear | None
    masks: list[Mask]
    private: list[Private]

    def write(self) -> None:
        b = self.strip.builder
        loop = self.group.loop
        assert loop.lowers is not None
        assert loop.uppers is not None
        last_lane = self.strip.width - 1
        # For each bound, its value for the first and for the last lane, in time.
        lows = [(low, low + step * last_lane) for low, step in self._bounds(loop.lowers)]
        highs = [(high, high + step * last_lane) for high, step in self._bounds(loop.uppers)]
        start = b.named(b.maximum([form for pair in lows for form in pair]), "start")
        stop = b.named(b.minimum([form for pair in highs for form in pair]), "stop")
        if all(a == z for a, z in (*lows, *highs)):
            self._write_inside(start, stop)
            return
        early = self._outermost(lows, is_low=True)
        late = self._outermost(highs, is_low=False)
        if self.held:
            self._write_in_registers(early, start, stop, late)
            return
        self._write_edge([early], [start, late])
        self._write_inside(start, stop)
        self._write_edge([start, stop], [late])

    def _write_in_registers(self, early: Linear, start: Linear, stop: Linear, late: Linear) -> None:
        """What accumulators hold goes through all three loops, if there are times when all lanes
        are inside: each of them touches its element then."""
        b = self.strip.builder
        branch = b.branch([stop - start - 1])
        with branch.then():
            found = self._write_edge([early], [start], self._load_places(start))
            found = self._write_loop(start, stop, self.strip.source.kept(self.group), found)
            self._put_places(start, self._write_edge([stop], [late], found))
        with branch.orelse():
            self._write_edge([early], [late])
        branch.close()

    @cached_property
    def held(self) -> dict[ElementAccess, affine.StoreOp]:
        return self.strip.source.accumulators(self.group)

    @cached_property
    def places(self) -> list[affine.StoreOp]:
        """Of what is held, by the first stores to it."""
        return list(dict.fromkeys(self.held.values()))

    def _load_places(self, time: Linear) -> list[SSAValue]:
        """What each vector has in memory of them, one vector after the other."""
        return [
            step.load(place)
            for vector in range(self.strip.vectors)
            for step in [self.step(vector, time, self.masks[vector], {}, {}, {})]
            for place in self.places
        ]

    def _put_places(self, time: Linear, values: Sequence[SSAValue]) -> None:
        found = iter(values)
        for vector in range(self.strip.vectors):
            step = self.step(vector, time, self.masks[vector], {}, {}, {})
            for place in self.places:
                step.put(place, next(found))

    def _bounds(self, forms: Sequence[Linear]) -> list[tuple[Linear, int]]:
        """Each bound of the strip's first lane, and how much later it is for the next one."""
        source = self.strip.source
        iv, skew = source.loop.iv, source.skew
        here: IteratorValues = {iv: self.first}
        return [(form.substitute(here), form.coefficient(iv) + skew) for form in forms]

    def _outermost(self, pairs: Sequence[tuple[Linear, Linear]], *, is_low: bool) -> Linear:
        """A time before which, or from which on, no lane is inside."""
        b = self.strip.builder
        if is_low:
            return b.maximum([b.named(b.minimum(pair), "early") for pair in pairs])
        return b.minimum([b.named(b.maximum(pair), "late") for pair in pairs])

    def _write_edge(
        self,
        lowers: Sequence[Linear],
        uppers: Sequence[Linear],
        registers: Sequence[SSAValue] = (),
    ) -> tuple[SSAValue, ...]:
        """In the lanes that are inside. `registers` is what accumulators hold, of each vector, if
        it is not in memory; what they hold afterwards."""
        b = self.strip.builder
        names: list[SSAValue | affine.StoreOp] = [
            *self._changed,
            *(self.places if registers else ()),
        ]
        changed = len(self._changed)
        vectors = range(self.strip.vectors)
        places = iter(registers)
        carried: list[SSAValue] = []
        for vector in vectors:
            carried += [self.private[vector][variable] for variable in self._changed]
            carried += [next(places) for _ in names[changed:]]
        with b.loop(lowers, uppers, carried=carried, name="time") as loop:
            masks = [self._inside(vector, loop.index) for vector in vectors]
            values: list[SSAValue] = []
            for vector, mask in enumerate(masks):
                old = loop.carried[vector * len(names) : (vector + 1) * len(names)]
                now = dict(zip(self._changed, old, strict=False))
                private = {**self.private[vector], **now}
                step = self.step(vector, loop.index, mask, private, {}, {}, is_inside=False)
                if registers:
                    step.held = self.held
                    step.in_registers = dict(zip(self.places, old[changed:], strict=True))
                step.evaluate()
                assert mask is not None
                new = [*(private[one] for one in self._changed), *step.in_registers.values()]
                values += [
                    b.insert(pvec.SelectOp(mask, value, before)).result
                    for value, before in zip(new, old, strict=True)
                ]
            loop.yielded = tuple(values)
        count = len(names)
        results = [loop.results[n * count : (n + 1) * count] for n in vectors]
        self._set_private([value for one in results for value in one[:changed]])
        return tuple(value for one in results for value in one[changed:])

    @cached_property
    def _changed(self) -> list[SSAValue]:
        """The private variables that the inner loop stores to."""
        private = self.strip.source.private
        return list(dict.fromkeys(s.memref for s in self.group.stores if s.memref in private))

    def _set_private(self, values: Sequence[SSAValue]) -> None:
        """What the changed ones of each vector are from here on."""
        found = iter(values)
        for private in self.private:
            private.update((variable, next(found)) for variable in self._changed)

    def _inside(self, vector: int, time: Linear) -> Mask:
        """The lanes of which the range holds `time`."""
        loop = self.group.loop
        begins: list[Form] = [Linear()]
        ends: list[Form] = [] if self.count is None else [self.count]
        for bounds, risen, fallen in ((loop.lowers, ends, begins), (loop.uppers, begins, ends)):
            for form, step in self._bounds(bounds or ()):
                if step > 0:
                    risen.append(floor(time - form + step, step))
                elif step < 0:
                    fallen.append(ceiling(form - time, -step))
        return self.strip.mask(vector, begins, ends)

    def _write_inside(self, start: Linear, stop: Linear) -> None:
        b, source, changed = self.strip.builder, self.strip.source, self._changed
        reuses = source.kept(self.group)
        if not (reuses or self.held):
            self._write_loop(start, stop, reuses, ())
            return
        before = [private[variable] for private in self.private for variable in changed]
        branch = b.branch([stop - start - 1], [value.type for value in before])
        with branch.then() as inside:
            found = self._write_loop(start, stop, reuses, self._load_places(start))
            self._put_places(start, found)
            inside.yielded = tuple(
                private[variable] for private in self.private for variable in changed
            )
        with branch.orelse() as outside:
            outside.yielded = tuple(before)
        self._set_private(branch.close())

    def _write_loop(
        self,
        start: Linear,
        stop: Linear,
        reuses: dict[affine.LoadOp, Reuse],
        registers: Sequence[SSAValue],
    ) -> tuple[SSAValue, ...]:
        """All lanes of the strip; reused values, private variables that change and what
        accumulators hold (`registers`, of each vector) are carried around the loop."""
        b, vectors, changed = self.strip.builder, self.strip.vectors, self._changed
        kept = list(dict.fromkeys((reuse.source, reuse.age) for reuse in reuses.values()))
        initial: list[SSAValue] = []
        places = iter(registers)
        for vector in range(vectors):
            for source, age in kept:
                step = self.step(vector, start - age, self.masks[vector], {}, {}, {})
                initial.append(step.load(source))
            initial += [self.private[vector][variable] for variable in changed]
            initial += [next(places) for _ in self.places]
        streams = {} if self.count is not None else self.strip.source.streams(self.group)
        times = SerialTimes(
            *(self.strip, self.masks, self.private, self.step),
            *(tuple(kept), tuple(changed), reuses, self.held),
        )
        if streams:
            lanes = self.strip.lanes
            mover = SquareMover(self.strip, self.group, self.first)
            buffers = mover.buffers(streams)
            begin = self._aligned(start, stop)
            if begin is not start:
                initial = list(times.loop([start], [begin], initial, None))
            with b.loop(
                [begin], [stop - (lanes - 1)], step=lanes, carried=initial, name="stretch"
            ) as stretch:
                first = stretch.index
                mover.turn_in(buffers, first)
                stretch.yielded = times.loop(
                    [first], [first + lanes], stretch.carried, Stretch(first, buffers)
                )
                mover.turn_out(buffers, first)
            done = b.named(floor(stop - begin, lanes), "stretches") * lanes
            initial = list(stretch.results)
            results = times.loop([begin, begin + done], [stop], initial, None)
        else:
            results = times.loop([start], [stop], initial, None)
        size = len(kept) + len(changed) + len(self.places)
        found: list[SSAValue] = []
        for vector in range(vectors):
            values = results[vector * size + len(kept) : (vector + 1) * size]
            self.private[vector].update(zip(changed, values[: len(changed)], strict=True))
            found += values[len(changed) :]
        return tuple(found)

    def _aligned(self, start: Linear, stop: Linear) -> Linear:
        """Where stretches are to begin, so that as a rule none lies across two cache lines."""
        b, lanes = self.strip.builder, self.strip.lanes
        if not start.terms and start.constant % lanes == 0:
            return start
        return b.minimum([b.named(ceiling(start, lanes), "lines") * lanes, stop])

    def step(
        self,
        vector: int,
        time: Linear,
        mask: Mask,
        private: Private,
        old: Old,
        reuses: dict[affine.LoadOp, Reuse],
        stretch: Stretch | None = None,
        *,
        is_inside: bool = True,
    ) -> LaneStep:
        source, offset = self.strip.source, vector * self.strip.lanes
        place: IteratorValues = {
            source.loop.iv: self.first + offset,
            self.group.loop.iv: time - source.skew * offset,
        }
        transposed: dict[ElementAccess, tuple[SSAValue, list[Linear]]] = {}
        if stretch is not None:
            for buffer in stretch.buffers:
                at = buffer.at(vector, time - stretch.first)
                transposed[buffer.op] = buffer.room, at
        operations = tuple(self.group.operations)
        loop = self.group.loop
        return LaneStep(
            self.strip,
            loop,
            operations,
            place,
            mask,
            private,
            old,
            reuses,
            transposed,
            is_inside=is_inside,
        )
