"""unify-types: memory that is accessed as integers and as floating-point numbers of one size.

    double *a; long *bits = (long *)a;  bits[i] &= mask;  b[i] = a[i] + 1.0;

A static control part has arrays of one type. The accesses to an object as of the other type become
accesses as of the first one, and the bits of the value are taken for what they were taken for. Who
accesses the object by another pointer still does as of the other type: that accesses of different
types are of different memory is true of the program, but no longer of what was made of it.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import (
    AnyFloat,
    Float32Type,
    Float64Type,
    IntegerType,
    MemRefType,
    ModuleOp,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.hints import isa

from polyopt.dialects import cmem
from polyopt.dialects.cmem import element_type, memref_type
from polyopt.ir.functions import functions_near_loops
from polyopt.support.record import record

_FLOATS: dict[Attribute, AnyFloat] = {i64: Float64Type(), i32: Float32Type()}
"""Of an integer type, the type of numbers with as many bits."""


_Place = tuple[tuple[SSAValue, ...], tuple[int, ...]]
"""Where an array starts, how large it is."""


@record
class UnifyTypesPass(ModulePass):
    """Access arrays as of floating-point numbers that are also accessed as of integers of the same
    size: those that start at the same place and have the same shape, which members of a struct
    have not. Where one has changed, the module no longer says that types tell memory apart.

    Requires: equal places are one value (clean-values). Ensures: loads and stores are of the same
    bits. Memory of types of different sizes stays as it is, and so do views of integers that are
    used for more than loads and stores.

        %bits = cmem.view %a[] : memref<?xi64>        %0 = cmem.view %a[] : memref<?xf64>
        %x = memref.load %bits[%i]               =>   %1 = memref.load %0[%i]
                                                      %x = arith.bitcast %1 : f64 to i64
    """

    name = "unify-types"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_near_loops(op):
            if _unify(function):
                op.attributes.pop(cmem.STRICT_ALIASING, None)


def _unify(function: func.FuncOp) -> bool:
    """Whether there was something to change."""
    views: dict[_Place, list[cmem.ViewOp]] = {}
    for op in function.body.walk():
        if isinstance(op, cmem.ViewOp):
            place = (tuple(op.operands), tuple(memref_type(op.result).get_shape()))
            views.setdefault(place, []).append(op)
    is_changed = False
    for found in views.values():
        types = {element_type(view.result) for view in found}
        for view in found:
            wanted = _FLOATS.get(element_type(view.result))
            if wanted in types and len(types) == 2 and _is_only_accessed(view):
                _change(view, wanted)
                is_changed = True
    return is_changed


def _is_only_accessed(view: cmem.ViewOp) -> bool:
    return all(
        isinstance(use.operation, memref.LoadOp)
        or (isinstance(use.operation, memref.StoreOp) and use.index == 1)
        for use in view.result.uses
    )


def _change(view: cmem.ViewOp, wanted: AnyFloat) -> None:
    """Let the view be one of `wanted`, and its accesses of the bits of these."""
    old = memref_type(view.result)
    number = old.element_type
    assert isa(number, IntegerType)
    type = MemRefType(wanted, old.shape)
    new = cmem.ViewOp.create(operands=view.operands, result_types=[type])
    new.location = view.location
    new.result.name_hint = view.result.name_hint
    Rewriter.insert_op(new, InsertPoint.before(view))
    for use in list(view.result.uses):
        match use.operation:
            case memref.LoadOp() as load:
                read = memref.LoadOp.create(
                    operands=[new.result, *load.indices],
                    result_types=[wanted],
                    properties=load.properties,
                    attributes=load.attributes,
                )
                bits = arith.BitcastOp(read.res, number)
                bits.result.name_hint = load.res.name_hint
                read.location = bits.location = load.location
                Rewriter.replace_op(load, [read, bits], [bits.result])
            case memref.StoreOp() as store:
                bits = arith.BitcastOp(store.value, wanted)
                write = memref.StoreOp.create(
                    operands=[bits.result, new.result, *store.indices],
                    properties=store.properties,
                    attributes=store.attributes,
                )
                write.location = bits.location = store.location
                Rewriter.replace_op(store, [bits, write], [])
            case _:
                raise AssertionError("only accessed")
    Rewriter.erase_op(view)
