"""Numbers that all calls of a function pass are known in it.

    static void solve(const float *lu, float *x, int n, int m) { … }      // n is 12, m is 8
    for (b …) solve(T + b * N * N, X + b * N * M, N, M);

Only of functions that nothing but calls in this file can reach: of others there are copies where
that is worth it (`copies_for_numbers.py`). What is known of one function is passed on by it:
callers are looked at until nothing more is found.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects.cmem import AS_WRITTEN, linker_marks
from polyopt.ir.objects.named_symbols import symbols_named_by
from polyopt.passes.prepare.calls.copies_for_numbers import copy_for_numbers
from polyopt.passes.prepare.calls.numbers_passed import give_numbers
from polyopt.support.core_model import CORE
from polyopt.support.record import record

_KEPT_APART = frozenset(("weak", "alias", "optnone", "returns_twice", "section", "target", "used"))


@record
class KnownArgumentsPass(ModulePass):
    """In a private function, use the number that all of its calls pass in place of a parameter.
    Calls that pass small numbers which bound loops, or numbers that loops divide by, go to a
    private copy where there are other ones, unless `copies` is off. A variable that is only ever
    one number is that number where it is passed (`numbers_passed.py`).

    Requires: no copies of functions are kept whose calls do not show, and none have gone into
    others. Ensures: parameters stay, and calls pass what they did; functions whose address is
    taken, and those that may be replaced or reached otherwise, are left alone.

        func.func private @f(%n : i32) {        func.func private @f(%n : i32) {
          … %n … }                                %c = arith.constant 12 … %c … }
        func.call @f(%twelve)              ->   func.call @f(%twelve)
    """

    name = "known-arguments"

    copies: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        give_numbers(op)
        if self.copies:
            self._copy_for_numbers(op)
        functions = _private_functions(op)
        calls = _calls_only(op, functions)
        while any([_use_known(functions[name], own) for name, own in calls.items()]):
            pass

    def _copy_for_numbers(self, module: ModuleOp) -> None:
        only_called = _calls_only(module, _private_functions(module))
        called: dict[str, list[func.CallOp]] = {}
        for op in module.walk():
            if isinstance(op, func.CallOp):
                called.setdefault(op.callee.string_value(), []).append(op)
        room = CORE.code.specialised_repeats
        for function in list(module.ops):
            if isinstance(function, func.FuncOp) and _may_be_copied(function):
                name = function.sym_name.data
                own, is_reached = called.get(name, ()), name not in only_called
                room = copy_for_numbers(function, own, self.name, is_reached=is_reached, room=room)


def _private_functions(module: ModuleOp) -> dict[str, func.FuncOp]:
    return {
        one.sym_name.data: one
        for one in module.ops
        if isinstance(one, func.FuncOp) and one.body.blocks and _is_private(one)
    }


def _may_be_copied(function: func.FuncOp) -> bool:
    if not function.body.blocks or function.attributes.keys() & {AS_WRITTEN, "cmem.variadic"}:
        return False
    return linker_marks(function).keys() <= {"always_inline", "noinline", "aligned"}


def _is_private(function: func.FuncOp) -> bool:
    visibility = function.sym_visibility
    is_reached = visibility is None or visibility.data != "private"
    if is_reached or AS_WRITTEN in function.attributes:
        return False
    return _KEPT_APART.isdisjoint(linker_marks(function))


def _calls_only(
    module: ModuleOp, functions: dict[str, func.FuncOp]
) -> dict[str, list[func.CallOp]]:
    """The calls of each function that is named nowhere else."""
    found: dict[str, list[func.CallOp]] = {name: [] for name in functions}
    for op in module.walk():
        if op is module:
            continue
        if isinstance(op, func.CallOp):
            if (name := op.callee.string_value()) in found:
                found[name].append(op)
            continue
        for name in symbols_named_by(op):
            found.pop(name, None)
    return {name: calls for name, calls in found.items() if calls}


def _use_known(function: func.FuncOp, calls: Sequence[func.CallOp]) -> bool:
    """Is there a parameter more that is known?"""
    block = function.body.blocks.first
    assert block is not None
    is_any = False
    for place, argument in enumerate(block.args):
        passed = {_number(call.arguments[place]) for call in calls}
        number = passed.pop() if len(passed) == 1 else None
        if number is None or not argument.first_use:
            continue
        constant = arith.ConstantOp(number)
        constant.location = function.location
        constant.result.name_hint = argument.name_hint
        argument.replace_all_uses_with(constant.result)
        first = block.first_op
        assert first is not None
        block.insert_op_before(constant, first)
        is_any = True
    return is_any


def _number(value: SSAValue) -> IntegerAttr | None:
    op = value.owner
    if isinstance(op, arith.ConstantOp) and isinstance(op.value, IntegerAttr):
        return op.value
    return None
