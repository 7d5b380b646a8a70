"""The operation that puts two parts of a sum together, from the one that adds a term to the sum."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

_ADDED: Mapping[type[Operation], type[Operation]] = {
    arith.SubfOp: arith.AddfOp,
    arith.SubiOp: arith.AddiOp,
}
"""Parts of what is taken away are negative: they are added."""


def joined(combine: Operation, total: SSAValue, part: SSAValue) -> Operation:
    new = _ADDED.get(type(combine), type(combine)).create(
        operands=[total, part],
        result_types=[total.type],
        properties=dict(combine.properties),
    )
    without_overflow(new)
    return new


def without_overflow(combine: Operation) -> None:
    """A part may overflow where the sum does not: in the end it is the same number of bits."""
    if isinstance(combine, arith.AddiOp | arith.SubiOp | arith.MuliOp):
        combine.properties["overflowFlags"] = arith.IntegerOverflowAttr("none")
