"""A flag that has been asked for is known where the answer leads.

    while (!done) { …  if (i >= n) done = 1; }

In the loop `done` is 0, and what an iteration leaves in it is `i >= n`, whatever it was before.
What is asked may be the variable itself, or whether it is equal to a number; a flag that is only
ever one of two numbers is the other one where it is not equal. A loop that goes back only where a
flag is set, and is entered with it set, never sees another value.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import arith, cf
from xdsl.dialects.builtin import IntegerAttr, IntegerType, i1
from xdsl.ir import Block, BlockArgument, Operation, SSAValue, Use
from xdsl.utils.hints import isa

from polyopt.ir.branches import Edge, incoming
from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.effects import constant_integer

_EQUAL, _DIFFERENT = 0, 1
"""Predicates of arith.cmpi."""
_MOST_ARGUMENTS = 8
"""How many variables a flag may come through."""


def replace_known(flow: ControlFlow) -> None:
    """Uses of variables of loops become numbers where the branches before them say so."""
    for block in flow.cfg.blocks:
        branch = block.last_op
        if not isinstance(branch, cf.ConditionalBranchOp) or flow.loops.innermost(block) is None:
            continue
        for position in (0, 1):
            edge = Edge(branch, position)
            if len(incoming(edge.target)) == 1:
                for argument, number in _told(branch.cond, position == 0):
                    _replace(flow, argument, number, edge.target)
    for loop in flow.loops.all_loops():
        for argument in loop.header.args:
            number = _always(argument)
            if number is not None:
                _replace(flow, argument, number, loop.header)


def _always(argument: BlockArgument) -> int | None:
    """The one number that all edges pass, or that they are only taken with."""
    if not isinstance(argument.type, IntegerType):
        return None
    numbers: set[int | None] = set()
    for edge in incoming(argument.owner):
        value = edge.values[argument.index]
        if value is not argument:
            numbers.add(_passed(edge, value))
    return numbers.pop() if len(numbers) == 1 else None


def _passed(edge: Edge, value: SSAValue) -> int | None:
    number = constant_integer(value)
    branch = edge.terminator
    if number is None and isinstance(branch, cf.ConditionalBranchOp):
        told = dict(_told(branch.cond, edge.position == 0))
        return told.get(value) if isinstance(value, BlockArgument) else None
    return number


def _told(condition: SSAValue, holds: bool) -> Iterator[tuple[BlockArgument, int]]:
    """Variables, with the number that each is where the condition holds, or does not."""
    if isinstance(condition, BlockArgument):
        yield condition, -1 if holds else 0
        return
    match condition.owner:
        case arith.CmpiOp(predicate=predicate) as op:
            number = constant_integer(op.rhs)
            kind = predicate.value.data
            if number is not None and kind in (_EQUAL, _DIFFERENT):
                yield from _compared(op.lhs, number, holds == (kind == _EQUAL))
        case arith.XOrIOp() as op if condition.type == i1 and constant_integer(op.rhs):
            yield from _told(op.lhs, not holds)
        case arith.AndIOp() as op if holds and condition.type == i1:
            yield from _told(op.lhs, True)
            yield from _told(op.rhs, True)
        case arith.OrIOp() as op if not holds and condition.type == i1:
            yield from _told(op.lhs, False)
            yield from _told(op.rhs, False)
        case _:
            return


def _compared(value: SSAValue, number: int, is_equal: bool) -> Iterator[tuple[BlockArgument, int]]:
    if isinstance(value, BlockArgument):
        others = _numbers(value) - {number}
        if is_equal:
            yield value, number
        elif len(others) == 1 and None not in others:
            yield from ((value, other) for other in others if other is not None)
    elif isinstance(value.owner, arith.ExtUIOp) and value.owner.input.type == i1 and number == 0:
        yield from _told(value.owner.input, not is_equal)


def _numbers(value: SSAValue) -> set[int | None]:
    """What a flag may be; None stands for what is not known."""
    found: set[int | None] = set()
    pending, seen = [value], {value}
    while pending:
        one = pending.pop()
        if isinstance(one, BlockArgument) and len(seen) <= _MOST_ARGUMENTS:
            edges = incoming(one.owner)
            passed = [edge.values[one.index] for edge in edges if one.index < len(edge.values)]
            found |= {None} if not passed else set()
            pending += [v for v in dict.fromkeys(passed) if v not in seen]
            seen.update(passed)
        else:
            found.add(None if isinstance(one, BlockArgument) else constant_integer(one))
    return found


def _replace(flow: ControlFlow, argument: BlockArgument, number: int, start: Block) -> None:
    """What uses the variable from `start` on uses the number."""
    type = argument.type
    if flow.loops.innermost(argument.owner) is None or not isa(type, IntegerType):
        return
    uses = [use for use in argument.uses if _is_behind(flow, use, start)]
    if not uses:
        return
    constant = arith.ConstantOp(IntegerAttr(number, type))
    first = start.first_op
    assert first is not None
    constant.location = first.location
    start.insert_op_before(constant, first)
    for use in uses:
        use.operation.operands[use.index] = constant.result


def _is_behind(flow: ControlFlow, use: Use, start: Block) -> bool:
    op: Operation = use.operation
    return op.parent is not None and flow.dominators.dominates(start, enclosing_block(op))
