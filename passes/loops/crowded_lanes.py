"""Lanes whose elements share a few sets of the nearest cache, since they lie a multiple of many
lines apart: the elements beside them are gone before they are wanted."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, FixedBitwidthType
from xdsl.ir import SSAValue

from polyopt.dialects.cmem import memref_type
from polyopt.support.core_model import CORE


def are_crowded(array: SSAValue, steps: Sequence[int]) -> bool:
    """Are elements so many `steps` of the subscripts apart known to lie like that?"""
    type_ = memref_type(array)
    shape = type_.get_shape()
    if DYNAMIC_INDEX in shape[1:] or not isinstance(type_.element_type, FixedBitwidthType):
        return False
    distance = 0
    for extent, step in zip(shape, steps, strict=True):
        distance = distance * extent + step
    return distance * type_.element_type.size % CORE.lanes.set_bytes == 0
