"""Parameters of a SCoP that count, around it, from a number to a number that is near.

    for (j = 0; j < 6; j++) { …; for (k = 0; k < j; k++) s += …; if (s < 0) return; }

The inner loop, which alone is a SCoP, runs from 0 to 5 times; LLVM makes straight code of both.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects import arith, cf
from xdsl.ir import Block, BlockArgument, SSAValue

from polyopt.ir.branches import incoming
from polyopt.ir.effects import constant_integer


def short_counters(values: Iterable[SSAValue], short: float) -> dict[SSAValue, int]:
    """Of those that count at most `short` iterations, what they are in the middle of their loop."""
    found: dict[SSAValue, int] = {}
    for value in values:
        middle = _middle(value, short)
        if middle is not None:
            found[value] = middle
    return found


def _middle(value: SSAValue, short: float) -> int | None:
    while isinstance(value.owner, (arith.IndexCastOp, arith.ExtSIOp, arith.ExtUIOp)):
        value = value.owner.input
    head = value.owner
    if not isinstance(value, BlockArgument) or not isinstance(head, Block):
        return None
    passed = [edge.values[value.index] for edge in incoming(head) if edge.values]
    steps = [step for one in passed if (step := _step(one, value)) is not None]
    starts = [start for one in passed if (start := constant_integer(one)) is not None]
    end = _end(head, value)
    if len(passed) != 2 or len(steps) != 1 or len(starts) != 1 or end is None:
        return None
    trips = -((starts[0] - end) // steps[0])
    return starts[0] + steps[0] * ((trips - 1) // 2) if 0 < trips <= short else None


def _step(value: SSAValue, counter: SSAValue) -> int | None:
    op = value.owner
    if not isinstance(op, arith.AddiOp) or op.lhs is not counter:
        return None
    step = constant_integer(op.rhs)
    return step if step is not None and step > 0 else None


def _end(head: Block, counter: SSAValue) -> int | None:
    """The first number that it does not take, where it counts up to one."""
    branch = head.last_op
    compare = branch.cond.owner if isinstance(branch, cf.ConditionalBranchOp) else None
    if not isinstance(compare, arith.CmpiOp) or compare.lhs is not counter:
        return None
    bound = constant_integer(compare.rhs)
    name = arith.CMPI_COMPARISON_OPERATIONS[compare.predicate.value.data]
    if bound is None or name not in ("slt", "ult", "sle", "ule"):
        return None
    return bound + (name in ("sle", "ule"))
