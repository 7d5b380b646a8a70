"""Loops that change variables only where they find a record, and otherwise only look.

Such a loop may look ahead. What an iteration computes on the way on which no record is found is a
function of the counter, of the variables and of memory; as long as no record is found only the
counter changes, and the iterations to come are known to run (`looking_ahead`: what they may do).
Beside the records it may add up, in whatever order, what nothing else of it asks for (`free_sums`):
these sums are computed on the way, and count where no record was found.
"""

from __future__ import annotations

from dataclasses import field

from xdsl.dialects import arith, cf, memref
from xdsl.dialects.builtin import IntegerType
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import constant_integer, is_pure
from polyopt.ir.fast_math import permits
from polyopt.ir.idioms.records import Record, Variable, find_record, is_rare, variable_of
from polyopt.passes.prepare.loop_forms.free_sums import FreeSum, free_sums, stored_sum
from polyopt.passes.prepare.loop_forms.looking_ahead import Ahead, may_look_ahead
from polyopt.passes.prepare.loop_forms.side_by_side import looks_side_by_side
from polyopt.support.record import entity, record

_UPWARD = {"slt", "sle", "ult", "ule"}
_SWAPPED = {"sgt": "slt", "sge": "sle", "ugt": "ult", "uge": "ule"}


@record
class Search:
    """`condition` in the header compares `counter` with `bound`; `following` is the counter's next
    value. `quiet` are the operations that run where no record is found, those of the header
    first; `kept` says what arguments of blocks stand for on that way; `sums` change without a
    record, too."""

    loop: NaturalLoop
    latch: Block
    counter: BlockArgument
    following: SSAValue
    bound: SSAValue
    condition: SSAValue
    records: tuple[Record, ...]
    quiet: tuple[Operation, ...]
    kept: dict[SSAValue, SSAValue]
    sums: tuple[FreeSum, ...] = ()

    @property
    def header(self) -> Block:
        return self.loop.header

    def in_header(self) -> list[Operation]:
        return [op for op in self.quiet if op.parent is self.header]

    def looked_at(self) -> list[Operation]:
        """What the conditions of the records, the counter and sums are computed by, temporaries in
        memory with it."""
        wanted = {one.branch.cond for one in self.records} | {self.following}
        wanted |= {one.following for one in self.sums}
        found: list[Operation] = []
        for op in reversed(self.quiet):
            if any(one.is_memory_of(op) for one in self.sums):
                continue
            is_stored = isinstance(op, memref.StoreOp)
            if is_stored or any(result in wanted for result in op.results):
                found.append(op)
                wanted |= {self.kept.get(operand, operand) for operand in op.operands}
        return found[::-1]


def find_search(flow: ControlFlow, loop: NaturalLoop, *, shortest: int) -> Search | None:
    """The loop as a search that gains by looking ahead; None for other loops, and for those that
    are known to count to less than `shortest`."""
    header, latches = loop.header, loop.latches
    last = header.last_op
    if loop.children or len(latches) != 1 or not isinstance(last, cf.ConditionalBranchOp):
        return None
    if last.then_block not in loop or last.else_block in loop or last.then_arguments:
        return None
    way = _quiet_way(loop, flow, last.then_block)
    if way is None or not way.records:
        return None
    step = _counting(loop, last.cond)
    if step is None:
        return None
    counter, following, bound = step
    sums = free_sums(loop, counter, tuple(way.quiet), way.kept)
    if sums is None:
        return None
    limit = constant_integer(bound)
    if limit is not None and limit < shortest:
        return None
    if not all(is_rare(found, flow) for found in way.records):
        return None
    if not any(_needs_looking_ahead(found) for found in way.records):
        return None
    changed = frozenset(old for found in way.records for old, _ in found.changed)
    if not may_look_ahead(Ahead(loop, tuple(way.quiet), way.kept, changed, counter, bound)):
        return None
    found = Search(
        loop,
        latches[0],
        counter,
        following,
        bound,
        last.cond,
        tuple(way.records),
        tuple(way.quiet),
        way.kept,
        sums,
    )
    return found if looks_side_by_side(found.looked_at(), loop, flow) else None


@entity
class _Way:
    """The way through an iteration on which no record is found."""

    quiet: list[Operation] = field(default_factory=list[Operation])
    records: list[Record] = field(default_factory=list[Record])
    kept: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    blocks: set[Block] = field(default_factory=set[Block])

    def resolved(self, value: SSAValue) -> SSAValue:
        return self.kept.get(value, value)


def _quiet_way(loop: NaturalLoop, flow: ControlFlow, first: Block) -> _Way | None:
    """None where the loop has other branches, or does more than load on that way."""
    way = _Way()
    block, passed = first, tuple[SSAValue, ...]()
    way.blocks.add(loop.header)
    if not _take(way, loop, flow, loop.header):
        return None
    while block is not loop.header:
        if block in way.blocks or not _take(way, loop, flow, block):
            return None
        way.blocks.add(block)
        for argument, value in zip(block.args, passed, strict=True):
            way.kept[argument] = way.resolved(value)
        last = block.last_op
        if isinstance(last, cf.BranchOp):
            block, passed = last.successor, tuple(last.arguments)
            continue
        found = find_record(last) if isinstance(last, cf.ConditionalBranchOp) else None
        if found is None or not _only_keeps(found):
            return None
        way.records.append(found)
        way.blocks.add(found.arm)
        if found.empty is not None:
            way.blocks.add(found.empty)
        block, passed = found.join, found.kept
    return way if way.blocks == set(loop.blocks) else None


def _take(way: _Way, loop: NaturalLoop, flow: ControlFlow, block: Block) -> bool:
    ops = [op for op in block.ops if op is not block.last_op]
    way.quiet += ops
    return all(
        is_pure(op)
        or isinstance(op, memref.LoadOp)
        or (isinstance(op, memref.StoreOp) and _is_kept_apart(op, loop, flow))
        for op in ops
    )


def _is_kept_apart(store: memref.StoreOp, loop: NaturalLoop, flow: ControlFlow) -> bool:
    if _is_temporary(store, loop, flow):
        return True
    variable = variable_of(store.memref)
    return variable is not None and _is_own(variable) and stored_sum(store, loop) is not None


def _is_temporary(store: memref.StoreOp, loop: NaturalLoop, flow: ControlFlow) -> bool:
    """It gives a value to a variable that only the rest of the same iteration reads."""
    variable = variable_of(store.memref)
    if variable is None or isinstance(variable.memory, str) or not _is_own(variable):
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
            if variable is None or not _is_own(variable):
                return False
        elif op is not found.arm.last_op and not (is_pure(op) or isinstance(op, memref.LoadOp)):
            return False
    return True


def _is_own(variable: Variable) -> bool:
    """A symbol's memory is told apart by `_may_be_changed`."""
    if isinstance(variable.memory, str):
        return True
    return all(
        isinstance(use.operation, memref.LoadOp)
        or (isinstance(use.operation, memref.StoreOp) and use.index == 1)
        for use in variable.memory.uses
    )


# Counting


def _counting(
    loop: NaturalLoop, condition: SSAValue
) -> tuple[BlockArgument, SSAValue, SSAValue] | None:
    """The counter, its next value and its bound, where it counts upward by one."""
    comparison = condition.owner
    if not isinstance(comparison, arith.CmpiOp) or comparison.parent is not loop.header:
        return None
    counter, bound = comparison.lhs, comparison.rhs
    predicate = arith.CMPI_COMPARISON_OPERATIONS[comparison.predicate.value.data]
    if predicate in _SWAPPED:
        counter, bound, predicate = bound, counter, _SWAPPED[predicate]
        if not isinstance(counter, BlockArgument) or counter.owner is not loop.header:
            counter, bound, predicate = comparison.lhs, comparison.rhs, ""
    if predicate not in _UPWARD or not isinstance(counter, BlockArgument):
        return None
    if counter.owner is not loop.header or not isa(counter.type, IntegerType):
        return None
    if counter.type.width.data not in (32, 64):
        return None
    (edge,) = loop.back_edges()
    following = edge.values[counter.index]
    if not _is_counted(counter, following):
        return None
    return counter, following, bound


def _is_counted(argument: SSAValue, following: SSAValue) -> bool:
    op = following.owner
    if not isinstance(op, arith.AddiOp):
        return False
    sides = [op.lhs, op.rhs]
    return argument in sides and any(constant_integer(side) == 1 for side in sides)


def _needs_looking_ahead(found: Record) -> bool:
    """Not for minima and maxima that can be reassociated, of which LLVM makes vectors itself."""
    comparison = found.branch.cond.owner
    if not found.is_extremum_only:
        return True
    if not isinstance(comparison, arith.CmpfOp):
        return False
    free = (FastMathFlag.NO_NANS, FastMathFlag.NO_SIGNED_ZEROS)
    return not all(permits(comparison, flag) for flag in free)
