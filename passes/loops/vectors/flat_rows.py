"""Short rows that a loop goes through one after the other are stretches of memory.

    for i: z[i] = f(x[i][1])      =>      for i: z[i] = f(x'[2 * i + 1])

The parts of complex numbers, points as rows of three coordinates, pixels, matrices of 3 x 3: what
one iteration takes of a row lies side by side with what the next one takes of its own, as the
members of records do. Of an array that is written, whole rows are, and of longer rows that are read
half of the elements at least.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects import affine, arith, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    VectorType,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineMap

from polyopt.dialects import cmem
from polyopt.ir.affine.affine_nest import AffineLoop, ElementAccess
from polyopt.ir.affine.subscripts import greatest_stride, subscripts_of
from polyopt.support.core_model import CORE


def make_rows_flat(op: affine.ForOp) -> None:
    """Ensures: the same elements are accessed. Of an array all accesses in the loop, or none; where
    there are vectors already, none."""
    if any(isinstance(one.type, VectorType) for inner in op.walk() for one in inner.results):
        return
    loop = AffineLoop(op)
    accesses: dict[SSAValue, list[ElementAccess]] = {}
    for inner in op.body.walk():
        if isinstance(inner, ElementAccess):
            accesses.setdefault(inner.memref, []).append(inner)
    for array, own in accesses.items():
        inner = _row_dimensions(array, own, loop)
        if inner and not _is_used_otherwise(array, op):
            view = flat_view(array, inner)
            for one in own:
                _make_flat(one, view, inner)


def _row_dimensions(array: SSAValue, accesses: Sequence[ElementAccess], loop: AffineLoop) -> int:
    """How many of an array's last dimensions are short rows that the loop goes through one after
    the other, and none along its own; 0 where it does not, or gains nothing by it."""
    type_ = cmem.memref_type(array)
    shape, forms = type_.get_shape(), [subscripts_of(one) for one in accesses]
    if not isinstance(type_.layout, NoneAttr) or None in forms:
        return 0
    moves = [[one.coefficient(loop.iv) for one in subscripts or ()] for subscripts in forms]
    for inner in range(1, len(shape)):
        length = prod(shape[-inner:])
        is_short = DYNAMIC_INDEX not in shape[-inner:] and 2 <= length <= greatest_stride(array)
        if not is_short or any(any(one[-inner:]) for one in moves):
            return 0
        if any(one[-inner - 1] for one in moves):
            return inner if _fill_rows(accesses, inner, length) else 0
    return 0


def _flat_type(array: SSAValue, inner: int) -> MemRefType[Attribute]:
    """Of the array with its rows as stretches of those of fewer dimensions."""
    type_ = cmem.memref_type(array)
    shape = type_.get_shape()
    is_known = DYNAMIC_INDEX not in shape[-inner - 1 :]
    last = prod(shape[-inner - 1 :]) if is_known else DYNAMIC_INDEX
    return MemRefType(type_.element_type, [*shape[: -inner - 1], last])


def _fill_rows(accesses: Sequence[ElementAccess], inner: int, length: int) -> bool:
    """Of what is stored, whether whole rows are: stores with gaps are no quicker than LLVM's (an
    implicit sweep over `double u[5][500][2]` that writes one member: 0.87 of its speed). Of longer
    rows half of the elements are read: all vectors are, for one of them as for all."""
    stored, loaded = set[tuple[object, ...]](), set[tuple[object, ...]]()
    for one in accesses:
        place = (subscripts_of(one) or ())[-inner:]
        (stored if isinstance(one, affine.StoreOp) else loaded).add(place)
    is_dense = length <= CORE.strided.near_stride or not loaded or 2 * len(loaded) >= length
    return is_dense and len(stored) in (0, length)


def _is_used_otherwise(array: SSAValue, op: affine.ForOp) -> bool:
    """In the loop, than by affine accesses."""
    users = (use.operation for use in array.uses)
    return any(op.is_ancestor(one) and not isinstance(one, ElementAccess) for one in users)


def flat_view(array: SSAValue, inner: int) -> SSAValue:
    """The array with rows of its last `inner` dimensions as stretches of those of fewer, where the
    array is, so that all loops have it."""
    owner, type_ = array.owner, _flat_type(array, inner)
    zero = arith.ConstantOp(IntegerAttr(0, IndexType()))
    address = cmem.AddressOp(array, [zero] * len(cmem.memref_type(array).get_shape()))
    computed, sizes = _sizes(array, type_, inner)
    view = cmem.ViewOp(address, sizes, type_)
    ops: list[Operation] = [zero, address, *computed, view]
    if isinstance(owner, Block):
        first = owner.first_op
        assert first is not None
        owner.insert_ops_before(ops, first)
    else:
        block = owner.parent
        assert block is not None
        block.insert_ops_after(ops, owner)
        for one in ops:
            one.location = owner.location
    view.result.name_hint = array.name_hint
    return view.result


def _sizes(
    array: SSAValue, type_: MemRefType[Attribute], inner: int
) -> tuple[list[Operation], list[SSAValue]]:
    """Those of the flat array that its type leaves open, but the first: in the last dimension
    there are so many short rows, one behind the other."""
    shape = type_.get_shape()
    ops, sizes = list[Operation](), list[SSAValue]()
    for k in range(1, len(shape)):
        if shape[k] != DYNAMIC_INDEX:
            continue
        number = arith.ConstantOp(IntegerAttr(k, IndexType()))
        size: Operation = memref.DimOp(array, number)
        ops += [number, size]
        if k == len(shape) - 1:
            length = prod(cmem.memref_type(array).get_shape()[-inner:])
            factor = arith.ConstantOp(IntegerAttr(length, IndexType()))
            size = arith.MuliOp(size, factor)
            ops += [factor, size]
        sizes.append(size.results[0])
    return ops, sizes


def _make_flat(op: ElementAccess, view: SSAValue, inner: int) -> None:
    """The same access, of the flat array."""
    map_ = op.map.data
    *outer, place = map_.results[:-inner]
    lengths = cmem.memref_type(op.memref).get_shape()[-inner:]
    for column, length in zip(map_.results[-inner:], lengths, strict=True):
        place = place * length + column
    flat = AffineMap(map_.num_dims, map_.num_symbols, (*outer, place))
    op.operands[op.operands.index(op.memref)] = view
    op.properties["map"] = AffineMapAttr(flat)
