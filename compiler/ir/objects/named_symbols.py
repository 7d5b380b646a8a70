"""Which functions and globals an operation names: by a call, by their address, in the value of a
global, as what it is another name of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, SymbolRefAttr
from xdsl.ir import Attribute, Operation

from polyopt.dialects.cmem import linker_marks


def symbols_named_by(op: Operation) -> Iterator[str]:
    """By this operation alone, not by those in it; one is named as often as it stands there."""
    if "alias" in (marks := linker_marks(op)):
        yield marks["alias"]
    for attributes in (op.properties, op.attributes):
        for attribute in attributes.values():
            yield from _named_in(attribute)


def _named_in(attribute: Attribute) -> Iterator[str]:
    if isinstance(attribute, SymbolRefAttr):
        yield attribute.string_value()
    elif isinstance(attribute, ArrayAttr):
        for one in cast("ArrayAttr[Attribute]", attribute):
            yield from _named_in(one)
