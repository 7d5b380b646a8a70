"""Sums that go on from one row to the next, in whatever order:

    s = 0;  for (i …) for (j …) s += a[i][j];

The variable may be a value (an argument of both loops) or in memory (stored in the inner loop, and
nowhere else in the loop around it). A row that begins with a sum of its own is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects import arith, cf, memref, scf
from xdsl.ir import BlockArgument, Operation, SSAValue

from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.fast_math import may_reassociate
from polyopt.ir.idioms.records import Variable, loaded_variable, variable_of

_DEPTH_LIMIT = 8

Pair = tuple[SSAValue, SSAValue]
"""The argument of a loop that is a sum of it, and what is passed to it the next time."""


def sums_on(loop: NaturalLoop) -> bool:
    """Does a loop of blocks, with none in it, add to a sum of the loop around it?"""
    around = loop.parent
    if around is None or loop.children or len(loop.back_edges()) != 1:
        return False
    (back,), entries = loop.back_edges(), loop.entries()
    carried = [
        (argument, value)
        for argument, value in zip(loop.header.args, back.values, strict=True)
        if all(_is_of(entry.values[argument.index], around.header.args) for entry in entries)
    ]
    inside = [op for block in loop.blocks for op in block.ops]
    rest = (op for block in around.blocks if block not in loop for op in block.ops)
    return _adds_on(carried, inside, rest)


def row_sums_on(loop: scf.ForOp) -> bool:
    """The same of a structured loop."""
    around = loop.parent_op()
    while around is not None and not isinstance(around, scf.ForOp | scf.WhileOp):
        around = around.parent_op()
    if not isinstance(around, scf.ForOp):
        return False
    inside = list(loop.body.walk())
    if any(isinstance(op, scf.ForOp | scf.WhileOp | cf.BranchOp) for op in inside):
        return False
    body, end = loop.body.block, loop.body.block.last_op
    carried = [
        (argument, value)
        for argument, value, first in zip(
            body.args[1:], () if end is None else end.operands, loop.iter_args, strict=True
        )
        if _is_of(first, around.body.block.args)
    ]
    members = set(inside)
    rest = (op for op in around.body.walk() if op not in members)
    return _adds_on(carried, inside, rest)


def _is_of(value: SSAValue, arguments: Sequence[BlockArgument]) -> bool:
    return any(value is argument for argument in arguments)


def _adds_on(
    carried: Iterable[Pair], inside: Iterable[Operation], rest: Iterable[Operation]
) -> bool:
    """`rest` is what the loop around does besides."""
    if any(_adds_to(value, argument) for argument, value in carried):
        return True
    added: set[Variable] = set()
    for op in inside:
        if isinstance(op, memref.StoreOp):
            variable = variable_of(op.memref)
            if variable is not None and _adds_to(op.value, variable):
                added.add(variable)
    if not added:
        return False
    return bool(added - {variable_of(op.memref) for op in rest if isinstance(op, memref.StoreOp)})


def _adds_to(value: SSAValue, sum: SSAValue | Variable, depth: int = 0) -> bool:
    op = value.owner
    if depth == _DEPTH_LIMIT or not isinstance(op, arith.AddfOp | arith.SubfOp):
        return False
    if not may_reassociate(op):
        return False
    return any(
        side is sum or loaded_variable(side) == sum or _adds_to(side, sum, depth + 1)
        for side in op.operands
    )
