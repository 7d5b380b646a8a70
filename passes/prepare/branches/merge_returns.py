"""A nest that may return from its middle goes on to one place, with what it returns.

    for (i …) for (j …) { if (i + j > m) return 1; A[i][j] = 0; }  return 0;

Left to two places that have nothing in common, the nest is part of no region. Where all of them
return, they may as well go to one return, to which each passes its value: then the nest is left as
by a `break`, and where that depends on the counters only it is a static control part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from xdsl.context import Context
from xdsl.dialects import cf, func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block
from xdsl.passes import ModulePass

from polyopt.ir.branches import Edge
from polyopt.ir.control.cfg import reverse_postorder
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import is_access, is_pure
from polyopt.ir.functions import functions_near_loops
from polyopt.passes.prepare.branches.hammocks import depends_on_data
from polyopt.support.record import record


@record
class MergeReturnsPass(ModulePass):
    """The returns that a loop leads to become one, where the loop itself returns early.

    It does if one of its exits leads straight to a return, and another one goes elsewhere. Exits
    that data decide on are left alone: such a loop is no static control part anyway.

    Requires: branches on data are conditionals where they can be (structure-branches). Ensures:
    other returns are as they were.

      ^bb1:                                     ^bb1:
        func.return %one : i32                    cf.br ^end(%one : i32)
      ^bb2:                              ->     ^bb2:
        func.return %zero : i32                   cf.br ^end(%zero : i32)
                                                ^end(%r : i32):
                                                  func.return %r : i32
    """

    name = "merge-returns"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_near_loops(op):
            if sum(1 for _ in _returns(function.body.blocks)) > 1:
                _merge_in(ControlFlow(function.body))


def _returns(blocks: Iterable[Block]) -> Iterator[func.ReturnOp]:
    for block in blocks:
        if isinstance(block.last_op, func.ReturnOp):
            yield block.last_op


def _merge_in(flow: ControlFlow) -> None:
    merged: dict[func.ReturnOp, None] = {}
    for loop in flow.loops.top_level:
        if _returns_early(flow, loop):
            for edge in loop.exits():
                merged |= dict.fromkeys(_returns(reverse_postorder(edge.target)))
    if len(merged) > 1:
        _merge(list(merged))


def _returns_early(flow: ControlFlow, loop: NaturalLoop) -> bool:
    """Some exit leads straight to a return, others lead elsewhere, and no data decide."""
    exits = [edge for edge in loop.exits() if flow.returns(edge.target)]
    ends = {_end(edge) for edge in exits}
    if len(ends) < 2 or not any(isinstance(end.last_op, func.ReturnOp) for end in ends):
        return False
    branches = [edge.terminator for edge in exits]
    return not any(
        isinstance(one, cf.ConditionalBranchOp) and depends_on_data(one.cond) for one in branches
    )


def _end(edge: Edge) -> Block:
    """Where an exit leads as far as nothing is decided and nothing but memory is changed."""
    block = edge.target
    while isinstance(block.last_op, cf.BranchOp) and _is_plain(block):
        block = block.last_op.successor
    return block


def _is_plain(block: Block) -> bool:
    return all(is_pure(op) or is_access(op) or op is block.last_op for op in block.ops)


def _merge(returns: list[func.ReturnOp]) -> None:
    first = returns[0]
    end = Block(arg_types=[value.type for value in first.arguments])
    body = first.parent_region()
    assert body is not None
    body.add_block(end)
    last = func.ReturnOp(*end.args)
    last.location = first.location
    end.add_op(last)
    for one in returns:
        block = one.parent
        assert block is not None
        leave = cf.BranchOp(end, *one.arguments)
        leave.location = one.location
        block.insert_op_before(leave, one)
        block.erase_op(one)
