"""Vectors in memory: elements that lie closely, under a mask, strided, or wherever numbers say.

Whole vectors are affine accesses; what has a mask takes its subscripts as values.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine, arith, vector
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BoolAttr,
    FixedBitwidthType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    VectorType,
    i1,
    i8,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.dialects import cmem, pvec
from polyopt.dialects.cmem_types import element_type, memref_type
from polyopt.dialects.shaped_types import is_vector
from polyopt.ir.affine.linear import Linear, linear_of, map_of
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.support.target import LINE_BYTES


def vector_load(
    builder: AffineBuilder,
    array: SSAValue,
    subscripts: Sequence[Linear],
    type_: VectorType[Attribute],
    mask: SSAValue | None = None,
) -> SSAValue:
    """`lanes` elements from here on in the last dimension; zero where the mask is not set."""
    if mask is None:
        affine_map, operands = map_of(subscripts)
        load = affine.VectorLoadOp.create(
            operands=[array, *operands], properties={"map": affine_map}, result_types=[type_]
        )
        return builder.insert(load).results[0]
    indices = [builder.value(form) for form in subscripts]
    return builder.insert(vector.MaskedLoadOp(array, indices, mask, builder.zero(type_))).result


_FEW = 4
"""Lanes that a vector of any element may have."""


def load_if_any(
    builder: AffineBuilder, array: SSAValue, subscripts: Sequence[Linear], mask: SSAValue
) -> SSAValue:
    """The element where a lane of the mask is set; else zero, and it need not exist. It is the
    first lane of a masked load: which vectors have such lanes, no branch could foresee."""
    element = element_type(array)
    sides = [builder.value(Linear((), number)) for number in (1, 0)]
    count = builder.insert(arith.SelectOp(builder.insert(any_lane(mask)).dest, *sides)).result
    first = builder.lanes_between(Linear(), linear_of(count), _FEW)
    if not _has_rows(array):
        address = cmem.AddressOp(array, [builder.value(form) for form in subscripts])
        row = MemRefType(element, [DYNAMIC_INDEX])
        array = builder.insert(cmem.ViewOp(builder.insert(address), [], row)).result
        subscripts = [Linear()]
    found = vector_load(builder, array, subscripts, VectorType(element, [_FEW]), first)
    return builder.insert(vector.ExtractOp(found, [0], element)).result


def _has_rows(array: SSAValue) -> bool:
    """Is the next element of the last dimension the next one in memory?"""
    strides = memref_type(array).get_strides()
    return bool(strides) and strides[-1] == 1


def any_lane(mask: SSAValue) -> vector.ReductionOp:
    """Is it set in one lane or more?"""
    return vector.ReductionOp.create(
        operands=[mask],
        properties={
            "kind": vector.CombiningKindAttr(vector.CombiningKindFlag.OR),
            "fastmath": arith.FastMathFlagsAttr("none"),
        },
        result_types=[i1],
    )


def vector_store(
    builder: AffineBuilder,
    value: SSAValue,
    array: SSAValue,
    subscripts: Sequence[Linear],
    mask: SSAValue | None = None,
) -> None:
    if mask is None:
        affine_map, operands = map_of(subscripts)
        store = affine.VectorStoreOp.create(
            operands=[value, array, *operands], properties={"map": affine_map}
        )
        builder.insert(store)
        return
    indices = [builder.value(form) for form in subscripts]
    builder.insert(vector.MaskedStoreOp(array, indices, mask, value))


def stream(
    builder: AffineBuilder, value: SSAValue, array: SSAValue, subscripts: Sequence[Linear]
) -> None:
    """Store a vector that is aligned as a whole, non-temporally."""
    indices = [builder.value(form) for form in subscripts]
    store = vector.StoreOp(value, array, indices, BoolAttr.from_bool(True))
    type_ = value.type
    assert is_vector(type_)
    element = type_.element_type
    assert isinstance(element, FixedBitwidthType)
    store.attributes["alignment"] = IntegerAttr(type_.get_shape()[0] * element.size, i64)
    builder.insert(store)


def is_line(type: Attribute) -> bool:
    """Whether a vector of the type is a cache line."""
    if not is_vector(type) or not isinstance(type.element_type, FixedBitwidthType):
        return False
    return type.get_shape()[0] * type.element_type.size == LINE_BYTES


def misalignment(
    builder: AffineBuilder, array: SSAValue, subscripts: Sequence[Linear], lanes: int
) -> SSAValue:
    """How many elements there are from the last boundary of whole vectors up to this one."""
    indices = [builder.value(form) for form in subscripts]
    return builder.insert(pvec.MisalignmentOp(array, indices, lanes)).result


def gather(
    builder: AffineBuilder,
    array: SSAValue,
    indices: Sequence[SSAValue],
    type_: VectorType[Attribute],
    mask: SSAValue | None = None,
) -> SSAValue:
    """Elements at the places that vectors of integers say."""
    return builder.insert(pvec.GatherOp(array, indices, mask, type_)).result


def look_up(builder: AffineBuilder, table: SSAValue, numbers: SSAValue) -> SSAValue:
    """Bytes of a table at the places that vectors of integers say."""
    type_ = numbers.type
    assert isa(type_, VectorType[IntegerType])
    if type_.element_type != i8:
        numbers = builder.insert(pvec.ConvertOp("trunci", numbers, i8)).result
    return builder.insert(pvec.LookUpOp(table, numbers)).result


def strided_load(
    builder: AffineBuilder,
    array: SSAValue,
    subscripts: Sequence[Linear],
    steps: Sequence[int],
    type_: VectorType[Attribute],
    mask: SSAValue | None = None,
) -> SSAValue:
    """Elements with strides `steps`."""
    indices = [builder.value(form) for form in subscripts]
    return builder.insert(pvec.StridedLoadOp(array, indices, steps, mask, type_)).result


def strided_store(
    builder: AffineBuilder,
    value: SSAValue,
    array: SSAValue,
    subscripts: Sequence[Linear],
    steps: Sequence[int],
    mask: SSAValue | None = None,
) -> None:
    indices = [builder.value(form) for form in subscripts]
    builder.insert(pvec.StridedStoreOp(value, array, indices, steps, mask))


def prefetch(builder: AffineBuilder, array: SSAValue, subscripts: Sequence[Linear]) -> None:
    indices = [builder.value(form) for form in subscripts]
    builder.insert(pvec.PrefetchOp(array, indices, write=True))


def fence_behind_nest(op: affine.ForOp) -> None:
    """Behind the nest around a loop, once: whoever hears that it is done sees what its
    non-temporal stores have written."""
    outermost: Operation = op
    while isinstance(parent := outermost.parent_op(), (affine.ForOp, affine.IfOp)):
        outermost = parent
    block = outermost.parent
    assert block is not None
    if not isinstance(outermost.next_op, pvec.StreamFenceOp):
        fence = pvec.StreamFenceOp()
        fence.location = op.location
        block.insert_op_after(fence, outermost)
