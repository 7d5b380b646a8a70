"""poly-split-records: the members of records in rows of their own, where loops use a few often."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects.cmem import memref_type
from polyopt.dialects.poly import ScopOp
from polyopt.ir.problem import read_problem
from polyopt.passes.storage.chosen_layouts import (
    Chooser,
    Chosen,
    lay_out_scops,
    write_chosen,
)
from polyopt.poly.changes.layouts import Layout
from polyopt.poly.changes.records import records_apart
from polyopt.poly.dependences import Dependences
from polyopt.poly.scop import Scop
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.target import Target


@record
class PolySplitRecordsPass(ModulePass):
    """Keep arrays of records as one row for each member (`poly-layout`, "split") while a SCoP runs,
    where its loops use a few of the members, and use them often (`poly/changes/records`): arrays of
    structs become structs of arrays.

    Requires: the SCoP has the order of the source. Ensures: that is kept, between copies of the
    members that come in and go out; dependences are those that there were. Where parameters decide
    on how often records are used, or whether new arrays take more than `limit` bytes together, the
    SCoP is there twice. What costs more than `operations` of isl's stays as it is.

        struct node { double v, other[7]; };   for t, for i { a[8 i] = f(a[8 i - 8], a[8 i + 8]) }
      =>
        for a1 { a_layout[0, a1] = a[8 a1] }
        for t, for i { a_layout[0, i] = f(a_layout[0, i - 1], a_layout[0, i + 1]) }
        for a1 { a[8 a1] = a_layout[0, a1] }
    """

    name = "poly-split-records"

    march: str = "native"
    limit: int = CORE.records.limit
    operations: int = 1_000_000

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = Target.named(self.march)
        by = Chooser(self.name, "records", self.limit, self.operations)

        def split(scop_op: ScopOp, scop: Scop) -> None:
            def dependences() -> Dependences | None:
                problem = read_problem(scop_op)
                return problem.dependences if problem.is_understood else None

            found = records_apart(scop, dependences, target)
            chosen = [
                Chosen(
                    one.array,
                    Layout("split", number=one.number),
                    f"records of {one.number}",
                    one.often,
                )
                for one in found
            ]
            more = f", where each is used {CORE.records.uses} times or more"
            write_chosen(scop_op, scop, by, chosen, often=more, ordered=False)

        lay_out_scops(op, by, _has_rows, split)


def _has_rows(array: SSAValue) -> bool:
    return memref_type(array).get_num_dims() > 0
