"""Compute equal values once, and unused ones not at all."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.equal_values import drop_unused_values, share_equal
from polyopt.ir.functions import functions_near_loops
from polyopt.passes.prepare.values.steady_globals import load_steady_globals_once
from polyopt.passes.prepare.values.steady_quotients import compute_steady_quotients_once
from polyopt.support.record import record


@record
class CleanValuesPass(ModulePass):
    """One walk over the dominator tree and one back over the operations.

    Requires: nothing; it is for every level. Ensures: of equal pure operations of which one
    dominates the other only the first is left, and of equal loads in a block with nothing but loads
    and pure operations between them; a global variable that the function does not change is loaded
    once (`steady_globals.py`); quotients and remainders of numbers that a loop does not change are
    computed in front of it (`steady_quotients.py`); pure operations and loads without a use are
    gone.

        %a = arith.index_cast %i : i32 to index       %a = arith.index_cast %i : i32 to index
        %b = arith.index_cast %i : i32 to index  ->   %x = memref.load %A[%a]
        %x = memref.load %A[%b]
    """

    name = "clean-values"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_near_loops(op):
            flow = ControlFlow(function.body)
            load_steady_globals_once(flow)
            compute_steady_quotients_once(flow)
            clean_values(flow)


def clean_values(flow: ControlFlow) -> None:
    """Share equal values and drop unused ones. No block or edge changes."""
    share_equal(flow)
    for block in reversed(flow.cfg.blocks):
        drop_unused_values(reversed(block.ops))
