"""affine-batches: loops around small problems become the lanes of vectors."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import affine
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block
from xdsl.passes import ModulePass

from polyopt.dialects.inside import operations_in
from polyopt.dialects.loop_facts import facts_of
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.batches.batch_model import is_worthwhile, lane_bytes
from polyopt.passes.loops.batches.batch_writer import BatchWriter
from polyopt.passes.loops.batches.find_batch import Batch, find_batch
from polyopt.passes.loops.lanes.find_lanes import find_lane_loop
from polyopt.passes.loops.lanes.lane_model import is_worthwhile as pays_in_lanes
from polyopt.passes.loops.replacement import replace_op, tell
from polyopt.passes.loops.vectors.find_vector_loop import find_scan_loop
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.target import Target


@record
class AffineBatchesPass(ModulePass):
    """Run as many small problems as a vector has lanes at once, on copies in which their elements
    lie side by side (`batch_writer.py`): each loop inside is what it was, each element a vector.

    Requires: nothing; which elements each problem touches is found by running its loops
    (`one_problem.py`). Where a size from outside ends its loops, lanes stand behind a test that it
    is the greatest that the arrays allow. Loops whose rows have lanes as they lie are left to
    `affine-lanes`. Ensures: each problem sees the same operations in the same order, and no
    element is written that the loop would not write. `force`: also where the model of costs is
    against it.

        affine.for %b { affine.for %i {             affine.for %b step 8 { copy in, affine.for %i {
          A[b, i] -= A[b, i - 1] * C[b, i] } }  =>    A'[i] -= A'[i - 1] * C'[i] } copy out }
    """

    name = "affine-batches"

    march: str = "native"
    force: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = Target.named(self.march)
        found: list[Batch] = []
        for loop in list(operations_in(op, affine.ForOp)):
            if not any(one.loop.op.is_ancestor(loop) for one in found):
                batch = self._batch(loop, target)
                found += [] if batch is None else [batch]
        for batch in found:
            self._run_in_lanes(batch, target)

    def _batch(self, loop: affine.ForOp, target: Target) -> Batch | None:
        """What the loop is, if it is for lanes."""
        batch = find_batch(loop)
        if batch is None:
            return None
        size = lane_bytes(batch)
        lanes = target.lanes(size)
        if lanes < 2:
            return None
        pays = is_worthwhile(batch, lanes, size) and not _has_lanes(loop, lanes, target)
        return batch if self.force or pays else None

    def _run_in_lanes(self, batch: Batch, target: Target) -> None:
        loop, lanes = batch.loop.op, target.lanes(lane_bytes(batch))
        builder = AffineBuilder(Block(), loop)
        BatchWriter(builder, batch, lanes).write()
        name = facts_of(loop).iterator
        what = "iterations" if name is None else f"iterations of {name}"
        tell(self.name, loop, f"{lanes} {what} in lanes, on transposed copies", lanes)
        replace_op(loop, builder.block)


def _has_lanes(loop: affine.ForOp, lanes: int, target: Target) -> bool:
    """Are its rows lanes as they lie (`affine-lanes`), or vectors along themselves?"""
    inner = [op for op in loop.body.block.ops if isinstance(op, affine.ForOp)]
    if all(find_scan_loop(one) is not None for one in inner):
        return True
    rows = lanes * CORE.lanes.vectors
    found = find_lane_loop(loop, rows)
    return found is not None and pays_in_lanes(found, lanes, rows, target)
