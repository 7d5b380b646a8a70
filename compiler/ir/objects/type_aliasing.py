"""Which accesses cannot be to the same memory by what C says of the types of objects (C11 6.5p7):
what is stored as of one type is not read as of another one, but for characters."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects.builtin import IntegerType, ModuleOp
from xdsl.ir import Attribute, Operation
from xdsl.utils.hints import isa

from polyopt.dialects.cmem import STRICT_ALIASING

MOST_CHARACTER_BITS = 8
"""Integers up to this size may be what any object is accessed as."""


def are_types_apart(
    inside: Operation, one: Iterable[Attribute], other: Iterable[Attribute]
) -> bool:
    """Accesses as of the element types `one` touch nothing that those as of the types `other` do,
    of which some write; `inside` is an operation of the module, which says whether its source keeps
    to the rule. Types that C tells apart and the IR does not (`int` and `unsigned`, the types of
    pointers) are one."""
    module = inside.get_toplevel_object()
    if not isinstance(module, ModuleOp) or STRICT_ALIASING not in module.attributes:
        return False
    ones, others = set(one), set(other)
    return not any(map(_is_character, ones | others)) and not ones & others


def _is_character(type: Attribute) -> bool:
    return isa(type, IntegerType) and type.width.data <= MOST_CHARACTER_BITS
