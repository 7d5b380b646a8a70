"""Variables that a loop adds data up in, of which only the result is asked.

    for (y…) { s = 0; for (i…) s += abs(p[y + i] - q[i]); if (s < best) { best = s; at = y; } }

A branch on such a result is on data, which no form of loop variables says anything of. In memory,
the variable is what the inner loop stores, and the loop is a static control part.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from xdsl.dialects import memref
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from polyopt.ir.branches import incoming
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import is_pure
from polyopt.ir.elementwise import COMBINERS
from polyopt.passes.prepare.ssa_construction import Variable


def summing_loops(
    flow: ControlFlow, variable: Variable, variables: Mapping[SSAValue, Variable]
) -> set[NaturalLoop]:
    """The innermost loops in which the variable becomes a combination of data: what it holds
    behind them is summed up."""
    return {
        loop
        for store in variable.stores
        if _adds_up_data(store, variables) and (loop := _loop_of(flow, store)) is not None
    }


def is_outside_of_one(op: Operation, loops: Iterable[NaturalLoop]) -> bool:
    assert op.parent is not None
    return any(op.parent not in loop for loop in loops)


def _loop_of(flow: ControlFlow, op: Operation) -> NaturalLoop | None:
    assert op.parent is not None
    return flow.loops.innermost(op.parent)


def _adds_up_data(store: memref.StoreOp, variables: Mapping[SSAValue, Variable]) -> bool:
    op = store.value.owner
    if type(op) not in COMBINERS or not isinstance(op, Operation):
        return False
    is_own = [
        isinstance(o := one.owner, memref.LoadOp) and o.memref is store.memref
        for one in op.operands
    ]
    terms = [one for one, own in zip(op.operands, is_own, strict=True) if not own]
    return any(is_own) and any(_is_data(one, variables) for one in terms)


def _is_data(value: SSAValue, variables: Mapping[SSAValue, Variable]) -> bool:
    """Is an element of an array among what it is computed of?"""
    seen: set[SSAValue] = set()
    pending = [value]
    while pending:
        one = pending.pop()
        if one in seen:
            continue
        seen.add(one)
        owner = one.owner
        if isinstance(owner, Block):
            assert isinstance(one, BlockArgument)
            edges = [edge.values for edge in incoming(owner)]
            pending += [values[one.index] for values in edges if one.index < len(values)]
        elif isinstance(owner, memref.LoadOp):
            if owner.indices:
                return True
            variable = variables.get(owner.memref)
            pending += [] if variable is None else [store.value for store in variable.stores]
        elif is_pure(owner):
            pending += owner.operands
    return False
