"""Elements that an inner loop looks up where numbers say that it computes: scores of two letters.

    s[i][j] = max(s[i-1][j-1] + score[a[i]][b[j]], ...)

Each lane looks up its own; nothing may be stored there. Subscripts are numbers of 32 bits where the
array has no more elements, whatever the operations leave on the way: C has no others.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FixedBitwidthType,
    IndexType,
    IntegerAttr,
    IntegerType,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from polyopt.dialects.cmem_types import memref_type
from polyopt.ir.effects import constant_integer
from polyopt.ir.objects.alias import may_overlap
from polyopt.passes.loops.elementwise import Evaluator
from polyopt.passes.loops.lanes.serial_loop import SerialLoop
from polyopt.passes.loops.value_ranges import width_of
from polyopt.passes.loops.vector_memory import gather
from polyopt.support.record import record

_ARITHMETIC = (arith.AddiOp, arith.SubiOp, arith.MuliOp)


def lookups_in(group: SerialLoop) -> Sequence[memref.LoadOp]:
    return [op for op in group.operations if isinstance(op, memref.LoadOp)]


def is_lookup(op: memref.LoadOp, group: SerialLoop) -> bool:
    """Can each lane do it for itself?"""
    is_element = isinstance(op.res.type, FixedBitwidthType)
    if not is_element or any(may_overlap(store.memref, op.memref) for store in group.stores):
        return False
    return all(_is_computed(index, group) for index in op.indices)


def _is_computed(index: SSAValue, group: SerialLoop) -> bool:
    owner = index.owner
    if not isinstance(owner, Operation) or owner.parent is not group.loop.block:
        return constant_integer(index) is not None
    if isinstance(owner, _ARITHMETIC):
        return all(_is_computed(operand, group) for operand in owner.operands)
    return is_place(owner)


def is_place(op: Operation) -> bool:
    """Is it a subscript, or a part of one, of elements that are looked up and of nothing else?"""
    if isinstance(op, arith.IndexCastOp):
        if not isinstance(op.input.type, IntegerType):
            return False
    elif not isinstance(op, (*_ARITHMETIC, arith.ConstantOp)):
        return False
    return isinstance(op.results[0].type, IndexType) and all(
        isinstance(use.operation, (*_ARITHMETIC, memref.LoadOp)) for use in op.results[0].uses
    )


@record
class Lookups:
    """Writes them, with values as `evaluator` has them in lanes."""

    evaluator: Evaluator
    lanes: int

    def look_up(self, load: memref.LoadOp, mask: SSAValue | None) -> SSAValue:
        array = memref_type(load.memref).get_shape()
        numbers = [
            self._number(index, _type_of(index, extent))
            for index, extent in zip(load.indices, array, strict=True)
        ]
        type_ = VectorType[Attribute](load.res.type, [self.lanes])
        return gather(self.evaluator.builder, load.memref, numbers, type_, mask)

    def _number(self, index: SSAValue, type_: IntegerType) -> SSAValue:
        b, number = self.evaluator.builder, constant_integer(index)
        if number is not None:
            constant = b.insert(arith.ConstantOp(IntegerAttr(number, type_)))
            return b.broadcast(constant.result, self.lanes)
        owner = index.owner
        if isinstance(owner, arith.IndexCastOp):
            return self.evaluator.resized(owner.input, type_)
        assert isinstance(owner, _ARITHMETIC)
        left, right = (self._number(operand, type_) for operand in owner.operands)
        return b.insert(type(owner)(left, right)).result


def _type_of(index: SSAValue, extent: int) -> IntegerType:
    """Of a subscript in a dimension of this extent, as it is computed in lanes."""
    if extent != DYNAMIC_INDEX and extent <= 1 << 31:
        return i32
    owner = index.owner
    is_short = isinstance(owner, arith.IndexCastOp) and width_of(owner.input.type) <= 32
    return i32 if is_short else i64
