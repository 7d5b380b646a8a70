"""Values that all iterations of a loop combine with something, and nothing else in it looks at.

    for (i = 1; i < n; i++) {                    long total;       in memory, or handed on from
      long v = i; while (v != 1) { …; total += 1; }                iteration to iteration
      if (v > best) best = v;                    an extreme, as a choice between two
      bins[key[i]] += 1;                         at a place that data choose (`shared_bins`)
    }

Which updates these are: `shared_updates`; how parts are put together: `sums_of_parts`.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import arith
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from polyopt.ir.branches import incoming, outgoing
from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.control.loops import NaturalLoop
from polyopt.passes.parallel.irregular.shared_updates import (
    SharedUpdate,
    find_update,
    updates_among,
)
from polyopt.support.record import record


@record(eq=False)
class SharedSum:
    """`place` is a local variable, or an argument of the loop's header."""

    place: SSAValue
    updates: tuple[SharedUpdate, ...]

    @property
    def is_carried(self) -> bool:
        return isinstance(self.place, BlockArgument)

    @property
    def type(self) -> Attribute:
        return self.updates[0].result.type


def shared_sum(loop: NaturalLoop, variable: SSAValue) -> SharedSum | None:
    """A local variable of no dimension, of which all accesses are seen, if all that the loop does
    with it is to combine it with something."""
    uses = [use.operation for use in variable.uses]
    inside = {op for op in uses if enclosing_block(op) in loop}
    updates = updates_among(inside)
    return None if updates is None else SharedSum(variable, updates)


def carried_sum(loop: NaturalLoop, argument: BlockArgument) -> SharedSum | None:
    """Of an argument of the loop's header: all that becomes of it until it comes back is that it is
    combined with something, or passed on as it is."""
    web: dict[SSAValue, None] = {argument: None}
    updates, choices = list[SharedUpdate](), list[arith.SelectOp]()
    tests = set[Operation]()
    pending: list[SSAValue] = [argument]
    while pending:
        value = pending.pop()
        for op in {use.operation: None for use in value.uses}:
            if enclosing_block(op) not in loop:
                if value is not argument:
                    return None
                continue
            results = _handed_on(op, value, loop, argument) if op.successors else None
            if not op.successors:
                found = find_update(value, op.results[0]) if len(op.results) == 1 else None
                if found is not None:
                    updates.append(found)
                    results = [found.result]
                elif isinstance(op, arith.SelectOp) and op.cond is not value:
                    choices.append(op)
                    results = [op.results[0]]
                elif isinstance(op, arith.CmpiOp | arith.CmpfOp):
                    tests.add(op)
                    results = []
            if results is None:
                return None
            new = [one for one in results if one not in web]
            web |= dict.fromkeys(new)
            pending += new
    is_all = tests <= {op for one in updates for op in one.ops}
    if not is_all or not _come_back(loop, argument, web) or not updates:
        return None
    if any(one.term in web for one in updates) or len({one.kind for one in updates}) > 1:
        return None
    if any(one.lhs not in web or one.rhs not in web or one.cond in web for one in choices):
        return None
    return SharedSum(argument, tuple(updates))


def _handed_on(
    op: Operation, value: SSAValue, loop: NaturalLoop, argument: BlockArgument
) -> list[SSAValue] | None:
    """The arguments that a branch passes the value to; None where it asks for it, or leaves the
    loop with another one than the argument."""
    block = op.parent
    assert block is not None
    found = list[SSAValue]()
    count = 0
    for edge in outgoing(block):
        for taken, passed in zip(edge.target.args, edge.values, strict=True):
            if passed is not value:
                continue
            count += 1
            if edge.target in loop:
                found.append(taken)
            elif value is not argument:
                return None
    return found if count == list(op.operands).count(value) else None


def _come_back(loop: NaturalLoop, argument: BlockArgument, web: Mapping[SSAValue, None]) -> bool:
    """What is passed to one of these places is always one of these values; but for the start."""
    for taken in web:
        if not isinstance(taken, BlockArgument):
            continue
        for edge in incoming(taken.block):
            is_start = taken is argument and edge.source not in loop
            if not is_start and edge.values[taken.index] not in web:
                return False
    return True
