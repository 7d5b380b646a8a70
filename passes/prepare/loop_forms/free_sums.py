"""Sums of a search, whose order is free and that nothing else of an iteration asks for.

    for (i …) { d = fabs(a[i] - b[i]); s += d; if (d > m) { m = d; at = i; } }

What the sum is in an iteration to come does not matter to whether that finds a record; so it may be
computed ahead with the conditions, and thrown away where one does.

A sum is an argument of the header, or a variable in memory that an iteration loads and stores once.
"""

from __future__ import annotations

from xdsl.dialects import arith, memref
from xdsl.ir import BlockArgument, Operation, SSAValue

from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.fast_math import may_reassociate
from polyopt.ir.idioms.records import variable_of
from polyopt.support.record import record

_MOST_NESTED = 16


@record
class FreeSum:
    """What it is at the start of an iteration (an argument of the header, or loaded), and what is
    passed on, or stored, where no record is found."""

    first: SSAValue
    following: SSAValue
    store: memref.StoreOp | None = None

    def is_memory_of(self, op: Operation) -> bool:
        return self.store is not None and (op is self.store or op is self.first.owner)


def stored_sum(store: memref.StoreOp, loop: NaturalLoop) -> FreeSum | None:
    """The sum in memory that the loop stores here, of a variable that it loads and stores once."""
    variable = variable_of(store.memref)
    if variable is None or isinstance(variable.memory, str):
        return None
    uses = [use.operation for use in variable.memory.uses]
    inside = [op for op in uses if op.parent is not None and op.parent in loop and op is not store]
    if len(inside) != 1 or not isinstance(load := inside[0], memref.LoadOp):
        return None
    if load.parent is not store.parent or not load.is_before_in_block(store):
        return None
    return FreeSum(load.res, store.value, store)


def free_sums(
    loop: NaturalLoop,
    counter: BlockArgument,
    quiet: tuple[Operation, ...],
    kept: dict[SSAValue, SSAValue],
) -> tuple[FreeSum, ...] | None:
    """What changes beside the counter on the quiet way; None where it is no such sum. `kept` says
    what arguments of blocks stand for there."""
    (edge,) = loop.back_edges()
    found: list[FreeSum] = []
    for argument, value in zip(loop.header.args, edge.values, strict=True):
        following = kept.get(value, value)
        if argument is not counter and following is not argument:
            found.append(FreeSum(argument, following))
    stores = (stored_sum(op, loop) for op in quiet if isinstance(op, memref.StoreOp))
    found += [one for one in stores if one is not None]
    return tuple(found) if all(_is_added_to(one, quiet, kept) for one in found) else None


def _is_added_to(
    sum: FreeSum, quiet: tuple[Operation, ...], kept: dict[SSAValue, SSAValue]
) -> bool:
    """Is each value from the first on asked for by one sum, and the last by its store at most?"""
    value = sum.first
    for _ in range(_MOST_NESTED):
        users = [op for op in quiet for side in op.operands if kept.get(side, side) is value]
        if value is sum.following:
            return users == [] if sum.store is None else users == [sum.store]
        if len(users) != 1 or not _is_free(users[0], value, kept):
            return False
        (value,) = users[0].results
    return False


def _is_free(op: Operation, sum: SSAValue, kept: dict[SSAValue, SSAValue]) -> bool:
    if isinstance(op, arith.AddiOp):
        return True
    if isinstance(op, arith.SubfOp) and kept.get(op.rhs, op.rhs) is sum:
        return False
    return isinstance(op, arith.AddfOp | arith.SubfOp) and may_reassociate(op)
