"""What one iteration of a loop does, by running it: which elements it reads and writes, in order.

Of a small problem whose loops run from known numbers to known numbers, every instance is there to
be looked at. An element is known by its memref and by how far it lies from where the iteration's
own elements begin (`Place`), so it is the same number in each iteration.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from xdsl.dialects import affine, arith
from xdsl.ir import Block, Operation, OpResult, SSAValue

from polyopt.dialects.cmem import memref_type
from polyopt.ir.affine.affine_nest import AffineLoop, ElementAccess, enclosing_loops
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import subscripts_of
from polyopt.support.record import entity, record

Cell = tuple[SSAValue, int]


@record
class Place:
    """A subscript for each dimension: what of it is the same in an iteration (`base`), and what
    goes on in it (`inner`); `offset` is the latter in elements."""

    base: tuple[Linear, ...]
    inner: tuple[Linear, ...]
    offset: Linear


@entity
class Seen:
    """Of one memref: where its elements begin, and those that are there before the iteration
    (`needed`) or change in it (`written`); the least and the greatest of each subscript."""

    base: tuple[Linear, ...]
    needed: set[int] = field(default_factory=set[int])
    written: set[int] = field(default_factory=set[int])
    reach: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])

    @property
    def touched(self) -> set[int]:
        return self.needed | self.written

    def reach_to(self, subscripts: Sequence[int]) -> None:
        reach = self.reach = self.reach or [(number, number) for number in subscripts]
        for dim, number in enumerate(subscripts):
            low, high = reach[dim]
            if number < low:
                reach[dim] = number, high
            elif number > high:
                reach[dim] = low, number


@record
class Steps:
    """What a block does: loops and accesses `in_order`, and how many operations of which name."""

    in_order: list[AffineLoop | ElementAccess]
    computed: dict[str, int]


def _steps_of(block: Block) -> Steps:
    steps = Steps([], {})
    for op in block.ops:
        if isinstance(op, affine.ForOp):
            steps.in_order.append(AffineLoop(op))
        elif isinstance(op, (affine.LoadOp, affine.StoreOp)):
            steps.in_order.append(op)
        elif not isinstance(op, (affine.YieldOp, arith.ConstantOp)):
            steps.computed[op.name] = steps.computed.get(op.name, 0) + 1
    return steps


@entity
class OneProblem:
    """An iteration of `loop`, where the `sizes` are what they are said to be; `instances` at most,
    which are counted before any is run, else `is_known` is false."""

    loop: AffineLoop
    instances: int
    sizes: Mapping[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    seen: dict[SSAValue, Seen] = field(default_factory=dict[SSAValue, Seen])
    places: dict[ElementAccess, Place] = field(default_factory=dict[ElementAccess, Place])
    counts: dict[str, int] = field(default_factory=dict[str, int])
    runs: int = 0
    is_known: bool = True
    after: dict[Operation, set[Operation]] = field(default_factory=dict[Operation, set[Operation]])
    crossing: set[tuple[Operation, Operation]] = field(
        default_factory=set[tuple[Operation, Operation]]
    )
    _steps: dict[Block, Steps] = field(default_factory=dict[Block, Steps])
    _from: dict[Operation, tuple[Cell, Operation | None]] = field(
        default_factory=dict[Operation, tuple[Cell, Operation | None]]
    )
    _last: dict[Cell, Operation] = field(default_factory=dict[Cell, Operation])
    _feeding: dict[Operation, list[affine.LoadOp]] = field(
        default_factory=dict[Operation, list[affine.LoadOp]]
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
        steps = self._steps.get(block)
        if steps is None:
            steps = self._steps[block] = _steps_of(block)
        counts = self.counts
        for name, count in steps.computed.items():
            counts[name] = counts.get(name, 0) + count
        for step in steps.in_order:
            if not self.is_known:
                return
            if isinstance(step, AffineLoop):
                self._run_loop(step, at)
            else:
                self._touch(step, at)

    def _run_loop(self, loop: AffineLoop, at: dict[SSAValue, int]) -> None:
        lows = _numbers(loop.lowers, at)
        highs = _numbers(loop.uppers, at)
        if lows is None or highs is None or loop.op.inits:
            self.is_known = False
            return
        self.runs += 1
        for number in range(max(lows), min(highs), loop.step):
            self._run_block(loop.block, at | {loop.iv: number})

    def _touch(self, op: ElementAccess, at: Mapping[SSAValue, int]) -> None:
        place = self.places.get(op) or self._first_place(op)
        offset = None if place is None else _number(place.offset, at)
        subscripts = [] if place is None else [_number(form, at) for form in place.inner]
        if offset is None or None in subscripts:
            self.is_known = False
            return
        self.counts[op.name] = self.counts.get(op.name, 0) + 1
        seen = self.seen[op.memref]
        seen.reach_to([number for number in subscripts if number is not None])
        cell = op.memref, offset
        if isinstance(op, affine.LoadOp):
            if offset not in seen.written:
                seen.needed.add(offset)
            self._from[op] = cell, self._last.get(cell)
            return
        for load in self._loads_of(op):
            source, last = self._from[load]
            if last is not None:
                self.after.setdefault(last, set()).add(op)
                if source != cell:
                    self.crossing.add((last, op))
        seen.written.add(offset)
        self._last[cell] = op

    def _first_place(self, op: ElementAccess) -> Place | None:
        """None also where another access has its elements elsewhere."""
        place = self._place(op)
        if place is None or self.seen.setdefault(op.memref, Seen(place.base)).base != place.base:
            return None
        self.places[op] = place
        return place

    def _loads_of(self, store: affine.StoreOp) -> list[affine.LoadOp]:
        found = self._feeding.get(store)
        if found is None:
            found = self._feeding[store] = loads_before(store.value, self.loop.op)
        return found

    def _place(self, op: ElementAccess) -> Place | None:
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
        return Place(tuple(base), tuple(inner), offset)


def instances_of(block: Block, at: Mapping[SSAValue, int], most: int) -> int | None:
    """How many iterations the loops in the block have, theirs inside with them; None where that
    is not known, or more than `most`. Nothing is run for it that does not bound a loop."""
    total = 0
    for op in block.ops:
        if isinstance(op, affine.ForOp):
            inside = _instances_in(AffineLoop(op), at, most - total)
            if inside is None:
                return None
            total += inside
    return total


def _instances_in(loop: AffineLoop, at: Mapping[SSAValue, int], most: int) -> int | None:
    lows, highs = _numbers(loop.lowers, at), _numbers(loop.uppers, at)
    if lows is None or highs is None:
        return None
    numbers = range(max(lows), min(highs), loop.step)
    total = len(numbers)
    if total > most or not any(isinstance(op, affine.ForOp) for op in loop.block.ops):
        return total if total <= most else None
    for number in numbers:
        inside = instances_of(loop.block, {**at, loop.iv: number}, most - total)
        if inside is None:
            return None
        total += inside
    return total


def pitches_of(array: SSAValue) -> list[int] | None:
    """How many elements lie between neighbours, by dimension; None where that is not known."""
    shape = memref_type(array).get_shape()
    if any(extent < 0 for extent in shape[1:]):
        return None
    pitches = [1] * len(shape)
    for dim in range(len(shape) - 1, 0, -1):
        pitches[dim - 1] = pitches[dim] * shape[dim]
    return pitches


def _numbers(forms: Sequence[Linear] | None, at: Mapping[SSAValue, int]) -> list[int] | None:
    numbers = [_number(form, at) for form in forms or ()]
    known = [number for number in numbers if number is not None]
    return known if known and len(known) == len(numbers) else None


def _number(form: Linear, at: Mapping[SSAValue, int]) -> int | None:
    total = form.constant
    for value, factor in form.terms:
        if value not in at:
            return None
        total += factor * at[value]
    return total


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
