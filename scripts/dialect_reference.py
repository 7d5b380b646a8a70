"""Write docs/dialects.md from the definitions of the dialects; `--check` only says if it is
current."""

from __future__ import annotations

import sys
from importlib import import_module
from inspect import cleandoc
from pathlib import Path

from generated import keep
from xdsl.dialects.builtin import ArrayOfConstraint, SymbolNameConstraint, UnitAttr
from xdsl.ir import Attribute, Dialect, Operation, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import (
    AnyAttr,
    AnyOf,
    BaseAttr,
    EqAttrConstraint,
    IRDLOperation,
    MessageConstraint,
    OptionalDef,
    ParamAttrConstraint,
    RangeLengthConstraint,
    RangeOf,
    VariadicDef,
)

from polyopt.universe import DIALECTS, resolve

TARGET = Path(__file__).resolve().parent.parent / "docs" / "dialects.md"
HEAD = """# The dialects

Written by `python scripts/dialect_reference.py` from their definitions; a test keeps it current.
What is missing here is xDSL's own: `func`, `cf`, `arith`, `math`, `memref`, `affine`, `scf`,
`vector`, `omp`.
`?` stands for one or none, `*` for any number. `xdsl-opt` and other xDSL tools know all of them.
"""


def reference() -> str:
    parts = [HEAD]
    for name, place in DIALECTS.items():
        dialect = resolve(place)
        assert isinstance(dialect, Dialect)
        module = import_module(place.partition(":")[0])
        parts.append(f"## {name}\n\n{cleandoc(module.__doc__ or '')}\n")
        parts += [attribute_entry(one) for one in dialect.attributes]
        parts += [operation_entry(one) for one in dialect.operations]
    return "\n".join(parts)


def attribute_entry(kind: type[Attribute]) -> str:
    sign = "!" if issubclass(kind, TypeAttribute) else "#"
    lines = [f"### `{sign}{kind.name}`", ""]
    if kind.__dict__.get("__doc__"):
        lines += [cleandoc(kind.__doc__ or ""), ""]
    if issubclass(kind, ParametrizedAttribute):
        given = kind.get_irdl_definition().parameters
        rows = [f"| `{name}` | {_constraint(one.constr)} |" for name, one in given]
        lines += ["| parameter | is |", "|---|---|", *rows, ""] if rows else []
    return "\n".join(lines)


def operation_entry(kind: type[Operation]) -> str:
    assert issubclass(kind, IRDLOperation)
    definition = kind.get_irdl_definition()
    lines = [f"### `{kind.name}`", ""]
    if kind.__dict__.get("__doc__"):
        lines += [cleandoc(kind.__doc__ or ""), ""]
    parts = {
        "operand": definition.operands,
        "result": definition.results,
        "property": definition.properties.items(),
        "attribute": definition.attributes.items(),
    }
    rows = [
        f"| {part} | `{name}`{_count(one)} | {_constraint(one.constr)} |"
        for part, all_of_them in parts.items()
        for name, one in all_of_them
    ]
    places = {"region": definition.regions, "successor": definition.successors}
    for part, all_of_them in places.items():
        rows += [f"| {part} | `{name}`{_count(one)} | |" for name, one in all_of_them]
    lines += ["| | name | is |", "|---|---|---|", *rows, ""] if rows else []
    if definition.assembly_format:
        lines += [f"Syntax: ``{kind.name} {' '.join(definition.assembly_format.split())}``", ""]
    if traits := sorted(type(one).__name__ for one in kind.traits.traits):
        lines += [f"Traits: {', '.join(traits)}.", ""]
    return "\n".join(lines)


def _count(one: object) -> str:
    if isinstance(one, OptionalDef):
        return "?"
    return "*" if isinstance(one, VariadicDef) else ""


def _constraint(one: object) -> str:
    text = _plain(one)
    return f"`{text}`" if text else ""


def _plain(one: object) -> str:
    match one:
        case BaseAttr(attr):
            return "any" if attr is Attribute else _name(attr)
        case EqAttrConstraint(attr):
            return "unit" if isinstance(attr, UnitAttr) else str(attr)
        case ParamAttrConstraint():
            return _name(one.base_attr)
        case RangeLengthConstraint():
            return _plain(one.constraint)
        case RangeOf() | MessageConstraint():
            return _plain(one.constr)
        case ArrayOfConstraint():
            return f"array of {_plain(one.elem_range_constraint)}".removesuffix(" of ")
        case SymbolNameConstraint():
            return "symbol"
        case AnyAttr():
            return "any"
        case AnyOf():
            return " or ".join(filter(None, map(_plain, one.attr_constrs)))
        case _:
            return ""


def _name(kind: type[Attribute]) -> str:
    return getattr(kind, "name", kind.__name__)


if __name__ == "__main__":
    sys.exit(keep(__doc__, {TARGET: reference}))
