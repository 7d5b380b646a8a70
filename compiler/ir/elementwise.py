"""Operations with the same meaning lane by lane on vectors, and those that reduce lanes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    Float32Type,
    Float64Type,
    FloatAttr,
    IntegerAttr,
    IntegerType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.ir.effects import is_speculatable, is_wide

COMBINERS: dict[type[Operation], str] = {
    arith.AddfOp: "add",
    arith.SubfOp: "add",
    arith.AddiOp: "add",
    arith.SubiOp: "add",
    arith.MulfOp: "mul",
    arith.MuliOp: "mul",
    arith.MaxnumfOp: "maxnumf",
    arith.MinnumfOp: "minnumf",
    arith.MaximumfOp: "maximumf",
    arith.MinimumfOp: "minimumf",
    arith.MaxSIOp: "maxsi",
    arith.MinSIOp: "minsi",
    arith.MaxUIOp: "maxui",
    arith.MinUIOp: "minui",
    arith.AndIOp: "and",
    arith.OrIOp: "or",
    arith.XOrIOp: "xor",
}
"""The operation of an accumulation, and the name of the reduction of its lanes."""

_GREATEST: dict[type[Attribute], float] = {
    Float32Type: (2 - 2**-23) * 2.0**127,
    Float64Type: (2 - 2**-52) * 2.0**1023,
}

_ROUNDINGS = frozenset(f"math.{name}" for name in "floor ceil trunc round".split())
_ELEMENTWISE_MATH = _ROUNDINGS | {f"math.{name}" for name in "sqrt absf fma ctpop copysign".split()}
"""Single instructions, or a few of them."""
_OLDEST_BITS = 128
_EXACT_BITS = 32
"""Of integers that a double holds; of their quotients truncation makes what it makes of the exact
ones, which are no nearer to the next integer than a part in 2^32."""
_TRAPPING = (arith.DivSIOp, arith.DivUIOp, arith.RemSIOp, arith.RemUIOp)


def has_lanes(op: Operation) -> bool:
    """Has `op` the same meaning lane by lane on vectors, and may a lane be computed in vain?"""
    if isinstance(op, arith.ConstantOp):
        return is_element(op.result.type)
    if op.regions or (isinstance(op, _TRAPPING) and not is_speculatable(op)):
        return False
    if not (op.name.startswith("arith.") or op.name in _ELEMENTWISE_MATH):
        return False
    return all(is_element(value.type) for value in (*op.operands, *op.results))


def calls_to_round(root: Operation, vector_bits: int) -> bool:
    """Does anything in it round to an integer where that is a call of libm, for each lane? SSE4.1
    has instructions, which longer vectors came after (distances in a periodic box with vectors of
    128 bits: 2.36 ms, in lanes 2.55)."""
    return vector_bits <= _OLDEST_BITS and any(op.name in _ROUNDINGS for op in root.walk())


def is_quotient(op: Operation) -> bool:
    """Is it a quotient or rest of integers that a lane may compute in vain, through floating-point
    numbers (`pvec.quotient`)? Of longer ones these do not hold all bits."""
    if not isinstance(op, _TRAPPING) or is_speculatable(op):
        return False
    type_ = op.result.type
    return isinstance(type_, IntegerType) and type_.width.data <= _EXACT_BITS


def is_element(type_: Attribute) -> bool:
    """Has a vector lanes of this type?"""
    return not is_wide(type_) and isinstance(type_, (Float32Type, Float64Type, IntegerType))


def neutral_of(reduction: str, element: Attribute, *, is_finite: bool) -> Attribute:
    """What does not change a value that it is combined with; `is_finite`: that all values are."""
    if isa(element, IntegerType):
        width = element.width.data
        values = {
            "mul": 1,
            "and": -1,
            "minui": -1,
            "maxsi": -(1 << (width - 1)),
            "minsi": (1 << (width - 1)) - 1,
        }
        return IntegerAttr(values.get(reduction, 0), element)
    greatest = _GREATEST[type(element)] if is_finite else math.inf
    value = {"add": -0.0, "mul": 1.0, "max": -greatest, "min": greatest}[reduction[:3]]
    return FloatAttr(value, cast(AnyFloat, element))


def on_others(
    op: Operation,
    operands: Sequence[SSAValue],
    types: Sequence[Attribute],
    kind: type[Operation] | None = None,
) -> Operation:
    """The operation (or one of `kind`) on other operands, such as vectors, for results of these
    types, at the same place of the source."""
    return (kind or type(op)).create(
        operands=operands,
        result_types=types,
        properties=op.properties.copy(),
        attributes=op.attributes.copy(),
        location=op.location,
    )
