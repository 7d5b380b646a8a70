"""What an iteration takes from the one before, and how long it is on its way.

Values go round in loop-carried arguments, and through elements that one iteration stores and a
later one loads. The longest way round is what no width of the core hides.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property

from xdsl.dialects import affine, scf
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from polyopt.dialects.cmem import memref_type
from polyopt.ir.dependents import computed_by
from polyopt.ir.fast_math import is_summand
from polyopt.passes.judge.index_values import Typical
from polyopt.passes.judge.loop_body import LoopBody
from polyopt.passes.judge.operation_costs import cost_of
from polyopt.passes.judge.taken_arms import LOOPS
from polyopt.passes.judge.typical_access import TypicalAccess
from polyopt.support.core_model import CoreCosts
from polyopt.support.record import entity


@entity
class CarriedValues:
    body: LoopBody
    core: CoreCosts
    vector_bits: int
    trips: float

    @property
    def _accesses(self) -> Collection[TypicalAccess]:
        return self.body.accesses.values()

    def wait(self) -> float:
        """Of the ways from what an iteration takes from ones before to what it leaves for later
        ones, the longest round for each iteration that it goes over: y2 = y1, y1 = f(y2) takes two
        of them for one way."""
        if self.body.loop is None:
            return 0.0
        taken = list(self._taken())
        after = [self._from(value) for value, _, _ in taken]
        ways = {
            (a, b): ready[left]
            for a, ready in enumerate(after)
            for b, (_, _, left) in enumerate(taken)
            if left in ready
        }
        if len(taken) > self.core.rings:
            return max(ways.values(), default=0.0)
        return greatest_ratio(ways, [distance for _, distance, _ in taken])

    def starts_anew(self) -> bool:
        """Whether nothing of the last time that the loop ran is waited for when it runs again: what
        stays where it is all through the loop is set in front of it, and goes along else."""
        loop = self.body.loop
        if loop is None or any(_is_carried(value) for value in loop.operands):
            return False
        return all(
            self.body.moves(load) or _is_set_before(loop, load.array)
            for load in self._accesses
            if not load.is_write and self._source(load) is not None
        )

    def _taken(self) -> Iterable[tuple[SSAValue, int, SSAValue]]:
        """What comes from iterations before, from how many of them, and what these have left."""
        assert self.body.loop is not None
        last = self.body.loop.body.block.last_op
        arguments = self.body.loop.body.block.args[1:]
        if last is not None:
            for argument, left in zip(arguments, last.operands, strict=False):
                yield argument, 1, left
        for load in self._accesses:
            if not load.is_write and (found := self._source(load)) is not None:
                distance, store = found
                yield load.op.results[0], distance, store.stored

    @cached_property
    def ready(self) -> dict[SSAValue, float]:
        """How long after what is carried round and round each value that depends on it is there.
        What an iteration only takes over from the one before is no way round."""
        carried = {t.array for t in self._accesses if not t.is_write and self._distance(t)}
        while True:
            ready = self._after(carried)
            stores = [t for t in self._accesses if t.is_write and t.array in carried]
            round_and_round = {t.array for t in stores if t.stored in ready}
            if round_and_round == carried:
                return ready
            carried = round_and_round

    def _after(self, carried: Collection[SSAValue]) -> dict[SSAValue, float]:
        assert self.body.loop is not None
        starts = {
            load.op.results[0]
            for load in self._accesses
            if not load.is_write and load.array in carried and self._distance(load)
        }
        return self._from(*self.body.loop.body.block.args[1:], *starts)

    def _from(self, *starts: SSAValue) -> dict[SSAValue, float]:
        """How long after `starts` each value that depends on them is there."""
        core = self.core
        ready = {start: self._on_its_way(start) for start in starts}
        stored: dict[tuple[object, ...], SSAValue] = {}
        for op in self.body.operations:
            access = self.body.accesses.get(op)
            if access is not None and access.is_write:
                stored[access.element] = access.stored
            elif access is not None:
                if access.element in stored:
                    value = stored[access.element]
                    if value in ready:
                        ready[op.results[0]] = ready[value]
            elif isinstance(op, scf.YieldOp):
                self._leave_arm(op, ready)
            else:
                known = [ready[one] for one in op.operands if one in ready]
                if known and op.results:
                    latency = cost_of(op, core, self.vector_bits).latency
                    latency *= core.fused if is_summand(op) else 1.0
                    ready.update((result, max(known) + latency) for result in op.results)
        return ready

    def _leave_arm(self, op: scf.YieldOp, ready: dict[SSAValue, float]) -> None:
        """What a conditional gives is there when the later one of its arms is."""
        around = op.parent_op()
        results = around.results if isinstance(around, scf.IfOp) else ()
        for result, value in zip(results, op.operands, strict=False):
            if value in ready:
                ready[result] = max(ready.get(result, 0.0), ready[value])

    def _on_its_way(self, start: SSAValue) -> float:
        """From what has been stored to what is loaded of it: what the iteration before has left is
        in a register, and what one before that has is not, nor what several stores to one array
        have (`loops/vectors/handed_values`)."""
        owner = start.owner
        access = self.body.accesses.get(owner) if isinstance(owner, Operation) else None
        if access is None:
            return 0.0
        is_older = not access.is_write and (self._distance(access) or 0) > 1
        is_older = is_older or access.array in self._handed_by_several
        return self.core.forwarded if is_older or self.body.waits_in_memory(access) else 0.0

    @cached_property
    def _handed_by_several(self) -> Collection[SSAValue]:
        """Arrays of which a later iteration reads what more than one store has left."""
        stores: dict[SSAValue, set[Operation]] = {}
        for load in self._accesses:
            source = None if load.is_write else self._source(load)
            if source is not None:
                stores.setdefault(load.array, set()).add(source[1].op)
        return {array for array, ops in stores.items() if len(ops) > 1}

    def _distance(self, load: TypicalAccess) -> int | None:
        """After how many iterations it reads what a store of the loop has written; None for never
        or not known."""
        found = self._source(load)
        return None if found is None else found[0]

    def _source(self, load: TypicalAccess) -> tuple[int, TypicalAccess] | None:
        """The store that it reads from, and so many iterations after it; the nearest one."""
        order = self.body.order
        stores = self.body.stores.get(load.array, ())
        before = [one for one in stores if order[one.op] < order[load.op]]
        if any(one.element == load.element or self._fills(one, load) for one in before):
            return None
        if self._is_filled(load, before):
            return None
        found: dict[int, TypicalAccess] = {}
        for store in stores:
            if not store.subscripts or store.subscripts == load.subscripts:
                if not any(load.by(self.body.depth)) and order[load.op] < order[store.op]:
                    found[1] = store
                continue
            if order[load.op] < order[store.op] and self._comes_back(store, load):
                found[1] = store
                continue
            distance = load.iterations_after(store, self.body.depth)
            if distance is not None and 1 <= distance < self.trips:
                found[distance] = store
        return min(found.items(), key=lambda one: one[0], default=None)

    def _comes_back(self, store: TypicalAccess, load: TypicalAccess) -> bool:
        """Whether both, in loops that have been unrolled, go over the same elements in each
        iteration: weights that are summed up with, and then changed."""
        around = range(self.body.depth + 1)
        for ours, theirs in zip(store.subscripts, load.subscripts, strict=True):
            if ours.by(self.body.depth) or any(ours.by(k) != theirs.by(k) for k in around):
                return False
            (low, high), (least, most) = self._reach(ours), self._reach(theirs)
            if not (low < most and least < high):
                return False
        return True

    def _fills(self, store: TypicalAccess, load: TypicalAccess) -> bool:
        """Whether the element is among those that the store, in a loop that has been unrolled, has
        written in the same iteration: what fills a small array in front of what is done with it."""
        inner = range(len(self.body.code.inner))
        if not any(any(store.by(self.body.depth + 1 + k)) for k in inner):
            return False
        for ours, theirs in zip(store.subscripts, load.subscripts, strict=True):
            if any(ours.by(k) != theirs.by(k) for k in range(self.body.depth + 1)):
                return False
            low, high = self._reach(ours)
            if not low <= theirs.number <= high:
                return False
        return True

    def _is_filled(self, load: TypicalAccess, before: Sequence[TypicalAccess]) -> bool:
        """Whether the stores, each of one element that stays where it is, have written in the same
        iteration what loops that have been unrolled read of a small array, or most of it: where
        these loops go may depend on each other, and is known about as well as that."""
        around = range(self.body.depth + 1)
        if len(load.subscripts) != 1 or any(load.by(depth) != (0.0,) for depth in around):
            return False
        filled = {one.subscripts[0].number for one in before if not one.subscripts[0].moves}
        (place,) = load.subscripts
        low, high = self._reach(place)
        written = sum(low <= number <= high for number in filled)
        return place.number in filled and 2 * written > high - low + 1

    def _reach(self, place: Typical) -> tuple[float, float]:
        """The least and the greatest that it is in loops that have been unrolled."""
        low = high = place.number
        for k, trips in enumerate(self.body.code.inner):
            by, middle = place.by(self.body.depth + 1 + k), (trips - 1) // 2
            ends = (-middle * by, (trips - 1 - middle) * by)
            low, high = low + min(ends), high + max(ends)
        return low, high


def _is_carried(value: SSAValue) -> bool:
    """Does a loop hand it on from iteration to iteration, or leave it?"""
    if isinstance(value, BlockArgument):
        return value.index > 0 and isinstance(value.block.parent_op(), LOOPS)
    return isinstance(value.owner, LOOPS)


def _is_set_before(loop: Operation, array: SSAValue) -> bool:
    """Is a variable stored in front of the loop, in the same block, and none of what is stored
    computed there from it?"""
    if memref_type(array).get_shape():
        return False
    before = loop.prev_op
    while before is not None:
        if isinstance(before, affine.StoreOp) and before.memref is array:
            block = loop.parent
            assert block is not None
            made = [before, *computed_by(before.value, block)]
            return not any(isinstance(op, affine.LoadOp) and op.memref is array for op in made)
        if any(array in op.operands for op in before.walk()) and before.regions:
            return False
        before = before.prev_op
    return False


def yielded(result: SSAValue) -> list[SSAValue]:
    """What the arms of a conditional give for one of its results."""
    assert isinstance(result, OpResult)
    lasts = [region.block.last_op for region in result.op.regions]
    return [last.operands[result.index] for last in lasts if last is not None]


def greatest_ratio(ways: Mapping[tuple[int, int], float], distances: Sequence[int]) -> float:
    """Of all rings of ways from a to b: their lengths together, over the distances of the b's. Of
    rings as they grow, found by what is the longest way of so many steps (R. M. Karp, A
    characterization of the minimum cycle mean in a digraph, Discrete Mathematics 23, 1978, asks for
    as many of them)."""
    greatest = 0.0
    for start in range(len(distances)):
        longest: dict[tuple[int, int], float] = {(start, 0): 0.0}
        for _ in distances:
            following: dict[tuple[int, int], float] = {}
            for (a, far), length in longest.items():
                for b in range(start, len(distances)):
                    if (a, b) in ways:
                        at = (b, far + distances[b])
                        following[at] = max(following.get(at, 0.0), length + ways[a, b])
            longest = following
            rings = [length / far for (b, far), length in longest.items() if b == start]
            greatest = max(greatest, *rings, 0.0)
    return greatest
