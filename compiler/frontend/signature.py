"""What a function's C declaration says of its parameters, as `cmem.parameters` keeps it."""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr, UnitAttr
from xdsl.ir import Attribute

from polyopt.frontend import c_types as ct
from polyopt.frontend.c_types import ArrayType, PointerType
from polyopt.frontend.ir_types import element_name
from polyopt.frontend.spelling import spell_expression
from polyopt.frontend.typed_tree import Symbol


def parameter_attribute(symbol: Symbol) -> DictionaryAttr:
    declared = symbol.declared or symbol.type
    if isinstance(symbol.type, PointerType) and isinstance(symbol.type.target, ArrayType):
        # `double (*a)[n]` is an array of unknown length, as `double a[][n]` is.
        length = declared.length if isinstance(declared, ArrayType) else None
        declared = ArrayType(symbol.type.target, length)
    extents, element = ct.array_shape(declared)
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
    if kind == "array":
        entries["shape"] = ArrayAttr([StringAttr(_extent(e)) for e in extents])
    return DictionaryAttr(entries)


def _extent(extent: int | ct.VariableLength | None) -> str:
    if extent is None:
        return ""
    return str(extent) if isinstance(extent, int) else spell_expression(extent.value) or ""
