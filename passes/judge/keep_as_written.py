"""keep-as-written: functions with loops as the front end made them, until one knows what pays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping
from math import inf

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr, UnitAttr
from xdsl.ir import Region
from xdsl.passes import ModulePass

from polyopt.dialects.poly import AS_WRITTEN, COPY_OF
from polyopt.ir.control.cfg import reverse_postorder
from polyopt.passes.judge.in_vain import AS_WRITTEN_TRIAL
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.remarks import begin_trial


@record
class KeepAsWrittenPass(ModulePass):
    """Keep a copy of each function that has loops in a module of its own in the module, where no
    pass looks for anything; `keep-what-pays` takes it from there.

    Requires: nothing. Ensures: nothing else changes. What those functions call is declared there.

        func.func @f(%n: i32) { … }
      =>
        func.func @f(%n: i32) { … }
        builtin.module attributes {poly.as_written} { func.func @f(%n: i32) { … } }
    """

    name = "keep-as-written"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        begin_trial(AS_WRITTEN_TRIAL)
        kept = [
            function.clone()
            for function in op.ops
            if isinstance(function, func.FuncOp) and _has_loops(function)
        ]
        if kept:
            others = [_declaration(one) for one in _called(kept, op)]
            op.body.block.add_op(ModuleOp([*kept, *others], {AS_WRITTEN: UnitAttr()}))


def _called(kept: list[func.FuncOp], module: ModuleOp) -> list[func.FuncOp]:
    """The functions of the module that those kept call or let a team run, and that are not kept
    themselves."""
    names = {function.sym_name.data for function in kept}
    called = {
        callee.string_value()
        for function in kept
        for op in function.walk()
        if isinstance(callee := op.get_attr_or_prop("callee"), SymbolRefAttr)
    }
    return [
        function
        for function in module.ops
        if isinstance(function, func.FuncOp) and function.sym_name.data in called - names
    ]


def _declaration(function: func.FuncOp) -> func.FuncOp:
    return func.FuncOp(function.sym_name.data, function.function_type, Region(), "private")


def kept_functions(module: ModuleOp) -> dict[str, func.FuncOp]:
    """By their names."""
    return {
        function.sym_name.data: function
        for op in module.ops
        if isinstance(op, ModuleOp) and AS_WRITTEN in op.attributes
        for function in op.ops
        if isinstance(function, func.FuncOp) and not function.is_declaration
    }


def give_back(function: func.FuncOp, written: func.FuncOp) -> None:
    """`function` gets the body that it had."""
    old = function.detach_region(function.body)
    function.add_region(written.detach_region(written.body))
    old.erase()


def call_originals(
    module: ModuleOp, given_back: Container[str], expected: Mapping[str, float]
) -> None:
    """Copies of functions for numbers that calls pass go where nothing was made of the copy or of
    what it is a copy of: the compiler behind us does as well or better with one function. So does
    the only copy of one of which something was made that is `expected` to take less, for the same
    numbers, than the compiler behind us does with the copy (a triangular system with 30 right sides
    in rows: 22 us as the compiler unrolls it, 18.5 in vectors for any number of them)."""
    functions = {one.sym_name.data: one for one in module.ops if isinstance(one, func.FuncOp)}
    copies = {
        name: original
        for name, function in functions.items()
        if isinstance(original := function.attributes.get(COPY_OF), StringAttr)
    }
    counts = Counter(original.data for original in copies.values())
    originals: dict[str, SymbolRefAttr] = {}
    for name, original in copies.items():
        is_better = counts[original.data] == 1 and expected.get(
            original.data, inf
        ) < CORE.nests.plain * expected.get(name, 0.0)
        if name in given_back and (original.data in given_back or is_better):
            originals[name] = SymbolRefAttr(original)
    if not originals:
        return
    for call in (op for one in functions.values() for op in one.walk()):
        if isinstance(call, func.CallOp):
            call.callee = originals.get(call.callee.string_value(), call.callee)
    for name in originals:
        functions[name].detach()
        functions[name].erase()


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
