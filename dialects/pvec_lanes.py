"""Lanes of vectors, and masks of them."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import I1, VectorType, i1
from xdsl.ir import Attribute, SSAValue


def lanes_of(value: SSAValue) -> int:
    """The number of lanes of a value that is known to be a vector."""
    return vector_type(value).get_shape()[0]


def vector_type(value: SSAValue) -> VectorType[Attribute]:
    """The type of a value that is known to be a vector. xDSL's `isa` makes a constraint of the
    parameter for each question, and every vector meets that one."""
    type_ = value.type
    assert isinstance(type_, VectorType)
    return cast("VectorType[Attribute]", type_)


def mask_type(lanes: int) -> VectorType[I1]:
    return VectorType(i1, [lanes])
