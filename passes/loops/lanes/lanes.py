"""affine-lanes: loops around recurrences become the lanes of vectors."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import affine
from xdsl.dialects.builtin import FixedBitwidthType, ModuleOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass

from polyopt.dialects.inside import operations_in
from polyopt.dialects.loop_facts import facts_of
from polyopt.ir.elementwise import calls_to_round
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.lanes.find_lanes import find_lane_loop
from polyopt.passes.loops.lanes.lane_loop import LaneLoop
from polyopt.passes.loops.lanes.lane_model import is_worthwhile
from polyopt.passes.loops.lanes.lane_writer import LaneLoopWriter
from polyopt.passes.loops.lanes.row_extremes import in_rows
from polyopt.passes.loops.lanes.row_in_place import with_left_apart
from polyopt.passes.loops.lanes.row_sums import with_row_sums
from polyopt.passes.loops.lanes.rows_by_parity import in_pairs
from polyopt.passes.loops.lanes.rows_by_turns import by_turns
from polyopt.passes.loops.lanes.rows_copied_back import with_copy_as_row
from polyopt.passes.loops.lanes.running_extremes import without_extreme
from polyopt.passes.loops.lanes.strip import Strip
from polyopt.passes.loops.replacement import replace_op, tell
from polyopt.passes.loops.selections import with_selections
from polyopt.passes.loops.split_loop import can_be_split, split_loop
from polyopt.passes.loops.vectors.forwarding import forward_accesses
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
    (`row_in_place.py`), what all rows add to is added up in each of them first (`row_sums.py`), and
    a greatest element, with its place, is found row by row (`row_extremes.py`), or behind the nest
    (`running_extremes.py`). Where numbers of the inner loop say which elements of other arrays are
    read, each lane looks up its own (`lookups.py`).
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
                while isinstance(parent, affine.IfOp):
                    parent = parent.parent_op()
                if isinstance(parent, affine.ForOp):
                    around[parent] = None
        for loop in around:
            assert isinstance(loop, affine.ForOp)
            self._run_in_lanes(loop, target)

    def _run_in_lanes(self, op: affine.ForOp, target: Target) -> None:
        lanes = target.lanes(_element_bytes(op))
        if lanes < 2 or calls_to_round(op, target.vector_bits):
            return
        if any(isinstance(one, affine.IfOp) for one in op.body.block.ops):
            self._run_by_turns(op, op, lanes, target)
            return
        if (turned := in_pairs(op) or with_copy_as_row(op)) is not None:
            done = self._run_by_turns(turned, op, lanes, target)
            turned.detach()
            turned.erase()
            if done:
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
        elif not self._run_split(op, lanes, target):
            self._run_beside_sums(op, lanes, target)

    def _run_split(self, op: affine.ForOp, lanes: int, target: Target) -> bool:
        """With several inner loops for one."""
        split = _with_split_loops(op)
        if split is None:
            return False
        # What is known of memory is known inside of the function only.
        assert op.parent is not None
        op.parent.insert_op_before(split, op)
        found = self._find(split, target)
        if found is not None:
            self._replace(op, found, lanes)
        split.detach()
        split.erase()
        return found is not None

    def _run_beside_sums(self, op: affine.ForOp, lanes: int, target: Target) -> bool:
        """With a sum of its own for each row of what all of them add to."""
        changed = with_row_sums(op)
        return changed is not None and self._try(op, changed, lanes, target)

    def _run_by_turns(
        self, turned: affine.ForOp, op: affine.ForOp, lanes: int, target: Target
    ) -> bool:
        """`op` as `turned`, which does the same, with two rows that take turns as one loop."""
        changed = by_turns(turned)
        return changed is not None and self._try(op, changed, lanes, target)

    def _try(
        self,
        op: affine.ForOp,
        changed: tuple[list[Operation], affine.ForOp],
        lanes: int,
        target: Target,
    ) -> bool:
        """The operations in the place of `op`, and the loop among them in lanes, if it can be."""
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

    def _run_in_place(self, op: affine.ForOp, lanes: int, target: Target) -> bool:
        """With what goes from iteration to iteration along a row beside it."""
        changed = with_left_apart(op)
        return changed is not None and self._try(op, changed, lanes, target)

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
        rows = lanes * self.vectors
        found = find_lane_loop(op, rows)
        if found is None or not (self.force or is_worthwhile(found, lanes, rows, target)):
            return None
        loaded_again = [forward_accesses(one.body.block) for one in _inner_loops(op)]
        return find_lane_loop(op, rows) if any(loaded_again) else found

    def _replace(self, op: affine.ForOp, found: LaneLoop, lanes: int) -> None:
        builder = AffineBuilder(Block(), op)
        LaneLoopWriter(Strip(builder, found, lanes, self.vectors)).write()
        how = f", each {found.skew} behind the one before" if found.skew else ""
        name = facts_of(op).iterator
        what = "iterations" if name is None else f"iterations of {name}"
        lanes *= self.vectors
        tell("affine-lanes", op, f"{lanes} {what} in lanes{how}", lanes)
        replace_op(op, builder.block)


def _with_split_loops(op: affine.ForOp) -> affine.ForOp | None:
    """A copy in which each inner loop is several where it can be; None if none can."""
    if not any(map(can_be_split, _inner_loops(op))):
        return None
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
