"""Give each loop one way in and one way round."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block
from xdsl.passes import ModulePass

from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.functions import functions_near_loops
from polyopt.passes.prepare.branches.block_editing import erase_unreachable, insert_on_edges
from polyopt.support.record import record


@record
class SimplifyLoopsPass(ModulePass):
    """Each natural loop is entered by one edge and has one latch.

    Requires: nothing. Ensures: no unreachable blocks; what the loop's variables start with is
    what one edge passes, what an iteration leaves in them what another one passes.

        cf.cond_br %c, ^header(%a), ^other            cf.cond_br %c, ^preheader(%a), ^other
      ^other:                                       ^other:
        cf.br ^header(%b)                     ->      cf.br ^preheader(%b)
                                                    ^preheader(%i: i32):
                                                      cf.br ^header(%i)
    """

    name = "simplify-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_near_loops(op):
            erase_unreachable(function.body)
            _simplify(ControlFlow(function.body))


def _simplify(flow: ControlFlow) -> None:
    """New blocks are on edges only, so that the loops found at the start stay what they are."""
    for loop in flow.loops.all_loops():
        entries = loop.entries()
        if len(entries) > 1:
            _add_to(loop.parent, insert_on_edges(entries))
        latches = loop.back_edges()
        if len(latches) > 1:
            _add_to(loop, insert_on_edges(latches))


def _add_to(loop: NaturalLoop | None, block: Block) -> None:
    """A new block belongs to a loop and all loops around it."""
    while loop is not None:
        loop.blocks[block] = None
        loop = loop.parent
