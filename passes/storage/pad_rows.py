"""poly-pad-rows: longer rows while a SCoP runs, where those that there are meet in a cache."""

from __future__ import annotations

import islpy as isl
from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects.cmem import memref_type
from polyopt.dialects.inside import operations_in
from polyopt.dialects.poly import BATCH, BY_HAND, ScopOp
from polyopt.ir.problem import Problem, read_problem
from polyopt.passes.storage.layout import sizes_that_fit, told, write_relaid
from polyopt.passes.storage.moved_accesses import with_known_locals
from polyopt.poly.changes.crowded_rows import crowded_rows
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
class PolyPadRowsPass(ModulePass):
    """Make the rows of arrays a cache line longer while a SCoP runs (`poly-layout`), where they lie
    so far apart that those of a tile meet in few sets of the cache that is to keep them, and where
    their elements are used often enough (`poly/changes/crowded_rows`).

    Requires: schedules are final. Ensures: they are as they were, between copies of what goes in
    and out. New arrays take at most `limit` bytes together: where parameters decide, the SCoP is
    there twice. What costs more than `operations` of isl's stays as it is.

        double A[m][512]: for k_tile, for j_tile, for k in tile, for i, for j in tile { A[i, j] … }
      =>
        for a0, for a1 { A_layout[a0, a1] = A[a0, a1] }            A_layout: rows of 520
        for k_tile, for j_tile, for k in tile, for i, for j in tile { A_layout[i, j] … }
        for a0, for a1 { A[a0, a1] = A_layout[a0, a1] }
    """

    name = "poly-pad-rows"

    march: str = "native"
    limit: int = CORE.crowded.limit
    operations: int = 2_000_000

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = Target.named(self.march)
        for scop in operations_in(op, ScopOp):
            if scop.attributes.keys() & {BY_HAND, BATCH} or not any(
                map(_has_known_rows, scop.arrays)
            ):
                continue
            problem = read_problem(scop)
            try:
                with (
                    problem.effort(),
                    share("rows", self.operations),
                    budget("rows", self.operations),
                ):
                    self._pad(problem, target)
            except BudgetExceeded as error:
                remark("missed", self.name, f"rows stay as they are: {error}", problem.span)

    def _pad(self, problem: Problem, target: Target) -> None:
        try:
            tree = read_tree(problem.scop.schedule)
        except UnsupportedTree:
            return
        chosen = crowded_rows(problem.scop, tree, target)
        if not chosen:
            return
        op = problem.op
        try:
            made = [_padded(op, name, number)[1] for name, number in chosen.items()]
            condition = sizes_that_fit(self.name, op, made, self.limit)
        except (NoLayout, CompileError) as reason:
            remark("missed", self.name, f"rows stay as they are: {reason}", problem.span)
            return
        for name, number in chosen.items():
            order, one = _padded(op, name, number)
            op = write_relaid(op, one, order)
            remark("applied", self.name, f"{told(one)}{condition}", problem.span)


def _has_known_rows(array: SSAValue) -> bool:
    """Others are not worth reading the SCoP for."""
    shape = memref_type(array).get_shape()
    return len(shape) == 2 and shape[-1] != DYNAMIC_INDEX


def _padded(op: ScopOp, name: str, number: int) -> tuple[isl.Schedule, Relaid]:
    """The order of the source, and the SCoP with the array's rows longer, in the order that it
    has. Raises NoLayout."""
    problem = read_problem(op)
    scop = with_known_locals(op, problem.scop)
    layout = Layout("pad", number=number)
    return problem.source_schedule, relaid(scop, scop.array(name), layout)
