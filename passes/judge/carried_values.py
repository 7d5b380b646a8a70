"""What an iteration takes from the one before, and how long it is on its way.

Values go round in loop-carried arguments, and through elements that one iteration stores and a
later one loads. The longest way round is what no width of the core hides.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property

from xdsl.ir import SSAValue

from polyopt.passes.judge.loop_body import LoopBody
from polyopt.passes.judge.operation_costs import cost_of
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
        """The longest way from what an iteration takes from the one before to what it leaves."""
        if self.body.loop is None:
            return 0.0
        ready = self.ready
        ends = [ready[value] for value in self._left() if value in ready]
        return max(ends, default=0.0)

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
        core = self.core
        ready: dict[SSAValue, float] = {}
        assert self.body.loop is not None
        ready.update((argument, 0.0) for argument in self.body.loop.body.block.args[1:])
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
                elif access.array in carried and self._distance(access):
                    waits = self.body.waits_in_memory(access)
                    ready[op.results[0]] = core.forwarded if waits else 0.0
            else:
                starts = [ready[one] for one in op.operands if one in ready]
                if starts and op.results:
                    latency = cost_of(op, core, self.vector_bits).latency
                    ready.update((result, max(starts) + latency) for result in op.results)
        return ready

    def _left(self) -> Iterable[SSAValue]:
        """What an iteration leaves for the next one."""
        assert self.body.loop is not None
        last = self.body.loop.body.block.last_op
        if last is not None:
            yield from last.operands
        carried = [t for t in self._accesses if not t.is_write and self._distance(t)]
        arrays = {one.array for one in carried}
        for access in self._accesses:
            if access.is_write and access.array in arrays:
                yield access.stored

    def _distance(self, load: TypicalAccess) -> int | None:
        """After how many iterations it reads what a store of the loop has written, with 1 for any
        number of them; None for never or not known."""
        order = self.body.order
        for store in self.body.stores.get(load.array, ()):
            if not store.subscripts or store.subscripts == load.subscripts:
                if not any(load.by(self.body.depth)) and order[load.op] < order[store.op]:
                    return 1
                continue
            distance = load.iterations_after(store, self.body.depth)
            if distance is not None and 1 <= distance < self.trips:
                return 1
        return None
