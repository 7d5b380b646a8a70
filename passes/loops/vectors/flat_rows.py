"""Short rows that a loop goes through one after the other are stretches of memory.

    for i: z[i] = f(x[i][1])      =>      for i: z[i] = f(x'[2 * i + 1])

The parts of complex numbers, points as rows of three coordinates, pixels: what one iteration takes
of a row lies side by side with what the next one takes of its own, as the members of records do. Of
an array that is written, whole rows are.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from xdsl.dialects import affine, arith
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
from polyopt.ir.affine.subscripts import subscripts_of
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
        flat = _flat_type(array)
        if flat is None or not _go_through_rows(own, loop) or not _fill_rows(own):
            continue
        if not _is_used_otherwise(array, op):
            view = _view(array, flat)
            for one in own:
                _make_flat(one, view)


def _flat_type(array: SSAValue) -> MemRefType[Attribute] | None:
    """Of the array with its rows as stretches of those of one dimension less; None where they are
    not short, or it is not known how many there are in between."""
    type_ = cmem.memref_type(array)
    shape = type_.get_shape()
    if len(shape) < 2 or not isinstance(type_.layout, NoneAttr) or DYNAMIC_INDEX in shape[1:]:
        return None
    if not 2 <= shape[-1] <= CORE.strided.near_stride:
        return None
    last = DYNAMIC_INDEX if DYNAMIC_INDEX in shape[-2:] else prod(shape[-2:])
    return MemRefType(type_.element_type, [*shape[:-2], last])


def _go_through_rows(accesses: Iterable[ElementAccess], loop: AffineLoop) -> bool:
    """From row to row, and none along its own."""
    found: list[int] = []
    for one in accesses:
        subscripts = subscripts_of(one)
        if subscripts is None:
            return False
        *_, row, column = (form.coefficient(loop.iv) for form in subscripts)
        if column:
            return False
        found.append(row)
    return any(found)


def _fill_rows(accesses: Iterable[ElementAccess]) -> bool:
    """Of what is stored, whether whole rows are: stores with gaps are no quicker than LLVM's (an
    implicit sweep over `double u[5][500][2]` that writes one member: 0.87 of its speed)."""
    stores = [one for one in accesses if isinstance(one, affine.StoreOp)]
    columns = {subscripts[-1] for one in stores if (subscripts := subscripts_of(one)) is not None}
    return not stores or len(columns) == cmem.memref_type(stores[0].memref).get_shape()[-1]


def _is_used_otherwise(array: SSAValue, op: affine.ForOp) -> bool:
    """In the loop, than by affine accesses."""
    users = (use.operation for use in array.uses)
    return any(op.is_ancestor(one) and not isinstance(one, ElementAccess) for one in users)


def _view(array: SSAValue, type_: MemRefType[Attribute]) -> SSAValue:
    """Where the array is, so that all loops have it."""
    owner = array.owner
    zero = arith.ConstantOp(IntegerAttr(0, IndexType()))
    address = cmem.AddressOp(array, [zero] * (len(type_.get_shape()) + 1))
    view = cmem.ViewOp(address, [], type_)
    ops: list[Operation] = [zero, address, view]
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


def _make_flat(op: ElementAccess, view: SSAValue) -> None:
    """The same access, of the flat array."""
    map_ = op.map.data
    *outer, row, column = map_.results
    length = cmem.memref_type(op.memref).get_shape()[-1]
    flat = AffineMap(map_.num_dims, map_.num_symbols, (*outer, row * length + column))
    op.operands[op.operands.index(op.memref)] = view
    op.properties["map"] = AffineMapAttr(flat)
