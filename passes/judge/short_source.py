"""The source's code beside loops that are for long runs: few iterations, one by one.

if (span >= 8) { vectors }                         LLVM, which does not know how few there are,
else for (p = rp[i]; p < rp[i + 1]; p++) …         would unroll it eight times, and ask before
                                                   each row how many are left over
"""

from __future__ import annotations

from xdsl.dialects import affine, arith, cf, func
from xdsl.dialects.builtin import IndexType, UnitAttr
from xdsl.ir import Block

from polyopt.dialects.cmem import NO_UNROLL, NO_VECTOR, PROGRESS
from polyopt.dialects.locations import span_of
from polyopt.dialects.poly import PaysOp
from polyopt.ir.branches import incoming
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.support.core_model import CORE
from polyopt.support.remarks import remark


def ask_for_span(
    choice: PaysOp, branch: cf.ConditionalBranchOp, function: func.FuncOp, least: int
) -> None:
    """That the span is at least as long takes the place of the choice."""
    _ask_for(choice, least)
    if least <= CORE.strided.one_by_one and not isinstance(branch.cond.owner, arith.AndIOp):
        _leave_one_by_one(branch.else_block, function)
    message = (
        f"where the innermost loop goes less far than {least}, the code runs as it was written"
    )
    remark("analysis", "pays-where-long", message, span_of(choice), function.sym_name.data)


def _ask_for(choice: PaysOp, least: int) -> None:
    """That the span is at least as long takes the place of the choice."""
    block = choice.parent
    assert block is not None
    assert choice.span is not None
    span = affine.ApplyOp(list(choice.params), choice.span)
    number = arith.ConstantOp.from_int_and_width(least, IndexType())
    is_long = arith.CmpiOp(span.result, number.result, "sge")
    block.insert_ops_before([span, number, is_long], choice)
    choice.result.replace_all_uses_with(is_long.result)


def _leave_one_by_one(source: Block, function: func.FuncOp) -> None:
    """Mark the innermost loops that only one edge to `source` leads to."""
    flow = ControlFlow(function.body)
    entries = [
        edge
        for edge in incoming(source)
        if (home := edge.terminator.parent) is None or not flow.dominators.dominates(source, home)
    ]
    if len(entries) != 1:
        return
    for loop in flow.loops.all_loops():
        if loop.children or not flow.dominators.dominates(source, loop.header):
            continue
        for edge in loop.back_edges():
            last = edge.terminator
            if isinstance(last, cf.BranchOp) and PROGRESS in last.attributes:
                last.attributes[NO_VECTOR] = last.attributes[NO_UNROLL] = UnitAttr()
