"""Places from 0 to 255 as bytes: what is computed of them is computed as bytes, too.

    t[s[i] & 127]            %b = andi %s, 127 : i8
    t[s[i] ^ key[i]]         %b = xori %s, %key : i8
    t[w[i] >> 8 & 255]       %b = trunci (shrsi %w, 8) : i8

A byte is the lowest bits of what it stands for: of sums, products and bits those are found from the
operands' lowest bits, of remainders of powers of two as well. What is shifted is shifted as what it
was.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.ir.effects import constant_integer
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.value_ranges import MODULAR, ValueRange, divided_by, fits, width_of
from polyopt.support.record import entity

_BYTE = 8
_WIDTHS = (8, 16, 32)
_CASTS = (arith.IndexCastOp, arith.ExtUIOp, arith.ExtSIOp, arith.TruncIOp)
Ranges = Mapping[SSAValue, ValueRange]


def byte_of(builder: AffineBuilder, value: SSAValue, ranges: Ranges) -> SSAValue:
    """The lowest eight bits of the value, an integer or an index; `ranges`: what values can be."""
    return _LowBits(builder, ranges).of(value, _BYTE)


_EXTREMES = (arith.MinSIOp, arith.MinUIOp, arith.MaxSIOp, arith.MaxUIOp)
_MOST_OPERANDS = 30
"""How far operands are followed."""


@entity
class _LowBits:
    builder: AffineBuilder
    ranges: Ranges
    _found: dict[tuple[SSAValue, int], SSAValue] = field(
        default_factory=dict[tuple[SSAValue, int], SSAValue]
    )
    _depth: int = 0

    def of(self, value: SSAValue, width: int) -> SSAValue:
        """The lowest bits, as an integer of so many."""
        if (value, width) not in self._found:
            self._depth += 1
            self._found[value, width] = self._computed(value, width)
            self._depth -= 1
        return self._found[value, width]

    def _computed(self, value: SSAValue, width: int) -> SSAValue:
        if value.type == IntegerType(width) and not isinstance(value.owner, arith.IndexCastOp):
            return value
        number = constant_integer(value)
        if number is not None:
            return self._constant(number, width)
        if self._depth > _MOST_OPERANDS:
            return self._cast(value, width)
        owner, is_wide = value.owner, width_of(value.type) >= width
        match owner:
            case arith.SubiOp() if is_wide and (split := divided_by(owner)) is not None:
                whole, divisor, division = split
                is_floor = isinstance(division, arith.FloorDivSIOp) or self._is_natural(whole)
                if is_floor and divisor.bit_count() == 1 and divisor <= 1 << width:
                    mask = self._constant(divisor - 1, width)
                    return self._put(arith.AndIOp(self.of(whole, width), mask))
            case arith.ShLIOp() if is_wide:
                by = constant_integer(owner.rhs)
                if by is not None and 0 <= by < width:
                    count = self._constant(by, width)
                    return self._put(arith.ShLIOp(self.of(owner.lhs, width), count))
            case arith.FloorDivSIOp():
                divided = self._divided(owner, width)
                if divided is not None:
                    return divided
            case _ if is_wide and isinstance(owner, _EXTREMES) and self._fit(owner, width):
                left, right = (self.of(operand, width) for operand in owner.operands)
                is_least = isinstance(owner, (arith.MinSIOp, arith.MinUIOp))
                return self._put((arith.MinUIOp if is_least else arith.MaxUIOp)(left, right))
            case arith.SelectOp() if is_wide:
                sides = [self.of(side, width) for side in (owner.lhs, owner.rhs)]
                return self._put(arith.SelectOp(owner.cond, *sides))
            case _ if is_wide and isinstance(owner, _CASTS):
                if width_of(owner.input.type) >= width or isinstance(owner, arith.IndexCastOp):
                    return self.of(owner.input, width)
                if not isinstance(owner, arith.TruncIOp):
                    return self._put(type(owner)(owner.input, IntegerType(width)))
            case _ if isinstance(owner, MODULAR) and is_wide:
                left, right = (self.of(operand, width) for operand in owner.operands)
                return self._put(type(owner)(left, right))
            case _:
                pass
        return self._cast(value, width)

    def _cast(self, value: SSAValue, width: int) -> SSAValue:
        """What is narrower is taken with its sign, as by an index that is made of it."""
        type_ = IntegerType(width)
        if isinstance(value.type, IndexType):
            return self._put(arith.IndexCastOp(value, type_))
        cast = arith.TruncIOp if width_of(value.type) > width else arith.ExtSIOp
        return self._put(cast(value, type_))

    def _divided(self, op: arith.FloorDivSIOp, width: int) -> SSAValue | None:
        """By powers of two, of what has no sign, as an integer that holds it: shifted."""
        by, whole = 0, op.result
        while isinstance(whole.owner, arith.FloorDivSIOp):
            divisor = constant_integer(whole.owner.rhs)
            if divisor is None or divisor < 1 or divisor.bit_count() != 1:
                return None
            by += divisor.bit_length() - 1
            whole = whole.owner.lhs
        range_ = self.ranges.get(whole)
        if range_ is None or not self._is_natural(whole):
            return self._shifted(whole, by, width)
        if range_.high >> by == 0:
            return self._constant(0, width)
        for held in _WIDTHS:
            if held >= width and range_.high < 1 << held:
                count = self._constant(by, held)
                return self.of(self._put(arith.ShRUIOp(self.of(whole, held), count)), width)
        return None

    def _fit(self, op: Operation, width: int) -> bool:
        """Has no operand a sign, nor more bits?"""
        ranges = [_of_constant(one) or self.ranges.get(one) for one in op.operands]
        return all(one is not None and fits(one, width, signed=False) for one in ranges)

    def _is_natural(self, value: SSAValue) -> bool:
        range_ = self.ranges.get(value)
        return range_ is not None and range_.low >= 0

    def _shifted(self, whole: SSAValue, by: int, width: int) -> SSAValue | None:
        """Of an integer with a sign."""
        owner = whole.owner
        if not isinstance(owner, arith.IndexCastOp) or not isa(owner.input.type, IntegerType):
            return None
        count = self._constant(min(by, width_of(owner.input.type) - 1), width_of(owner.input.type))
        return self.of(self._put(arith.ShRSIOp(owner.input, count)), width)

    def _constant(self, number: int, width: int) -> SSAValue:
        half = 1 << (width - 1)
        signed = (number + half) % (2 * half) - half
        return self._put(arith.ConstantOp(IntegerAttr(signed, IntegerType(width))))

    def _put(self, op: Operation) -> SSAValue:
        return self.builder.insert(op).results[0]


def _of_constant(value: SSAValue) -> ValueRange | None:
    number = constant_integer(value)
    return None if number is None else ValueRange(number, number)
