"""Whether values of a width do for straight code, from what they can be and what is needed of them.

A value is held in w bits as its lowest w bits. That will do if no more are needed of it, or if what
it can be fits, with a sign or without one. Operations that look at the value itself, comparisons,
extremes, divisions and shifts to the right, want all of their operands to fit the same way. A
number from outside that is only compared with, a threshold, need not fit: brought to one beyond
what it is compared with, the answer is the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.ir.effects import constant_integer
from polyopt.passes.loops.value_ranges import (
    DIVISIONS,
    RIGHT_SHIFTS,
    ValueRange,
    fits,
    needed_bits,
    value_ranges,
    width_of,
)
from polyopt.support.record import entity

EXTREMES = (arith.MaxSIOp, arith.MinSIOp, arith.MaxUIOp, arith.MinUIOp)
_SIGNED = (0, 1, 2, 3, 4, 5)
"""The predicates `eq`, `ne`, `slt`, `sle`, `sgt` and `sge`."""


@entity
class IntegerUse:
    """`ranges`: what the values can be. `needed`: how many of their lowest bits are used."""

    ranges: dict[SSAValue, ValueRange]
    needed: dict[SSAValue, int]

    @staticmethod
    def of(operations: Sequence[Operation]) -> IntegerUse:
        return IntegerUse(value_ranges(operations), needed_bits(operations))

    def may_be(self, op: Operation, width: int) -> bool:
        """Do `width` bits of the operation's result and operands do?"""
        wide = [one for one in (*op.operands, *op.results) if is_wide(one, width)]
        if self.threshold(op, width) is not None:
            return True
        if not all(self.needed.get(one, 0) <= width or self._fits(one, width) for one in wide):
            return False
        if isinstance(op, (arith.ShLIOp, *RIGHT_SHIFTS)) and wide:
            by = self.range_of(op.operands[1])
            return 0 <= by.low and by.high < width and self._may_shift(op, width)
        if isinstance(op, DIVISIONS) and wide:
            least = [self.range_of(one).low for one in op.operands]
            if least[1] <= 0 or (least[0] < 0 and isinstance(op, (arith.DivUIOp, arith.RemUIOp))):
                return False
        if isinstance(op, math.CtPopOp) and wide:
            return fits(self.range_of(op.operand), width, signed=False)
        if isinstance(op, (arith.CmpiOp, *EXTREMES, *DIVISIONS)) and wide:
            return self._are_alike(op.operands, width)
        return True

    def threshold(self, op: Operation, width: int) -> int | None:
        """Which operand of a comparison is from outside, if the other one's interval leaves room
        for it on both sides."""
        if not isinstance(op, arith.CmpiOp) or op.predicate.value.data not in _SIGNED:
            return None
        for place, (one, other) in enumerate((op.operands, tuple(reversed(op.operands)))):
            here = self.ranges.get(other)
            is_outside = (
                one not in self.ranges and constant_integer(one) is None and is_wide(one, width)
            )
            if is_outside and here is not None:
                if fits(ValueRange(here.low - 1, here.high + 1), width, signed=True):
                    return place
        return None

    def _may_shift(self, op: Operation, width: int) -> bool:
        if isinstance(op, arith.ShLIOp) or self.is_low_part(op, width):
            return True
        shifted = op.operands[0]
        if isinstance(op, arith.ShRUIOp) and self.range_of(shifted).low < 0:
            return False
        return self._fits(shifted, width)

    def range_of(self, value: SSAValue) -> ValueRange:
        number = constant_integer(value)
        if number is not None:
            return ValueRange(number, number)
        here = self.ranges.get(value)
        if here is None and isinstance(value.owner, arith.ExtUIOp | arith.ExtSIOp):
            return _extended(value.owner)
        return here or ValueRange.of_bits(width_of(value.type))

    def _fits(self, value: SSAValue, width: int) -> bool:
        here = self.range_of(value)
        return fits(here, width, signed=True) or fits(here, width, signed=False)

    def _are_alike(self, values: Sequence[SSAValue], width: int) -> bool:
        return any(
            all(fits(self.range_of(one), width, signed=signed) for one in values)
            for signed in (True, False)
        )

    def is_low_part(self, op: Operation, width: int) -> bool:
        """Are the bits that are needed of a shifted value among the lowest ones of the operand?"""
        return self.needed.get(op.operands[0], 0) <= width


def _extended(op: arith.ExtUIOp | arith.ExtSIOp) -> ValueRange:
    """What was widened in front of the loop."""
    width = width_of(op.input.type)
    if isinstance(op, arith.ExtUIOp):
        return ValueRange(0, (1 << width) - 1)
    return ValueRange.of_bits(width)


def is_wide(value: SSAValue, width: int) -> bool:
    type_ = value.type
    return isa(type_, IntegerType) and type_.width.data > width
