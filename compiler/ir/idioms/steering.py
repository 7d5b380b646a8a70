"""Values that decide where control or an access goes."""

from __future__ import annotations

from xdsl.dialects import cf, memref
from xdsl.ir import Operation, SSAValue

from polyopt.dialects import cmem
from polyopt.ir.branches import passed_as
from polyopt.ir.effects import is_pure


def steers(value: SSAValue) -> bool:
    """An address, a subscript or a branch needs the value, or what it is passed on as: where a loop
    begins that counts from it."""
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
            pending.extend(passed_as(op, use.index))
    return False


def loaded_of(slot: SSAValue) -> list[SSAValue]:
    """What is loaded of a variable."""
    if not isinstance(slot.owner, memref.AllocaOp):
        return []
    loads = (use.operation for use in slot.uses)
    return [op.res for op in loads if isinstance(op, memref.LoadOp) and not op.indices]


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
