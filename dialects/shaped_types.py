"""Whether a type is one of memrefs, or of vectors, whatever their elements.

xDSL's `isa` asks it of `MemRefType[Attribute]`, too, by a constraint that it makes of the parameter
for each question: a quarter of the time of a test that verifies each step.
"""

from __future__ import annotations

from typing import TypeGuard

from xdsl.dialects.builtin import MemRefType, VectorType
from xdsl.ir import Attribute


def is_memref(type: Attribute) -> TypeGuard[MemRefType[Attribute]]:
    return isinstance(type, MemRefType)


def is_vector(type: Attribute) -> TypeGuard[VectorType[Attribute]]:
    return isinstance(type, VectorType)
