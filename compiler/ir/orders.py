"""Comparisons that are strict orders, and which way round their operands stand."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

_TURNED = {"sgt": "slt", "slt": "sgt", "ugt": "ult", "ult": "ugt", "ogt": "olt", "olt": "ogt"}


def predicate_of(op: object) -> str | None:
    """The name of the predicate, "slt" or "olt", of what is a comparison."""
    if isinstance(op, arith.CmpiOp):
        return arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data]
    if isinstance(op, arith.CmpfOp):
        return arith.CMPF_COMPARISON_OPERATIONS[op.predicate.value.data]
    return None


def strict_order(op: Operation, value: SSAValue, old: SSAValue) -> str | None:
    """The predicate of the comparison of the value with the old one, if it is strict."""
    kind = predicate_of(op)
    if kind not in _TURNED:
        return None
    if op.operands[0] is value and op.operands[1] is old:
        return kind
    return _TURNED[kind] if op.operands[0] is old and op.operands[1] is value else None
