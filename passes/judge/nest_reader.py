"""Affine loops as what they cost (`poly/cost/nest_cost.py`), in one walk.

Of code for one lane, an innermost loop is what LLVM makes of it: short loops of known length are
straight code, values stay in registers (`loop_body`), and iterations are lanes where nothing is in
the way (`llvm_lanes`). What is written as vectors is taken as it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import field
from functools import cached_property
from math import ceil

from xdsl.dialects import affine, arith, scf
from xdsl.dialects.builtin import IndexType, i1
from xdsl.ir import Block, Operation, SSAValue

from polyopt.ir.objects.alias import underlying_object
from polyopt.passes.judge.body_cost import BodyCost
from polyopt.passes.judge.carried_values import CarriedValues
from polyopt.passes.judge.counter_conditions import deciding_conditions
from polyopt.passes.judge.handed_on import share_of_rows_awaited, waits_for_parts
from polyopt.passes.judge.index_values import IndexValues, Typical
from polyopt.passes.judge.llvm_lanes import LlvmLanes
from polyopt.passes.judge.loop_body import Code, LoopBody
from polyopt.passes.judge.loop_ends import LoopEnds, cuts_tiles
from polyopt.passes.judge.operation_costs import is_free
from polyopt.passes.judge.row_ways import RowWays, chains_of
from polyopt.passes.judge.taken_arms import BRANCHES, LOOPS, TakenArms, chance_of
from polyopt.passes.judge.touched_lines import touched_lines
from polyopt.passes.judge.typical_access import STORES, TypicalAccess, access_in, arrays_loaded
from polyopt.poly.cost.nest_cost import Part, Run, Straight, core_cycles
from polyopt.support.core_model import CORE, CoreCosts
from polyopt.support.record import entity
from polyopt.support.target import Target


def read_parts(
    operations: Iterable[Operation],
    known: dict[SSAValue, Typical],
    target: Target,
    core: CoreCosts,
    *,
    any_order: bool,
    counted: Collection[SSAValue] = (),
    may_meet: bool = False,
    may_wrap: bool = False,
    as_written: bool = False,
) -> tuple[Part, ...]:
    """What the operations cost; `known` are the parameters, `counted` those that LLVM knows once it
    has unrolled the loops around. `any_order`: floating-point operations may be reassociated.
    `may_meet`: LLVM does not know that arrays are apart. `may_wrap`: nor that integers, of which it
    computes places, do not wrap. `as_written`: these are the source's."""
    values, operations = IndexValues(dict(known)), list(operations)
    reader = _Reader(
        values,
        target,
        core,
        any_order,
        counted=set(counted),
        may_meet=may_meet,
        may_wrap=may_wrap,
        as_written=as_written,
        loaded=arrays_loaded(operations),
    )
    return tuple(reader.parts(operations))


def _asks_where(op: Operation) -> bool:
    """Is it part of a question which iterations of a statement run? The source asks once for all
    statements, and LLVM once for all iterations of a loop that it unrolls."""
    if isinstance(op, arith.CmpiOp):
        return isinstance(op.lhs.type, IndexType)
    return isinstance(op, (arith.AndIOp, arith.OrIOp)) and op.result.type == i1


@entity
class _Reader:
    values: IndexValues
    target: Target
    core: CoreCosts
    any_order: bool
    depth: int = 0
    counted: set[SSAValue] = field(default_factory=set[SSAValue])
    may_meet: bool = False
    may_wrap: bool = False
    as_written: bool = False
    loaded: Collection[object] = ()
    times: float = 1.0
    """How often the loops around run."""
    trips_at: dict[int, float] = field(default_factory=dict[int, float])
    """How often each of them does each time that it starts."""
    split: int = 1
    """As so many the loops around are read, tile by tile."""

    @cached_property
    def arms(self) -> TakenArms:
        return TakenArms(self.values)

    @cached_property
    def ends(self) -> LoopEnds:
        return LoopEnds(self.values, self.counted, self.core, self.as_written)

    def parts(self, operations: Iterable[Operation]) -> list[Part]:
        """Of a block: its loops in their places, everything else together."""
        operations = list(operations)
        straight, found = list[Operation](), list[Part]()
        for op in self.arms.flat(operations):
            if isinstance(op, LOOPS):
                found += self._runs(op)
            else:
                straight.append(op)
        if straight:
            found.append(self._straight(straight))
        if self.depth and (versions := self.arms.versions(operations)):
            found.append(Straight(versions * self.core.version))
        return found

    # Loops

    def _runs(self, op: affine.ForOp | scf.ForOp) -> list[Run]:
        """Few tiles one by one, else all as a typical one."""
        lower, upper, step = self.ends.bounds(op)
        tiles = max(0, ceil((upper.number - lower.number) / step))
        split = self.split * tiles
        if not cuts_tiles(op) or tiles < 2 or split > self.core.few_tiles:
            run = self._loop(op)
            return [] if run is None else [run]
        before, self.split = self.split, split
        found = [self._loop(op, tile) for tile in range(tiles)]
        self.split = before
        return [run for run in found if run is not None]

    def _loop(self, op: affine.ForOp | scf.ForOp, tile: int | None = None) -> Run | None:
        """All of it, or one of its tiles."""
        iterator = op.body.block.args[0]
        bounds = self.ends.bounds(op)
        lower, upper, step = bounds
        extent = upper.number - lower.number
        trips = float(max(0, ceil(extent / step)))
        if trips == 0:
            return None
        at = (trips - 1) // 2 if tile is None else tile
        middle = lower + Typical(step * float(at))
        if tile is not None:
            trips = 1.0
        elif cuts_tiles(op):
            trips = max(1.0, extent / step)
        depth, times = self.depth, self.times
        self.trips_at[depth] = trips
        outer = tuple((loop, by) for loop, by in middle.moves)
        self.values.known[iterator] = Typical(middle.number, (*outer, (depth, float(step))))
        self.depth += 1
        self.times *= trips
        # What depends on an iterator is another thing each time the loop is read.
        saved = dict(self.values.known)
        try:
            body = op.body.block
            is_known = self.ends.is_constant(op)
            if is_known and trips <= self.core.short:
                self.counted.add(iterator)
            if not any(isinstance(inner, LOOPS) for inner in self.arms.flat(body.ops)):
                operations = {
                    one: chance_of(one, op, self.core.unchosen)
                    for one in self.arms.flat(body.ops)
                    if one is not body.last_op
                }
                return self._innermost(op, Code(operations), trips, is_known)
            inner = self.parts(body.ops)
            nest = Run(
                trips, tuple(inner), self.ends.start(op, trips, self.depth, is_known=is_known)
            )
            code = self._unrolled(body)
            if code is None:
                return nest
            straight = self._innermost(op, code, trips, is_known)
            return min(nest, straight, key=lambda one: core_cycles(one, self.core))
        finally:
            self.values.known = saved
            self.depth, self.times = depth, times

    def _unrolled(self, body: Block) -> Code | None:
        """The code of a loop in which LLVM unrolls all others; None where it does not."""
        code = Code({})
        return code if self._unroll(body, (), code) else None

    def _unroll(self, body: Block, within: tuple[int, ...], code: Code) -> bool:
        for op in self.arms.flat(body.ops):
            if op is body.last_op or isinstance(op, (affine.YieldOp, scf.YieldOp)):
                continue
            if not isinstance(op, LOOPS):
                if not (self.as_written and _asks_where(op)):
                    code.add(op, within)
                continue
            if op.results or not self.ends.is_constant(op):
                return False
            lower, upper, step = self.ends.bounds(op)
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
            before = code.size
            if not self._unroll(op.body.block, (*within, len(code.inner) - 1), code):
                return False
            if code.size - before > self.core.unrolled * code.times(within):
                return False
        return True

    def _innermost(
        self,
        op: affine.ForOp | scf.ForOp,
        code: Code,
        trips: float,
        is_known: bool,
    ) -> Run:
        body = self._body(op, code)
        cost = BodyCost(body, self.target, self.core)
        carried = CarriedValues(body, self.core, self.target.vector_bits, trips)
        each = cost.ports(1, self.target.vector_bits).cycles(self.core)
        wait = carried.wait()
        touched = touched_lines(body, self.target.line_bytes)
        is_unrolled = is_known and trips * code.size <= self.core.unrolled
        start = 0.0 if is_unrolled else self.ends.start(op, trips, self.depth, is_known=is_known)
        alone = wait > each and carried.starts_anew()
        plain = Run(trips, (Straight(each, touched),), start, wait, alone)
        if body.is_vector or not self._lanes(op, body, carried).may_be_lanes():
            return plain
        lanes = max(1, self.core.llvm_bits // body.element_bits)
        if lanes == 1:
            return plain
        chains = self._chains(code, is_sum=wait > 0)
        if is_known:
            chains = chains_of(trips, lanes, chains)
        ways = RowWays.of(cost, self.core, lanes, chains, wait)
        begin = self.core.vector_start + max(0.0, start - self.core.start)
        steps = trips / lanes
        if is_known and not is_unrolled and steps % 1 == 0:
            # Too long for LLVM to unroll one by one, but not in vectors.
            begin = 0.0 if steps * code.size <= self.core.unrolled else begin
        begin += CORE.strided.handed_on * self._awaited(op, body, trips, lanes)
        lengths = self.ends.lengths(op, trips, self.trips_at)
        if len(lengths) > 1:
            begin += self.core.mispredicted
        each_way = [
            (begin if ways.has_vectors(length) else start) + ways.cycles(length)
            for length in lengths
        ]
        total = sum(each_way) * trips / sum(lengths)
        if total >= start + trips * ways.alone:
            return plain
        return Run(trips, (Straight((total - begin) / trips, touched),), begin)

    def _awaited(
        self, op: affine.ForOp | scf.ForOp, body: LoopBody, trips: float, lanes: int
    ) -> float:
        """The part of the rows in which vectors wait for what has been stored alone."""
        around = op.parent_op()
        while isinstance(around, BRANCHES):
            around = around.parent_op()
        if not isinstance(around, LOOPS):
            return 0.0
        stores = (one for one in self.arms.flat(around.body.block.ops) if one.name in STORES)
        found = (access_in(one, self.values, self.target.line_bytes) for one in stores)
        own = (one for one in body.accesses.values() if one.is_write and not body.moves(one))
        return share_of_rows_awaited(body, [*filter(None, found), *own], trips, lanes)

    def _lanes(
        self, op: affine.ForOp | scf.ForOp, body: LoopBody, carried: CarriedValues
    ) -> LlvmLanes:
        """What decides on the lanes of an innermost loop."""
        lower, upper, step = self.ends.bounds(op)
        ends = lower.number, max(lower.number, upper.number - step)
        counter, known = op.body.block.args[0], self.values.known

        def holds(one: affine.IfOp) -> bool:
            middle = known[counter]
            try:
                for end in ends:
                    known[counter] = Typical(end)
                    if not self.values.holds(one.condition.data, one.args):
                        return False
                return True
            finally:
                known[counter] = middle

        deciding = deciding_conditions(op, holds)
        return LlvmLanes(
            body, carried, self.core, self.any_order, self.as_written, deciding=deciding
        )

    def _chains(self, code: Code, *, is_sum: bool) -> int:
        """So many vectors LLVM runs together: fewer, the more there is in each, but of sums."""
        size = sum(not is_free(op) for op in code.operations)
        chains = self.core.llvm_chains
        while not is_sum and chains > 1 and chains * size > self.core.llvm_together:
            chains //= 2
        return chains

    # Straight code

    def _straight(self, operations: Sequence[Operation]) -> Straight:
        body = self._body(None, Code(dict.fromkeys(operations, 1.0)))
        ports = BodyCost(body, self.target, self.core).ports(1, self.target.vector_bits)
        touched = touched_lines(body, self.target.line_bytes)
        waits = CORE.strided.handed_on if self.depth == 0 and waits_for_parts(body) else 0.0
        return Straight(ports.cycles(self.core) + waits, touched)

    def _body(self, loop: affine.ForOp | scf.ForOp | None, code: Code) -> LoopBody:
        accesses: dict[Operation, TypicalAccess] = {}
        for op in code.operations:
            access = access_in(op, self.values, self.target.line_bytes)
            if access is not None:
                accesses[op] = access
        body = LoopBody(loop, code, accesses, self.depth - 1, self.may_meet, self.may_wrap)
        if self.times >= self.core.many_stores and None not in self.loaded:
            body.never_loaded = {
                one.array
                for one in accesses.values()
                if one.is_masked and underlying_object(one.array) not in self.loaded
            }
        return body
