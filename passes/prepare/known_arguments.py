"""Numbers that all calls of a function pass are known in it.

    static void solve(const float *lu, float *x, int n, int m) { … }      // n is 12, m is 8
    for (b …) solve(T + b * N * N, X + b * N * M, N, M);

Only of functions that nothing but calls in this file can reach. What is known of one function is
passed on by it: callers are looked at until nothing more is found.

Of a function that others can reach, too, the calls of this file get a copy where that tells how
far a loop goes or what a branch does: `oy * stride < h` is affine for a stride that is a number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from xdsl.context import Context
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects.cmem import AS_WRITTEN, linker_marks
from polyopt.ir.steering import multiplies_in_branches
from polyopt.support.record import record

_KEPT_APART = frozenset(("weak", "alias", "optnone", "returns_twice", "section", "used"))


@record
class KnownArgumentsPass(ModulePass):
    """In a private function, use the number that all of its calls pass in place of a parameter.

    Requires: no copies of functions are kept whose calls do not show, and none have gone into
    others. Ensures: parameters stay, and calls pass what they did; functions whose address is
    taken, and those that may be replaced or reached otherwise, are left alone.

        func.func private @f(%n : i32) {        func.func private @f(%n : i32) {
          … %n … }                                %c = arith.constant 12 … %c … }
        func.call @f(%twelve)              ->   func.call @f(%twelve)

    A public function in which such a number times a variable decides on branches is copied for
    the calls.
    """

    name = "known-arguments"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = {
            one.sym_name.data: one
            for one in op.ops
            if isinstance(one, func.FuncOp) and one.body.blocks and _is_private(one)
        }
        functions |= _copies(op)
        calls = _calls_only(op, functions)
        while any([_use_known(functions[name], own) for name, own in calls.items()]):
            pass


def _copies(module: ModuleOp) -> dict[str, func.FuncOp]:
    """Private copies of the public functions that have a number to gain, which are called now."""
    public = {
        one.sym_name.data: one
        for one in module.ops
        if isinstance(one, func.FuncOp) and one.body.blocks and _may_be_copied(one)
    }
    symbols = (one.get_attr_or_prop("sym_name") for one in module.ops)
    taken = {name.data for name in symbols if isinstance(name, StringAttr)}
    copies: dict[str, func.FuncOp] = {}
    for name, calls in _calls_only(module, public).items():
        function = public[name]
        if any(call.parent_op() is function for call in calls):
            continue
        entry = function.body.blocks.first
        assert entry is not None
        own = f"{name}.known"
        if own in taken or not any(
            _passed(calls, place) and multiplies_in_branches(one)
            for place, one in enumerate(entry.args)
        ):
            continue
        copy = function.clone()
        copy.properties["sym_name"] = StringAttr(own)
        copy.properties["sym_visibility"] = StringAttr("private")
        module.body.block.insert_op_after(copy, function)
        for call in calls:
            call.properties["callee"] = SymbolRefAttr(own)
        copies[own] = copy
    return copies


def _may_be_copied(function: func.FuncOp) -> bool:
    visibility = function.sym_visibility
    is_private = visibility is not None and visibility.data == "private"
    is_left = is_private or AS_WRITTEN in function.attributes
    return not is_left and not linker_marks(function)


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
        if op is module or isinstance(op, func.FuncOp):
            continue
        if isinstance(op, func.CallOp):
            if (name := op.callee.string_value()) in found:
                found[name].append(op)
            continue
        for attribute in (*op.properties.values(), *op.attributes.values()):
            for name in _named_in(attribute):
                found.pop(name, None)
    return {name: calls for name, calls in found.items() if calls}


def _named_in(attribute: Attribute) -> Iterator[str]:
    """The functions that an operation names, and those whose addresses are in a global."""
    if isinstance(attribute, SymbolRefAttr):
        yield attribute.string_value()
    elif isinstance(attribute, ArrayAttr):
        for one in cast("ArrayAttr[Attribute]", attribute):
            yield from _named_in(one)


def _use_known(function: func.FuncOp, calls: Sequence[func.CallOp]) -> bool:
    """Is there a parameter more that is known?"""
    block = function.body.blocks.first
    assert block is not None
    is_any = False
    for place, argument in enumerate(block.args):
        number = _passed(calls, place)
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


def _passed(calls: Sequence[func.CallOp], place: int) -> IntegerAttr | None:
    """The number that all calls pass."""
    passed = {_number(call.arguments[place]) for call in calls}
    return passed.pop() if len(passed) == 1 else None


def _number(value: SSAValue) -> IntegerAttr | None:
    op = value.owner
    if isinstance(op, arith.ConstantOp) and isinstance(op.value, IntegerAttr):
        return op.value
    return None
