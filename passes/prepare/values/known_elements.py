"""Loads of elements that the program says itself: those of constant tables at constant places."""

from __future__ import annotations

import struct
from collections.abc import Mapping

from xdsl.context import Context
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    Float32Type,
    Float64Type,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    ModuleOp,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass
from xdsl.utils.hints import isa

from polyopt.dialects import cmem
from polyopt.dialects.cmem import memref_type
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.effects import as_signed, constant_integer, folded_integer
from polyopt.passes.prepare.values.clean_values import clean_values
from polyopt.support.record import record

_FLOATS = ((Float32Type, "<f"), (Float64Type, "<d"))


@record
class FoldKnownElementsPass(ModulePass):
    """The weights of a filter, when its window is straight code, are numbers.

    Requires: nothing. Ensures: no load of an initialised constant object, at a constant place
    within it, is left.

        cmem.global "internal" constant @w size 12 align 4 bytes [1, 0, 0, 0, 2, 0, …]
        %p = cmem.address_of @w
        %v = cmem.view %p[] : memref<3xi32>            ->    %x = arith.constant 2 : i32
        %x = memref.load %v[%c1] : memref<3xi32>
    """

    name = "fold-known-elements"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        tables = {
            one.sym_name.data: one
            for one in op.ops
            if isinstance(one, cmem.GlobalOp) and _is_table(one)
        }
        if not tables:
            return
        for function in op.ops:
            if isinstance(function, func.FuncOp) and function.body.blocks:
                loads = [one for one in function.walk() if isinstance(one, memref.LoadOp)]
                if [one for one in loads if _fold(one, tables)]:
                    clean_values(ControlFlow(function.body))


def _is_table(op: cmem.GlobalOp) -> bool:
    return (
        op.constant is not None
        and op.declaration is None
        and op.relocations is None
        and cmem.LINKER not in op.attributes
    )


def _fold(load: memref.LoadOp, tables: Mapping[str, cmem.GlobalOp]) -> bool:
    view = load.memref.owner
    if not isinstance(view, cmem.ViewOp) or not isinstance(view.source.owner, cmem.AddressOfOp):
        return False
    table = tables.get(view.source.owner.symbol.root_reference.data)
    places = [_number(one) for one in load.indices]
    shape = memref_type(load.memref).get_shape()
    if table is None or DYNAMIC_INDEX in shape[1:]:
        return False
    at = 0
    for extent, place in zip(shape, places, strict=True):
        if place is None or not (0 <= place and (extent == DYNAMIC_INDEX or place < extent)):
            return False
        at = at * max(extent, 0) + place
    value = _element(table, at, load.res.type)
    block = load.parent
    if value is None or block is None:
        return False
    constant = arith.ConstantOp.create(properties={"value": value}, result_types=[load.res.type])
    constant.location = load.location
    block.insert_op_before(constant, load)
    constant.results[0].name_hint = load.res.name_hint
    load.res.replace_all_uses_with(constant.results[0])
    load.detach()
    load.erase()
    return True


def _element(table: cmem.GlobalOp, at: int, type_: Attribute) -> Attribute | None:
    size = table.size.value.data
    data = bytes(size)
    if table.initial is not None:
        data = bytes(one & 255 for one in table.initial.get_values())
    if isa(type_, IntegerType):
        width = type_.width.data
        part = data[at * width // 8 : (at + 1) * width // 8]
        if width not in (8, 16, 32, 64) or len(part) * 8 != width:
            return None
        return IntegerAttr(as_signed(int.from_bytes(part, "little"), width), type_)
    for kind, form in _FLOATS:
        if isinstance(type_, kind):
            bytes_of = struct.calcsize(form)
            part = data[at * bytes_of : (at + 1) * bytes_of]
            return FloatAttr(struct.unpack(form, part)[0], type_) if part else None
    return None


def _number(value: SSAValue) -> int | None:
    """The number that an index is."""
    found = constant_integer(value)
    return folded_integer(value.owner, _number) if found is None else found
