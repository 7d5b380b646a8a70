"""Memory for what one stencil hands to another without a field in between.

xDSL's lowering makes an array of it whose layout has the first element at the stencil's lower
bound, which may be negative. Here it becomes an array that begins at 0, with subscripts that are
moved by as much.

    %a = alloc : memref<67xf64, strided<[1], offset: 1>>     %a = alloc : memref<67xf64>
    store %x, %a[%i]                                     =>  store %x, %a[%i + 1]
"""

from __future__ import annotations

from math import prod

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import ModuleOp, StridedLayoutAttr
from xdsl.dialects.stencil import ApplyOp, BufferOp, StencilBoundsAttr, StoreOp, TempType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.hints import isa

from polyopt.dialects.shaped_types import is_memref
from polyopt.passes.raising.affine_values import INDEX

Origins = dict[tuple[tuple[int, ...], int], tuple[int, ...] | None]
"""By shape and offset of a layout, the bounds at which its subscripts begin; None where two arrays
with the same layout begin elsewhere."""


def are_chained(module: ModuleOp) -> bool:
    """Does a stencil read what another one computes, and nothing stores?"""
    return any(
        any(isinstance(use.operation, ApplyOp) for use in result.uses)
        and not any(isinstance(use.operation, StoreOp | BufferOp) for use in result.uses)
        for op in module.walk()
        if isinstance(op, ApplyOp)
        for result in op.results
    )


def origins_of_buffers(module: ModuleOp) -> Origins:
    """Of a module whose stencils have bounds."""
    found: Origins = {}
    for op in module.walk():
        if not isinstance(op, BufferOp) or not isa(op.temp.type, TempType[Attribute]):
            continue
        bounds = op.temp.type.bounds
        if isinstance(bounds, StencilBoundsAttr):
            shape, lower = tuple(op.temp.type.get_shape()), tuple(bounds.lb)
            offset = -sum(low * stride for low, stride in zip(lower, _strides(shape), strict=True))
            key = shape, offset
            found[key] = lower if found.get(key, lower) == lower else None
    return found


def _strides(shape: tuple[int, ...]) -> list[int]:
    return [prod(shape[k + 1 :]) for k in range(len(shape))]


def begin_at_zero(module: ModuleOp, origins: Origins) -> None:
    for op in list(module.walk()):
        if isinstance(op, memref.AllocOp):
            lower = _origin(op, origins)
            if lower is not None:
                _before_loops(_moved(op, lower))


def _origin(op: memref.AllocOp, origins: Origins) -> tuple[int, ...] | None:
    """Where the subscripts of the array begin, if it is one that can be moved."""
    type = op.memref.type
    if not is_memref(type) or not isinstance(type.layout, StridedLayoutAttr):
        return None
    offset = type.layout.get_offset()
    if not isinstance(offset, int) or list(type.layout.get_strides()) != _strides(type.get_shape()):
        return None
    taken = memref.LoadOp | memref.StoreOp | memref.DeallocOp
    if not all(isinstance(use.operation, taken) for use in op.memref.uses):
        return None
    return origins.get((type.get_shape(), offset))


def _moved(op: memref.AllocOp, lower: tuple[int, ...]) -> memref.AllocOp:
    type = op.memref.type
    assert is_memref(type)
    made = memref.AllocOp.get(type.element_type, shape=type.get_shape())
    made.memref.name_hint, made.location = op.memref.name_hint, op.location
    for use in list(op.memref.uses):
        user = use.operation
        if isinstance(user, memref.LoadOp | memref.StoreOp):
            first = user.operands.index(user.indices[0]) if user.indices else 0
            for k, low in enumerate(lower):
                if low:
                    user.operands[first + k] = _less(user, user.indices[k], low)
        user.operands[use.index] = made.memref
    Rewriter.replace_op(op, made)
    return made


def _before_loops(op: memref.AllocOp) -> None:
    """What is in it is of one iteration, written before it is read."""
    loop = op.parent_op()
    while isinstance(loop, scf.ForOp):
        freed = [u.operation for u in op.memref.uses if isinstance(u.operation, memref.DeallocOp)]
        op.detach()
        Rewriter.insert_op(op, InsertPoint.before(loop))
        for one in freed:
            one.detach()
            Rewriter.insert_op(one, InsertPoint.after(loop))
        loop = op.parent_op()


def _less(user: Operation, index: SSAValue, low: int) -> SSAValue:
    number = arith.ConstantOp.from_int_and_width(-low, INDEX)
    total = arith.AddiOp(index, number)
    Rewriter.insert_op([number, total], InsertPoint.before(user))
    return total.result
