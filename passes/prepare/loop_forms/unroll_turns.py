"""Loops whose pointers change places are unrolled until each pointer is back in its place.

    for (t = 0; t < n; t++) { from p to q; swap(p, q); }

        for (t = 0; t < n; t++) { from p to q;  if (!(++t < n)) break;  from q to p; }

Which array an access goes to is then the same in every iteration, and what was two buffers that
take turns may become a static control part, with its time loop.

    1. a loop of accesses and arithmetic alone, in whose header pointers are passed around
    2. what is used behind the loop leaves it through one block
    3. its blocks are copied once for each place but the first; a copy goes on with the next one
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import BlockArgument, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects.locations import span_of
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.functions import functions_near_loops
from polyopt.passes.prepare.branches.block_editing import copied
from polyopt.passes.prepare.loop_forms.copied_loops import (
    can_be_copied,
    drop_constant_arguments,
    edges,
    leave_through_one_block,
)
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.remarks import remark


@record
class UnrollTurnsPass(ModulePass):
    """A loop around other loops in which two or three pointers change places is unrolled so often.

    Requires: variables are values (promote-scalars). Ensures: loops of more than `largest`
    operations are as they were, and those with calls.

        ^head(%p, %q, %t):                            ^head(%p, %q, %t):
          cf.cond_br %c, ^body, ^end                    cf.cond_br %c, ^body, ^end(…)
        ^body:  … %p … %q …                   ->      ^body:  … %p … %q …  cf.br ^next
          cf.br ^head(%q, %p, %t_1)                   ^next: cf.cond_br %d, ^copy, ^end(…)
                                                      ^copy:  … %q … %p …  cf.br ^head(%p, %q, %t_2)
    """

    name = "unroll-turns"

    largest: int = CORE.code.unrolled_turns

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_near_loops(op):
            flow = ControlFlow(function.body)
            for loop in flow.loops.all_loops():
                turn = _turn(loop)
                if turn > 1 and can_be_copied(loop, self.largest):
                    _unroll(loop, turn)
                    break


def _turn(loop: NaturalLoop) -> int:
    """After how many iterations the pointers are back; 1 where none changes its place."""
    if not loop.children or len(loop.latches) != 1 or len(loop.back_edges()) != 1:
        return 1
    (back,) = loop.back_edges()
    places = {a: back.values[a.index] for a in loop.header.args}
    result = 1
    for argument in loop.header.args:
        if isinstance(argument.type, LLVMPointerType):
            length = _length(argument, places)
            if length > 1 and result not in (1, length):
                return 1
            result = max(result, length)
    return result


def _length(argument: BlockArgument, places: dict[BlockArgument, SSAValue]) -> int:
    value: SSAValue = argument
    for length in range(1, CORE.code.pointer_turn + 1):
        if not isinstance(value, BlockArgument) or value not in places:
            return 1
        value = places[value]
        if value is argument:
            return length
    return 1


def _unroll(loop: NaturalLoop, turn: int) -> None:
    leave_through_one_block(loop)
    (back,) = loop.back_edges()
    body = loop.header.parent
    place = loop.header.last_op
    assert body is not None
    assert place is not None
    told = f"unrolled by {turn}: pointers change places"
    remark("applied", UnrollTurnsPass.name, told, span_of(place))
    latch = back.source
    blocks = list(loop.blocks)
    headers, latches = [loop.header], [latch]
    for _ in range(turn - 1):
        copies = copied(blocks)
        for copy in copies.values():
            body.insert_block_before(copy, loop.header)
        headers.append(copies[loop.header])
        latches.append(copies[latch])
    for number, source in enumerate(latches):
        following = headers[(number + 1) % turn]
        for edge in edges(source, headers[number]):
            edge.redirect(following, edge.values)
    for header in (*reversed(headers[1:]), loop.header):
        drop_constant_arguments(header)
