"""Copies of functions for small numbers that calls pass.

    void geqr2(int m, int n, double *a) { … for (i = k + 1; i < m; i++) … }   // may be called from
                                                                              // elsewhere
    for (t …) geqr2(10, 8, A[t]);

A loop of so few iterations wants other code than one of any number: no tests whether vectors pay,
fewer of them, or none. What is reached from elsewhere, or called with other numbers as well, stays
as it is beside a private copy that these calls go to.

A number is worth a copy where it is small, and bounds a loop: a comparison in a loop is computed
from it.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import IntegerType, StringAttr, SymbolRefAttr
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from polyopt.dialects.locations import span_of
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.effects import constant_integer, is_pure
from polyopt.ir.idioms.steering import loaded_of
from polyopt.support.core_model import CORE
from polyopt.support.remarks import remark

Numbers = tuple[tuple[int, int], ...]
"""Which parameters are which numbers."""


def copy_for_numbers(
    function: func.FuncOp, calls: Sequence[func.CallOp], pass_name: str, *, is_reached: bool
) -> None:
    """Let calls go to copies of the function. Where it is not reached otherwise, the last of such
    numbers are those of the function itself: its other calls go elsewhere."""
    groups = _groups(function, calls) if calls else {}
    if not is_reached and groups and sum(map(len, groups.values())) == len(calls):
        groups.popitem()
    if len(groups) <= CORE.code.specialised_copies:
        for numbers, own in groups.items():
            _copy(function, numbers, own, pass_name)


def _groups(
    function: func.FuncOp, calls: Sequence[func.CallOp]
) -> dict[Numbers, list[func.CallOp]]:
    """The calls that pass small numbers where it matters, by these."""
    places = _bounds_of_loops(function)
    groups: dict[Numbers, list[func.CallOp]] = {}
    for call in calls:
        if tuple(call.operand_types) != tuple(function.function_type.inputs):
            continue
        numbers = tuple(
            (place, number)
            for place in places
            if (number := constant_integer(call.arguments[place])) is not None
            and 0 < number <= CORE.code.specialised_number
        )
        if numbers:
            groups.setdefault(numbers, []).append(call)
    return groups


def _bounds_of_loops(function: func.FuncOp) -> list[int]:
    """The integer parameters from which a comparison in a loop is computed; none of functions that
    are too large to be there twice."""
    entry = function.body.blocks.first
    assert entry is not None
    if not any(isinstance(one.type, IntegerType) and one.first_use for one in entry.args):
        return []
    if sum(1 for _ in function.walk()) > CORE.code.specialised:
        return []
    flow = ControlFlow(function.body)
    if not flow.loops.top_level:
        return []
    return [one.index for one in entry.args if _decides_in_loop(one, flow)]


def _decides_in_loop(argument: BlockArgument, flow: ControlFlow) -> bool:
    if not isinstance(argument.type, IntegerType):
        return False
    seen, pending = set[Operation](), list[SSAValue]([argument])
    while pending:
        for use in pending.pop().uses:
            op = use.operation
            block = op.parent
            if op in seen or block is None or block not in flow.cfg:
                continue
            seen.add(op)
            if isinstance(op, arith.CmpiOp) and flow.loops.innermost(block) is not None:
                return True
            if is_pure(op):
                pending += op.results
            elif isinstance(op, memref.StoreOp) and use.index == 0:
                pending += loaded_of(op.memref)
    return False


def _copy(
    function: func.FuncOp, numbers: Numbers, calls: Sequence[func.CallOp], pass_name: str
) -> None:
    """A private copy behind the function, which these calls go to."""
    name = function.sym_name.data
    block = function.parent
    assert block is not None
    copy = function.clone()
    for old, new in zip(function.walk(), copy.walk(), strict=True):
        new.location = old.location
    copy.sym_name = StringAttr(_free_name(name, numbers, block))
    copy.sym_visibility = StringAttr("private")
    block.insert_op_after(copy, function)
    entry = function.body.blocks.first
    assert entry is not None
    values = ", ".join(f"{entry.args[n].name_hint or n} = {number}" for n, number in numbers)
    remark("applied", pass_name, f"a copy of {name} for {values}", span_of(calls[0]))
    for call in calls:
        call.callee = SymbolRefAttr(copy.sym_name)


def _free_name(name: str, numbers: Numbers, block: Block) -> str:
    """Other parameters may be the same numbers: then the name says which."""
    taken = {op.properties.get("sym_name") for op in block.ops}
    wanted = ".".join([name, *(str(number) for _, number in numbers)])
    named = ".".join([name, *(f"{place}.{number}" for place, number in numbers)])
    while StringAttr(wanted) in taken:
        wanted, named = named, f"{named}.copy"
    return wanted
