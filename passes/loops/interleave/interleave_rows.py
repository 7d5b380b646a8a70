"""affine-interleave-rows: several rows of a loop run together in loops over vectors."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import affine
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block
from xdsl.passes import ModulePass

from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.interleave.masked_loop import MaskedLoop, masked_loops
from polyopt.passes.loops.interleave.row_loop import RowLoop, find_row_loop
from polyopt.passes.loops.interleave.row_model import best_rows, choose_rows, fixed_values
from polyopt.passes.loops.interleave.row_order import may_jam
from polyopt.passes.loops.interleave.row_writer import RowLoopWriter, RowPlan
from polyopt.passes.loops.plain_bounds import is_divided, with_plain_bounds_where
from polyopt.passes.loops.replacement import replace_op, tell
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.target import Target


@record
class AffineInterleaveRowsPass(ModulePass):
    """Run several rows of a loop around loops over masked vectors together, where they share what
    they read or write: `rows` of them (0: as many as the model says, 1: none).

    Requires: what `interleave = n` says of loops over masked vectors (`masked_loop.py`).
    Ensures: each vector of a row does what it did, each row in its order; rows change places only
    as far as their dependences allow (`row_order.py`), or where the loop is marked parallel.

        affine.for %i {                            affine.for %i step 2 {
          affine.for %v step 4 {                     affine.for %v step 4 {
            %x = pvec.read %A[%i - 1, %v]              %x = pvec.read %A[%i - 1, %v] …
            %y = pvec.read %A[%i + 1, %v]     =>       %y = pvec.read %A[%i + 1, %v] …
            … } }                                      %z = pvec.read %A[%i, %v] … } }
    """

    name = "affine-interleave-rows"

    march: str = "native"
    rows: int = 0

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.rows == 1:
            return
        target = Target.named(self.march)
        around = {parent: None for loop in masked_loops(op) if (parent := _row_loop_of(loop))}
        for loop in around:
            plain = loop
            if is_divided(loop) and not loop.inits:
                plain = with_plain_bounds_where(loop, lambda one: self._plan(one, target))
            found = self._plan(plain, target)
            if found is not None:
                self._interleave(*found, target)

    def _plan(self, op: affine.ForOp, target: Target) -> tuple[RowLoop, int] | None:
        """Which rows run together, and how many."""
        near = find_row_loop(op)
        if near is None:
            return None
        rows = best_rows(near)
        count = self.rows or choose_rows(rows, target)
        return (rows, count) if count > 1 and may_jam(rows, count) else None

    def _interleave(self, rows: RowLoop, count: int, target: Target) -> None:
        op = rows.loop.op
        builder = AffineBuilder(Block(), op)
        interleave = (
            CORE.rows.chains_of_many if fixed_values(rows, count) > target.vector_registers else 1
        )
        RowLoopWriter(builder, rows, RowPlan(count, interleave)).write()
        tell(self.name, op, f"{count} rows together")
        replace_op(op, builder.block)


def _row_loop_of(loop: MaskedLoop) -> affine.ForOp | None:
    parent = loop.loop.op.parent_op()
    if isinstance(parent, affine.IfOp):
        parent = parent.parent_op()
    return parent if isinstance(parent, affine.ForOp) else None
