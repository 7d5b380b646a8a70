"""Objects whose bytes stay as the program says: constant ones, and private ones that nobody writes.

    static const int taps = 5;   static int width = 64;   static float w[] = {1, 2, 1};

A private object is read only if its address goes nowhere but to views that are loaded from.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping

from xdsl.dialects import memref
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
from xdsl.utils.hints import isa

from polyopt.dialects import cmem
from polyopt.dialects.cmem import memref_type
from polyopt.ir.effects import as_signed, constant_integer, folded_integer
from polyopt.ir.objects.named_symbols import is_only_loaded, symbols_named_by

Tables = Mapping[str, cmem.GlobalOp]
_FLOATS = ((Float32Type, "<f"), (Float64Type, "<d"))


def read_only_objects(module: ModuleOp) -> Tables:
    """By their names."""
    known = [one for one in module.ops if isinstance(one, cmem.GlobalOp) and _is_here(one)]
    found = {one.sym_name.data: one for one in known if one.constant is not None}
    private = {one.sym_name.data: one for one in known if _is_private_variable(one)}
    if not private:
        return found
    for op in module.walk():
        if op is not module:
            for name in symbols_named_by(op):
                if name in private and not is_only_loaded(op):
                    del private[name]
    return {**found, **private}


def element_read(load: memref.LoadOp, tables: Tables) -> Attribute | None:
    """What is loaded from a constant place of one of them; None where that is not known."""
    view = load.memref.owner
    if not isinstance(view, cmem.ViewOp) or not isinstance(view.source.owner, cmem.AddressOfOp):
        return None
    table = tables.get(view.source.owner.symbol.root_reference.data)
    shape = memref_type(load.memref).get_shape()
    if table is None or DYNAMIC_INDEX in shape[1:]:
        return None
    at = 0
    for extent, index in zip(shape, load.indices, strict=True):
        place = _number(index)
        if place is None or not (0 <= place and (extent == DYNAMIC_INDEX or place < extent)):
            return None
        at = at * max(extent, 0) + place
    return _element(table, at, load.res.type)


def _is_here(one: cmem.GlobalOp) -> bool:
    is_whole = one.declaration is None and one.relocations is None
    return is_whole and cmem.LINKER not in one.attributes


def _is_private_variable(one: cmem.GlobalOp) -> bool:
    return one.linkage.data == "internal" and one.constant is None


def _element(table: cmem.GlobalOp, at: int, type_: Attribute) -> Attribute | None:
    data = table.initial_bytes()
    if data is None:
        data = bytes(table.size.value.data)
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
