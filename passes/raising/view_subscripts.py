"""Elements of views as elements of the memref below: A[4:][2*i] is A[2*i + 4].

Dimensions of extent 1 that a view leaves out have subscript 0.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr

from polyopt.dialects.shaped_types import is_memref
from polyopt.passes.raising.affine_values import AffineReader


class NotAView(Exception):
    """Which dimensions the view leaves out cannot be told."""


def through_views(
    array: SSAValue, indices: Sequence[SSAValue], reader: AffineReader
) -> tuple[SSAValue, list[AffineExpr]]:
    """The memref that `array` is a view of, and the subscripts there; raises NotAffine."""
    subscripts = [reader.expression(index) for index in indices]
    while True:
        match array.owner:
            case memref.SubviewOp() as op:
                subscripts = _below(op, subscripts, reader)
            case memref.CastOp() as op if isinstance(op.source.type, MemRefType):
                pass
            case _:
                return array, subscripts
        array = op.source


def _below(
    op: memref.SubviewOp, subscripts: Sequence[AffineExpr], reader: AffineReader
) -> list[AffineExpr]:
    offsets = _values(op.static_offsets.get_values(), op.offsets, reader)
    strides = _values(op.static_strides.get_values(), op.strides, None)
    left = list(subscripts)
    result: list[AffineExpr] = []
    for kept, offset, stride in zip(_kept(op), offsets, strides, strict=True):
        result.append(offset + left.pop(0) * stride if kept else offset)
    return result


def _values(
    static: Sequence[int], dynamic: Sequence[SSAValue], reader: AffineReader | None
) -> list[AffineExpr]:
    given = iter(dynamic)
    values: list[AffineExpr] = []
    for number in static:
        if number != DYNAMIC_INDEX:
            values.append(AffineExpr.constant(number))
        elif reader is None:
            raise NotAView
        else:
            values.append(reader.expression(next(given)))
    return values


def _kept(op: memref.SubviewOp) -> list[bool]:
    """Of each dimension of the source, whether the view has it."""
    assert is_memref(op.result.type)
    shape = list(op.result.type.get_shape())
    sizes = list(op.static_sizes.get_values())
    surplus = len(sizes) - len(shape)
    kept: list[bool] = []
    for size in sizes:
        is_left_out = surplus > 0 and size == 1 and (not shape or shape[0] != 1)
        if not is_left_out:
            if not shape or shape[0] != size:
                raise NotAView
            shape.pop(0)
        else:
            surplus -= 1
        kept.append(not is_left_out)
    if shape or surplus:
        raise NotAView
    return kept
