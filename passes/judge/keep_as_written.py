"""keep-as-written: functions with loops as the front end made them, until one knows what pays."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.passes import ModulePass

from polyopt.dialects.poly import AS_WRITTEN
from polyopt.ir.cfg import reverse_postorder


@dataclass(frozen=True)
class KeepAsWrittenPass(ModulePass):
    """Keep a copy of each function that has loops in a module of its own in the module, where no
    pass looks for anything; `keep-what-pays` takes it from there.

    Requires: nothing. Ensures: nothing else changes.

        func.func @f(%n: i32) { … }
      =>
        func.func @f(%n: i32) { … }
        builtin.module attributes {poly.as_written} { func.func @f(%n: i32) { … } }
    """

    name = "keep-as-written"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        kept = [
            function.clone()
            for function in op.ops
            if isinstance(function, func.FuncOp) and _has_loops(function)
        ]
        if kept:
            op.body.block.add_op(ModuleOp(kept, {AS_WRITTEN: UnitAttr()}))


def kept_functions(module: ModuleOp) -> dict[str, func.FuncOp]:
    """By their names."""
    return {
        function.sym_name.data: function
        for op in module.ops
        if isinstance(op, ModuleOp) and AS_WRITTEN in op.attributes
        for function in op.ops
        if isinstance(function, func.FuncOp)
    }


def give_back(function: func.FuncOp, written: func.FuncOp) -> None:
    """`function` gets the body that it had."""
    old = function.detach_region(function.body)
    function.add_region(written.detach_region(written.body))
    old.erase()


def _has_loops(function: func.FuncOp) -> bool:
    """Is there an edge back?"""
    first = function.body.blocks.first
    if first is None:
        return False
    order = reverse_postorder(first)
    number = {block: k for k, block in enumerate(order)}
    return any(
        number[target] <= number[block]
        for block in order
        if block.last_op is not None
        for target in block.last_op.successors
    )
