"""Loops that go through the bits of an integer: how they are left, and what they add up.

What becomes of the integer says how often the loop runs (`bit_changes`).
Everything else that changes is a sum: an iteration adds or subtracts what is the same each time, or
the lowest bit of v, or combines these by exclusive or.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from xdsl.dialects import arith, cf, memref
from xdsl.dialects.builtin import IntegerType, MemRefType
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.dialects.cmem import PROGRESS
from polyopt.ir.branches import Edge
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import constant_integer, is_pure
from polyopt.passes.prepare.loop_forms.bit_changes import (
    Change,
    change_of,
    is_lowest_bit,
    without_casts,
)
from polyopt.support.record import record


@record
class Sum:
    """A variable, which is an argument of the header or in memory, where the loop has one load of
    it and one store: an iteration combines it by `kind` with `step`, which is the same in each
    iteration, or (None) with the lowest bit of v. `following` is the result."""

    place: BlockArgument | tuple[memref.LoadOp, memref.StoreOp]
    kind: type[arith.AddiOp | arith.SubiOp | arith.XOrIOp]
    step: SSAValue | None
    following: SSAValue


@record
class BitLoop:
    """`v` is an argument of the header; `exit` is the only way out, and leads out of the header. A
    loop of one block tests behind its body (`tests_behind`), what follows v."""

    loop: NaturalLoop
    v: BlockArgument
    following: SSAValue
    change: Change
    sums: tuple[Sum, ...]
    exit: Edge

    @property
    def tests_behind(self) -> bool:
        return len(self.loop.blocks) == 1


def find_bit_loop(loop: NaturalLoop) -> BitLoop | None:
    """The loop as one through the bits of an integer, of which nothing else is left behind."""
    exits, backs = loop.exits(), loop.back_edges()
    if loop.children or len(exits) != 1 or len(backs) != 1 or len(loop.blocks) > 2:
        return None
    (exit,), (back,) = exits, backs
    if exit.source is not loop.header or not isinstance(exit.terminator, cf.ConditionalBranchOp):
        return None
    after = dict(zip(loop.header.args, back.values, strict=True))
    ends = PROGRESS in back.terminator.attributes
    for v in after:
        change = change_of(v, after[v], exit.terminator, exit, is_ahead=len(loop.blocks) == 2)
        if change is None or (change == "trailing" and not ends):
            continue
        sums = _sums(loop, v, after, change)
        if sums is None:
            continue
        found = BitLoop(loop, v, after[v], change, sums, exit)
        if _leaves_nothing_else(found):
            return found
    return None


def _sums(
    loop: NaturalLoop, v: BlockArgument, after: dict[BlockArgument, SSAValue], change: Change
) -> tuple[Sum, ...] | None:
    """All other variables that change; None where one of them is no sum."""
    found = list[Sum]()

    def is_bit(step: SSAValue) -> bool:
        has_bits = change in ("shift", "positive")
        return has_bits and is_lowest_bit(step, v, has_sign=change == "shift")

    for argument, following in after.items():
        if argument is v or following is argument:
            continue
        one = sum_of(loop, argument, argument, following, is_bit)
        if one is None:
            return None
        found.append(one)
    for load, store in _in_memory(loop):
        if load is None or store is None:
            return None
        one = sum_of(loop, (load, store), load.res, store.value, is_bit)
        if one is None:
            return None
        found.append(one)
    return tuple(found)


def sum_of(
    loop: NaturalLoop,
    place: BlockArgument | tuple[memref.LoadOp, memref.StoreOp],
    value: SSAValue,
    following: SSAValue,
    is_bit: Callable[[SSAValue], bool],
) -> Sum | None:
    """The variable whose `value` is followed by `following`, as a sum of what is the same in each
    iteration, or else of what `is_bit` says is a bit."""
    if not isa(value.type, IntegerType):
        return None
    op = without_casts(following, value.type).owner
    if not isinstance(op, arith.AddiOp | arith.SubiOp | arith.XOrIOp):
        return None
    pairs = [(op.lhs, op.rhs), (op.rhs, op.lhs)][: 1 if isinstance(op, arith.SubiOp) else 2]
    for own, step in pairs:
        if without_casts(own, value.type) is not value:
            continue
        if _is_outside(step, loop):
            return Sum(place, type(op), step, following)
        if is_bit(step):
            return Sum(place, type(op), None, following)
    return None


def _is_outside(value: SSAValue, loop: NaturalLoop) -> bool:
    block = value.owner if isinstance(value.owner, Block) else value.owner.parent
    return block not in loop.blocks or constant_integer(value) is not None


def _in_memory(loop: NaturalLoop) -> Iterator[tuple[memref.LoadOp | None, memref.StoreOp | None]]:
    """The only load and the only store of each variable in memory; None where it is not so."""
    touching = dict[SSAValue, list[Operation]]()
    for op in _operations(loop):
        if isinstance(op, memref.LoadOp | memref.StoreOp):
            touching.setdefault(op.memref, []).append(op)
    for variable, ops in touching.items():
        match ops:
            case [memref.LoadOp() as load, memref.StoreOp() as store] if is_variable(variable):
                yield load, store
            case _:
                yield None, None


def is_variable(memory: SSAValue) -> bool:
    """Is it a number that nothing but loads and stores leads to?"""
    return (
        isinstance(memory.owner, memref.AllocaOp)
        and isa(memory.type, MemRefType)
        and memory.type.get_num_dims() == 0
        and all(
            isinstance(use.operation, memref.LoadOp)
            or (isinstance(use.operation, memref.StoreOp) and use.index == 1)
            for use in memory.uses
        )
    )


def _leaves_nothing_else(found: BitLoop) -> bool:
    """Nothing else is done, and what is used outside is known there: behind a test ahead of the
    body the variables, and what the header makes of them; behind one behind it what follows."""
    loop, header = found.loop, found.loop.header
    known = {
        op for one in found.sums if not isinstance(one.place, BlockArgument) for op in one.place
    }
    last = {block.last_op for block in loop.blocks}
    followers = {found.following, *(one.following for one in found.sums)}
    for block in loop.blocks:
        for op in block.ops:
            if op not in known and op not in last and not is_pure(op):
                return False
            if found.tests_behind or block is not header:
                if not all(one in followers or _is_used_inside(one, found) for one in op.results):
                    return False
    if not found.tests_behind:
        return not any(isinstance(op, memref.LoadOp | memref.StoreOp) for op in header.ops)
    return all(_is_used_inside(one, found) for one in header.args)


def _is_used_inside(value: SSAValue, found: BitLoop) -> bool:
    """And not passed on by the exit."""
    passed = value in found.exit.values
    return not passed and all(use.operation.parent in found.loop.blocks for use in value.uses)


def _operations(loop: NaturalLoop) -> Iterator[Operation]:
    return (op for block in loop.blocks for op in block.ops)
