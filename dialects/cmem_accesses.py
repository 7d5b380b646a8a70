"""cmem: accesses that are no `memref.load` or `memref.store`: whole objects, what is volatile, and
places that are aligned less than their type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import I64, IndexType, IntegerAttr, MemRefType, i64
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect

from polyopt.dialects.cmem_types import PTR, element_type


@irdl_op_definition
class CopyOp(IRDLOperation):
    """Copy `size` bytes; the two objects are the same or disjoint (struct assignment)."""

    name = "cmem.copy"
    source = operand_def(PTR)
    target = operand_def(PTR)
    size = prop_def(IntegerAttr[I64])
    alignment = prop_def(IntegerAttr[I64])
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$source `to` $target `size` $size `align` $alignment attr-dict"

    def __init__(
        self, source: SSAValue | Operation, target: SSAValue | Operation, size: int, alignment: int
    ):
        super().__init__(
            operands=[source, target],
            properties={"size": IntegerAttr(size, i64), "alignment": IntegerAttr(alignment, i64)},
        )


@irdl_op_definition
class VolatileLoadOp(IRDLOperation):
    """A load that is observable behaviour (C 5.1.2.3)."""

    name = "cmem.volatile_load"
    T: ClassVar = VarConstraint("T", AnyAttr())
    memref = operand_def(MemRefType.constr(T))
    indices = var_operand_def(IndexType())
    result = result_def(T)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$memref `[` $indices `]` attr-dict `:` type($memref)"

    def __init__(self, memref: SSAValue, indices: Sequence[SSAValue | Operation]):
        super().__init__(operands=[memref, indices], result_types=[element_type(memref)])


@irdl_op_definition
class VolatileStoreOp(IRDLOperation):
    """A store that is observable behaviour (C 5.1.2.3)."""

    name = "cmem.volatile_store"
    T: ClassVar = VarConstraint("T", AnyAttr())
    value = operand_def(T)
    memref = operand_def(MemRefType.constr(T))
    indices = var_operand_def(IndexType())
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$value `,` $memref `[` $indices `]` attr-dict `:` type($memref)"

    def __init__(
        self,
        value: SSAValue | Operation,
        memref: SSAValue | Operation,
        indices: Sequence[SSAValue | Operation],
    ):
        super().__init__(operands=[value, memref, indices])


@irdl_op_definition
class UnalignedLoadOp(IRDLOperation):
    """A load from a place that is aligned by `alignment` bytes only, fewer than its type asks for:
    a member of a packed struct, a part of a bit-field."""

    name = "cmem.unaligned_load"
    T: ClassVar = VarConstraint("T", AnyAttr())
    memref = operand_def(MemRefType.constr(T))
    indices = var_operand_def(IndexType())
    alignment = prop_def(IntegerAttr[I64])
    result = result_def(T)
    traits = traits_def(MemoryReadEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$memref `[` $indices `]` `align` $alignment attr-dict `:` type($memref)"

    def __init__(
        self, memref: SSAValue, indices: Sequence[SSAValue | Operation], alignment: int = 1
    ):
        super().__init__(
            operands=[memref, indices],
            properties={"alignment": IntegerAttr(alignment, i64)},
            result_types=[element_type(memref)],
        )


@irdl_op_definition
class UnalignedStoreOp(IRDLOperation):
    """A store to such a place."""

    name = "cmem.unaligned_store"
    T: ClassVar = VarConstraint("T", AnyAttr())
    value = operand_def(T)
    memref = operand_def(MemRefType.constr(T))
    indices = var_operand_def(IndexType())
    alignment = prop_def(IntegerAttr[I64])
    traits = traits_def(MemoryWriteEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$value `,` $memref `[` $indices `]` `align` $alignment attr-dict `:` type($memref)"
    )

    def __init__(
        self,
        value: SSAValue | Operation,
        memref: SSAValue | Operation,
        indices: Sequence[SSAValue | Operation],
        alignment: int = 1,
    ):
        super().__init__(
            operands=[value, memref, indices],
            properties={"alignment": IntegerAttr(alignment, i64)},
        )
