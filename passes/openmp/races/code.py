"""Operations added to a block: at its end, or in front of one of them."""

from __future__ import annotations

from typing import TypeVar

from xdsl.dialects import cf, memref
from xdsl.dialects.builtin import LocationAttr, MemRefType
from xdsl.ir import Attribute, Block, Operation, SSAValue

Op = TypeVar("Op", bound=Operation)


class Code:
    def __init__(self, block: Block, location: LocationAttr, before: Operation | None = None):
        self.block = block
        self.location = location
        self.before = before

    def add(self, op: Op) -> Op:
        op.location = self.location
        if self.before is None:
            self.block.add_op(op)
        else:
            self.block.insert_op_before(op, self.before)
        return op

    def jump(self, target: Block, *values: SSAValue) -> None:
        self.add(cf.BranchOp(target, *values))

    def slot(self, type: MemRefType[Attribute], name: str | None) -> SSAValue:
        alloca = memref.AllocaOp.build(
            operands=[[], []], result_types=[type], properties={"alignment": None}
        )
        result = self.add(alloca).memref
        result.name_hint = name
        return result
