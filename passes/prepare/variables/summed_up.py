"""Variables that a loop adds data up in, of which only the result is asked.

    for (y…) { s = 0; for (i…) s += abs(p[y + i] - q[i]); if (s < best) { best = s; at = y; } }

A branch on such a result is on data, which no form of loop variables says anything of. In memory,
the variable is what the inner loop stores, and the loop is a static control part.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from xdsl.dialects import memref
from xdsl.ir import Operation, SSAValue, Use

from polyopt.ir.branches import passed_as
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import is_pure
from polyopt.ir.elementwise import COMBINERS
from polyopt.passes.prepare.ssa_construction import Variable


def summing_loops(flow: ControlFlow, variable: Variable, data: DataIn) -> set[NaturalLoop]:
    """The innermost loops in which the variable becomes a combination of data: what it holds
    behind them is summed up."""
    return {
        loop
        for store in variable.stores
        if _adds_up_data(store, data) and (loop := _loop_of(flow, store)) is not None
    }


def is_outside_of_one(op: Operation, loops: Iterable[NaturalLoop]) -> bool:
    assert op.parent is not None
    return any(op.parent not in loop for loop in loops)


def _loop_of(flow: ControlFlow, op: Operation) -> NaturalLoop | None:
    assert op.parent is not None
    return flow.loops.innermost(op.parent)


def _adds_up_data(store: memref.StoreOp, data: DataIn) -> bool:
    op = store.value.owner
    if type(op) not in COMBINERS or not isinstance(op, Operation):
        return False
    is_own = [
        isinstance(o := one.owner, memref.LoadOp) and o.memref is store.memref
        for one in op.operands
    ]
    terms = [one for one, own in zip(op.operands, is_own, strict=True) if not own]
    return any(is_own) and any(one in data.values for one in terms)


class DataIn:
    """What elements of arrays are among what it is computed of, around loops and through the
    variables: found once for a function, and only where it is asked for."""

    def __init__(self, flow: ControlFlow, variables: Mapping[SSAValue, Variable]):
        self._flow, self._variables = flow, variables
        self._passed = set[Variable]()

    @cached_property
    def values(self) -> set[SSAValue]:
        loads = (op for block in self._flow.cfg.blocks for op in block.ops)
        pending = list[SSAValue](
            op.res for op in loads if isinstance(op, memref.LoadOp) and op.indices
        )
        found = set[SSAValue]()
        while pending:
            value = pending.pop()
            if value not in found:
                found.add(value)
                for use in value.uses:
                    pending += self._computed_by(use, value)
        return found

    def _computed_by(self, use: Use, value: SSAValue) -> Sequence[SSAValue]:
        op = use.operation
        if op.successors:
            return passed_as(op, use.index)
        if isinstance(op, memref.LoadOp):
            return ()
        if isinstance(op, memref.StoreOp):
            return self._loads_of(op.memref) if op.value is value else ()
        return op.results if is_pure(op) else ()

    def _loads_of(self, place: SSAValue) -> Sequence[SSAValue]:
        """Once for a variable is enough: what is stored there next adds nothing."""
        variable = self._variables.get(place)
        if variable is None or variable in self._passed:
            return ()
        self._passed.add(variable)
        return [load.res for load in variable.loads]
