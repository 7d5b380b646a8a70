"""What is cleared, as a value."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import Float32Type, Float64Type, FloatAttr, IntegerAttr, IntegerType
from xdsl.ir import Attribute


def zero_of(type: Attribute) -> arith.ConstantOp | None:
    """What bytes of zeros are as a value of the type."""
    match type:
        case IntegerType():
            return arith.ConstantOp(IntegerAttr(0, type))
        case Float32Type() | Float64Type():
            return arith.ConstantOp(FloatAttr(0.0, type))
        case _:
            return None
