"""poly-to-affine: SCoPs become the loops that run their schedules."""

from __future__ import annotations

from functools import partial
from typing import Literal

import islpy as isl
from xdsl.context import Context
from xdsl.dialects import affine, memref
from xdsl.dialects.builtin import ModuleOp, UnknownLoc
from xdsl.ir import Block, Region
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.dialects.loop_facts import MARKS, facts_of, set_facts
from polyopt.dialects.poly import BATCH, ScopOp
from polyopt.ir.problem import Problem, problems_in
from polyopt.passes.codegen.loop_builder import Site, build_loops
from polyopt.passes.codegen.statement_body import StatementBodies
from polyopt.poly.dependences import Dependences
from polyopt.poly.generation.ast_generation import GenerationOptions, generate_loops
from polyopt.poly.generation.executed_set import OPERATIONS as EXECUTED
from polyopt.poly.generation.executed_set import check_executed
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.isl.lists import basic_sets
from polyopt.poly.loops.limited_loops import are_versions, small_parameters, with_limits
from polyopt.poly.loops.loop_summary import summarise_nests
from polyopt.poly.loops.loop_tree import Node, marks_in
from polyopt.poly.scanning.bounds import Unbounded
from polyopt.poly.schedule_tree import UnsupportedTree
from polyopt.poly.scop import Scop
from polyopt.support.core_model import CORE
from polyopt.support.diagnostics import CompileError
from polyopt.support.effort import share
from polyopt.support.record import record
from polyopt.support.remarks import remark

OPERATIONS = 4_000_000
"""For the loops of one schedule, by both engines, and showing that they are right. The most that
a benchmark of ours takes is 1,800,000."""


@record
class PolyToAffinePass(ModulePass):
    """Replace each `poly.scop` by loops that run every instance once, in the schedule's order.

    Requires: the schedule is legal (each pass that changes one has checked it).
    Ensures: no `poly` operation is left. The loops' instances have been compared with the domains
    and their order with the schedule. Where loops of neither the schedule nor the source's order
    can be shown to be right, the SCoP is given back as the source's loops, by construction. Loops
    carry `#poly.loop<…>`; a remark sums up what became of each nest.

    `engine`: who is asked for the loops first, "isl" (its AST generator) or "scan" (row-echelon
    bounds of polyhedra, our own, which is asked first in any case where a domain has several
    congruences); the other one where they do not show to be right. Not `scale_strides`: isl's loops
    count in the steps of their schedule, instead of by one with the steps in the subscripts.
    `operations` of isl's are what the loops of one schedule may take, made and shown to be right.

        poly.scop … schedule <"…[{ S[i, j] -> [j] }, { S[i, j] -> [i] }]…"> {
          poly.stmt "S" domain <"[n] -> { S[i, j] : 0 <= i, j < n }"> { … poly.read … }
        }
      =>
        affine.for %j = 0 to %n { affine.for %i = 0 to %n { … affine.load %A[%i, %j] … } }
    """

    name = "poly-to-affine"

    engine: Literal["isl", "scan"] = "isl"
    scale_strides: bool = True
    operations: int = OPERATIONS

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for problem in problems_in(op):
            with problem.effort():
                nodes = loops_of(
                    problem, self.engine, self.operations, scale_strides=self.scale_strides
                )
                _replace(problem, nodes)


def _scans_first(scop: Scop, engine: str) -> bool:
    """isl's generator takes long where a domain has several congruences, and loses instances."""
    return engine == "scan" or any(
        piece.dim(isl.dim_type.div) > 1
        for statement in scop.statements
        for piece in basic_sets(statement.domain)
    )


def _generated(
    problem: Problem, schedule: isl.Schedule, scale_strides: bool
) -> tuple[Node, ...] | None:
    options = GenerationOptions(scale_strides=scale_strides)
    return generate_loops(problem.scop, _known(problem), schedule, options)


def _scanned(problem: Problem, schedule: isl.Schedule) -> tuple[Node, ...] | None:
    from polyopt.poly.scanning.generate import scan_loops

    return scan_loops(problem.scop, _known(problem), schedule)


def _known(problem: Problem) -> Dependences | None:
    """Where every instance depends on all before it no loop is parallel: nothing need be asked."""
    return problem.dependences if problem.is_understood else None


def loops_of(
    problem: Problem,
    engine: str = "isl",
    operations: int = OPERATIONS,
    *,
    scale_strides: bool = True,
) -> tuple[Node, ...]:
    """Loops that run exactly the SCoP's instances, each once, in an order that keeps its
    dependences: those of its schedule or, where that does not show, those of the source's order;
    where it does not show of any, the source's own loops."""
    scop, source = problem.scop, problem.source_schedule
    for schedule in [scop.schedule] if source is scop.schedule else [scop.schedule, source]:
        with share(f"finding the loops of {scop.name!r}", operations):
            nodes = _shown_loops(problem, schedule, engine, operations, scale_strides)
        if nodes is not None:
            return nodes
    return _given_back(problem)


def _shown_loops(
    problem: Problem, schedule: isl.Schedule, engine: str, operations: int, scale_strides: bool
) -> tuple[Node, ...] | None:
    """Those of the engine that is asked or, where these do not show to be right, the other's."""
    scop = problem.scop
    dependences = _known(problem)
    by_isl = partial(_generated, scale_strides=scale_strides)
    engines = [_scanned, by_isl] if _scans_first(scop, engine) else [by_isl, _scanned]
    for make in engines:
        nodes = make(problem, schedule)
        if nodes is None:
            continue
        most = max(EXECUTED, operations // 2)
        fault = check_executed(scop, nodes, dependences, schedule, operations=most)
        if fault is None:
            return nodes
        remark("missed", "executed-set", f"in the loops generated, {fault}", problem.span)
    return None


def _given_back(problem: Problem) -> tuple[Node, ...]:
    from polyopt.poly.generation.source_nest import source_nest

    message = "no generated loops show to be right: the loops are those of the source"
    remark("missed", "given-back", message, problem.span)
    try:
        with budget("loops of the source", 0):
            return source_nest(problem.scop, problem.source_schedule)
    except (BudgetExceeded, UnsupportedTree, Unbounded) as reason:
        raise CompileError(
            f"SCoP {problem.scop.name!r}: no loops run exactly its instances: {reason}",
            problem.span,
            "compile the function without polyhedral passes",
        ) from None


def _replace(problem: Problem, nodes: tuple[Node, ...]) -> None:
    op, scop = problem.op, problem.scop
    for mark in sorted(marks_in(nodes) - MARKS.keys()):
        text = f"the schedule's mark {mark!r} says nothing to anybody here"
        remark("analysis", "unknown-mark", text, problem.span)
    for summary in summarise_nests(nodes, scop):
        remark("applied", "poly-to-affine", summary.text, summary.span)
    bodies = StatementBodies(
        scop,
        {statement.stmt_name.data: statement for statement in op.statements()},
        frozenset(statement.name for statement in scop.statements if statement.reductions),
        nodes,
    )
    parameters = dict(zip((name.data for name in op.param_names), op.params, strict=True))
    block = Block()
    versions = with_limits(nodes, small_parameters(scop.known, CORE.code.short))
    build_loops(versions, Site(block, parameters, frozenset(op.params)), bodies.build)
    if are_versions(versions) and isinstance(choice := block.last_op, affine.IfOp):
        _give_own_temporaries(choice.then_region, block, op)
    for new in block.walk():
        if isinstance(new.location, UnknownLoc):
            new.location = op.location
    if BATCH in op.attributes:
        for nest in block.ops:
            if isinstance(nest, affine.ForOp):
                set_facts(nest, facts_of(nest).with_marks("batch"))
    Rewriter.inline_block(block, InsertPoint.before(op))
    Rewriter.erase_op(op)


def _give_own_temporaries(version: Region, block: Block, op: ScopOp) -> None:
    """Arrays that are there for the SCoP alone are others in one version of it, of those in the
    block: what is seen to use an array nowhere else may keep it in registers."""
    for array in op.arrays:
        made, uses = array.owner, [use.operation for use in array.uses]
        is_used = any(version.is_ancestor(one) for one in uses)
        outside = [one for one in uses if not (block.is_ancestor(one) or op.is_ancestor(one))]
        ends = [one for one in outside if isinstance(one, memref.DeallocOp)]
        if (
            not isinstance(made, memref.AllocOp)
            or not is_used
            or not len(ends) == len(outside) == 1
        ):
            continue
        own, release = made.clone(), ends[0].clone()
        own.memref.name_hint = array.name_hint
        release.operands[0] = own.memref
        Rewriter.insert_op(own, InsertPoint.after(made))
        Rewriter.insert_op(release, InsertPoint.after(ends[0]))
        array.replace_uses_with_if(own.memref, lambda use: version.is_ancestor(use.operation))
