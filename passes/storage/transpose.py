"""poly-transpose: columns as rows while a SCoP runs, where loops go down them often."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects.cmem import memref_type
from polyopt.dialects.poly import ScopOp
from polyopt.passes.storage.chosen_layouts import (
    Chooser,
    Chosen,
    lay_out_scops,
    write_chosen,
)
from polyopt.poly.changes.columns import columns_as_rows
from polyopt.poly.changes.layouts import Layout
from polyopt.poly.schedule_tree import UnsupportedTree, read_tree
from polyopt.poly.scop import Scop
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.target import Target


@record
class PolyTransposePass(ModulePass):
    """Keep arrays that loops only read, and read down their columns, in rows while a SCoP runs
    (`poly-layout`, "transpose"), where that saves more than the copy takes
    (`poly/changes/columns`).

    Requires: schedules are final. Ensures: they are as they were, behind a copy of what comes in.
    Where parameters decide on how often elements are used, or whether new arrays take more than
    `limit` bytes together, the SCoP is there twice. What costs more than `operations` of isl's
    stays as it is.

        for i, for j { C[i, j] = max(C[i, j], A[j, 8] + A[3, i]) }
      =>
        for a0, for a1 { A_layout[a1, a0] = A[a0, a1] }
        for i, for j { C[i, j] = max(C[i, j], A_layout[8, j] + A_layout[i, 3]) }
    """

    name = "poly-transpose"

    march: str = "native"
    limit: int = CORE.columns.limit
    operations: int = 2_000_000

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = Target.named(self.march)
        by = Chooser(self.name, "columns", self.limit, self.operations)

        def turn(scop_op: ScopOp, scop: Scop) -> None:
            try:
                tree = read_tree(scop.schedule)
            except UnsupportedTree:
                return
            found = columns_as_rows(scop, tree, target)
            chosen = [
                Chosen(
                    one.array,
                    Layout("transpose", order=one.order),
                    f"columns of {one.array}",
                    one.often,
                )
                for one in found
            ]
            more = ", where its elements are used often enough"
            write_chosen(scop_op, scop, by, chosen, often=more)

        lay_out_scops(op, by, _has_rows, turn)


def _has_rows(array: SSAValue) -> bool:
    return memref_type(array).get_num_dims() > 1
