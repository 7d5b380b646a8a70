"""What an array is called in the source: a variable, or what its address is read from."""

from __future__ import annotations

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntAttr, StringAttr
from xdsl.ir import BlockArgument, SSAValue
from xdsl.utils.hints import isa

from polyopt.dialects import cmem
from polyopt.ir.effects import constant_integer
from polyopt.ir.objects.bases import object_of


def array_name(base: SSAValue) -> str | None:
    """`x`, a global `table`, a function's `static` one, `s->data`, `rows[2]`, `rows[…]` where the
    row is computed, `*p`; None where only a longer expression would say it."""
    if isinstance(base.owner, cmem.AddressOfOp):
        symbol = base.owner.symbol.string_value()
        own = symbol.rpartition(".")[2]
        return own if own.isidentifier() else symbol
    if base.name_hint is not None or not isinstance(base.owner, memref.LoadOp):
        return base.name_hint
    return _read_by(base.owner)


def member_name(base: SSAValue) -> str | None:
    """Of a member, or a global pointer, by which an array is reached, the name alone."""
    found = array_name(base)
    name = None if found is None else found.rpartition("->")[2]
    return name if name is not None and name.isidentifier() else None


def _read_by(load: memref.LoadOp) -> str | None:
    """The expression that is a pointer in memory."""
    view = load.memref.owner
    root = object_of(load.memref)
    name = array_name(root)
    if name is None or not isinstance(view, cmem.ViewOp):
        return None
    indices = [constant_integer(one) for one in load.indices]
    if indices:
        is_first = view.operands[0] is root and len(indices) == 1
        row = "…" if indices[0] is None else indices[0]
        return f"{name}[{row}]" if is_first else None
    offset = _bytes_from(view.operands[0], root)
    if isinstance(root.owner, cmem.AddressOfOp):
        return name if offset == 0 else None
    return None if offset is None else _member(root, name, offset)


def _bytes_from(place: SSAValue, root: SSAValue) -> int | None:
    total = 0
    while place is not root:
        if not isinstance(place.owner, cmem.OffsetOp):
            return None
        index = constant_integer(place.owner.index)
        if index is None:
            return None
        total += index * place.owner.stride.value.data
        place = place.owner.base
    return total


def _member(root: SSAValue, name: str, offset: int) -> str | None:
    """The member of the struct that a parameter leads to, or the pointer."""
    if not isinstance(root, BlockArgument):
        return None
    function = root.owner.parent_op()
    if not isinstance(function, func.FuncOp) or function.body.blocks.first is not root.owner:
        return None
    described = function.attributes.get("cmem.parameters")
    if not isa(described, ArrayAttr[DictionaryAttr]):
        return None
    parameters = [one for one in described if one.data.get("name") == StringAttr(name)]
    is_pointer = parameters and parameters[0].data.get("element") == StringAttr("pointer")
    if is_pointer and offset == 0:
        return f"*{name}"
    layout = parameters[0].data.get("layout") if parameters else None
    members = layout.data.get("members") if isinstance(layout, DictionaryAttr) else None
    if not isa(members, ArrayAttr[DictionaryAttr]):
        return None
    names = [one.data.get("name") for one in members if one.data.get("offset") == IntAttr(offset)]
    return f"{name}->{names[0].data}" if names and isinstance(names[0], StringAttr) else None
