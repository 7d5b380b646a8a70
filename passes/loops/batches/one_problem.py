"""What one iteration of a loop does, by running it: which elements it reads and writes, in order.

Of a small problem whose loops run from known numbers to known numbers, every instance is there to
be looked at. An element is known by its memref and by how far it lies from where the iteration's
own elements begin (`ProblemPlace`), so it is the same number in each iteration.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from xdsl.dialects import affine
from xdsl.ir import Block, Operation, OpResult, SSAValue

from polyopt.dialects.cmem import memref_type
from polyopt.ir.affine.affine_nest import AffineLoop, ElementAccess, enclosing_loops
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import subscripts_of
from polyopt.passes.loops.batches.instances import (
    branch_of,
    holds_at,
    instances_of,
    number_at,
    numbers_at,
)
from polyopt.passes.loops.batches.steps import (
    AccessStep,
    Choice,
    ProblemPlace,
    Seen,
    Steps,
    steps_of,
)
from polyopt.support.record import entity


@entity
class OneProblem:
    """An iteration of `loop`, where the `sizes` are what they are said to be; `instances` at most,
    which are counted before any is run, else `is_known` is false."""

    loop: AffineLoop
    instances: int
    sizes: Mapping[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    seen: dict[SSAValue, Seen] = field(default_factory=dict[SSAValue, Seen])
    places: dict[ElementAccess, ProblemPlace] = field(
        default_factory=dict[ElementAccess, ProblemPlace]
    )
    counts: dict[str, int] = field(default_factory=dict[str, int])
    runs: int = 0
    is_known: bool = True
    after: dict[Operation, set[Operation]] = field(default_factory=dict[Operation, set[Operation]])
    crossing: set[tuple[Operation, Operation]] = field(
        default_factory=set[tuple[Operation, Operation]]
    )
    _steps: dict[Block, Steps] = field(default_factory=dict[Block, Steps])
    _from: dict[Operation, tuple[Seen, int, Operation | None]] = field(
        default_factory=dict[Operation, tuple[Seen, int, Operation | None]]
    )

    def run(self) -> bool:
        """Is everything about it known?"""
        at = dict(self.sizes)
        self.is_known = instances_of(self.loop.block, at, self.instances) is not None
        if self.is_known:
            self._run_block(self.loop.block, at)
        return self.is_known

    def is_recurrence(self) -> bool:
        """Does a store wait for itself by another element than the one that it updates?"""
        return any(source in self._reached(sink) for source, sink in self.crossing)

    def _reached(self, start: Operation) -> set[Operation]:
        found: set[Operation] = set()
        left = [start]
        while left:
            one = left.pop()
            if one not in found:
                found.add(one)
                left.extend(self.after.get(one, ()))
        return found

    def _run_block(self, block: Block, at: dict[SSAValue, int]) -> None:
        steps = self._steps_in(block)
        self._count(steps, 1)
        for step in steps.in_order:
            if not self.is_known:
                return
            if isinstance(step, AffineLoop):
                self._run_loop(step, at)
            elif isinstance(step, Choice):
                self._run_branch(step, at)
            else:
                self._run_access(step, at)

    def _run_branch(self, choice: Choice, at: dict[SSAValue, int]) -> None:
        holds = holds_at(choice.conditions, at)
        if holds is None:
            self.is_known = False
        elif (chosen := branch_of(choice.op, holds=holds)) is not None:
            self._run_block(chosen, at)

    def _steps_in(self, block: Block) -> Steps:
        steps = self._steps.get(block)
        if steps is None:
            steps = self._steps[block] = steps_of(block)
        return steps

    def _count(self, steps: Steps, times: int) -> None:
        for name, count in steps.counts.items():
            self.counts[name] = self.counts.get(name, 0) + count * times

    def _run_loop(self, loop: AffineLoop, at: dict[SSAValue, int]) -> None:
        lows = numbers_at(loop.lowers, at)
        highs = numbers_at(loop.uppers, at)
        if lows is None or highs is None or loop.op.inits:
            self.is_known = False
            return
        self.runs += 1
        numbers = range(max(lows), min(highs), loop.step)
        touches = [
            one for one in self._steps_in(loop.block).in_order if isinstance(one, AccessStep)
        ]
        if numbers and len(touches) == len(self._steps_in(loop.block).in_order):
            self._run_row(loop, touches, numbers, at)
            return
        for number in numbers:
            self._run_block(loop.block, at | {loop.iv: number})

    def _run_row(
        self,
        loop: AffineLoop,
        touches: Sequence[AccessStep],
        numbers: range,
        at: dict[SSAValue, int],
    ) -> None:
        """A loop without loops inside, along which each access moves on by the same number."""
        self._count(self._steps_in(loop.block), len(numbers))
        moving: list[tuple[AccessStep, int, int]] = []
        for touch in touches:
            for number in {numbers[0], numbers[-1]}:
                if not self._reach_to(touch, at | {loop.iv: number}):
                    return
            assert touch.place is not None
            start = number_at(touch.place.offset, at | {loop.iv: 0})
            assert start is not None
            moving.append((touch, start, touch.place.offset.coefficient(loop.iv)))
        for number in numbers:
            for touch, start, step in moving:
                self._touch(touch, start + step * number)

    def _run_access(self, touch: AccessStep, at: dict[SSAValue, int]) -> None:
        if self._reach_to(touch, at):
            assert touch.place is not None
            offset = number_at(touch.place.offset, at)
            assert offset is not None
            self._touch(touch, offset)

    def _reach_to(self, touch: AccessStep, at: Mapping[SSAValue, int]) -> bool:
        """Note which subscripts it has there; is that known?"""
        if touch.place is None and not self._find_place(touch):
            self.is_known = False
            return False
        assert touch.place is not None
        assert touch.seen is not None
        subscripts = [number_at(form, at) for form in touch.place.inner]
        touch.seen.reach_to([number for number in subscripts if number is not None])
        return True

    def _touch(self, touch: AccessStep, offset: int) -> None:
        op, seen = touch.op, touch.seen
        assert seen is not None
        if touch.is_load:
            if offset not in seen.written:
                seen.needed.add(offset)
            self._from[op] = seen, offset, seen.last.get(offset)
            return
        for load in touch.loads:
            source, place, last = self._from[load]
            if last is not None:
                self.after.setdefault(last, set()).add(op)
                if source is not seen or place != offset:
                    self.crossing.add((last, op))
        seen.written.add(offset)
        seen.last[offset] = op

    def _find_place(self, touch: AccessStep) -> bool:
        """False also where another access has its elements elsewhere."""
        op = touch.op
        place = self._place(op)
        if place is None or self.seen.setdefault(op.memref, Seen(place.base)).base != place.base:
            return False
        self.places[op] = touch.place = place
        touch.seen = self.seen[op.memref]
        if isinstance(op, affine.StoreOp):
            touch.loads = loads_before(op.value, self.loop.op)
        return True

    def _place(self, op: ElementAccess) -> ProblemPlace | None:
        forms, pitches = subscripts_of(op), pitches_of(op.memref)
        if forms is None or pitches is None:
            return None
        around, *within = enclosing_loops(op, self.loop.op)
        assert around.op is self.loop.op
        inside = {loop.iv for loop in within} | self.sizes.keys()
        base: list[Linear] = []
        inner: list[Linear] = []
        for form in forms:
            terms = [(value, factor) for value, factor in form.terms if value in inside]
            inner.append(Linear(tuple(terms), form.constant))
            base.append(form - inner[-1])
        offset = Linear()
        for form, pitch in zip(inner, pitches, strict=True):
            offset = offset + form * pitch
        return ProblemPlace(tuple(base), tuple(inner), offset)


def pitches_of(array: SSAValue) -> list[int] | None:
    """How many elements lie between neighbours, by dimension; None where that is not known."""
    shape = memref_type(array).get_shape()
    if any(extent < 0 for extent in shape[1:]):
        return None
    pitches = [1] * len(shape)
    for dim in range(len(shape) - 1, 0, -1):
        pitches[dim - 1] = pitches[dim] * shape[dim]
    return pitches


def loads_before(value: SSAValue, root: Operation) -> list[affine.LoadOp]:
    found: dict[affine.LoadOp, None] = {}
    seen: set[SSAValue] = set()
    left = [value]
    while left:
        one = left.pop()
        if one in seen or not isinstance(one, OpResult) or not root.is_ancestor(one.op):
            continue
        seen.add(one)
        if isinstance(one.op, affine.LoadOp):
            found[one.op] = None
        left.extend(one.op.operands if not isinstance(one.op, affine.LoadOp) else ())
    return list(found)
