"""Bits counted by sums of ever wider parts of an integer, all parts in one register.

    x = x - (x >> 1 & 0x5555...)                     how many bits are set in each two
    x = (x & 0x3333...) + (x >> 2 & 0x3333...)       in each four
    x = x + (x >> 4) & 0x0f0f...                     in each byte
    x * 0x0101... >> 24                              in all bytes

A value is described by what its parts hold: `width` bits each, with the number of bits that are set
in the same place of the integer at the start, and in `bytes` bytes from there on where bytes were
added up without a mask. Each operation that is known leads from one description to the next, so
that a line of the above may be written in any of the usual ways.

(H. S. Warren, Hacker's Delight, 5-1.)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.ir.effects import constant_integer
from polyopt.support.record import record

_SHIFTS = (arith.ShRUIOp, arith.ShRSIOp)
_CASTS = (arith.ExtUIOp, arith.TruncIOp)
_STEPS = (*_SHIFTS, *_CASTS, arith.AddiOp, arith.SubiOp, arith.AndIOp, arith.MuliOp)
_WIDTHS = (8, 16, 32, 64)


@record
class Parts:
    """Of `source`, an integer of `bits` bits."""

    source: SSAValue
    bits: int
    width: int = 1
    bytes: int = 1
    is_total: bool = False

    @property
    def mask(self) -> int:
        """Every other part, beginning with the lowest."""
        ones = (1 << self.width) - 1
        return sum(ones << at for at in range(0, self.bits, 2 * self.width))

    def twice(self) -> Parts:
        return replace(self, width=2 * self.width, is_total=2 * self.width == self.bits)


def may_sum_bits(numbers: Iterable[int]) -> bool:
    """Are there masks of the first two steps among the constants?"""
    return {0x55, 0x33} <= {number & 0xFF for number in numbers}


class SummedBits:
    """Tells which values are the number of bits that are set in another."""

    def __init__(self) -> None:
        self._known: dict[SSAValue, Parts | None] = {}

    def counted_by(self, op: Operation) -> SSAValue | None:
        """Whose bits the operation's result is the number of, if it is the last step. To be asked
        of operations in their order."""
        if not isinstance(op, _STEPS):
            return None
        found = self._parts(op.results[0])
        is_last = found is not None and found.is_total and not isinstance(op, _CASTS)
        return found.source if found is not None and is_last else None

    def _parts(self, value: SSAValue) -> Parts | None:
        if value not in self._known:
            self._known[value] = None
            self._known[value] = self._step(value) or _all_of(value)
        return self._known[value]

    def _step(self, value: SSAValue) -> Parts | None:
        match value.owner:
            case arith.ExtUIOp() as op:
                return self._parts(op.input)
            case arith.TruncIOp() as op:
                parts = self._parts(op.input)
                is_whole = parts is not None and parts.bits <= _bits(value)
                return parts if is_whole else None
            case arith.SubiOp() as op:
                parts = self._parts(op.lhs)
                if parts is not None and parts.width == 1 and parts == self._masked(op.rhs, 1):
                    return parts.twice()
            case arith.AddiOp() as op:
                return self._sum(op.lhs, op.rhs) or self._sum(op.rhs, op.lhs)
            case arith.AndIOp() as op:
                return self._under(op.lhs, op.rhs) or self._under(op.rhs, op.lhs)
            case arith.ShRUIOp() | arith.ShRSIOp() as op:
                return self._highest_byte(op)
            case _:
                pass
        return None

    def _masked(self, value: SSAValue, by: int) -> Parts | None:
        """Of `v >> by & mask`, what is in the parts of v."""
        op = value.owner
        if not isinstance(op, arith.AndIOp):
            return None
        for one, mask in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            parts = self._shifted(one, by) if by else self._parts(one)
            if parts is not None and _is(mask, parts.mask, parts.bits):
                return parts
        return None

    def _shifted(self, value: SSAValue, by: int) -> Parts | None:
        op = value.owner
        if not isinstance(op, _SHIFTS) or _number(op.rhs) != by:
            return None
        return self._parts(op.lhs)

    def _sum(self, low: SSAValue, high: SSAValue) -> Parts | None:
        parts = self._masked(low, 0)
        if parts is not None and parts.bytes == 1 and parts == self._masked(high, parts.width):
            return parts.twice()
        parts = self._parts(low)
        if parts is None or parts.width != 8 or 8 * parts.bytes >= parts.bits:
            return None
        if parts != self._shifted(high, 8 * parts.bytes):
            return None
        return replace(parts, bytes=2 * parts.bytes)

    def _under(self, value: SSAValue, mask: SSAValue) -> Parts | None:
        op = value.owner
        if isinstance(op, arith.AddiOp):
            for low, high in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
                parts = self._parts(low)
                # Two parts of four bits or more have room for their sum in one.
                if parts is None or parts.bytes > 1 or parts.width < 4 or parts.is_total:
                    continue
                if parts == self._shifted(high, parts.width):
                    if _is(mask, parts.mask, parts.bits):
                        return parts.twice()
        parts, number = self._parts(value), _number(mask)
        if parts is None or number is None or 8 * parts.bytes != parts.bits or parts.width != 8:
            return None
        needed = (1 << parts.bits.bit_length()) - 1
        is_enough = number & needed == needed and 0 <= number <= 0xFF
        return replace(parts, is_total=True) if is_enough else None

    def _highest_byte(self, op: arith.ShRUIOp | arith.ShRSIOp) -> Parts | None:
        """Of the product with 0x0101..., in which it is the sum of all bytes."""
        product, bits = op.lhs.owner, _bits(op.lhs)
        if not isinstance(product, arith.MuliOp) or _number(op.rhs) != bits - 8:
            return None
        for one, other in ((product.lhs, product.rhs), (product.rhs, product.lhs)):
            parts = self._parts(one)
            # Above the integer at the start there are bytes of zeros.
            if parts is None or (parts.width, parts.bytes) != (8, 1):
                continue
            if _is(other, ((1 << bits) - 1) // 0xFF, bits):
                return replace(parts, is_total=True)
        return None


def _all_of(value: SSAValue) -> Parts | None:
    """The integer at the start, one bit in each part."""
    bits = _bits(value)
    return Parts(value, bits) if bits in _WIDTHS else None


def _bits(value: SSAValue) -> int:
    return value.type.width.data if isa(value.type, IntegerType) else 0


def _is(value: SSAValue, number: int, bits: int) -> bool:
    """As far as an integer of so many bits goes."""
    found = _number(value)
    return found is not None and (found ^ number) & ((1 << bits) - 1) == 0


def _number(value: SSAValue) -> int | None:
    """A constant, or one made wider."""
    while isinstance(value.owner, (arith.ExtSIOp, arith.ExtUIOp)):
        value = value.owner.input
    return constant_integer(value)
