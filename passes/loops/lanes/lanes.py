"""affine-lanes: loops around recurrences become the lanes of vectors."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import DYNAMIC_INDEX, FixedBitwidthType, ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects.cmem import memref_type
from polyopt.dialects.inside import operations_in
from polyopt.ir.affine_nest import ElementAccess
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.lanes.find_lanes import find_lane_loop
from polyopt.passes.loops.lanes.lane_loop import LaneLoop
from polyopt.passes.loops.lanes.lane_writer import LaneLoopWriter
from polyopt.passes.loops.lanes.row_extremes import in_rows
from polyopt.passes.loops.lanes.row_in_place import with_left_apart
from polyopt.passes.loops.lanes.running_extremes import without_extreme
from polyopt.passes.loops.lanes.selections import with_selections
from polyopt.passes.loops.lanes.serial_loop import LaneByLane, SerialLoop
from polyopt.passes.loops.lanes.strip import Strip
from polyopt.passes.loops.replacement import replace_loop, tell
from polyopt.passes.loops.split_loop import split_loop
from polyopt.passes.loops.vectors.find_vector_loop import find_scan_loop
from polyopt.passes.loops.vectors.scan_model import cycles_together
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.target import Target


@record
class AffineLanesPass(ModulePass):
    """Run iterations of a loop in lanes, in step, around inner loops that are recurrences, skewed
    where the recurrence is along both (`lane_loop.py`).

    Requires: nothing; a loop is believed to be parallel if it is marked so, else subscripts that
    differ by constants are looked at.
    Ensures: each element sees the same operations in the same order. Where that lets lanes run,
    an inner loop is split into several (`split_loop.py`), and conditionals become selections
    (`selections.py`); a row that is written over and over is passed on from lane to lane
    (`row_in_place.py`), and a greatest element, with its place, is found row by row
    (`row_extremes.py`), or behind the nest (`running_extremes.py`).
    `force`: also where the model of costs is against it.

        affine.for %i { affine.for %j {         affine.for %i step 8 { affine.for %time {
          A[i, j] = f(A[i, j - 1]) } }      =>    A[i .. i + 7, time] = f(…, in a register) } }
    """

    name = "affine-lanes"

    march: str = "native"
    vectors: int = CORE.lanes.vectors
    force: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = Target.named(self.march)
        around: dict[Operation, None] = {}
        for loop in operations_in(op, affine.ForOp):
            if _is_innermost(loop):
                parent = loop.parent_op()
                if isinstance(parent, affine.ForOp):
                    around[parent] = None
        for loop in around:
            assert isinstance(loop, affine.ForOp)
            self._run_in_lanes(loop, target)

    def _run_in_lanes(self, op: affine.ForOp, target: Target) -> None:
        lanes = target.lanes(_element_bytes(op))
        if lanes < 2:
            return
        if (chosen := with_selections(op)) is not None:
            if (found := self._find(chosen, target)) is not None:
                self._replace(chosen, found, lanes)
                op.detach()
                op.erase()
                return
            chosen.detach()
            chosen.erase()
        if self._run_in_place(op, lanes, target):
            return
        if self._run_by_rows(op, lanes, target) or self._run_beside_search(op, lanes, target):
            return
        if (found := self._find(op, target)) is not None:
            self._replace(op, found, lanes)
        elif (split := _with_split_loops(op)) is not None:
            # What is known of memory is known inside of the function only.
            assert op.parent is not None
            op.parent.insert_op_before(split, op)
            if (found := self._find(split, target)) is not None:
                self._replace(op, found, lanes)
            split.detach()
            split.erase()

    def _run_in_place(self, op: affine.ForOp, lanes: int, target: Target) -> bool:
        """With what goes from iteration to iteration along a row beside it."""
        changed = with_left_apart(op)
        if changed is None:
            return False
        operations, nest = changed
        assert op.parent is not None
        op.parent.insert_ops_before(operations, op)
        if (found := self._find(nest, target)) is not None:
            self._replace(nest, found, lanes)
        elif not self._run_by_rows(nest, lanes, target):
            for one in reversed(operations):
                one.detach()
                one.erase()
            return False
        op.detach()
        op.erase()
        return True

    def _run_by_rows(self, op: affine.ForOp, lanes: int, target: Target) -> bool:
        """With what is greatest of a row found in its lane."""
        changed = in_rows(op)
        if changed is None:
            return False
        operations, nest = changed
        assert op.parent is not None
        op.parent.insert_ops_before(operations, op)
        found = self._find(nest, target)
        if found is None:
            for one in reversed(operations):
                one.detach()
                one.erase()
            return False
        self._replace(nest, found, lanes)
        op.detach()
        op.erase()
        return True

    def _run_beside_search(self, op: affine.ForOp, lanes: int, target: Target) -> bool:
        """The nest in lanes without the search for a greatest element, and that behind it."""
        operations = without_extreme(op)
        if operations is None:
            return False
        nest, *search = operations
        assert isinstance(nest, affine.ForOp)
        assert op.parent is not None
        op.parent.insert_op_before(nest, op)
        found = self._find(nest, target)
        if found is None:
            nest.detach()
            nest.erase()
            for one in reversed(search):
                one.erase()
            return False
        op.parent.insert_ops_before(search, op)
        self._replace(nest, found, lanes)
        op.detach()
        op.erase()
        return True

    def _find(self, op: affine.ForOp, target: Target) -> LaneLoop | None:
        lanes = target.lanes(_element_bytes(op))
        found = find_lane_loop(op, lanes * self.vectors)
        return found if found and (self.force or is_worthwhile(found, lanes, target)) else None

    def _replace(self, op: affine.ForOp, found: LaneLoop, lanes: int) -> None:
        builder = AffineBuilder(Block(), op)
        LaneLoopWriter(Strip(builder, found, lanes, self.vectors)).write()
        how = f", each {found.skew} behind the one before" if found.skew else ""
        tell("affine-lanes", op, f"{lanes * self.vectors} iterations in lanes{how}")
        replace_loop(op, builder.block)


def _with_split_loops(op: affine.ForOp) -> affine.ForOp | None:
    """A copy in which each inner loop is several where it can be; None if none can."""
    copy = op.clone()
    is_split = False
    for inner in _inner_loops(copy):
        parts = split_loop(inner)
        for part in parts:
            copy.body.block.insert_op_before(part, inner)
        if parts:
            is_split = True
            inner.detach()
            inner.erase()
    return copy if is_split else None


def _is_innermost(loop: affine.ForOp) -> bool:
    return not _inner_loops(loop)


def _inner_loops(loop: affine.ForOp) -> list[affine.ForOp]:
    return [op for op in loop.body.block.ops if isinstance(op, affine.ForOp)]


def _element_bytes(loop: affine.ForOp) -> int:
    """The size of the widest value."""
    types = [result.type for op in loop.walk() for result in op.results]
    return max((t.size for t in types if isinstance(t, FixedBitwidthType)), default=8)


def is_worthwhile(found: LaneLoop, lanes: int, target: Target) -> bool:
    """Is there a recurrence, and do the inner loops take less time in lanes than by themselves?"""
    serial = [
        group
        for group in found.groups
        if isinstance(group, SerialLoop) and not isinstance(group, LaneByLane)
    ]
    if not any(_carried(found, group) for group in serial):
        return False
    alone = sum(lanes * _cycles_alone(found, group, target) for group in serial)
    return sum(_cycles_together(found, group, lanes) for group in serial) <= CORE.lanes.gain * alone


def _carried(found: LaneLoop, group: SerialLoop) -> list[affine.LoadOp]:
    """The loads that take what earlier iterations have stored."""
    reuses = found.reuses(group)
    stored = {store.memref for store in group.stores} & found.private
    held = found.accumulators(group)
    return [
        load
        for load in group.loads
        if load.memref in stored
        or load in held
        or (load in reuses and reuses[load].source in group.stores and not reuses[load].lanes)
    ]


def _cycles_alone(found: LaneLoop, group: SerialLoop, target: Target) -> float:
    """An iteration as it is: as long as the way from what it takes from earlier ones to what it
    gives to later ones, or as all its operations take; less where vectors along the loop pay."""
    since: dict[SSAValue, float] = {load.result: 0.0 for load in _carried(found, group)}
    longest = 0.0
    for op in group.operations:
        known = [since[operand] for operand in op.operands if operand in since]
        if isinstance(op, affine.StoreOp):
            longest = max(longest, *known) if known else longest
        elif known and not isinstance(op, affine.LoadOp):
            since |= {result: max(known) + _latency(op) for result in op.results}
    alone = max(longest, len(group.operations) / CORE.lanes.per_cycle)
    along = find_scan_loop(group.loop.op)
    if along is None:
        return alone
    own = target.lanes(along.element_bytes)
    return min(alone, cycles_together(along.scans, own, target)) if own > 1 else alone


def _latency(op: Operation) -> float:
    """A product that a sum takes up is computed with it."""
    if isinstance(op, arith.DivfOp):
        return CORE.lanes.division_latency
    if isinstance(op, arith.MulfOp):
        users = [use.operation for use in op.result.uses]
        if len(users) == 1 and isinstance(users[0], arith.AddfOp | arith.SubfOp):
            return 0.0
    return CORE.lanes.latency


def _cycles_together(found: LaneLoop, group: SerialLoop, lanes: int) -> float:
    reused, held = found.reuses(group), found.accumulators(group)
    streams = found.streams(group)
    touches = [op for op in (*group.loads, *group.stores) if op not in reused and op not in held]
    strided = sum(
        CORE.lanes.transposed
        if op in streams
        else _cycles_per_lane(op, found.steps(op, group.loop))
        for op in touches
    )
    divisions = sum(isinstance(op, arith.DivfOp) for op in group.operations)
    return (
        lanes * strided
        + CORE.lanes.divisions * lanes * divisions
        + len(group.operations) / CORE.lanes.per_cycle
    )


def _cycles_per_lane(op: ElementAccess, steps: Sequence[int]) -> float:
    """Beside what a vector access takes; `steps` of the subscripts from lane to lane."""
    if not steps or not (any(steps[:-1]) or abs(steps[-1]) > 1):
        return 0.0
    type_ = memref_type(op.memref)
    shape = type_.get_shape()
    if DYNAMIC_INDEX in shape[1:] or not isinstance(type_.element_type, FixedBitwidthType):
        return CORE.lanes.strided
    distance = 0
    for extent, step in zip(shape, steps, strict=True):
        distance = distance * extent + step
    return (
        CORE.lanes.crowded
        if distance * type_.element_type.size % CORE.lanes.set_bytes == 0
        else CORE.lanes.strided
    )
