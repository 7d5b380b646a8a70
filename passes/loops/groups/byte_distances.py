"""How a distance is written: a difference and its opposite, of which the one is taken that is not
below zero.

    max(a - b, b - a)        a < b ? b - a : a - b
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import arith
from xdsl.ir import Block, Operation, SSAValue

from polyopt.dialects import pvec
from polyopt.ir.effects import constant_in_all_lanes


def ways_from_zero(
    op: Operation | Block,
) -> Iterator[tuple[SSAValue, SSAValue, pvec.CmpiOp | None]]:
    """A value that may be taken, the other one, and the comparison that chooses the first where it
    holds if its operands are in this order, the second one where they are exchanged."""
    if isinstance(op, arith.MaxSIOp):
        yield op.lhs, op.rhs, None
        yield op.rhs, op.lhs, None
    elif isinstance(op, pvec.SelectOp) and isinstance(known := op.mask.owner, pvec.CmpiOp):
        if known.predicate.data in ("sgt", "sge"):
            yield op.then, op.orelse, known
        elif known.predicate.data in ("slt", "sle"):
            yield op.orelse, op.then, known


def is_natural_where(apart: arith.SubiOp, known: pvec.CmpiOp) -> bool:
    """Is the difference compared with zero, or are its two sides compared?"""
    is_itself = known.lhs is apart.result and constant_in_all_lanes(known.rhs) == 0
    return is_itself or (known.lhs is apart.lhs and known.rhs is apart.rhs)
