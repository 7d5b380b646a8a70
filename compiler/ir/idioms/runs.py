"""Lengths of runs: a counter that an element of one value sets back.

    if (s[i] == '\\n') { if (length > most) most = length; length = 0; } else length++;

What separates runs stands behind several elements that do not, or they would be none: the branch
that sets back is seldom taken. As selections, of the counter and of what the separator leads to,
each iteration waits for the one before; as a branch it is predicted, and loads run ahead. Not for
zero: what is zero or not is as often a bit as the end of something.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import arith, cf, memref
from xdsl.ir import Block

from polyopt.ir.branches import incoming
from polyopt.ir.effects import constant_integer
from polyopt.ir.idioms.cursors import element_of
from polyopt.ir.idioms.records import Variable, loaded_variable, variable_of

_MOST_BLOCKS = 8


def restarting_arm(branch: cf.ConditionalBranchOp) -> Block | None:
    """Where an element that is equal to a constant sets back what all others count."""
    comparison = branch.cond.owner
    if not isinstance(comparison, arith.CmpiOp) or not constant_integer(comparison.rhs):
        return None
    if element_of(comparison.lhs) is None:
        return None
    predicate = arith.CMPI_COMPARISON_OPERATIONS[comparison.predicate.value.data]
    ways = {"eq": (branch.then_block, branch.else_block)}
    ways["ne"] = (branch.else_block, branch.then_block)
    if predicate not in ways:
        return None
    restart, counting = ways[predicate]
    last = counting.last_op
    if not isinstance(last, cf.BranchOp) or len(incoming(counting)) != 1:
        return None
    counted = set(_counted(counting))
    return restart if counted & set(_set_back(restart, last.successor)) else None


def _counted(block: Block) -> Iterator[Variable]:
    for op in block.ops:
        variable = variable_of(op.memref) if isinstance(op, memref.StoreOp) else None
        if variable is None:
            continue
        assert isinstance(op, memref.StoreOp)
        total = op.value.owner
        if not isinstance(total, arith.AddiOp) or constant_integer(total.rhs) is None:
            continue
        if loaded_variable(total.lhs) == variable:
            yield variable


def _set_back(first: Block, join: Block) -> Iterator[Variable]:
    """To constants, on some way to the join."""
    seen, pending = {join}, [first]
    while pending and len(seen) <= _MOST_BLOCKS:
        block = pending.pop()
        if block in seen:
            continue
        seen.add(block)
        for op in block.ops:
            if isinstance(op, memref.StoreOp) and constant_integer(op.value) is not None:
                variable = variable_of(op.memref)
                if variable is not None:
                    yield variable
        if block.last_op is not None:
            pending.extend(block.last_op.successors)
