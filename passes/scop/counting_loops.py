"""Loops that do nothing but count: `while (phase >= 5) { phase -= 5; place++; }`.

Of these LLVM knows what they come to as well as anybody does, and in fewer operations where it
need not be right for all numbers. Beside what is a static control part they only add to it: what
comes behind that is the next iteration's to wait for, of a loop around.
"""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerType

from polyopt.ir.branches import counts
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.control.regions import FlowRegion, loops_in
from polyopt.ir.effects import is_pure


def only_counts(flow: ControlFlow, part: FlowRegion) -> bool:
    """Is all of the part computed of loops whose variables are integers that change by a number
    each time?"""
    loops = loops_in(flow, part)
    return (
        bool(loops)
        and all(is_pure(op) or op.successors for block in part.blocks for op in block.ops)
        and all(map(_counts, loops))
    )


def _counts(loop: NaturalLoop) -> bool:
    return all(
        isinstance(argument.type, IntegerType) and counts(edge.values[argument.index], argument)
        for edge in loop.back_edges()
        for argument in loop.header.args
    )
