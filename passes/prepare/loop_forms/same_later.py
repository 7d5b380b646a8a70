"""Whether one value of a loop is what another one will be some counts of the counter later.

    a[i + 2] + x          is what          a[i] + x          is two counts later

Answered by shape: both are computed by the same operations, from the same values, and where one is
made of the counter, so is the other, further by that many counts. No operation may overflow later
on where the loop as it is does not.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import constant_integer, is_pure
from polyopt.support.record import entity, record

_MOST_NESTED = 32


@record
class Count:
    """`factor * counter + offset`, found by so many `operations`."""

    factor: int
    offset: int
    operations: int = 0


@entity
class SameLater:
    """`is_later(first, other, turn)` knows of values that memory gives."""

    loop: NaturalLoop
    counter: BlockArgument
    distance: int
    is_later: Callable[[SSAValue, SSAValue, int], bool]

    def holds(self, first: SSAValue, other: SSAValue, turn: int, depth: int = 0) -> bool:
        """`other` is what `first` is when the counter is `turn * distance` further."""
        if first.type != other.type or depth > _MOST_NESTED:
            return False
        here, there = self.count(first), self.count(other)
        if here is not None or there is not None:
            return here is not None and there is not None and self._is_ahead(here, there, turn)
        if self._stays(first) or self._stays(other):
            return first is other or _is_same_number(first, other)
        one, two = first.owner, other.owner
        if isinstance(one, Block) or isinstance(two, Block):
            return False
        if self.is_later(first, other, turn):
            return True
        return (
            one.name == two.name
            and is_pure(one)
            and one.properties == two.properties
            and one.results.index(first) == two.results.index(other)
            and len(one.operands) == len(two.operands)
            and all(
                self.holds(a, b, turn, depth + 1)
                for a, b in zip(one.operands, two.operands, strict=True)
            )
        )

    def _is_ahead(self, here: Count, there: Count, turn: int) -> bool:
        """What `first` goes through on its way lies between what the loop computes anyway: it is
        one operation, or adds no less than nothing to a multiple."""
        return (
            here.factor == there.factor > 0
            and (here.operations <= 1 or here.offset >= 0)
            and there.offset - here.offset == turn * self.distance * here.factor
        )

    def count(self, value: SSAValue) -> Count | None:
        """The value as a multiple of the counter and a number, of its own width."""
        if value is self.counter:
            return Count(1, 0)
        op = value.owner
        if not isinstance(op, arith.AddiOp | arith.SubiOp | arith.MuliOp) or not never_wraps(op):
            return None
        left, right = op.lhs, op.rhs
        if not isinstance(op, arith.SubiOp) and constant_integer(left) is not None:
            left, right = right, left
        number = constant_integer(right)
        inner = self.count(left) if number is not None else None
        if number is None or inner is None:
            return None
        operations = inner.operations + 1
        match op:
            case arith.AddiOp():
                return Count(inner.factor, inner.offset + number, operations)
            case arith.SubiOp():
                return Count(inner.factor, inner.offset - number, operations)
            case _:
                return Count(inner.factor * number, inner.offset * number, operations)

    def _stays(self, value: SSAValue) -> bool:
        owner = value.owner
        home = owner.parent if isinstance(owner, Operation) else owner
        return home is None or home not in self.loop


def never_wraps(op: arith.AddiOp | arith.SubiOp | arith.MuliOp) -> bool:
    return arith.IntegerOverflowFlag.NSW in op.overflow_flags.data


def _is_same_number(one: SSAValue, other: SSAValue) -> bool:
    left, right = one.owner, other.owner
    return (
        isinstance(left, arith.ConstantOp)
        and isinstance(right, arith.ConstantOp)
        and left.value == right.value
    )
