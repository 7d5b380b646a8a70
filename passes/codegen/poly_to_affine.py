"""poly-to-affine: SCoPs become the loops that run their schedules."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnknownLoc
from xdsl.ir import Block
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.passes.codegen.loop_builder import Site, build_loops
from polyopt.passes.codegen.statement_body import StatementBodies
from polyopt.passes.schedule.problem import Problem, problems_in
from polyopt.poly.ast_generation import generate_loops
from polyopt.poly.loop_summary import summarise_nests
from polyopt.support.diagnostics import CompileError
from polyopt.support.remarks import remark


@dataclass(frozen=True)
class PolyToAffinePass(ModulePass):
    """Replace each `poly.scop` by loops that run every instance once, in the schedule's order.

    Requires: the schedule is legal (each pass that changes one has checked it).
    Ensures: no `poly` operation is left. The generated loops' instances have been compared with
    the domains. Loops carry `poly.parallel`, `poly.reduction`, `poly.marks`, `poly.iterator`; a
    remark sums up what became of each nest.

        poly.scop … schedule <"…[{ S[i, j] -> [j] }, { S[i, j] -> [i] }]…"> {
          poly.stmt "S" domain <"[n] -> { S[i, j] : 0 <= i, j < n }"> { … poly.read … }
        }
      =>
        affine.for %j = 0 to %n { affine.for %i = 0 to %n { … affine.load %A[%i, %j] … } }
    """

    name = "poly-to-affine"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for problem in problems_in(op):
            _replace(problem)


def _replace(problem: Problem) -> None:
    op, scop = problem.op, problem.scop
    nodes = generate_loops(scop, problem.dependences, scop.schedule)
    if nodes is None:
        raise CompileError(
            f"SCoP {scop.name!r}: generating loops costs more than its budget",
            problem.span,
            "compile the function without polyhedral passes",
        )
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
