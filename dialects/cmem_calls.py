"""cmem: calls that `func` has no operations for, and variable arguments."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    I64,
    ArrayAttr,
    FlatSymbolRefAttrConstr,
    IntegerAttr,
    SymbolRefAttr,
    f64,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from polyopt.dialects.cmem_types import PTR


@irdl_op_definition
class CallVariadicOp(IRDLOperation):
    """A call of a variadic function: the first `fixed` arguments are declared, the rest are
    already promoted (C 6.5.2.2). The callee is declared by a `func.func` that has the
    attribute `cmem.variadic`. The attribute `arg_attrs`, as that of a `func.func`, speaks of
    the variable arguments."""

    name = "cmem.call_variadic"
    callee = prop_def(FlatSymbolRefAttrConstr)
    fixed = prop_def(IntegerAttr[I64])
    arguments = var_operand_def()
    res = var_result_def()
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$callee `fixed` $fixed `(` $arguments `)` attr-dict `:` functional-type($arguments, $res)"
    )

    def __init__(
        self,
        callee: str,
        fixed: int,
        arguments: Sequence[SSAValue | Operation],
        result_types: Sequence[Attribute],
    ):
        super().__init__(
            operands=[arguments],
            properties={"callee": SymbolRefAttr(callee), "fixed": IntegerAttr(fixed, i64)},
            result_types=[result_types],
        )


@irdl_op_definition
class CallIndirectOp(IRDLOperation):
    """A call through a function pointer. `variadic_from` is the number of fixed arguments where
    the type called is variadic. The attribute `arg_attrs` is as that of a `func.func`."""

    name = "cmem.call_indirect"
    callee = operand_def(PTR)
    arguments = var_operand_def()
    variadic_from = opt_prop_def(IntegerAttr[I64])
    res = var_result_def()
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$callee (`fixed` $variadic_from^)? `(` $arguments `)` attr-dict `:` "
        "functional-type($arguments, $res)"
    )

    def __init__(
        self,
        callee: SSAValue | Operation,
        arguments: Sequence[SSAValue | Operation],
        result_types: Sequence[Attribute],
        variadic_from: int | None = None,
    ):
        fixed = None if variadic_from is None else IntegerAttr(variadic_from, i64)
        super().__init__(
            operands=[callee, arguments],
            properties={"variadic_from": fixed},
            result_types=[result_types],
        )


@irdl_op_definition
class VaStartOp(IRDLOperation):
    """Make the `va_list` at `list` begin with the first variable argument of this function, which
    has the attribute `cmem.variadic`."""

    name = "cmem.va_start"
    list = operand_def(PTR)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$list attr-dict"

    def __init__(self, list: SSAValue | Operation):
        super().__init__(operands=[list])


@irdl_op_definition
class VaArgOp(IRDLOperation):
    """Where the next argument of the `va_list` at `list` lies; the list goes on behind it. An
    argument that travels in registers where there are enough has a part for each: i64 or f64 (in
    whose register a float lies too). It can be read until this operation is executed again."""

    name = "cmem.va_arg"
    list = operand_def(PTR)
    parts = prop_def(ArrayAttr[Attribute])
    size = prop_def(IntegerAttr[I64])
    alignment = prop_def(IntegerAttr[I64])
    result = result_def(PTR)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$list `parts` $parts `size` $size `align` $alignment attr-dict"

    def __init__(
        self, list: SSAValue | Operation, parts: Sequence[Attribute], size: int, alignment: int
    ):
        super().__init__(
            operands=[list],
            properties={
                "parts": ArrayAttr(parts),
                "size": IntegerAttr(size, i64),
                "alignment": IntegerAttr(alignment, i64),
            },
            result_types=[PTR],
        )

    def verify_(self) -> None:
        if any(part not in (i64, f64) for part in self.parts):
            raise VerifyException("expected parts of type i64 or f64")
        if len(self.parts) > 2:
            raise VerifyException("expected at most two parts")
        if self.parts and self.size.value.data > 8 * len(self.parts):
            raise VerifyException("expected parts for all bytes")
