"""poly-split-records: the members of records in rows of their own, where loops use a few often."""

from __future__ import annotations

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
from polyopt.poly.changes.layouts import Layout, NoLayout, Relaid, relaid
from polyopt.poly.changes.records import Records, records_apart
from polyopt.poly.dependences import Dependences
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.support.core_model import CORE
from polyopt.support.diagnostics import CompileError
from polyopt.support.effort import share
from polyopt.support.record import record
from polyopt.support.remarks import remark
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
        for scop in operations_in(op, ScopOp):
            if scop.attributes.keys() & {BY_HAND, BATCH} or not any(map(_has_rows, scop.arrays)):
                continue
            problem = read_problem(scop)
            try:
                with (
                    problem.effort(),
                    share("records", self.operations),
                    budget("records", self.operations),
                ):
                    self._split(problem, target)
            except BudgetExceeded as error:
                remark("missed", self.name, f"records stay as they are: {error}", problem.span)

    def _split(self, problem: Problem, target: Target) -> None:
        op = problem.op

        def dependences() -> Dependences | None:
            return problem.dependences if problem.is_understood else None

        chosen = records_apart(problem.scop, dependences, target)
        made = list[Relaid]()
        often = problem.scop.known
        for one in chosen:
            try:
                made.append(_in_rows(op, one))
            except NoLayout as reason:
                what = f"records of {one.number} stay as they are: {reason}"
                remark("missed", self.name, what, problem.span)
                continue
            often = often.intersect(one.often)
        if not made or often.is_empty():
            return
        also, more = None, ""
        if not problem.scop.known.is_subset(often):
            also = asked_in_front(op, often.gist(problem.scop.known).coalesce())
            more = f", where each is used {CORE.records.uses} times or more"
        try:
            condition = sizes_that_fit(self.name, op, made, self.limit, also) + more
        except CompileError as reason:
            remark("missed", self.name, f"records stay as they are: {reason}", problem.span)
            return
        by_name = {one.array: one for one in chosen}
        for one in made:
            new = _in_rows(op, by_name[one.source.name])
            op = write_relaid(op, new)
            remark("applied", self.name, f"{told(new)}{condition}", problem.span)


def _has_rows(array: SSAValue) -> bool:
    return memref_type(array).get_num_dims() > 0


def _in_rows(op: ScopOp, found: Records) -> Relaid:
    """Raises NoLayout."""
    scop = with_known_locals(op, read_problem(op).scop)
    return relaid(scop, scop.array(found.array), Layout("split", number=found.number))
