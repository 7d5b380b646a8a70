"""poly-transpose: columns as rows while a SCoP runs, where loops go down them often."""

from __future__ import annotations

import islpy as isl
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects.cmem import memref_type
from polyopt.dialects.inside import operations_in
from polyopt.dialects.poly import BATCH, BY_HAND, ScopOp
from polyopt.ir.problem import Problem, read_problem
from polyopt.passes.storage.asked_parameters import asked_in_front
from polyopt.passes.storage.layout import sizes_that_fit, told, write_relaid
from polyopt.passes.storage.moved_accesses import with_known_locals
from polyopt.poly.changes.columns import Columns, columns_as_rows
from polyopt.poly.changes.layouts import Layout, NoLayout, Relaid, relaid
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.schedule_tree import UnsupportedTree, read_tree
from polyopt.support.core_model import CORE
from polyopt.support.diagnostics import CompileError
from polyopt.support.effort import share
from polyopt.support.record import record
from polyopt.support.remarks import remark
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
        for scop in operations_in(op, ScopOp):
            if scop.attributes.keys() & {BY_HAND, BATCH} or not any(map(_has_rows, scop.arrays)):
                continue
            problem = read_problem(scop)
            try:
                with (
                    problem.effort(),
                    share("columns", self.operations),
                    budget("columns", self.operations),
                ):
                    self._turn(problem, target)
            except BudgetExceeded as error:
                remark("missed", self.name, f"columns stay as they are: {error}", problem.span)

    def _turn(self, problem: Problem, target: Target) -> None:
        op, scop = problem.op, problem.scop
        try:
            chosen = columns_as_rows(scop, read_tree(scop.schedule), target)
        except UnsupportedTree:
            return
        made, often = list[tuple[Columns, Relaid]](), scop.known
        for one in chosen:
            try:
                made.append((one, _in_rows(op, one)[1]))
            except NoLayout as reason:
                what = f"columns of {one.array} stay as they are: {reason}"
                remark("missed", self.name, what, problem.span)
                continue
            often = often.intersect(one.often)
        if not made or often.is_empty():
            return
        also, more = None, ""
        if not scop.known.is_subset(often):
            also = asked_in_front(op, often.gist(scop.known).coalesce())
            more = ", where its elements are used often enough"
        try:
            condition = sizes_that_fit(self.name, op, [one for _, one in made], self.limit, also)
        except CompileError as reason:
            remark("missed", self.name, f"columns stay as they are: {reason}", problem.span)
            return
        for one, _ in made:
            order, new = _in_rows(op, one)
            op = write_relaid(op, new, order)
            remark("applied", self.name, f"{told(new)}{condition}{more}", problem.span)


def _has_rows(array: SSAValue) -> bool:
    return memref_type(array).get_num_dims() > 1


def _in_rows(op: ScopOp, found: Columns) -> tuple[isl.Schedule, Relaid]:
    """The order of the source, and the SCoP with the array turned round, in the order that it has.
    Raises NoLayout."""
    problem = read_problem(op)
    scop = with_known_locals(op, problem.scop)
    layout = Layout("transpose", order=found.order)
    return problem.source_schedule, relaid(scop, scop.array(found.array), layout)
