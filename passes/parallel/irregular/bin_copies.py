"""Copies of bins, one for each part: where they are, what they begin with, how two come together.

copies of 10 bins of ints:  |0 … 9 . . . . . .|0 … 9 . . . . . .|     whole cache lines each
"""

from __future__ import annotations

from xdsl.dialects.builtin import (
    AnyFloat,
    FixedBitwidthType,
    FloatAttr,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.hints import isa

from polyopt.passes.parallel.irregular.block_code import BlockCode
from polyopt.passes.parallel.irregular.shared_bins import SharedBins
from polyopt.passes.parallel.irregular.shared_updates import SharedUpdate
from polyopt.passes.parallel.irregular.sums_of_parts import combined, neutral
from polyopt.support.record import record


@record(eq=False)
class BinCopies:
    """`array` has `step` elements for each part, of which the first `count` are the copy of the
    bins from `first` on."""

    bins: SharedBins
    array: SSAValue
    count: SSAValue
    step: SSAValue
    first: SSAValue


def combine(at: BlockCode, update: SharedUpdate, sofar: SSAValue, more: SSAValue) -> SSAValue:
    (*_, value) = [at.value(op) for op in combined(update, sofar, more)]
    return value


def start_of_copy(update: SharedUpdate) -> Attribute:
    """What a copy begins with; of sums 0, which memory is cleared to at once."""
    element = update.result.type
    if update.kind == "add" and isa(element, AnyFloat):
        return FloatAttr(0.0, element)
    return neutral(update)


def element_bytes(element: Attribute) -> int:
    assert isinstance(element, FixedBitwidthType)
    return element.size
