"""Affine loops as what they cost (`poly/cost/nest_cost.py`), in one walk.

Of code for one lane, an innermost loop is what LLVM makes of it: what does not change is done in
front of it, values stay in registers from one iteration to the next, and iterations are lanes
where nothing is in the way. What is written as vectors is taken as it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import field
from functools import cached_property
from math import ceil

from xdsl.dialects import affine, arith, memref, scf, vector
from xdsl.ir import Block, Operation, SSAValue

from polyopt.dialects.cmem import memref_type
from polyopt.dialects.loop_facts import facts_of
from polyopt.ir.elementwise import COMBINERS
from polyopt.ir.shapes import element_bytes
from polyopt.ir.subscripts import subscripts_of
from polyopt.passes.judge.index_values import IndexValues, Typical
from polyopt.passes.judge.operation_costs import NOTHING, Cost, bits_of, cost_of, is_free, lanes_of
from polyopt.poly.cost.distinct_lines import Reference
from polyopt.poly.cost.nest_cost import Part, Run, Straight, Touched, core_cycles
from polyopt.support.core_model import CoreCosts
from polyopt.support.record import entity, record
from polyopt.support.target import Target

_LOADS = frozenset(
    """affine.load affine.vector_load memref.load vector.load vector.maskedload pvec.strided_load
    pvec.gather""".split()
)
_STORES = frozenset(
    """affine.store affine.vector_store memref.store vector.store vector.maskedstore
    pvec.strided_store""".split()
)
_APART = frozenset(("pvec.strided_load", "pvec.gather", "pvec.strided_store"))
_LOOPS = (affine.ForOp, scf.ForOp)
_BRANCHES = (affine.IfOp, scf.IfOp)


def read_parts(
    operations: Iterable[Operation],
    known: dict[SSAValue, Typical],
    target: Target,
    core: CoreCosts,
    *,
    any_order: bool,
    counted: Collection[SSAValue] = (),
) -> tuple[Part, ...]:
    """What the operations cost; `known` are the parameters, `counted` those that LLVM knows once it
    has unrolled the loops around. `any_order`: floating-point operations may be reassociated."""
    reader = _Reader(IndexValues(dict(known)), target, core, any_order, counted=set(counted))
    return tuple(reader.parts(operations))


@record
class _Touch:
    """A load or store of one element, or of a vector of `lanes`, at these subscripts."""

    op: Operation
    array: SSAValue
    subscripts: tuple[Typical, ...]
    is_write: bool
    lanes: int
    is_apart: bool

    @property
    def is_masked(self) -> bool:
        """By what is computed: lanes that are left out in every run cost nothing."""
        if not isinstance(self.op, (vector.MaskedLoadOp, vector.MaskedStoreOp)):
            return False
        return not isinstance(self.op.mask.owner, arith.ConstantOp)

    @property
    def place(self) -> tuple[object, ...]:
        return (self.array, self.subscripts, self.lanes)

    def by(self, depth: int) -> tuple[float, ...]:
        """How it moves with the loop at `depth`."""
        return tuple(one.by(depth) for one in self.subscripts)


@entity
class _Load:
    """What is to be done by one kind of code, once."""

    issue: float = 0.0
    arithmetic: float = 0.0
    alone: float = 0.0
    loads: float = 0.0
    stores: float = 0.0

    def add(self, cost: Cost, share: float = 1.0) -> None:
        self.issue += share * cost.issue
        self.arithmetic += share * cost.arithmetic
        self.alone += share * cost.alone

    def cycles(self, core: CoreCosts) -> float:
        busy = max(
            (self.issue + self.loads + self.stores) / core.issue,
            self.arithmetic / core.arithmetic,
            self.loads / core.loads,
            self.stores / core.stores,
        )
        return max(busy, self.alone)


@entity
class _Code:
    """Operations that run one after the other, so often each; `inner`: how often the loops ran that
    have been unrolled for that."""

    operations: dict[Operation, float]
    inner: list[float] = field(default_factory=list[float])

    @property
    def size(self) -> float:
        return sum(times for op, times in self.operations.items() if not is_free(op))


@entity
class _Reader:
    values: IndexValues
    target: Target
    core: CoreCosts
    any_order: bool
    depth: int = 0
    counted: set[SSAValue] = field(default_factory=set[SSAValue])

    def parts(self, operations: Iterable[Operation]) -> list[Part]:
        """Of a block: its loops in their places, everything else together."""
        straight, found = list[Operation](), list[Part]()
        for op in self._flat(operations):
            if isinstance(op, _LOOPS):
                run = self._loop(op)
                if run is not None:
                    found.append(run)
            else:
                straight.append(op)
        if straight:
            found.append(self._straight(straight))
        return found

    def _flat(self, operations: Iterable[Operation]) -> Iterable[Operation]:
        """The operations that run, those of conditionals in their place."""
        for op in operations:
            if not isinstance(op, _BRANCHES):
                yield op
                continue
            if isinstance(op, affine.IfOp):
                taken = self.values.holds(op.condition.data, op.args)
                regions = [op.then_region if taken else op.else_region]
            else:
                truth = self.values.truth(op.cond)
                regions = [op.true_region, op.false_region]
                if truth is not None:
                    regions = regions[:1] if truth else regions[1:]
                else:
                    yield op
            for region in regions:
                for block in region.blocks:
                    yield from self._flat(block.ops)

    # Loops

    def _loop(self, op: affine.ForOp | scf.ForOp) -> Run | None:
        iterator = op.body.block.args[0]
        bounds = self._bounds(op)
        lower, upper, step = bounds
        extent = upper.number - lower.number
        trips = float(max(0, ceil(extent / step)))
        if trips == 0:
            return None
        middle = lower + Typical(step * float((trips - 1) // 2))
        depth = self.depth
        outer = tuple((loop, by) for loop, by in middle.moves)
        self.values.known[iterator] = Typical(middle.number, (*outer, (depth, float(step))))
        self.depth += 1
        # What hangs on an iterator is another thing each time the loop is read.
        saved = dict(self.values.known)
        try:
            body = op.body.block
            is_known = self._is_constant(op)
            if is_known and trips <= self.core.short:
                self.counted.add(iterator)
            if not any(isinstance(inner, _LOOPS) for inner in self._flat(body.ops)):
                operations = {one: 1.0 for one in self._flat(body.ops) if one is not body.last_op}
                return self._innermost(op, _Code(operations), trips, is_known)
            inner = self.parts(body.ops)
            nest = Run(trips, tuple(inner), self._start(trips, is_known))
            code = self._unrolled(body)
            if code is None:
                return nest
            straight = self._innermost(op, code, trips, is_known)
            return min(nest, straight, key=core_cycles)
        finally:
            self.values.known = saved
            self.depth = depth

    def _unrolled(self, body: Block) -> _Code | None:
        """The code of a loop in which LLVM unrolls all others; None where it does not."""
        code = _Code({})
        if not self._unroll(body, 1.0, code):
            return None
        return code if code.size <= self.core.unrolled else None

    def _unroll(self, body: Block, times: float, code: _Code) -> bool:
        for op in self._flat(body.ops):
            if op is body.last_op or isinstance(op, (affine.YieldOp, scf.YieldOp)):
                continue
            if not isinstance(op, _LOOPS):
                code.operations[op] = times
                continue
            if op.results or not self._is_constant(op):
                return False
            lower, upper, step = self._bounds(op)
            trips = max(0, ceil((upper.number - lower.number) / step))
            if trips > self.core.short:
                return False
            if not trips:
                continue
            iterator, depth = op.body.block.args[0], self.depth + len(code.inner)
            middle = lower + Typical(step * float((trips - 1) // 2))
            self.values.known[iterator] = Typical(
                middle.number, (*middle.moves, (depth, float(step)))
            )
            self.counted.add(iterator)
            code.inner.append(float(trips))
            if not self._unroll(op.body.block, times * trips, code):
                return False
        return True

    def _bounds(self, op: affine.ForOp | scf.ForOp) -> tuple[Typical, Typical, int]:
        of = self.values
        if isinstance(op, affine.ForOp):
            lower = of.results(op.lowerBoundMap.data, op.lowerBoundOperands)
            upper = of.results(op.upperBoundMap.data, op.upperBoundOperands)
            return (
                max(lower, key=lambda one: one.number),
                min(upper, key=lambda one: one.number),
                op.step.value.data,
            )
        return of.of(op.lb), of.of(op.ub), max(1, int(of.of(op.step).number))

    def _is_constant(self, op: affine.ForOp | scf.ForOp) -> bool:
        """Whether LLVM knows its bounds, or would if it unrolled the short loops around."""
        return isinstance(op, affine.ForOp) and all(
            operand in self.counted for operand in (*op.lowerBoundOperands, *op.upperBoundOperands)
        )

    def _start(self, trips: float, is_known: bool) -> float:
        if is_known and trips <= self.core.short:
            return self.core.start
        return self.core.start + (self.core.mispredicted if trips < self.core.short else 0.0)

    def _innermost(
        self,
        op: affine.ForOp | scf.ForOp,
        code: _Code,
        trips: float,
        is_known: bool,
    ) -> Run:
        body = _Body(self, op, code)
        scalar = body.load(1, self.target.vector_bits)
        each = scalar.cycles(self.core)
        wait = body.wait()
        touched = body.touched()
        is_unrolled = is_known and trips * code.size <= self.core.unrolled
        start = 0.0 if is_unrolled else self._start(trips, is_known)
        if body.is_vector or not body.may_be_lanes():
            return Run(trips, (Straight(each, touched),), start, wait)
        plain = Run(trips, (Straight(each, touched),), start, wait)
        bits = self.core.llvm_bits
        lanes = max(1, bits // body.element_bits)
        together = lanes * self.core.llvm_chains
        if is_known:
            together = lanes
        whole = trips // together * together if trips >= together else 0.0
        if lanes == 1 or whole == 0:
            return plain
        vector = body.load(lanes, bits).cycles(self.core) / lanes
        rest = trips - whole
        total = self.core.vector_start + whole * vector + rest * max(each, wait)
        if total >= start + trips * max(each, wait):
            return plain
        return Run(trips, (Straight(whole * vector / trips, touched),), total - whole * vector)

    # Straight code

    def _straight(self, operations: Sequence[Operation]) -> Straight:
        body = _Body(self, None, _Code(dict.fromkeys(operations, 1.0)))
        load = body.load(1, self.target.vector_bits)
        return Straight(load.cycles(self.core), body.touched())

    def touch(self, op: Operation) -> _Touch | None:
        of = self.values
        match op:
            case affine.LoadOp() | affine.VectorLoadOp():
                return _touch(op, op.memref, of.results(op.map.data, op.indices), op.result)
            case affine.StoreOp() | affine.VectorStoreOp():
                return _touch(op, op.memref, of.results(op.map.data, op.indices), op.value)
            case memref.LoadOp():
                return _touch(op, op.memref, [of.of(one) for one in op.indices], op.res)
            case memref.StoreOp():
                return _touch(op, op.memref, [of.of(one) for one in op.indices], op.value)
            case _:
                return self._other_touch(op)

    def _other_touch(self, op: Operation) -> _Touch | None:
        """Those of vectors, by the names that they have in common."""
        if op.name not in _LOADS and op.name not in _STORES:
            return None
        array = next(one for one in op.operands if hasattr(one.type, "memory_space"))
        rank = memref_type(array).get_num_dims()
        first = op.operands.index(array) + 1
        indices = [self.values.of(one) for one in op.operands[first : first + rank]]
        value = (
            op.results[0] if op.results else next(one for one in op.operands if lanes_of(one.type))
        )
        return _touch(op, array, indices, value)


def _touch(
    op: Operation, array: SSAValue, subscripts: Sequence[Typical], value: SSAValue
) -> _Touch:
    lanes = max(1, lanes_of(value.type))
    return _Touch(op, array, tuple(subscripts), op.name in _STORES, lanes, op.name in _APART)


class _Body:
    """Straight code in the loop that it is the body of, or in none."""

    def __init__(
        self,
        reader: _Reader,
        loop: affine.ForOp | scf.ForOp | None,
        code: _Code,
    ):
        self.reader = reader
        self.loop = loop
        self.code = code
        self.operations = operations = list(code.operations)
        self.depth = reader.depth - 1
        self.touches = {op: one for op in operations if (one := reader.touch(op)) is not None}
        self.is_vector = any(
            lanes_of(value.type) for op in operations for value in (*op.results, *op.operands)
        )
        self.written = {one.array for one in self.touches.values() if one.is_write}
        self.changing = self._changing()

    @cached_property
    def _order(self) -> dict[Operation, int]:
        return {op: k for k, op in enumerate(self.operations)}

    @cached_property
    def _alike(self) -> dict[SSAValue, list[_Touch]]:
        """The accesses by their arrays."""
        found: dict[SSAValue, list[_Touch]] = {}
        for touch in self.touches.values():
            found.setdefault(touch.array, []).append(touch)
        return found

    @cached_property
    def _stores(self) -> dict[SSAValue, list[_Touch]]:
        return {
            array: stores
            for array, touches in self._alike.items()
            if (stores := [one for one in touches if one.is_write])
        }

    def _changing(self) -> set[SSAValue]:
        """The values that are others in each iteration."""
        if self.loop is None:
            return {value for op in self.operations for value in op.results}
        found: set[SSAValue] = set(self.loop.body.block.args)
        for op in self.operations:
            touch = self.touches.get(op)
            if touch is not None and not touch.is_write:
                if touch.array in self.written or self._moves(touch) or touch.is_apart:
                    found.update(op.results)
                elif any(operand in found for operand in op.operands) and touch.is_apart:
                    found.update(op.results)
                elif isinstance(op, memref.LoadOp) and any(one in found for one in op.indices):
                    found.update(op.results)
            elif any(operand in found for operand in op.operands):
                found.update(op.results)
        return found

    def _moves(self, touch: _Touch) -> bool:
        return any(touch.by(self.depth))

    def _is_register(self, touch: _Touch) -> bool:
        """Whether it stays in a register: a variable, or one element all through the loop."""
        if not touch.subscripts:
            return isinstance(touch.array.owner, memref.AllocaOp)
        if self.loop is None or touch.is_apart or self._moves(touch):
            return False
        if isinstance(touch.op, (memref.LoadOp, memref.StoreOp)) and any(
            one in self.changing for one in touch.op.operands
        ):
            return False
        return touch.array not in self.written or all(
            one.subscripts == touch.subscripts or not (one.is_write or touch.is_write)
            for one in self._alike[touch.array]
        )

    def load(self, lanes: int, bits: int) -> _Load:
        """What an iteration takes, or so many of them as lanes of LLVM's vectors of `bits`."""
        total = _Load()
        core = self.reader.core
        seen: set[tuple[object, ...]] = set()
        for op in self.operations:
            touch = self.touches.get(op)
            if touch is not None:
                if self._is_register(touch) or (touch.place in seen and not touch.is_write):
                    continue
                seen.add(touch.place)
                times = self._times(touch)
                self._add_touch(total, touch, lanes, bits, times)
            elif op.name in ("memref.alloc", "memref.dealloc"):
                total.alone += core.allocation
            elif self.loop is None or any(value in self.changing for value in op.results):
                cost = cost_of(op, core, self.reader.target.vector_bits, lanes)
                times = self.code.operations[op]
                if lanes == 1 or cost is NOTHING:
                    total.add(cost, times)
                elif op not in self._short_products:
                    wide = max((bits_of(v.type) for v in (*op.results, *op.operands)), default=32)
                    registers = max(1.0, lanes * wide / bits)
                    total.add(cost, times * registers * (1.0 if not cost.alone else 2.0))
        total.issue += 1.0 if self.loop is not None else 0.0
        return total

    @cached_property
    def _short_products(self) -> set[Operation]:
        """Products of numbers of 16 bits that are added up, which one operation does for two, and
        their extensions."""
        found: set[Operation] = set()
        for op in self.operations:
            if not isinstance(op, arith.MuliOp):
                continue
            extended = [one.owner for one in op.operands]
            if all(
                isinstance(one, (arith.ExtSIOp, arith.ExtUIOp)) and bits_of(one.input.type) <= 16
                for one in extended
            ) and any(isinstance(use.operation, arith.AddiOp) for use in op.result.uses):
                found.update(one for one in extended if isinstance(one, Operation))
        return found

    def _times(self, touch: _Touch) -> float:
        """In unrolled code an element is loaded and stored once, however often it is used."""
        times = self.code.operations[touch.op]
        for k, trips in enumerate(self.code.inner):
            if not any(touch.by(self.depth + 1 + k)):
                times /= trips if times >= trips else 1.0
        return times

    def _add_touch(self, total: _Load, touch: _Touch, lanes: int, bits: int, times: float) -> None:
        core = self.reader.core
        size = _bytes(touch.array)
        apart = core.scattered if touch.is_write else core.gathered
        if lanes == 1:
            if touch.is_apart:
                total.alone += times * touch.lanes * apart
                return
            count = max(1.0, touch.lanes * size * 8 / self.reader.target.vector_bits)
        else:
            step = self._step(touch)
            if step is None or step > core.short_moves:
                total.alone += times * lanes * (apart if size >= 4 else core.singly)
                return
            count = max(1.0, lanes * size * 8 / bits) if step else 1.0
            if step > 1:
                total.arithmetic += times * lanes * core.interleaved
                total.issue += times * lanes * core.interleaved
        if touch.is_write:
            total.stores += times * count
        else:
            total.loads += times * count
        if touch.is_masked:
            total.alone += times * (core.masked_store if touch.is_write else core.masked_load)

    def _step(self, touch: _Touch) -> float | None:
        """By how many elements it goes along its row, where that is all that it does."""
        if isinstance(touch.op, (memref.LoadOp, memref.StoreOp)) and any(
            one in self.changing for one in touch.op.operands
        ):
            return None
        *others, last = touch.by(self.depth) or (0.0,)
        return None if any(others) else abs(last)

    @property
    def element_bits(self) -> int:
        """The size of the widest element that is touched."""
        sizes = [8 * _bytes(one.array) for one in self.touches.values() if one.subscripts]
        return max(sizes, default=64)

    def touched(self) -> tuple[Touched, ...]:
        """What moves alike, together."""
        alike: dict[tuple[object, ...], list[_Touch]] = {}
        for touch in self.touches.values():
            if touch.subscripts:
                key = (touch.array, *(one.moves for one in touch.subscripts))
                alike.setdefault(key, []).append(touch)
        return tuple(self._together(touches) for touches in alike.values())

    def _together(self, touches: Sequence[_Touch]) -> Touched:
        first = touches[0]
        size, rank = _bytes(first.array), len(first.subscripts)
        line = max(1, self.reader.target.line_bytes // size)
        rows: list[tuple[int, ...]] = []
        inside: list[float] = []
        for dim, subscript in enumerate(first.subscripts):
            places = {one.subscripts[dim].number for one in touches}
            span = max(places) - min(places)
            if dim == rank - 1:
                wide = max(one.lanes for one in touches)
                count, apart = 1 + (span + wide - 1) // line, line
            else:
                count, apart = len(places), round(span / max(1, len(places) - 1))
            own = [int(subscript.by(k)) for k in range(self.reader.depth)]
            unrolled = [int(subscript.by(k + len(own))) for k in range(len(self.code.inner))]
            places_apart = [apart if k == dim and count > 1 else 0 for k in range(rank)]
            rows.append((*own, *unrolled, *places_apart))
            inside.append(float(count))
        is_write = any(one.is_write for one in touches)
        reference = Reference(str(id(first.array)), tuple(rows), is_write, size)
        return Touched(reference, (*self.code.inner, *inside))

    # From one iteration to the next

    def wait(self) -> float:
        """The longest way from what an iteration takes from the one before to what it leaves."""
        if self.loop is None:
            return 0.0
        ready = self._ready
        ends = [ready[value] for value in self._left() if value in ready]
        return max(ends, default=0.0)

    @cached_property
    def _ready(self) -> dict[SSAValue, float]:
        """How long after what is carried round and round each value that hangs on it is there.
        What an iteration only takes over from the one before is no way round."""
        carried = {t.array for t in self.touches.values() if not t.is_write and self._distance(t)}
        while True:
            ready = self._after(carried)
            stores = [t for t in self.touches.values() if t.is_write and t.array in carried]
            round_and_round = {t.array for t in stores if _stored(t.op) in ready}
            if round_and_round == carried:
                return ready
            carried = round_and_round

    def _after(self, carried: Collection[SSAValue]) -> dict[SSAValue, float]:
        core = self.reader.core
        ready: dict[SSAValue, float] = {}
        assert self.loop is not None
        ready.update((argument, 0.0) for argument in self.loop.body.block.args[1:])
        stored: dict[tuple[object, ...], SSAValue] = {}
        for op in self.operations:
            touch = self.touches.get(op)
            if touch is not None and touch.is_write:
                stored[touch.place] = _stored(op)
            elif touch is not None:
                if touch.place in stored:
                    value = stored[touch.place]
                    if value in ready:
                        ready[op.results[0]] = ready[value]
                elif touch.array in carried and self._distance(touch):
                    ready[op.results[0]] = 0.0
            else:
                starts = [ready[one] for one in op.operands if one in ready]
                if starts and op.results:
                    latency = cost_of(op, core, self.reader.target.vector_bits).latency
                    ready.update((result, max(starts) + latency) for result in op.results)
        return ready

    def _left(self) -> Iterable[SSAValue]:
        """What an iteration leaves for the next one."""
        assert self.loop is not None
        last = self.loop.body.block.last_op
        if last is not None:
            yield from last.operands
        carried = [t for t in self.touches.values() if not t.is_write and self._distance(t)]
        arrays = {one.array for one in carried}
        for touch in self.touches.values():
            if touch.is_write and touch.array in arrays:
                yield _stored(touch.op)

    def _distance(self, load: _Touch) -> int | None:
        """After how many iterations it reads what a store of the loop has written, at most 1 apart
        being of interest; None for never or not known."""
        order = self._order
        for store in self._stores.get(load.array, ()):
            if not store.subscripts or store.subscripts == load.subscripts:
                if not any(load.by(self.depth)) and order[load.op] < order[store.op]:
                    return 1
                continue
            apart = _iterations_apart(store, load, self.depth)
            if apart is not None and apart >= 1:
                return 1
        return None

    def may_be_lanes(self) -> bool:
        """Whether LLVM would run iterations side by side, as far as legality goes."""
        assert self.loop is not None
        if facts_of(self.loop).is_final or self.loop.body.block.args[1:]:
            return False
        core = self.reader.core
        for op in self.operations:
            if isinstance(op, scf.IfOp):
                continue
            if op in self.touches or op.name in ("affine.yield", "scf.yield"):
                continue
            if any(value in self.changing for value in op.results):
                if not cost_of(op, core, self.reader.core.llvm_bits).has_lanes:
                    return False
        if not facts_of(self.loop).is_parallel and self._meets():
            return False
        return not self._waits_in_order()

    def _meets(self) -> bool:
        """Whether a load may read, in another row, by another step or at a distance that is known
        when the loop runs, what a store writes: LLVM asks then whether they are quite apart."""
        for store in self.touches.values():
            if not store.is_write or not store.subscripts:
                continue
            for other in self._alike[store.array]:
                if other is not store:
                    if isinstance(other.op, (memref.LoadOp, memref.StoreOp)):
                        return True
                    if isinstance(store.op, memref.StoreOp):
                        return True
                    if other.by(self.depth) != store.by(self.depth):
                        return True
                    if _differ_by_values(store.op, other.op):
                        return True
        return False

    def _waits_in_order(self) -> bool:
        """Whether what is carried is more than accumulations in any order."""
        ready = self._ready
        for touch in self.touches.values():
            if not touch.is_write:
                continue
            value = _stored(touch.op)
            if value in ready and (self._moves(touch) or not self._is_accumulation(value)):
                return True
        return False

    def _is_accumulation(self, value: SSAValue) -> bool:
        """Whether the way to `value` from what is carried is made of combinations of one kind, in
        any order, and begins at one variable: where the least was found is chosen by what was the
        least until then, and waits for it."""
        kinds: set[str] = set()
        sources: set[SSAValue] = set()
        pending = [value]
        while pending:
            op = pending.pop().owner
            if not isinstance(op, Operation):
                continue
            if op in self.touches:
                sources.add(self.touches[op].array)
                continue
            is_choice = isinstance(op, (arith.SelectOp, arith.CmpfOp, arith.CmpiOp))
            if not is_choice and type(op) not in COMBINERS:
                return False
            kinds.add("choice" if is_choice else COMBINERS[type(op)])
            if bits_of(op.results[0].type) > 1 and _is_float(op) and not self.reader.any_order:
                return False
            pending += [one for one in op.operands if one in self._ready]
        return len(kinds) == 1 and len(sources) <= 1


def _differ_by_values(one: Operation, other: Operation) -> bool:
    """Are they apart by something that is no number?"""
    accesses = (affine.LoadOp, affine.StoreOp)
    if not isinstance(one, accesses) or not isinstance(other, accesses):
        return False
    here, there = subscripts_of(one), subscripts_of(other)
    if here is None or there is None:
        return False
    return any((a - b).terms for a, b in zip(here, there, strict=True))


def _is_float(op: Operation) -> bool:
    return op.name.endswith("f") and op.name.startswith("arith.")


def _stored(op: Operation) -> SSAValue:
    """The value that a store writes."""
    if isinstance(op, (affine.StoreOp, affine.VectorStoreOp, memref.StoreOp)):
        return op.value
    return next(one for one in op.operands if not hasattr(one.type, "memory_space"))


def _bytes(array: SSAValue) -> int:
    return element_bytes(memref_type(array).element_type) or 8


def _iterations_apart(store: _Touch, load: _Touch, depth: int) -> int | None:
    """So many iterations before, the store wrote what the load reads; None where that is none."""
    found: float | None = None
    for ours, theirs in zip(store.subscripts, load.subscripts, strict=True):
        if ours.moves != theirs.moves:
            return None
        apart, step = ours.number - theirs.number, ours.by(depth)
        if step == 0:
            if apart:
                return None
            continue
        if found is not None and found != apart / step:
            return None
        found = apart / step
    if found is None or found != int(found):
        return None
    return int(found)
