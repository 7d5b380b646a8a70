"""Operations with the same meaning lane by lane on vectors, and those that reduce lanes."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import Float32Type, Float64Type, IntegerType
from xdsl.ir import Attribute, Operation

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

_ELEMENTWISE_MATH = ("math.sqrt", "math.absf", "math.fma")
_TRAPPING = (arith.DivSIOp, arith.DivUIOp, arith.RemSIOp, arith.RemUIOp)


def has_lanes(op: Operation) -> bool:
    """Has `op` the same meaning lane by lane on vectors, and may a lane be computed in vain?"""
    if isinstance(op, arith.ConstantOp):
        return _is_element(op.result.type)
    if isinstance(op, _TRAPPING) or op.regions:
        return False
    if not (op.name.startswith("arith.") or op.name in _ELEMENTWISE_MATH):
        return False
    return all(_is_element(value.type) for value in (*op.operands, *op.results))


def _is_element(type_: Attribute) -> bool:
    return isinstance(type_, (Float32Type, Float64Type, IntegerType))
