"""Which functions and globals an operation names: by a call, by their address, in the value of a
global, as what it is another name of. And what such a name stands for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast
from weakref import WeakKeyDictionary

from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr, SymbolRefAttr
from xdsl.dialects.memref import LoadOp
from xdsl.ir import Attribute, Operation
from xdsl.traits import SymbolTable

from polyopt.dialects.cmem import AddressOfOp, ViewOp, linker_marks

_found: WeakKeyDictionary[ModuleOp, dict[str, Operation]] = WeakKeyDictionary()
"""What names of a module stood for when they were looked up last."""


def symbols_named_by(op: Operation) -> Iterator[str]:
    """By this operation alone, not by those in it; one is named as often as it stands there."""
    if "alias" in (marks := linker_marks(op)):
        yield marks["alias"]
    for attributes in (op.properties, op.attributes):
        for attribute in attributes.values():
            yield from _named_in(attribute)


def named_by(address: AddressOfOp) -> Operation | None:
    """The global or function whose address it is. What was found before is so as long as it is in
    the module under its name: `SymbolTable` looks through all that is in it."""
    module = address.parent_op()
    while module is not None and not isinstance(module, ModuleOp):
        module = module.parent_op()
    if module is None:
        return SymbolTable.lookup_symbol(address, address.symbol)
    name = address.symbol.string_value()
    known = _found.setdefault(module, {})
    found = known.get(name)
    if found is None or found.parent_op() is not module or _name_of(found) != name:
        found = SymbolTable.lookup_symbol(address, address.symbol)
        if found is not None:
            known[name] = found
    return found


def is_only_loaded(op: Operation) -> bool:
    """Is it the address of an object, which goes nowhere but to views that are loaded from?"""
    if not isinstance(op, AddressOfOp):
        return False
    views = [use.operation for use in op.result.uses]
    return all(
        isinstance(view, ViewOp)
        and view.source is op.result
        and all(isinstance(use.operation, LoadOp) for use in view.result.uses)
        for view in views
    )


def _name_of(op: Operation) -> str | None:
    name = op.properties.get("sym_name")
    return name.data if isinstance(name, StringAttr) else None


def _named_in(attribute: Attribute) -> Iterator[str]:
    if isinstance(attribute, SymbolRefAttr):
        yield attribute.string_value()
    elif isinstance(attribute, ArrayAttr):
        for one in cast("ArrayAttr[Attribute]", attribute):
            yield from _named_in(one)
