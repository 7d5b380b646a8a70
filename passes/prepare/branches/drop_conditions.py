"""Branches in loops that always go one way, for what their loops count, go that way.

Within static control parts the domains say as much; here it is for all other loops, and for what
such a branch keeps from being one: the arm that never runs may hold a call.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.context import Context
from xdsl.dialects import cf, func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block
from xdsl.passes import ModulePass

from polyopt.dialects.locations import span_of
from polyopt.ir.branches import Edge
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.evolution.ranges import Ranges
from polyopt.ir.evolution.scalar_evolution import Evolution
from polyopt.ir.expressions.conditions import edge_condition
from polyopt.ir.functions import functions_near_loops
from polyopt.passes.prepare.branches.block_editing import (
    erase_unreachable,
    merge_on,
    replace_terminator,
)
from polyopt.passes.prepare.branches.known_flags import replace_known
from polyopt.passes.prepare.branches.short_quotients import divisions_in_loops, shorten, take_over
from polyopt.support.record import record
from polyopt.support.remarks import remark


@record
class DropConditionsPass(ModulePass):
    """A branch within a loop whose condition is always true there, or never, becomes a jump.

    Known is how far the loops around count, and what has been asked on the way to the branch. A
    variable that has been found equal to a number is that number there, and what has been found
    less than twice a number is divided by it with a comparison (`short_quotients.py`).

    Requires: variables are values (promote-scalars). Ensures: no block is unreachable. A loop is
    left by one way less where that is never taken, such as an assertion.

        ^body:                                        ^body:
          %0 = arith.cmpi sgt, %i, %n : i32             cf.br ^then
          cf.cond_br %0, ^rare, ^then         ->
    """

    name = "drop-conditions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_near_loops(op):
            _drop(function)


def _drop(function: func.FuncOp) -> None:
    flow = ControlFlow(function.body)
    replace_known(flow)
    asked, divisions = list(_branches(flow)), list(divisions_in_loops(flow))
    if not asked and not divisions:
        return
    for _, block in divisions:
        take_over(block)
    evolution = Evolution(flow)
    ranges = Ranges(flow, evolution)
    for division, block in divisions:
        shorten(division, block, evolution, ranges)
    known: list[tuple[cf.ConditionalBranchOp, int]] = []
    for branch, block in asked:
        always = ranges.always(edge_condition(Edge(branch, 0), evolution), block)
        if always is None:
            continue
        position = 0 if always else 1
        if flow.loops.innermost(branch.successors[position]) is not None:
            known.append((branch, position))
    for branch, position in known:
        told = "true" if position == 0 else "false"
        remark("applied", DropConditionsPass.name, f"always {told} here", span_of(branch))
        edge = Edge(branch, position)
        replace_terminator(branch, cf.BranchOp(edge.target, *edge.values))
    if known:
        erase_unreachable(function.body)
        for block in list(function.body.blocks):
            if block.parent is not None:
                merge_on(block)


def _branches(flow: ControlFlow) -> Iterator[tuple[cf.ConditionalBranchOp, Block]]:
    """Those in loops, but for what alone leaves them."""
    exits: dict[NaturalLoop, int] = {}
    for block in flow.cfg.blocks:
        loop = flow.loops.innermost(block)
        branch = block.last_op
        if loop is None or not isinstance(branch, cf.ConditionalBranchOp):
            continue
        targets = branch.successors
        if targets[0] is targets[1]:
            continue
        if any(target not in loop for target in targets):
            if loop not in exits:
                exits[loop] = len(loop.exits())
            if exits[loop] == 1:
                continue
        yield branch, block
