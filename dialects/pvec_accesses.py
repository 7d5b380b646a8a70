"""What vector code does with memory beyond xDSL's loads and stores: strided lanes, tables in
registers, prefetches, and what non-temporal stores need."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    I1,
    I64,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    UnitAttr,
    VectorType,
    i8,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from polyopt.dialects.canonical import Canonical
from polyopt.dialects.pvec_lanes import lanes_of
from polyopt.dialects.shaped_types import is_memref, is_vector


class _StridedOp(IRDLOperation):
    """Lane l is the element at `indices + l * steps`, where the mask is set or there is none; the
    elements of other lanes need not exist."""

    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    steps = prop_def(DenseArrayBase.constr(i64))
    mask = opt_operand_def(VectorType[I1])
    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())

    def _verify_shape(self, lanes: int) -> None:
        assert is_memref(self.memref.type)
        rank = self.memref.type.get_num_dims()
        if not rank == len(self.indices) == len(self.steps):
            raise VerifyException("expected an index and a step for each dimension")
        if self.mask is not None and lanes_of(self.mask) != lanes:
            raise VerifyException("expected as many lanes in the mask as in the values")


@irdl_op_definition
class StridedLoadOp(_StridedOp):
    """Lanes where the mask is not set hold anything.

    %v = pvec.strided_load %A[%i, %j] by [1, 0] masked %m : memref<?x?xf64>, vector<8xf64>
    """

    name = "pvec.strided_load"
    result = result_def(VectorType)
    traits = traits_def(MemoryReadEffect(), Canonical("pvec_canonical", "UnmaskedStridedLoad"))
    assembly_format = (
        "$memref `[` $indices `]` `by` $steps (`masked` $mask^ `:` type($mask))? attr-dict"
        " `:` type($memref) `,` type($result)"
    )

    def __init__(
        self,
        memref: SSAValue,
        indices: Sequence[SSAValue],
        steps: Sequence[int],
        mask: SSAValue | None,
        type_: VectorType[Attribute],
    ):
        super().__init__(
            operands=[memref, indices, mask],
            properties={"steps": DenseArrayBase.from_list(i64, steps)},
            result_types=[type_],
        )

    def verify_(self) -> None:
        self._verify_shape(lanes_of(self.result))


@irdl_op_definition
class StridedStoreOp(_StridedOp):
    """Of lanes with the same element the last one is kept.

    pvec.strided_store %v, %A[%i, %j] by [1, 0] : memref<?x?xf64>, vector<8xf64>
    """

    name = "pvec.strided_store"
    value = operand_def(VectorType)
    traits = traits_def(MemoryWriteEffect(), Canonical("pvec_canonical", "UnmaskedStridedStore"))
    assembly_format = (
        "$value `,` $memref `[` $indices `]` `by` $steps (`masked` $mask^ `:` type($mask))?"
        " attr-dict `:` type($memref) `,` type($value)"
    )

    def __init__(
        self,
        value: SSAValue,
        memref: SSAValue,
        indices: Sequence[SSAValue],
        steps: Sequence[int],
        mask: SSAValue | None,
    ):
        super().__init__(
            operands=[value, memref, indices, mask],
            properties={"steps": DenseArrayBase.from_list(i64, steps)},
        )

    def verify_(self) -> None:
        self._verify_shape(lanes_of(self.value))


@irdl_op_definition
class GatherOp(IRDLOperation):
    """Lane l is the element at lane l of the indices, signed numbers, one vector for each
    dimension, where the mask is set or there is none; other lanes hold anything.

    %v = pvec.gather %A[%i, %j] : memref<?x?xf64>, vector<8xi64>, vector<8xi32> -> vector<8xf64>
    """

    name = "pvec.gather"
    memref = operand_def(MemRefType)
    indices = var_operand_def(VectorType)
    mask = opt_operand_def(VectorType[I1])
    result = result_def(VectorType)
    traits = traits_def(MemoryReadEffect(), Canonical("pvec_canonical", "UnmaskedGather"))
    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    assembly_format = (
        "$memref `[` $indices `]` (`masked` $mask^ `:` type($mask))? attr-dict"
        " `:` type($memref) `,` type($indices) `->` type($result)"
    )

    def __init__(
        self,
        memref: SSAValue,
        indices: Sequence[SSAValue],
        mask: SSAValue | None,
        type_: VectorType[Attribute],
    ):
        super().__init__(operands=[memref, indices, mask], result_types=[type_])

    def verify_(self) -> None:
        assert is_memref(self.memref.type)
        if self.memref.type.get_num_dims() != len(self.indices):
            raise VerifyException("expected an index for each dimension")
        vectors = [*self.indices, *(() if self.mask is None else (self.mask,))]
        if any(lanes_of(one) != lanes_of(self.result) for one in vectors):
            raise VerifyException("expected as many lanes in indices and mask as in the result")


GREATEST_TABLE = 256
"""Elements of a table that is looked up in registers."""


@irdl_op_definition
class LookUpOp(IRDLOperation):
    """Lane l is the byte of a table at the number at lane l, counted without a sign; no lane's
    number is beyond the table but where nobody uses the result. All of the table is read.

    %v = pvec.look_up %T[%k] : memref<256xi8>, vector<64xi8> -> vector<64xi8>
    """

    name = "pvec.look_up"
    table = operand_def(MemRefType)
    numbers = operand_def(VectorType)
    result = result_def(VectorType)
    traits = traits_def(MemoryReadEffect())
    assembly_format = (
        "$table `[` $numbers `]` attr-dict `:` type($table) `,` type($numbers) `->` type($result)"
    )

    def __init__(self, table: SSAValue, numbers: SSAValue):
        super().__init__(operands=[table, numbers], result_types=[numbers.type])

    def verify_(self) -> None:
        if not is_table(self.table.type):
            raise VerifyException(f"expected a table of at most {GREATEST_TABLE} bytes")
        if self.numbers.type != self.result.type or lanes_of(self.result) > 64:
            raise VerifyException("expected at most 64 numbers of the result's type")
        assert is_vector(self.result.type)
        if self.result.type.element_type != i8:
            raise VerifyException("expected bytes")


def is_table(type_: Attribute) -> bool:
    """Do the elements of an array of this type fit in registers, to be looked up there?"""
    if not is_memref(type_) or type_.element_type != i8:
        return False
    shape = type_.get_shape()
    return len(shape) == 1 and 0 < shape[0] <= GREATEST_TABLE


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """Bring the line of an element nearer, which will soon be read, or read and written. It has
    no effect that a program can see; the element need not exist."""

    name = "pvec.prefetch"
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    write = opt_prop_def(UnitAttr)
    traits = traits_def(MemoryReadEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$memref `[` $indices `]` (`for_write` $write^)? attr-dict `:` type($memref)"

    def __init__(
        self,
        memref: SSAValue | Operation,
        indices: Sequence[SSAValue | Operation],
        *,
        write: bool = False,
    ):
        super().__init__(
            operands=[memref, indices], properties={"write": UnitAttr() if write else None}
        )

    def verify_(self) -> None:
        assert is_memref(self.memref.type)
        if self.memref.type.get_num_dims() != len(self.indices):
            raise VerifyException("expected an index for each dimension")


@irdl_op_definition
class MisalignmentOp(IRDLOperation):
    """How many elements lie between the last boundary of `lanes` elements in memory, counted
    from address 0, and this one. `lanes` and the bytes of an element are powers of two.

    %m = pvec.misalignment %A[%i, %j] of 8 : memref<?x?xf64>
    """

    name = "pvec.misalignment"
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    lanes = prop_def(IntegerAttr[I64])
    result = result_def(IndexType())
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$memref `[` $indices `]` `of` $lanes attr-dict `:` type($memref)"

    def __init__(self, memref: SSAValue, indices: Sequence[SSAValue], lanes: int):
        super().__init__(
            operands=[memref, indices],
            properties={"lanes": IntegerAttr(lanes, i64)},
            result_types=[IndexType()],
        )

    def verify_(self) -> None:
        assert is_memref(self.memref.type)
        if self.memref.type.get_num_dims() != len(self.indices):
            raise VerifyException("expected an index for each dimension")
        lanes = self.lanes.value.data
        if lanes < 1 or lanes & (lanes - 1):
            raise VerifyException("expected a power of two of lanes")


@irdl_op_definition
class StreamFenceOp(IRDLOperation):
    """What was stored non-temporally is there before anything that is stored from here on."""

    name = "pvec.stream_fence"
    traits = traits_def(MemoryWriteEffect())
    assembly_format = "attr-dict"
