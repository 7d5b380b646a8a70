"""Comparisons that are strict orders, and which way round their operands stand."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

_TURNED = {"sgt": "slt", "slt": "sgt", "ugt": "ult", "ult": "ugt", "ogt": "olt", "olt": "ogt"}


def strict_order(op: Operation, value: SSAValue, old: SSAValue) -> str | None:
    """The predicate of the comparison of the value with the old one, if it is strict."""
    if isinstance(op, arith.CmpiOp):
        kind = arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data]
    elif isinstance(op, arith.CmpfOp):
        kind = arith.CMPF_COMPARISON_OPERATIONS[op.predicate.value.data]
    else:
        return None
    if kind not in _TURNED:
        return None
    if op.lhs is value and op.rhs is old:
        return kind
    return _TURNED[kind] if op.lhs is old and op.rhs is value else None
