"""Values that decide where control or an access goes."""

from __future__ import annotations

from xdsl.dialects import arith, cf, memref
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


def multiplies_in_branches(value: SSAValue) -> bool:
    """A branch compares a product of the value with a variable that changes: were the value a
    number the comparison could be affine."""
    products = [
        use.operation.result
        for use in value.uses
        if isinstance(use.operation, arith.MuliOp)
        and isinstance(use.operation.operands[1 - use.index].owner, memref.LoadOp)
    ]
    seen: set[SSAValue] = set()
    pending: list[SSAValue] = list(products)
    while pending:
        current = pending.pop()
        if current in seen:
            continue
        seen.add(current)
        for use in current.uses:
            op = use.operation
            if isinstance(op, cf.ConditionalBranchOp) and use.index == 0:
                return True
            if isinstance(op, _SUMS):
                pending.extend(op.results)
            elif isinstance(op, memref.StoreOp) and use.index == 0:
                pending.extend(_loaded(op.memref))
    return False


_SUMS = (arith.AddiOp, arith.SubiOp, arith.CmpiOp, arith.ExtSIOp, arith.ExtUIOp)


def _loaded(slot: SSAValue) -> list[SSAValue]:
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
