"""keep-as-written: functions with loops as the front end made them, until one knows what pays, and
for good those that have nothing to do with any."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Mapping
from math import inf

from xdsl.context import Context
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import (
    IndexType,
    IntegerType,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
)
from xdsl.ir import Operation, Region, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects.cmem import PTR
from polyopt.dialects.poly import AS_WRITTEN, COPY_OF, FAR_FROM_LOOPS
from polyopt.ir.control.cfg import reverse_postorder
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import constant_integer
from polyopt.ir.functions import is_far_from_loops
from polyopt.ir.idioms.unknown_calls import UnknownCalls
from polyopt.passes.judge.in_vain import AS_WRITTEN_TRIAL
from polyopt.passes.prepare.loop_forms.summed_bits import may_sum_bits
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.remarks import begin_trial


@record
class KeepAsWrittenPass(ModulePass):
    """Keep a copy of each function that has loops in a module of its own in the module, where no
    pass looks for anything; `keep-what-pays` takes it from there. Functions without loops are
    marked that none with loops calls, at whatever distance, and that tell none with loops anything
    by what they pass: no pass prepares anything in them (`ir/functions.py`), but where bits are
    counted.

    Requires: nothing. Ensures: nothing else changes. What those functions call is declared there.

        func.func @f(%n: i32) { … }
        func.func @g() { … }
      =>
        func.func @f(%n: i32) { … }
        func.func @g() attributes {poly.far_from_loops} { … }
        builtin.module attributes {poly.as_written} { func.func @f(%n: i32) { … } }
    """

    name = "keep-as-written"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        begin_trial(AS_WRITTEN_TRIAL)
        functions = [one for one in op.ops if isinstance(one, func.FuncOp) and one.body.blocks]
        with_loops = [one for one in functions if _has_loops(one)]
        unknown = UnknownCalls(op)
        loops = {one: unknown.around(one) for one in with_loops}
        hopeful = {one: has.hopeful for one, has in loops.items() if not has.are_hopeless}
        for function in _far_from(hopeful, functions):
            function.attributes[FAR_FROM_LOOPS] = UnitAttr()
        kept = [one.clone() for one in with_loops if not is_far_from_loops(one)]
        if kept:
            others = [_declaration(one) for one in _called(kept, op)]
            op.body.block.add_op(ModuleOp([*kept, *others], {AS_WRITTEN: UnitAttr()}))


def _far_from(
    hopeful: Mapping[func.FuncOp, list[NaturalLoop]], functions: list[func.FuncOp]
) -> list[func.FuncOp]:
    """Those that no `hopeful` loop calls, at whatever distance, and that call no function with one
    or, a few calls further, pass it nothing that may say how long its loops are, or that its arrays
    are apart."""
    read = {one.sym_name.data: _read(one) for one in functions}
    names = {one.sym_name.data for one in hopeful}
    names |= {name for name, one in read.items() if one.may_gain}
    called = {name: one.called & read.keys() for name, one in read.items()}
    telling = {name: set[str]() for name in read}
    for name, one in read.items():
        for callee in one.told & read.keys():
            telling[callee].add(name)
    inside = _called_in(hopeful) & read.keys()
    near = names | _reached(inside, called) | _reached(names, telling, CORE.nests.callers)
    return [one for one in functions if one.sym_name.data not in near]


def _called_in(hopeful: Mapping[func.FuncOp, list[NaturalLoop]]) -> set[str]:
    return {
        callee.string_value()
        for loops in hopeful.values()
        for block in dict.fromkeys(block for loop in loops for block in loop.blocks)
        for op in block.ops
        if isinstance(callee := op.get_attr_or_prop("callee"), SymbolRefAttr)
    }


def _reached(
    names: Collection[str], edges: Mapping[str, set[str]], steps: int | None = None
) -> set[str]:
    found, last = set(names), set(names)
    while last and steps != 0:
        last = {target for name in last for target in edges[name]} - found
        found |= last
        steps = None if steps is None else steps - 1
    return found


@record
class _Read:
    """Whom a function calls, and whom of these it tells something by what it passes. `may_gain`:
    what is nested in the function may be loops, or it may count bits."""

    called: set[str]
    told: set[str]
    may_gain: bool


def _read(function: func.FuncOp) -> _Read:
    called, told, constants, has_nests = set[str](), set[str](), list[SSAValue](), False
    for op in function.body.walk():
        has_nests |= bool(op.regions)
        if isinstance(op, arith.ConstantOp):
            constants.append(op.result)
        elif isinstance(callee := op.get_attr_or_prop("callee"), SymbolRefAttr):
            called.add(callee.string_value())
            if _tells(op):
                told.add(callee.string_value())
    numbers = (one for one in map(constant_integer, constants) if one is not None)
    return _Read(called, told, has_nests or may_sum_bits(numbers))


def _tells(call: Operation) -> bool:
    """Whether it passes numbers that are not seen here, or pointers that may be to different
    objects."""
    passed = Counter(one.type for one in call.operands if constant_integer(one) is None)
    return passed[PTR] > 1 or any(isinstance(one, IntegerType | IndexType) for one in passed)


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
