"""What is cleared, as a value."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import Float32Type, Float64Type, FloatAttr, IntegerAttr, IntegerType, i64
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, Operation

from polyopt.dialects import cmem


def zero_of(type: Attribute) -> list[Operation]:
    """What bytes of zeros are as a value of the type: operations, the last of which gives it;
    none where there is no such value."""
    match type:
        case IntegerType():
            return [arith.ConstantOp(IntegerAttr(0, type))]
        case Float32Type() | Float64Type():
            return [arith.ConstantOp(FloatAttr(0.0, type))]
        case LLVMPointerType():
            zero = arith.ConstantOp(IntegerAttr(0, i64))
            return [zero, cmem.IntToPtrOp(zero)]
        case _:
            return []
