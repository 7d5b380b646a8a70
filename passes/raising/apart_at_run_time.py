"""Memrefs that may overlap: the comparison of their addresses that decides which loops run.

    %apart = (each pair: one ends before the other begins)
    scf.if %apart { the SCoP } else { the loops as they were }

What is compared is all that a memref has, from its first element to its last one: subscripts stay
inside. (Memrefs with strides of their own are in no SCoP.)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FixedBitwidthType,
    IndexType,
    NoneAttr,
)
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.dialects.cmem import AddressOp, PtrToIntOp
from polyopt.dialects.shaped_types import is_memref
from polyopt.support.record import entity

Pair = tuple[SSAValue, SSAValue]


def has_known_ends(array: SSAValue) -> bool:
    """Whether its first and last element can be told from its type and sizes."""
    if not is_memref(array.type):
        return False
    element = array.type.element_type
    is_sized = isinstance(element, FixedBitwidthType | IndexType)
    return is_sized and isinstance(array.type.layout, NoneAttr)


def run_if_apart(
    pairs: Sequence[Pair], fast: Sequence[Operation], slow: Sequence[Operation]
) -> None:
    """Put both in the place of the last of `slow`: the operations of `fast`, which are nowhere yet,
    for memrefs that are apart, and those of `slow` for others."""
    last = slow[-1]
    writer = _Writer(InsertPoint.before(last), last)
    apart = writer.apart(pairs)
    arms = [Region(Block()), Region(Block())]
    decision = scf.IfOp(apart, [], arms[0], arms[1])
    writer.add(decision)
    for arm, ops in zip(arms, (fast, slow), strict=True):
        for op in ops:
            if op.parent is not None:
                op.detach()
            arm.block.add_op(op)
        arm.block.add_op(scf.YieldOp())


@entity
class _Writer:
    point: InsertPoint
    like: Operation

    def add(self, op: Operation) -> Operation:
        op.location = self.like.location
        Rewriter.insert_op(op, self.point)
        return op

    def value(self, op: Operation) -> SSAValue:
        return self.add(op).results[0]

    def constant(self, number: int) -> SSAValue:
        return self.value(arith.ConstantOp.from_int_and_width(number, IndexType()))

    def apart(self, pairs: Sequence[Pair]) -> SSAValue:
        arrays = list(dict.fromkeys(array for pair in pairs for array in pair))
        ends = {array: (self.first(array), self.end(array)) for array in arrays}
        tests = list[SSAValue]()
        for a, b in pairs:
            before = self.value(arith.CmpiOp(ends[a][1], ends[b][0], "ule"))
            behind = self.value(arith.CmpiOp(ends[b][1], ends[a][0], "ule"))
            tests.append(self.value(arith.OrIOp(before, behind)))
        result = reduce(lambda a, b: self.value(arith.AndIOp(a, b)), tests)
        result.name_hint = "apart"
        return result

    def first(self, array: SSAValue) -> SSAValue:
        assert is_memref(array.type)
        return self.address(array, [self.constant(0)] * array.type.get_num_dims())

    def end(self, array: SSAValue) -> SSAValue:
        """Behind the last element; not behind the first one where a size is 0."""
        assert is_memref(array.type)
        last = list[SSAValue]()
        for number, size in enumerate(array.type.get_shape()):
            if size != DYNAMIC_INDEX:
                last.append(self.constant(size - 1))
                continue
            dim = self.value(memref.DimOp(array, self.constant(number)))
            last.append(self.value(arith.SubiOp(dim, self.constant(1))))
        element = array.type.element_type
        size = element.size if isinstance(element, FixedBitwidthType) else 8
        beyond = self.value(arith.ConstantOp.from_int_and_width(size, 64))
        return self.value(arith.AddiOp(self.address(array, last), beyond))

    def address(self, array: SSAValue, indices: Sequence[SSAValue]) -> SSAValue:
        pointer = self.value(AddressOp(array, indices))
        return self.value(PtrToIntOp(pointer))
