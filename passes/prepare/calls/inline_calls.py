"""Calls of small functions become what the functions compute."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects.cmem import linker_marks
from polyopt.dialects.locations import span_of
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.effects import is_pure
from polyopt.ir.functions import functions_near_loops
from polyopt.passes.prepare.branches.if_convert import convert_branches
from polyopt.passes.prepare.values.clean_values import clean_values
from polyopt.passes.prepare.values.parts_of_values import fold_parts
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.remarks import remark


@record
class InlineCallsPass(ModulePass):
    """Put the operations of a function in the place of its calls.

    A loop with a call in it is no static control part, since the call may do anything. What is
    inlined is one block of at most `largest` operations that compute, load and store.

    Requires: variables are values (promote-scalars) and branches selections (if-convert) where
    they can be. Ensures: no call is left of a function that consisted, after calls in it were
    inlined, of such a block; nothing else changes in functions without such calls.

        func.func @least(%a: i32, %b: i32) …      %c = arith.cmpi slt, %x, %y : i32
        %m = func.call @least(%x, %y)        =>    %m = arith.select %c, %x, %y : i32
    """

    name = "inline-calls"

    largest: int = CORE.code.inlined

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = functions_near_loops(op)
        for function in functions:
            if fold_parts(function):  # what selections choose of, now that branches are some
                clean_values(ControlFlow(function.body))
        pending = functions
        while pending:
            small = {one.sym_name.data: one for one in functions if _is_small(one, self.largest)}
            pending = [one for one in functions if _inline(one, small)]
            for function in pending:
                fold_parts(function)
                clean_values(ControlFlow(function.body))
                convert_branches(function)


def _is_small(function: func.FuncOp, largest: int) -> bool:
    if not linker_marks(function).keys().isdisjoint(("weak", "noinline", "optnone", "target")):
        return False  # another file may define it otherwise, or it is to stay a function
    first = function.body.blocks.first
    if first is None or first is not function.body.blocks.last:
        return False
    *operations, last = first.ops
    return (
        isinstance(last, func.ReturnOp)
        and len(operations) <= largest
        and all(is_pure(op) or isinstance(op, memref.LoadOp | memref.StoreOp) for op in operations)
    )


def _inline(function: func.FuncOp, small: Mapping[str, func.FuncOp]) -> bool:
    """Was there such a call?"""
    calls = [
        op
        for op in function.walk()
        if isinstance(op, func.CallOp) and op.callee.string_value() in small
    ]
    for call in calls:
        _replace(call, small[call.callee.string_value()])
    return bool(calls)


def _replace(call: func.CallOp, callee: func.FuncOp) -> None:
    block = call.parent
    assert block is not None
    name = callee.sym_name.data
    remark("applied", InlineCallsPass.name, f"call of {name} inlined", span_of(call))
    values: dict[SSAValue, SSAValue] = dict(
        zip(callee.body.block.args, call.arguments, strict=True)
    )
    for op in callee.body.block.ops:
        if isinstance(op, func.ReturnOp):
            for old, new in zip(call.res, op.arguments, strict=True):
                result = values.get(new, new)
                result.name_hint = result.name_hint or old.name_hint
                old.replace_all_uses_with(result)
        else:
            block.insert_op_before(op.clone(values), call)
    block.erase_op(call)
