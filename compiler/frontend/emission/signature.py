"""What a function's C declaration says of its parameters, as `cmem.parameters` keeps it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from weakref import WeakKeyDictionary

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntAttr, StringAttr, UnitAttr
from xdsl.ir import Attribute

from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import (
    ArrayType,
    ComplexType,
    FunctionType,
    Member,
    PointerType,
    Record,
    RecordType,
)
from polyopt.frontend.language.element_names import element_name
from polyopt.frontend.tree.typed_tree import Symbol

_layouts: WeakKeyDictionary[Record, DictionaryAttr] = WeakKeyDictionary()
"""Of records that are complete, which nothing changes any more."""


def parameter_attribute(symbol: Symbol) -> DictionaryAttr:
    declared = symbol.declared or symbol.type
    if isinstance(symbol.type, PointerType) and isinstance(symbol.type.target, ArrayType):
        # `double (*a)[n]` is an array of unknown length, as `double a[][n]` is.
        length = declared.length if isinstance(declared, ArrayType) else None
        declared = ArrayType(symbol.type.target, length)
    extents, element = _shape(declared)
    kind = "scalar"
    if isinstance(declared, ArrayType):
        kind = "array"
    elif isinstance(declared, PointerType):
        kind, element = "pointer", declared.target
    entries: dict[str, Attribute] = {
        "name": StringAttr(symbol.name),
        "ctype": StringAttr(ct.spell(symbol.type)),
        "kind": StringAttr(kind),
        "element": StringAttr(element_name(element)),
    }
    if element.const:
        entries["const"] = UnitAttr()
    if symbol.is_nullable:
        entries["nullable"] = UnitAttr()
    if isinstance(element, RecordType) and ct.is_complete(element):
        entries["layout"] = layout_attribute(element.record)
    if kind == "pointer" and isinstance(element, FunctionType):
        called = _called(element)
        if called is not None:
            entries["function"] = called
    if kind == "array":
        entries["shape"] = ArrayAttr([StringAttr(_extent(e)) for e in extents])
    return DictionaryAttr(entries)


def _shape(type: ct.CType) -> tuple[tuple[int | ct.VariableLength | None, ...], ct.CType]:
    """As `array_shape`, but that complex numbers are elements."""
    extents, element = ct.array_shape(type)
    while isinstance(type, ArrayType):
        type = type.element
    return (extents[:-1], type) if isinstance(type, ComplexType) else (extents, element)


def _called(type: FunctionType) -> ArrayAttr[StringAttr] | None:
    """What a function that is pointed to gives, and takes: of a pointer to numbers also which; None
    where its type does not say, or structs or complex numbers are passed by value."""
    if type.variadic or not type.prototyped:
        return None
    names = [element_name(type.result), *map(_taken, type.parameters)]
    if any(name == "struct" or name.startswith("c") for name in names):
        return None
    return ArrayAttr([StringAttr(name) for name in names])


def _taken(type: ct.CType) -> str:
    """`f64*` for a pointer to double."""
    if isinstance(type, PointerType) and isinstance(type.target, ct.IntType | ct.FloatType):
        target = element_name(type.target)
        return f"{target}*" if target != "struct" else "pointer"
    return element_name(type)


def layout_attribute(record: Record) -> DictionaryAttr:
    """Where the members of a struct lie, those of unnamed ones in it among them; "partial": it has
    bit-fields, too, which nothing is said of. Most functions of a file take the same structs."""
    if record.members is None:
        return _layout(record)
    found = _layouts.get(record)
    if found is None:
        found = _layouts[record] = _layout(record)
    return found


def _layout(record: Record) -> DictionaryAttr:
    members = [DictionaryAttr(_member(member)) for member in _members(record)]
    entries: dict[str, Attribute] = {"size": IntAttr(record.size), "members": ArrayAttr(members)}
    if _has_bit_fields(record):
        entries["partial"] = UnitAttr()
    return DictionaryAttr(entries)


def _has_bit_fields(record: Record) -> bool:
    """Itself, or in an unnamed member."""
    return any(
        one.bits is not None
        or (
            one.name is None
            and isinstance(one.type, RecordType)
            and _has_bit_fields(one.type.record)
        )
        for one in record.members or ()
    )


def _members(record: Record) -> Iterator[Member]:
    for member in record.members or ():
        if member.bits is not None:
            continue
        if member.name is None and isinstance(member.type, RecordType):
            for inner in _members(member.type.record):
                yield replace(inner, offset=member.offset + inner.offset)
        else:
            yield member


def _member(member: Member) -> dict[str, Attribute]:
    extents, element = _shape(member.type)
    entries: dict[str, Attribute] = {
        "name": StringAttr(member.name or ""),
        "offset": IntAttr(member.offset),
        "element": StringAttr(element_name(element)),
    }
    if extents:
        # A flexible array has no extent: nothing of it belongs to the struct.
        entries["shape"] = ArrayAttr([IntAttr(e if isinstance(e, int) else 0) for e in extents])
    if isinstance(element, RecordType):
        entries["layout"] = layout_attribute(element.record)
    return entries


def _extent(extent: int | ct.VariableLength | None) -> str:
    if extent is None:
        return ""
    return str(extent) if isinstance(extent, int) else extent.text
