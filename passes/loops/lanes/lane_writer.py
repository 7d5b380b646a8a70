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

from collections.abc import Callable, Sequence

from xdsl.dialects import affine, arith, memref
from xdsl.dialects.builtin import IntegerType, VectorType
from xdsl.ir import Operation, OpResult, SSAValue

from polyopt.ir.affine_nest import AffineLoop
from polyopt.ir.alias import may_overlap
from polyopt.ir.linear import Form, Linear, Quotient
from polyopt.ir.subscripts import subscripts_of
from polyopt.passes.loops.affine_builder import AffineBuilder, ceiling, floor
from polyopt.passes.loops.elementwise import Evaluator
from polyopt.passes.loops.lanes.lane_loop import LaneByLane, LaneLoop, Reuse, SerialLoop, Touch
from polyopt.passes.loops.vectors.vector_writer import Place
from polyopt.support.record import record

Mask = SSAValue | None
_LINE_BYTES = 64
_Old = dict[tuple[Touch, int], SSAValue]
"""What a load or store touched so many iterations before."""
_Private = dict[SSAValue, SSAValue]
"""The values of the private variables in the lanes of a vector."""


@record
class LaneLoopWriter:
    """`vectors` of `lanes` each are a strip."""

    builder: AffineBuilder
    source: LaneLoop
    lanes: int
    vectors: int

    @property
    def width(self) -> int:
        return self.lanes * self.vectors

    def write(self) -> None:
        b, loop = self.builder, self.source.loop
        lowers, uppers = loop.lowers, loop.uppers
        assert lowers is not None
        assert uppers is not None
        facts = loop.facts
        name = loop.iv.name_hint
        with b.loop(lowers, uppers, step=self.width, name=name, facts=facts) as strip:
            branch = b.branch([upper - strip.index - self.width for upper in uppers])
            with branch.then():
                self._write_strip(strip.index, None)
            with branch.orelse():
                self._write_strip(strip.index, b.minimum([u - strip.index for u in uppers]))
            branch.close()

    def _write_strip(self, first: Linear, count: Linear | None) -> None:
        """The lanes from iteration `first` on, only `count` of them if that is given."""
        masks = [self._mask(v, [], [] if count is None else [count]) for v in range(self.vectors)]
        private: list[_Private] = [{} for _ in range(self.vectors)]
        for group in self.source.groups:
            if isinstance(group, LaneByLane):
                self._write_rows(group, first, count)
            elif isinstance(group, SerialLoop):
                _SerialWriter(self, group, first, count, masks, private).write()
            else:
                for vector in range(self.vectors):
                    place: Place = {self.source.loop.iv: first + vector * self.lanes}
                    mask = masks[vector]
                    _Step(self, None, group, place, mask, private[vector], {}, {}).run()
        for values, mask in zip(private, masks, strict=True):
            for variable, value in values.items():
                self.builder.strided_store(value, variable, [], [], mask)

    def _write_rows(self, group: LaneByLane, first: Linear, count: Linear | None) -> None:
        """The loop as it is, once for each lane."""
        last = first + (Linear((), self.width) if count is None else count)
        with self.builder.loop([first], [last], name=self.source.loop.iv.name_hint) as row:
            self.builder.insert(group.loop.op.clone({self.source.loop.iv: row.iv}))

    def _mask(self, vector: int, begins: Sequence[Form], ends: Sequence[Form]) -> Mask:
        """The lanes from the greatest of `begins` on, before the least of `ends`; these count
        from the strip's first lane."""
        if not begins and not ends:
            return None
        b, offset = self.builder, vector * self.lanes
        begin = -b.minimum([_negated(form) for form in begins]) - offset if begins else Linear()
        end = b.minimum(ends) - offset if ends else Linear((), self.lanes)
        return b.lanes_between(begin, end, self.lanes)


def _negated(form: Form) -> Form:
    if isinstance(form, Linear):
        return -form
    return Quotient(-form.form, form.divisor, is_ceiling=not form.is_ceiling)


@record
class _SerialWriter:
    """One inner loop of one strip; `masks` and `private` are those of the strip's vectors."""

    strip: LaneLoopWriter
    group: SerialLoop
    first: Linear
    count: Linear | None
    masks: list[Mask]
    private: list[_Private]

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
        self._write_edge([early], [start, late])
        self._write_inside(start, stop)
        self._write_edge([start, stop], [late])

    def _bounds(self, forms: Sequence[Linear]) -> list[tuple[Linear, int]]:
        """Each bound of the strip's first lane, and how much later it is for the next one."""
        source = self.strip.source
        iv, skew = source.loop.iv, source.skew
        here: Place = {iv: self.first}
        return [(form.substitute(here), form.coefficient(iv) + skew) for form in forms]

    def _outermost(self, pairs: Sequence[tuple[Linear, Linear]], *, is_low: bool) -> Linear:
        """A time before which, or from which on, no lane is inside."""
        b = self.strip.builder
        if is_low:
            return b.maximum([b.named(b.minimum(pair), "early") for pair in pairs])
        return b.minimum([b.named(b.maximum(pair), "late") for pair in pairs])

    def _write_edge(self, lowers: Sequence[Linear], uppers: Sequence[Linear]) -> None:
        with self.strip.builder.loop(lowers, uppers, name="time") as loop:
            masks = [self._inside(vector, loop.index) for vector in range(self.strip.vectors)]
            for vector, mask in enumerate(masks):
                self.step(vector, loop.index, mask, {}, {}, {}).run()

    def _inside(self, vector: int, time: Linear) -> Mask:
        """The lanes of which the range holds `time`."""
        loop = self.group.loop
        begins: list[Form] = [Linear()]
        ends: list[Form] = [] if self.count is None else [self.count]
        for form, step in self._bounds(loop.lowers or ()):
            if step > 0:
                ends.append(floor(time - form + step, step))
            elif step < 0:
                begins.append(ceiling(form - time, -step))
        for form, step in self._bounds(loop.uppers or ()):
            if step > 0:
                begins.append(floor(time - form + step, step))
            elif step < 0:
                ends.append(ceiling(form - time, -step))
        return self.strip._mask(vector, begins, ends)  # pyright: ignore[reportPrivateUsage]

    def _write_inside(self, start: Linear, stop: Linear) -> None:
        b = self.strip.builder
        changed = [s.memref for s in self.group.stores if s.memref in self.strip.source.private]
        reuses = {} if changed else self.strip.source.reuses(self.group)
        if changed or not (reuses or self.strip.source.accumulators(self.group)):
            self._write_loop(start, stop, reuses, list(dict.fromkeys(changed)))
            return
        branch = b.branch([stop - start - 1])
        with branch.then():
            self._write_loop(start, stop, reuses, [])
        with branch.orelse():
            pass
        branch.close()

    def _write_loop(
        self,
        start: Linear,
        stop: Linear,
        reuses: dict[affine.LoadOp, Reuse],
        changed: Sequence[SSAValue],
    ) -> None:
        """All lanes of the strip; reused values and private variables that change are carried
        around the loop."""
        b, vectors = self.strip.builder, self.strip.vectors
        kept = list(dict.fromkeys((reuse.source, reuse.age) for reuse in reuses.values()))
        held = self.strip.source.accumulators(self.group)
        places = list(dict.fromkeys(held.values()))
        initial: list[SSAValue] = []
        for vector in range(vectors):
            for source, age in kept:
                step = self.step(vector, start - age, self.masks[vector], {}, {}, {})
                initial.append(step.load(source))
            initial += [self.private[vector][variable] for variable in changed]
            step = self.step(vector, start, self.masks[vector], {}, {}, {})
            initial += [step.load(place) for place in places]
        streams = {} if self.count is not None else self.strip.source.streams(self.group)
        write = _Times(self, tuple(kept), tuple(changed), reuses, held)
        if streams:
            lanes = self.strip.lanes
            buffers = self._buffers(streams)
            begin = self._aligned(start, stop)
            if begin is not start:
                initial = list(write.loop([start], [begin], initial, None))
            with b.loop(
                [begin], [stop - (lanes - 1)], step=lanes, carried=initial, name="stretch"
            ) as stretch:
                first = stretch.index
                self._turn_in(buffers, first)
                stretch.yielded = write.loop(
                    [first], [first + lanes], stretch.carried, _Stretch(first, buffers)
                )
                self._turn_out(buffers, first)
            done = b.named(floor(stop - begin, lanes), "stretches") * lanes
            initial = list(stretch.results)
            results = write.loop([begin, begin + done], [stop], initial, None)
        else:
            results = write.loop([start], [stop], initial, None)
        size = len(kept) + len(changed) + len(places)
        for vector in range(vectors):
            values = results[vector * size + len(kept) : (vector + 1) * size]
            self.private[vector].update(zip(changed, values[: len(changed)], strict=True))
            step = self.step(vector, start, self.masks[vector], {}, {}, {})
            for place, value in zip(places, values[len(changed) :], strict=True):
                step.put(place, value)

    def _aligned(self, start: Linear, stop: Linear) -> Linear:
        """Where stretches are to begin, so that as a rule none lies across two cache lines."""
        b, lanes = self.strip.builder, self.strip.lanes
        if not start.terms and start.constant % lanes == 0:
            return start
        return b.minimum([b.named(ceiling(start, lanes), "lines") * lanes, stop])

    def _buffers(self, streams: dict[Touch, int]) -> list[_Buffer]:
        """Room for a square of each stream and vector. Accesses to the same place share one."""
        found: list[_Buffer] = []
        for op, direction in streams.items():
            element = op.result.type if isinstance(op, affine.LoadOp) else op.value.type
            shape = [self.strip.vectors, self.strip.lanes, self.strip.lanes]
            room = self.strip.builder.insert(
                memref.AllocaOp.get(element, alignment=_LINE_BYTES, shape=shape)
            ).memref
            room.name_hint = "turned"
            found.append(_Buffer(op, direction, room))
        return found

    def _turn_in(self, buffers: Sequence[_Buffer], first: Linear) -> None:
        b, lanes = self.strip.builder, self.strip.lanes
        for buffer in buffers:
            if not isinstance(buffer.op, affine.LoadOp):
                continue
            type_ = VectorType(buffer.op.result.type, [lanes])
            for vector in range(self.strip.vectors):
                rows = [
                    b.vector_load(buffer.op.memref, at, type_)
                    for at in self._rows(buffer, vector, first)
                ]
                for time, column in zip(buffer.times(lanes), b.transposed(rows), strict=True):
                    b.vector_store(column, buffer.room, buffer.at(vector, Linear((), time)))

    def _turn_out(self, buffers: Sequence[_Buffer], first: Linear) -> None:
        b, lanes = self.strip.builder, self.strip.lanes
        for buffer in buffers:
            if not isinstance(buffer.op, affine.StoreOp):
                continue
            type_ = VectorType(buffer.op.value.type, [lanes])
            for vector in range(self.strip.vectors):
                columns = [
                    b.vector_load(buffer.room, buffer.at(vector, Linear((), time)), type_)
                    for time in buffer.times(lanes)
                ]
                places = self._rows(buffer, vector, first)
                for row, at in zip(b.transposed(columns), places, strict=True):
                    b.vector_store(row, buffer.op.memref, at)

    def _rows(self, buffer: _Buffer, vector: int, first: Linear) -> list[list[Linear]]:
        """Where the stretch of each lane of a vector begins in memory."""
        lanes = self.strip.lanes
        forms = subscripts_of(buffer.op)
        assert forms is not None
        time = first if buffer.direction == 1 else first + (lanes - 1)
        source = self.strip.source
        places: list[Place] = [
            {source.loop.iv: self.first + lane, self.group.loop.iv: time - source.skew * lane}
            for lane in range(vector * lanes, (vector + 1) * lanes)
        ]
        return [[form.substitute(place) for form in forms] for place in places]

    def step(
        self,
        vector: int,
        time: Linear,
        mask: Mask,
        private: _Private,
        old: _Old,
        reuses: dict[affine.LoadOp, Reuse],
        stretch: _Stretch | None = None,
    ) -> _Step:
        source, offset = self.strip.source, vector * self.strip.lanes
        place: Place = {
            source.loop.iv: self.first + offset,
            self.group.loop.iv: time - source.skew * offset,
        }
        turned: dict[Touch, tuple[SSAValue, list[Linear]]] = {}
        if stretch is not None:
            for buffer in stretch.buffers:
                at = buffer.at(vector, time - stretch.first)
                turned[buffer.op] = buffer.room, at
        operations = tuple(self.group.operations)
        loop = self.group.loop
        return _Step(self.strip, loop, operations, place, mask, private, old, reuses, turned)


@record
class _Buffer:
    """The squares of an access, by vector, time and lane."""

    op: Touch
    direction: int
    room: SSAValue

    def times(self, lanes: int) -> range:
        """The time of each element of a stretch, as they lie in memory."""
        return range(lanes) if self.direction == 1 else range(lanes - 1, -1, -1)

    def at(self, vector: int, time: Linear) -> list[Linear]:
        return [Linear((), vector), time, Linear()]


@record
class _Stretch:
    """As many iterations as there are lanes, from `first` on, that find their rows in buffers."""

    first: Linear
    buffers: list[_Buffer]


@record
class _Times:
    """Writes the loop over time, for all lanes of a strip."""

    writer: _SerialWriter
    kept: tuple[tuple[Touch, int], ...]
    changed: tuple[SSAValue, ...]
    reuses: dict[affine.LoadOp, Reuse]
    held: dict[Touch, affine.StoreOp]

    def loop(
        self,
        lowers: Sequence[Linear],
        uppers: Sequence[Linear],
        initial: Sequence[SSAValue],
        stretch: _Stretch | None,
    ) -> tuple[SSAValue, ...]:
        """What is carried out of it."""
        writer, kept, changed = self.writer, self.kept, self.changed
        b, vectors = writer.strip.builder, writer.strip.vectors
        places = list(dict.fromkeys(self.held.values()))
        size = len(kept) + len(changed) + len(places)
        with b.loop(lowers, uppers, carried=initial, name="time") as loop:
            steps: list[_Step] = []
            for vector in range(vectors):
                values = loop.carried[vector * size : (vector + 1) * size]
                old = dict(zip(kept, values[: len(kept)], strict=True))
                now = dict(zip(changed, values[len(kept) :][: len(changed)], strict=True))
                private = {**writer.private[vector], **now}
                mask = writer.masks[vector]
                step = writer.step(vector, loop.index, mask, private, old, self.reuses, stretch)
                step.held = self.held
                step.in_registers = dict(zip(places, values[size - len(places) :], strict=True))
                step.neighbour = steps[-1].old if steps else {}
                steps.append(step)
            for step in steps:
                step.evaluate()
            for step in steps:
                step.store_all()
            loop.yielded = tuple(
                value
                for step in steps
                for value in (*_next_values(step, kept, changed), *step.in_registers.values())
            )
        return loop.results


def _next_values(
    step: _Step, kept: Sequence[tuple[Touch, int]], changed: Sequence[SSAValue]
) -> list[SSAValue]:
    """What the next iteration finds as old, and in its private variables."""
    values = [
        step.touched(source) if age == 1 else step.old[source, age - 1] for source, age in kept
    ]
    return values + [step.private[variable] for variable in changed]


class _Step:
    """Straight-line code in the lanes of one vector; `place` is that of its first lane."""

    def __init__(
        self,
        strip: LaneLoopWriter,
        inner: AffineLoop | None,
        operations: Sequence[Operation],
        place: Place,
        mask: Mask,
        private: _Private,
        old: _Old,
        reuses: dict[affine.LoadOp, Reuse],
        turned: dict[Touch, tuple[SSAValue, list[Linear]]] | None = None,
    ):
        self.turned = turned or {}
        """Where rows turned into columns are."""
        self.held: dict[Touch, affine.StoreOp] = {}
        self.in_registers: dict[affine.StoreOp, SSAValue] = {}
        """What accumulators hold, by their first stores."""
        self.strip, self.inner, self.operations = strip, inner, operations
        self.place, self.mask, self.private = place, mask, private
        self.old, self.reuses = old, reuses
        self.neighbour: _Old = {}
        """What the vector of the lanes before these, if there is one, has as old."""
        self.pending: dict[affine.StoreOp, SSAValue] = {}
        self.values: dict[Touch, SSAValue] = {}
        self.loaded: dict[affine.LoadOp, SSAValue] = {}
        leaf: Callable[[SSAValue], SSAValue | None] = self._leaf
        self.evaluator = Evaluator(strip.builder, strip.lanes, strip.source.loop.op, leaf)

    def run(self) -> None:
        self.evaluate()
        self.store_all()

    def evaluate(self) -> None:
        """Everything but the stores that no load waits for."""
        for op in self.operations:
            if isinstance(op, affine.StoreOp) and op.memref in self.strip.source.private:
                self.private[op.memref] = self.evaluator.value(op.value)
            elif isinstance(op, affine.StoreOp) and op in self.held:
                self.in_registers[self.held[op]] = self.evaluator.value(op.value)
            elif isinstance(op, affine.StoreOp):
                self._settle(op)
                self.loaded = {
                    load: value for load, value in self.loaded.items() if not _may_meet(op, load)
                }
                self.pending[op] = self.values[op] = self.evaluator.value(op.value)
            elif op.results:
                self.evaluator.value(op.results[0])

    def store_all(self) -> None:
        for store in list(self.pending):
            self._store(store)

    def touched(self, op: Touch) -> SSAValue:
        """What this step has loaded or stored."""
        return self.values[op]

    def _leaf(self, value: SSAValue) -> SSAValue | None:
        if not isinstance(value, OpResult) or value.op not in self.operations:
            return None
        if isinstance(value.op, arith.IndexCastOp):
            return self._count(value.op)
        if not isinstance(value.op, affine.LoadOp):
            return None
        load = value.op
        if load.memref in self.strip.source.private:
            return self.private[load.memref]
        if load in self.held:
            return self.in_registers[self.held[load]]
        reuse = self.reuses.get(load)
        if reuse is not None and reuse.lanes:
            result = self.values[load] = self._passed_on(load, reuse)
            return result
        if reuse is not None:
            return self.old[reuse.source, reuse.age]
        for store, stored in self.pending.items():
            if self._is_same_place(store, load):
                return stored
        self._settle(load)
        for other, loaded in self.loaded.items():
            if self._is_same_place(other, load):
                self.values[load] = loaded
                return loaded
        result = self.values[load] = self.loaded[load] = self.load(load)
        return result

    def _passed_on(self, load: affine.LoadOp, reuse: Reuse) -> SSAValue:
        """The lanes of what is old, each one further; the first is that of the vector before, or
        what is in memory."""
        b, lanes = self.strip.builder, self.strip.lanes
        key = reuse.source, reuse.age
        before = self.neighbour.get(key)
        if before is None:
            before = b.broadcast(b.load(load.memref, self._at(load)), lanes)
        return b.picked([before, self.old[key]], [0, lanes], range(lanes - 1, 2 * lanes - 1))

    def _count(self, op: arith.IndexCastOp) -> SSAValue:
        """An iterator in each lane."""
        source, type_ = self.strip.source, op.result.type
        assert isinstance(type_, IntegerType)
        step = 1 if op.input is source.loop.iv else -source.skew
        return self.strip.builder.numbers(self.place[op.input], step, self.strip.lanes, type_)

    def _is_same_place(self, one: Touch, other: Touch) -> bool:
        return one.memref is other.memref and subscripts_of(one) == subscripts_of(other)

    def _settle(self, op: Touch) -> None:
        """Store now what may lie where `op` touches memory."""
        for store in list(self.pending):
            if _may_meet(store, op):
                self._store(store)

    def _store(self, store: affine.StoreOp) -> None:
        self.put(store, self.pending.pop(store))

    def put(self, store: affine.StoreOp, value: SSAValue) -> None:
        """Store it where `store` does."""
        b = self.strip.builder
        if store in self.turned:
            b.vector_store(value, *self.turned[store])
            return
        at, steps = self._at(store), self.strip.source.steps(store, self.inner)
        if _is_unit(steps):
            b.vector_store(value, store.memref, at, self.mask)
        elif _is_backward(steps) and self.mask is None:
            b.vector_store(self._reversed(value), store.memref, self._last(at))
        else:
            b.strided_store(value, store.memref, at, steps, self.mask)

    def load(self, op: Touch) -> SSAValue:
        b, lanes = self.strip.builder, self.strip.lanes
        element = op.result.type if isinstance(op, affine.LoadOp) else op.value.type
        if op in self.turned:
            return b.vector_load(*self.turned[op], VectorType(element, [lanes]))
        at, steps = self._at(op), self.strip.source.steps(op, self.inner)
        if self.mask is None and not any(steps):
            return b.broadcast(b.load(op.memref, at), lanes)
        type_ = VectorType(element, [lanes])
        if _is_unit(steps):
            return b.vector_load(op.memref, at, type_, self.mask)
        if _is_backward(steps) and self.mask is None:
            return self._reversed(b.vector_load(op.memref, self._last(at), type_))
        return b.strided_load(op.memref, at, steps, type_, self.mask)

    def _last(self, at: Sequence[Linear]) -> list[Linear]:
        """Where the last lane is, whose elements run backward."""
        return [*at[:-1], at[-1] - (self.strip.lanes - 1)]

    def _reversed(self, value: SSAValue) -> SSAValue:
        return self.strip.builder.picked([value], [0], range(self.strip.lanes - 1, -1, -1))

    def _at(self, op: Touch) -> list[Linear]:
        forms = subscripts_of(op)
        assert forms is not None
        return [form.substitute(self.place) for form in forms]


def _may_meet(store: affine.StoreOp, op: Touch) -> bool:
    """May both touch one element in the same iteration?"""
    if store.memref is not op.memref:
        return may_overlap(store.memref, op.memref)
    here, there = subscripts_of(store), subscripts_of(op)
    assert here is not None
    assert there is not None
    differences = [one - other for one, other in zip(here, there, strict=True)]
    return not any(not form.terms and form.constant for form in differences)


def _is_unit(steps: Sequence[int]) -> bool:
    return bool(steps) and steps[-1] == 1 and not any(steps[:-1])


def _is_backward(steps: Sequence[int]) -> bool:
    return bool(steps) and steps[-1] == -1 and not any(steps[:-1])
