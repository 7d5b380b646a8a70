"""Loops that go through the bits of an integer: how they are left, and what they add up.

What an iteration makes of the integer v, and what lets the loop go on, say how often it runs:

    v & (v - 1)   while v != 0          once for each bit that is set
    v >> 1        while v != 0          once for each bit up to the highest that is set
    v >> 1        while v > 0, signed   the same; not at all for what is not positive
    v >> 1        while !(v & 1)        once for each zero below the lowest bit that is set

Everything else that changes is a sum: an iteration adds or subtracts what is the same each time, or
the lowest bit of v, or combines these by exclusive or.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from xdsl.dialects import arith, cf, memref
from xdsl.dialects.builtin import IntegerType, MemRefType, i1
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.dialects.cmem import PROGRESS
from polyopt.ir.branches import Edge
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import constant_integer, is_pure
from polyopt.support.record import record

Change = Literal["clear", "shift", "positive", "trailing"]
"""The lines of the table above."""

_EQ, _NE, _SGT, _UGT = 0, 1, 4, 8
_EXTENSIONS = (arith.ExtUIOp, arith.ExtSIOp)
_CASTS = (*_EXTENSIONS, arith.TruncIOp)
_HALVINGS = (arith.ShRUIOp, arith.ShRSIOp, arith.DivUIOp, arith.DivSIOp)
_SIGNED = (arith.ShRSIOp, arith.DivSIOp)


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
        change = _change(v, after[v], exit.terminator, exit, is_ahead=len(loop.blocks) == 2)
        if change is None or (change == "trailing" and not ends):
            continue
        sums = _sums(loop, v, after, change)
        if sums is None:
            continue
        found = BitLoop(loop, v, after[v], change, sums, exit)
        if _leaves_nothing_else(found):
            return found
    return None


def _change(
    v: BlockArgument, after: SSAValue, branch: cf.ConditionalBranchOp, exit: Edge, *, is_ahead: bool
) -> Change | None:
    """`is_ahead`: v itself is tested, before the body; else what follows it, behind."""
    test = branch.cond.owner
    if not isa(v.type, IntegerType) or not isinstance(test, arith.CmpiOp):
        return None
    if constant_integer(test.rhs) != 0:
        return None
    predicate, goes_on = test.predicate.value.data, exit.position == 1
    if predicate == _SGT:
        is_positive = goes_on and is_ahead and _without(test.lhs, arith.ExtSIOp) is v
        return "positive" if is_positive and _is_half(after, v, is_positive=True) else None
    if predicate not in (_EQ, _NE, _UGT):
        return None
    if goes_on == (predicate != _EQ):
        if _without(test.lhs, *_EXTENSIONS) is not (v if is_ahead else after):
            return None
        if _is_cleared(after, v):
            return "clear"
        return "shift" if _is_half(after, v) else None
    if is_ahead and _is_lowest_bit(test.lhs, v, has_sign=False) and halving_of(after, v):
        return "trailing"
    return None


# What becomes of v


def _is_cleared(after: SSAValue, v: BlockArgument) -> bool:
    """v & (v - 1): the lowest bits of both depend on those of v alone."""
    op = _without_casts(after, v.type).owner
    if not isinstance(op, arith.AndIOp):
        return False
    return any(
        _without_casts(one, v.type) is v and _is_one_less(_without_casts(other, v.type), v)
        for one, other in ((op.lhs, op.rhs), (op.rhs, op.lhs))
    )


def _is_one_less(value: SSAValue, v: BlockArgument) -> bool:
    match value.owner:
        case arith.SubiOp() as op:
            return _without_casts(op.lhs, v.type) is v and constant_integer(op.rhs) == 1
        case arith.AddiOp() as op:
            return any(
                _without_casts(one, v.type) is v and constant_integer(other) == -1
                for one, other in ((op.lhs, op.rhs), (op.rhs, op.lhs))
            )
        case _:
            return False


def halving_of(after: SSAValue, v: BlockArgument) -> type[Operation] | None:
    """The shift of v by one, filled with zeros or with its sign, that `after` is for all v that are
    even; None where it is none."""
    op = _without(after, arith.TruncIOp).owner
    if not isinstance(op, _HALVINGS) or not _is_by_two(op):
        return None
    source = op.operands[0]
    if _without(source, arith.ExtUIOp) is v:
        is_extended = source is not v
        return arith.ShRSIOp if isinstance(op, _SIGNED) and not is_extended else arith.ShRUIOp
    is_signed = isinstance(op, _SIGNED) and _without(source, arith.ExtSIOp) is v
    return arith.ShRSIOp if is_signed else None


def _is_half(after: SSAValue, v: BlockArgument, *, is_positive: bool = False) -> bool:
    """v >> 1, filled with zeros, for all v or all positive ones."""
    shift = halving_of(after, v)
    return shift is arith.ShRUIOp or (is_positive and shift is not None)


def _is_by_two(op: Operation) -> bool:
    divides = isinstance(op, arith.DivUIOp | arith.DivSIOp)
    return constant_integer(op.operands[1]) == (2 if divides else 1)


def _is_lowest_bit(value: SSAValue, v: BlockArgument, *, has_sign: bool) -> bool:
    """Is it v & 1, or a rest by two? Of a negative v that is -1, which is no bit (`has_sign`) but
    where it does not occur, or only zero is asked for."""
    while isinstance(value.owner, _CASTS) and not _is_flag(value.owner.operands[0]):
        value = value.owner.operands[0]
    op = value.owner
    match op:
        case arith.AndIOp():
            pairs = ((op.lhs, op.rhs), (op.rhs, op.lhs))
            return any(
                _without(one, *_CASTS) is v and constant_integer(other) == 1 for one, other in pairs
            )
        case arith.RemUIOp():
            return _without(op.lhs, arith.ExtUIOp) is v and constant_integer(op.rhs) == 2
        case arith.RemSIOp():
            if has_sign and not isinstance(op.lhs.owner, arith.ExtUIOp):
                return False
            source = _without(op.lhs, *(_EXTENSIONS if not has_sign else (arith.ExtUIOp,)))
            return source is v and constant_integer(op.rhs) == 2
        case _:
            return False


# What else changes


def _sums(
    loop: NaturalLoop, v: BlockArgument, after: dict[BlockArgument, SSAValue], change: Change
) -> tuple[Sum, ...] | None:
    """All other variables that change; None where one of them is no sum."""
    found = list[Sum]()
    for argument, following in after.items():
        if argument is v or following is argument:
            continue
        one = _sum(loop, v, argument, argument, following, change)
        if one is None:
            return None
        found.append(one)
    for load, store in _in_memory(loop):
        if load is None or store is None:
            return None
        one = _sum(loop, v, (load, store), load.res, store.value, change)
        if one is None:
            return None
        found.append(one)
    return tuple(found)


def _sum(
    loop: NaturalLoop,
    v: BlockArgument,
    place: BlockArgument | tuple[memref.LoadOp, memref.StoreOp],
    value: SSAValue,
    following: SSAValue,
    change: Change,
) -> Sum | None:
    if not isa(value.type, IntegerType):
        return None
    op = _without_casts(following, value.type).owner
    if not isinstance(op, arith.AddiOp | arith.SubiOp | arith.XOrIOp):
        return None
    pairs = [(op.lhs, op.rhs), (op.rhs, op.lhs)][: 1 if isinstance(op, arith.SubiOp) else 2]
    for own, step in pairs:
        if _without_casts(own, value.type) is not value:
            continue
        if _is_outside(step, loop):
            return Sum(place, type(op), step, following)
        has_bits = change in ("shift", "positive")
        if has_bits and _is_lowest_bit(step, v, has_sign=change == "shift"):
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
            case [memref.LoadOp() as load, memref.StoreOp() as store] if _is_variable(variable):
                yield load, store
            case _:
                yield None, None


def _is_variable(memory: SSAValue) -> bool:
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


# Integers


def _is_flag(value: SSAValue) -> bool:
    """An extension by its sign is no number that it was."""
    return value.type == i1


def _without(value: SSAValue, *kinds: type[Operation]) -> SSAValue:
    while isinstance(value.owner, kinds):
        value = value.owner.operands[0]
    return value


def _without_casts(value: SSAValue, type_: Attribute) -> SSAValue:
    """What all bits of the type come from, through longer types."""
    assert isa(type_, IntegerType)
    while isinstance(value.owner, _CASTS):
        inner = value.owner.operands[0]
        if not isa(inner.type, IntegerType) or inner.type.width.data < type_.width.data:
            break
        value = inner
    return value
