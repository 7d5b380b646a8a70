"""Local variables that each run of a piece of code writes before it reads them."""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.ir import Block, Operation, SSAValue

from polyopt.dialects.cmem import memref_type
from polyopt.ir.objects.bases import BaseKind, base_kind


def is_variable(base: SSAValue) -> bool:
    """A local one of no dimension, of which all accesses are seen."""
    if base_kind(base) is not BaseKind.LOCAL or memref_type(base).get_num_dims():
        return False
    return all(
        isinstance(use.operation, memref.LoadOp)
        or (isinstance(use.operation, memref.StoreOp) and use.operation.memref is base)
        for use in base.uses
    )


def first_reader(start: Block, variable: SSAValue) -> Operation | None:
    """What may read the variable before it is written, from the start of a block on."""
    pending, seen = [start], {start}
    while pending:
        block = pending.pop()
        is_written = False
        for op in block.walk():
            if isinstance(op, memref.LoadOp) and op.memref is variable:
                return op
            if isinstance(op, memref.StoreOp) and op.memref is variable and op.parent is block:
                is_written = True
                break
        last = block.last_op
        for target in () if is_written or last is None else last.successors:
            if target not in seen:
                seen.add(target)
                pending.append(target)
    return None
