"""Loops that change variables only where they find a record, and otherwise only look.

Such a loop may look ahead. What an iteration computes on the way on which no record is found is a
function of the counter, of the variables and of memory; as long as no record is found only the
counter changes, and the iterations to come are known to run (`looking_ahead`: what they may do).
Beside the records it may add up, in whatever order, what nothing else of it asks for (`free_sums`):
these sums are computed on the way, and count where no record was found.
"""

from __future__ import annotations

from xdsl.dialects import arith, cf, memref
from xdsl.dialects.builtin import IntegerType
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import constant_integer
from polyopt.ir.fast_math import permits
from polyopt.ir.idioms.records import Record, Variable, is_rare, variable_of
from polyopt.passes.prepare.loop_forms.free_sums import FreeSum, free_sums
from polyopt.passes.prepare.loop_forms.looking_ahead import Ahead, may_look_ahead
from polyopt.passes.prepare.loop_forms.quiet_way import QuietWay, quiet_way
from polyopt.passes.prepare.loop_forms.side_by_side import looks_side_by_side
from polyopt.support.record import record

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
    way = quiet_way(loop, flow, last.then_block)
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
    arms = {found.arm for found in way.records}
    if not all(is_rare(found, flow, arms) for found in way.records):
        return None
    if not any(_needs_looking_ahead(found, way) for found in way.records):
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


def _is_asked_for(found: Record, way: QuietWay) -> bool:
    """Is what it keeps compared by another record, as the peak by what lies furthest below it?"""
    kept: set[SSAValue | Variable] = {
        way.resolved(old) if isinstance(old, SSAValue) else old for old, _ in found.changed
    }
    others = [one.branch.cond for one in way.records if one is not found]
    wanted = set(others)
    for op in reversed(way.quiet):
        if wanted.isdisjoint(op.results):
            continue
        wanted |= {way.resolved(operand) for operand in op.operands}
        if isinstance(op, memref.LoadOp) and variable_of(op.memref) in kept:
            return True
    return not kept.isdisjoint(wanted)


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


def _needs_looking_ahead(found: Record, way: QuietWay) -> bool:
    """Not for minima and maxima that can be reassociated, of which LLVM makes vectors itself: it
    does where nothing in the loop asks for them as they are so far."""
    if way.is_behind(found) or _is_asked_for(found, way):
        return True
    comparison = found.branch.cond.owner
    if not found.is_extremum_only:
        return True
    if not isinstance(comparison, arith.CmpfOp):
        return False
    free = (FastMathFlag.NO_NANS, FastMathFlag.NO_SIGNED_ZEROS)
    return not all(permits(comparison, flag) for flag in free)
