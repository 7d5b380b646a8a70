"""cmem: what machine code makes of values, told by hand."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import Float32Type, Float64Type
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException


@irdl_op_definition
class ApartOp(IRDLOperation):
    """The same number, in a register of its own: LLVM puts it in no vector with others, and folds
    nothing across it. It is no instruction."""

    name = "cmem.apart"
    T: ClassVar = VarConstraint("T", AnyAttr())
    value = operand_def(T)
    result = result_def(T)
    traits = traits_def(Pure())
    assembly_format = "$value attr-dict `:` type($value)"

    def __init__(self, value: SSAValue | Operation):
        number = SSAValue.get(value)
        super().__init__(operands=[number], result_types=[number.type])

    def verify_(self) -> None:
        if not isinstance(self.value.type, Float32Type | Float64Type):
            raise VerifyException("an f32 or f64 is kept apart, nothing else")
