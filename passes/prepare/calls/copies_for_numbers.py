"""Copies of functions for numbers that calls pass.

    void geqr2(int m, int n, double *a) { … for (i = k + 1; i < m; i++) … }   // may be called from
                                                                              // elsewhere
    for (t …) geqr2(10, 8, A[t]);

A loop of so few iterations wants other code than one of any number: no tests whether vectors pay,
fewer of them, or none. What is reached from elsewhere, or called with other numbers as well, stays
as it is beside a private copy that these calls go to.

A number is worth a copy where it is small, and bounds a loop: a comparison in a loop is computed
from it. So is any number that a loop divides by, as `(i + 1) % n` on a torus: the rest of a
division by something unknown is no affine subscript. A loop around others that does the same again
and again, such as one over time, gains little by that: such copies have a size that all of a module
share.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import IntegerType, StringAttr, SymbolRefAttr
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from polyopt.dialects import cmem
from polyopt.dialects.locations import span_of
from polyopt.dialects.poly import COPY_OF
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import constant_integer, is_pure
from polyopt.ir.idioms.steering import loaded_of
from polyopt.support.core_model import CORE
from polyopt.support.remarks import remark

_DIVISIONS = (arith.RemSIOp, arith.RemUIOp, arith.DivSIOp, arith.DivUIOp)
_CASTS = (arith.ExtSIOp, arith.ExtUIOp, arith.TruncIOp, arith.IndexCastOp)
Numbers = tuple[tuple[int, int], ...]
"""Which parameters are which numbers."""


def copy_for_numbers(
    function: func.FuncOp,
    calls: Sequence[func.CallOp],
    pass_name: str,
    *,
    is_reached: bool,
    room: int,
) -> int:
    """Let calls go to copies of the function. Where it is not reached otherwise, the last of such
    numbers are those of the function itself: its other calls go elsewhere. What is left of `room`,
    operations of copies for numbers that only say how often."""
    places, divisors = _places_that_matter(function) if calls else ({}, frozenset[int]())
    groups = _groups(function, places, divisors, calls)
    if not is_reached and groups and sum(map(len, groups.values())) == len(calls):
        groups.popitem()
    if len(groups) > CORE.code.specialised_copies:
        return room
    for numbers, own in groups.items():
        if all(places[place] for place, _ in numbers):
            size = sum(1 for _ in function.walk())
            if size > room:
                _leave(function, numbers, own[0], pass_name)
                continue
            room -= size
        _copy(function, numbers, own, pass_name)
    return room


def _groups(
    function: func.FuncOp,
    places: Iterable[int],
    divisors: Collection[int],
    calls: Sequence[func.CallOp],
) -> dict[Numbers, list[func.CallOp]]:
    """The calls that pass small numbers where it matters, or what is divided by, by these."""
    groups: dict[Numbers, list[func.CallOp]] = {}
    for call in calls:
        if tuple(call.operand_types) != tuple(function.function_type.inputs):
            continue
        numbers = tuple(
            (place, number)
            for place in places
            if (number := constant_integer(call.arguments[place])) is not None
            and 0 < number
            and (number <= CORE.code.specialised_number or place in divisors)
        )
        if numbers:
            groups.setdefault(numbers, []).append(call)
    return groups


def _places_that_matter(function: func.FuncOp) -> tuple[dict[int, bool], frozenset[int]]:
    """The integer parameters from which a comparison in a loop is computed, and whether each says
    only how often others run; and those that a loop divides by. None of functions that are too
    large to be there twice."""
    entry = function.body.blocks.first
    assert entry is not None
    if not any(isinstance(one.type, IntegerType) and one.first_use for one in entry.args):
        return {}, frozenset()
    if sum(1 for _ in function.walk()) > CORE.code.specialised:
        return {}, frozenset()
    flow = ControlFlow(function.body)
    if not flow.loops.top_level:
        return {}, frozenset()
    places, divisors = dict[int, bool](), set[int]()
    for one in entry.args:
        decided, divides = _decided_in_loops(one, flow)
        if divides:
            divisors.add(one.index)
        if decided or divides:
            places[one.index] = all(decided) and not divides
    return places, frozenset(divisors)


def _decided_in_loops(argument: BlockArgument, flow: ControlFlow) -> tuple[list[bool], bool]:
    """Of each comparison in a loop that is computed from it, whether the loop only repeats; and
    whether a loop divides by what is that number itself, perhaps as another type."""
    if not isinstance(argument.type, IntegerType):
        return [], False
    found, divides = list[bool](), False
    itself = set[SSAValue]([argument])
    seen, pending = set[Operation](), list[SSAValue]([argument])
    while pending:
        value = pending.pop()
        for use in value.uses:
            op = use.operation
            block = op.parent
            if op in seen or block is None or block not in flow.cfg:
                continue
            seen.add(op)
            if isinstance(op, _DIVISIONS) and use.index == 1 and value in itself:
                divides = divides or flow.loops.innermost(block) is not None
            if isinstance(op, arith.CmpiOp):
                loop = flow.loops.innermost(block)
                if loop is not None:
                    found.append(_only_repeats(loop, op, use.index, flow))
            if is_pure(op):
                pending += op.results
                itself.update(op.results if value in itself and isinstance(op, _CASTS) else ())
            elif isinstance(op, memref.StoreOp) and use.index == 0:
                pending += (loaded := loaded_of(op.memref))
                itself.update(loaded if value in itself else ())
    return found, divides


def _only_repeats(loop: NaturalLoop, bound: arith.CmpiOp, number: int, flow: ControlFlow) -> bool:
    """The loop has loops inside, and what it compares with operand `number` is a variable that it
    counts in: which time it is changes values at most, and where they go outside of loops inside.
    """
    counter = bound.operands[1 - number].owner
    if not loop.children or not isinstance(counter, memref.LoadOp):
        return False
    slot, loads = counter.memref, loaded_of(counter.memref)
    stores = sum(isinstance(use.operation, memref.StoreOp) for use in slot.uses)
    return stores + len(loads) == sum(1 for _ in slot.uses) and all(
        _is_data(one, slot, bound, flow) for one in loads if one.owner.parent in loop.blocks
    )


def _is_data(value: SSAValue, slot: SSAValue, bound: Operation, flow: ControlFlow) -> bool:
    """What is computed from a counter in `slot` is compared by `bound`, is its next value, or goes
    to memory."""
    depth = flow.loops.depth(bound.parent) if bound.parent else 0
    pending = [value]
    while pending:
        for use in pending.pop().uses:
            op = use.operation
            match op:
                case arith.CmpiOp():
                    allowed = op is bound
                case memref.StoreOp() if use.index == 0:
                    allowed = op.memref is slot or not isinstance(op.memref.owner, memref.AllocaOp)
                case memref.StoreOp() | memref.LoadOp() | cmem.OffsetOp() | cmem.AddressOp():
                    allowed = op.parent is not None and flow.loops.depth(op.parent) == depth
                case _:
                    allowed = is_pure(op)
            if not allowed:
                return False
            if is_pure(op) and op is not bound:
                pending += op.results
    return True


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
    if function.sym_visibility is None:  # what is private may be made for a number, too
        copy.attributes[COPY_OF] = function.sym_name
    copy.sym_visibility = StringAttr("private")
    block.insert_op_after(copy, function)
    what = f"a copy of {name} for {_told(function, numbers)}"
    remark("applied", pass_name, what, span_of(calls[0]))
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


def _leave(function: func.FuncOp, numbers: Numbers, call: func.CallOp, pass_name: str) -> None:
    what = f"no copy of {function.sym_name.data} for {_told(function, numbers)}"
    why = "it only says how often, and other such copies have taken the room that there is"
    remark("missed", pass_name, f"{what}: {why}", span_of(call))


def _told(function: func.FuncOp, numbers: Numbers) -> str:
    entry = function.body.blocks.first
    assert entry is not None
    return ", ".join(f"{entry.args[n].name_hint or n} = {number}" for n, number in numbers)
