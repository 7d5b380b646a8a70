"""Values that decide where control or an access goes."""

from __future__ import annotations

from xdsl.dialects import cf, memref
from xdsl.ir import Operation, SSAValue

from polyopt.dialects import cmem
from polyopt.ir.effects import is_pure


def steers(value: SSAValue) -> bool:
    """An address, a subscript or a branch needs the value."""
    seen: set[SSAValue] = set()
    pending = [value]
    while pending:
        current = pending.pop()
        if current in seen:
            continue
        seen.add(current)
        for use in current.uses:
            op = use.operation
            if _decides(op, use.index):
                return True
            if is_pure(op):
                pending.extend(op.results)
    return False


def _decides(op: Operation, operand: int) -> bool:
    match op:
        case cf.ConditionalBranchOp() | cf.SwitchOp():
            return operand == 0
        case memref.LoadOp():
            return operand > 0
        case memref.StoreOp():
            return operand > 1
        case cmem.ViewOp() | cmem.AddressOp() | cmem.OffsetOp():
            return True
        case _:
            return False
