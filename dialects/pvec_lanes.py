"""Lanes of vectors, and masks of them."""

from __future__ import annotations

from xdsl.dialects.builtin import I1, VectorType, i1
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.hints import isa


def lanes_of(value: SSAValue) -> int:
    """The number of lanes of a value that is known to be a vector."""
    assert isa(value.type, VectorType[Attribute])
    return value.type.get_shape()[0]


def mask_type(lanes: int) -> VectorType[I1]:
    return VectorType(i1, [lanes])
