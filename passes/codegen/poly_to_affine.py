"""poly-to-affine: SCoPs become the loops that run their schedules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import islpy as isl
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnknownLoc
from xdsl.ir import Block
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.dialects.loop_facts import MARKS
from polyopt.passes.codegen.loop_builder import Site, build_loops
from polyopt.passes.codegen.statement_body import StatementBodies
from polyopt.passes.schedule.problem import Problem, problems_in
from polyopt.poly.ast_generation import generate_loops
from polyopt.poly.executed_set import check_executed
from polyopt.poly.loop_summary import summarise_nests
from polyopt.poly.loop_tree import Node, marks_in
from polyopt.support.diagnostics import CompileError
from polyopt.support.remarks import remark


@dataclass(frozen=True)
class PolyToAffinePass(ModulePass):
    """Replace each `poly.scop` by loops that run every instance once, in the schedule's order.

    Requires: the schedule is legal (each pass that changes one has checked it).
    Ensures: no `poly` operation is left. The generated loops' instances have been compared with
    the domains. Loops carry `#poly.loop<…>`; a remark sums up what became of each nest.

    `engine`: who makes the loops, "isl" (its AST generator) or "scan" (row-echelon bounds of
    polyhedra, our own; isl's where the budgets do not suffice).

        poly.scop … schedule <"…[{ S[i, j] -> [j] }, { S[i, j] -> [i] }]…"> {
          poly.stmt "S" domain <"[n] -> { S[i, j] : 0 <= i, j < n }"> { … poly.read … }
        }
      =>
        affine.for %j = 0 to %n { affine.for %i = 0 to %n { … affine.load %A[%i, %j] … } }
    """

    name = "poly-to-affine"

    engine: Literal["isl", "scan"] = "isl"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for problem in problems_in(op):
            _replace(problem, self.engine)


def _candidates(problem: Problem, engine: str) -> Iterator[tuple[isl.Schedule, tuple[Node, ...]]]:
    """Loops to choose from, best first: of the schedule, then of the source's order."""
    scop, source = problem.scop, problem.source_schedule
    for schedule in [scop.schedule] if source is scop.schedule else [scop.schedule, source]:
        if engine == "scan":
            from polyopt.poly.scanning.generate import scan_loops

            nodes = scan_loops(scop, problem.dependences, schedule)
            if nodes is not None:
                yield schedule, nodes
        nodes = generate_loops(scop.with_schedule(source), problem.dependences, schedule)
        if nodes is not None:
            yield schedule, nodes


def _generate(problem: Problem, engine: str) -> tuple[Node, ...]:
    """Loops that run exactly the SCoP's instances, each once: those of its schedule or, where
    that does not show, those of the source's order."""
    scop, source = problem.scop, problem.source_schedule
    for schedule, nodes in _candidates(problem, engine):
        fault = check_executed(scop, nodes)
        if fault is None:
            return nodes
        remark("missed", "executed-set", f"in the loops generated, {fault}", problem.span)
        if schedule is source and fault.kind == "unknown":
            return nodes
    raise CompileError(
        f"SCoP {scop.name!r}: no loops within the budget that run exactly its instances",
        problem.span,
        "compile the function without polyhedral passes",
    )


def _replace(problem: Problem, engine: str) -> None:
    op, scop = problem.op, problem.scop
    nodes = _generate(problem, engine)
    for mark in sorted(marks_in(nodes) - MARKS.keys()):
        text = f"the schedule's mark {mark!r} says nothing to anybody here"
        remark("analysis", "unknown-mark", text, problem.span)
    for summary in summarise_nests(nodes, scop):
        remark("applied", "poly-to-affine", summary.text, summary.span)
    bodies = StatementBodies(
        scop,
        {statement.stmt_name.data: statement for statement in op.statements()},
        frozenset(statement.name for statement in scop.statements if statement.reduction),
    )
    parameters = dict(zip((name.data for name in op.param_names), op.params, strict=True))
    block = Block()
    build_loops(nodes, Site(block, parameters, frozenset(op.params)), bodies.build)
    for new in block.walk():
        if isinstance(new.location, UnknownLoc):
            new.location = op.location
    Rewriter.inline_block(block, InsertPoint.before(op))
    Rewriter.erase_op(op)
