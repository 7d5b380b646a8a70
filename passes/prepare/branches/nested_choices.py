"""Choices in the arms of a choice by data, which LLVM leaves as branches.

    if (dx > half) dx -= box; else if (dx < -half) dx += box;      MIN(MIN(a, b), c)

LLVM makes selections of such arms only where they are next to nothing: the second of two in one
another stays a branch, and so does a macro's second copy of the first. What data decide is not
foreseen, and there are no lanes around a branch.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects import arith, math, memref
from xdsl.dialects.builtin import i1
from xdsl.ir import Operation, SSAValue

from polyopt.ir.idioms.extremes import EXTREMES
from polyopt.passes.prepare.branches.hammocks import Hammock, depends_on_data
from polyopt.support.core_model import CORE


def are_branches_to_llvm(hammock: Hammock) -> bool:
    """Do the arms, which plain computation is left of, hold a choice by data, and are they more
    than LLVM computes for nothing?"""
    ops = [*hammock.arm_ops(hammock.then), *hammock.arm_ops(hammock.orelse)]
    if any(map(_takes_long, ops)) or _goes_on(hammock, ops):
        return False
    return any(map(_chooses, ops)) and sum(map(_computes, ops)) >= CORE.code.branched


def _chooses(op: Operation) -> bool:
    """Of two values, not of conditions: `c == ' ' || c == '\\n'` LLVM makes one test of."""
    if isinstance(op, EXTREMES):
        return True
    return isinstance(op, arith.SelectOp) and op.result.type != i1 and depends_on_data(op.cond)


def _goes_on(hammock: Hammock, ops: Sequence[Operation]) -> bool:
    """Is a variable read that is written there too, and has had no other value in this iteration?
    What is the best so far changes less and less often, which is foreseen."""
    block = hammock.branch.parent
    assert block is not None
    kept = _written(ops) - _written(block.ops)
    return any(isinstance(op, memref.LoadOp) and op.memref in kept for op in ops)


def _written(ops: Iterable[Operation]) -> set[SSAValue]:
    """Variables."""
    return {op.memref for op in ops if isinstance(op, memref.StoreOp) and not op.indices}


def _takes_long(op: Operation) -> bool:
    """What had better run only where it is wanted: a chain through all iterations may wait."""
    if isinstance(op, arith.DivfOp):
        return not isinstance(op.rhs.owner, arith.ConstantOp)
    return isinstance(op, math.SqrtOp)


def _computes(op: Operation) -> bool:
    return not isinstance(op, memref.LoadOp | memref.StoreOp | arith.ConstantOp | arith.IndexCastOp)
