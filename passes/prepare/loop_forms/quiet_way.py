"""The way through an iteration of a loop on which no record is found.

An arm of a record goes on where the way does, at once or further on:

    if (a[i] > m) { n = m; m = a[i]; }  else if (a[i] > n) n = a[i];

What stands between (`behind`) does not run in each iteration: there the second comparison.
"""

from __future__ import annotations

from dataclasses import field

from xdsl.dialects import cf, memref
from xdsl.ir import Block, Operation, SSAValue

from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import is_pure, is_speculatable
from polyopt.ir.idioms.records import (
    Record,
    Variable,
    compares_for_record,
    find_record,
    find_record_to,
    leads_to,
    variable_of,
)
from polyopt.passes.prepare.loop_forms.free_sums import stored_sum
from polyopt.support.record import entity, record


@record
class _Open:
    """A branch whose `arm` goes on to a `join` that the way has not come to."""

    branch: cf.ConditionalBranchOp
    arm: Block
    join: Block


@entity
class QuietWay:
    """`quiet` is what runs on it, in order, of which that in the blocks `behind` runs only where no
    record before it is found; `kept`: what arguments of blocks stand for."""

    quiet: list[Operation] = field(default_factory=list[Operation])
    records: list[Record] = field(default_factory=list[Record])
    kept: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    blocks: set[Block] = field(default_factory=set[Block])
    behind: set[Block] = field(default_factory=set[Block])
    open: list[_Open] = field(default_factory=list[_Open])

    def resolved(self, value: SSAValue) -> SSAValue:
        return self.kept.get(value, value)

    def is_behind(self, found: Record) -> bool:
        return found.branch.parent in self.behind


def quiet_way(loop: NaturalLoop, flow: ControlFlow, first: Block) -> QuietWay | None:
    """None where the loop has other branches, or does more than load on that way."""
    way = QuietWay()
    block, passed = first, tuple[SSAValue, ...]()
    way.blocks.add(loop.header)
    if not _take(way, loop, flow, loop.header):
        return None
    while block is not loop.header:
        if block in way.blocks or not _join(way, block, passed):
            return None
        if not _take(way, loop, flow, block):
            return None
        last = block.last_op
        if isinstance(last, cf.BranchOp):
            block, passed = last.successor, tuple(last.arguments)
            continue
        found = find_record(last) if isinstance(last, cf.ConditionalBranchOp) else None
        if found is not None:
            if not _add(way, found):
                return None
            block, passed = found.join, found.kept
            continue
        further = _go_further(way, last)
        if further is None:
            return None
        block, passed = further
    return way if not way.open and way.blocks == set(loop.blocks) else None


def _join(way: QuietWay, block: Block, passed: tuple[SSAValue, ...]) -> bool:
    """Enter a block, to which arms may come from before. False where one keeps no best value."""
    way.blocks.add(block)
    for argument, value in zip(block.args, passed, strict=True):
        way.kept[argument] = way.resolved(value)
    kept = tuple(map(way.resolved, passed))
    for one in [one for one in way.open if one.join is block]:
        found = find_record_to(one.branch, one.arm, block, kept)
        if found is None or not _add(way, found):
            return False
        way.open.remove(one)
    if way.open:
        way.behind.add(block)
    return True


def _add(way: QuietWay, found: Record) -> bool:
    if not _only_keeps(found):
        return False
    way.records.append(found)
    way.blocks.add(found.arm)
    if found.empty is not None:
        way.blocks.add(found.empty)
    return True


def _go_further(way: QuietWay, last: Operation | None) -> tuple[Block, tuple[SSAValue, ...]] | None:
    """Where the way goes on if one side of the branch is an arm that joins it further on."""
    if not isinstance(last, cf.ConditionalBranchOp):
        return None
    sides = [
        (last.then_block, last.else_block, tuple(last.else_arguments)),
        (last.else_block, last.then_block, tuple(last.then_arguments)),
    ]
    for arm, other, passed in sides:
        join = leads_to(arm)
        if join is not None and join is not other and compares_for_record(last, arm):
            way.open.append(_Open(last, arm, join))
            return other, passed
    return None


def _take(way: QuietWay, loop: NaturalLoop, flow: ControlFlow, block: Block) -> bool:
    ops = [op for op in block.ops if op is not block.last_op]
    way.quiet += ops
    if block in way.behind and not all(_may_run_before(op, way) for op in ops):
        return False
    return all(
        is_pure(op)
        or isinstance(op, memref.LoadOp)
        or (isinstance(op, memref.StoreOp) and _is_kept_apart(op, loop, flow))
        for op in ops
    )


def _may_run_before(op: Operation, way: QuietWay) -> bool:
    """May it run in iterations that find a record, too? What it loads each of them loads."""
    if not isinstance(op, memref.LoadOp):
        return is_speculatable(op)
    if variable_of(op.memref) is not None:
        return True
    return any(
        isinstance(one, memref.LoadOp)
        and one.parent not in way.behind
        and one.memref is op.memref
        and tuple(one.indices) == tuple(op.indices)
        for one in way.quiet
    )


def _is_kept_apart(store: memref.StoreOp, loop: NaturalLoop, flow: ControlFlow) -> bool:
    if _is_temporary(store, loop, flow):
        return True
    variable = variable_of(store.memref)
    return variable is not None and is_own(variable) and stored_sum(store, loop) is not None


def _is_temporary(store: memref.StoreOp, loop: NaturalLoop, flow: ControlFlow) -> bool:
    """It gives a value to a variable that only the rest of the same iteration reads."""
    variable = variable_of(store.memref)
    if variable is None or isinstance(variable.memory, str) or not is_own(variable):
        return False
    block = store.parent
    assert block is not None
    for use in variable.memory.uses:
        other = use.operation.parent
        if other is None or other not in loop:
            return False
        if use.operation is store:
            continue
        if isinstance(use.operation, memref.StoreOp):
            return False
        is_later = block is other and store.is_before_in_block(use.operation)
        if not is_later and not flow.dominators.strictly_dominates(block, other):
            return False
    return True


def _only_keeps(found: Record) -> bool:
    """Its arm computes, loads, and stores to variables that nobody else can see the place of."""
    for op in found.arm.ops:
        if isinstance(op, memref.StoreOp):
            variable = variable_of(op.memref)
            if variable is None or not is_own(variable):
                return False
        elif op is not found.arm.last_op and not (is_pure(op) or isinstance(op, memref.LoadOp)):
            return False
    return True


def is_own(variable: Variable) -> bool:
    """A symbol's memory is told apart by `_may_be_changed`."""
    if isinstance(variable.memory, str):
        return True
    return all(
        isinstance(use.operation, memref.LoadOp)
        or (isinstance(use.operation, memref.StoreOp) and use.index == 1)
        for use in variable.memory.uses
    )
