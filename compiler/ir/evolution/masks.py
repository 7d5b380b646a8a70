"""Operations on bits as arithmetic, and which bits of a value may be ones.

    x & m        the runs of ones in m, each a difference of two floors
    x | m        x + m - (x & m),    x ^ m   x + m - 2 * (x & m)
    x | y        x + y where no bit of both may be one, x ^ y as well

A bit may be one unless an operation clears it, or a counter does not come that far:

    (i & 0xf0) | (i & 15)      (row << 4) | column, with column from 0 to 15
"""

from __future__ import annotations

from functools import partial

from xdsl.dialects import arith
from xdsl.ir import Block, SSAValue

from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.effects import bit_width, constant_integer
from polyopt.ir.evolution.counted_range import range_of
from polyopt.ir.expressions.integer_expr import ZERO, Expr, Wrapped
from polyopt.ir.expressions.integer_forms import floor
from polyopt.ir.expressions.readings import Readings

BitOp = arith.AndIOp | arith.OrIOp | arith.XOrIOp

_MOST_OPERANDS = 30
"""How far operands are followed for their bits."""
_MOST_RUNS = 2
"""Of ones in a mask: each is a remainder, which costs isl a division."""


def masked(op: BitOp, term: Expr, mask: int, bits: int, is_signed: bool) -> Expr | None:
    """The operation on `term` and a number, of numbers of any length as two's complement writes
    them; the type's reading of the mask is such a number."""
    if bits == 1:
        return None
    mask &= (1 << bits) - 1
    is_high = bool(mask >> (bits - 1))
    number = mask - (1 << bits) if is_high and is_signed else mask
    inner = term.as_atom
    known = term
    if isinstance(inner, Wrapped) and not is_high and inner.bits >= mask.bit_length():
        known = inner.term
    common = _common_bits(known, mask - (1 << bits) if is_high else mask)
    if common is None or isinstance(op, arith.AndIOp):
        return common
    return term + number - common * (1 if isinstance(op, arith.OrIOp) else 2)


def _common_bits(term: Expr, mask: int) -> Expr | None:
    """`term & mask`: each run of ones from bit `low` to `high` is
    `floor(x / 2**low) - floor(x / 2**high) * 2**(high - low)`, times 2**low."""
    if mask < 0:
        rest = _common_bits(term, ~mask)
        return None if rest is None else term - rest
    result, low = ZERO, 0
    for _ in range(_MOST_RUNS):
        if not mask:
            break
        shift = (mask & -mask).bit_length() - 1
        length = (~(mask >> shift) & ((mask >> shift) + 1)).bit_length() - 1
        low, high = low + shift, low + shift + length
        result += floor(term, 1 << low) * (1 << low) - floor(term, 1 << high) * (1 << high)
        mask >>= shift + length
        low = high
    return None if mask else result


def is_sum(op: BitOp, readings: Readings) -> bool:
    """No bit may be one in both operands of an `or` or `xor`: it adds them, however they are
    read."""
    if isinstance(op, arith.AndIOp) or bit_width(op.result) == 1:
        return False
    bits = PossibleBits(readings, enclosing_block(op))
    return not bits.of(op.lhs) & bits.of(op.rhs)


class PossibleBits:
    """The bits that may be ones when control is in block `at`, as the ones of a number."""

    def __init__(self, readings: Readings, at: Block):
        self._range = partial(range_of, readings=readings, at=at)
        self._known: dict[SSAValue, int] = {}

    def of(self, value: SSAValue, left: int = _MOST_OPERANDS) -> int:
        """At least the ones of `value`."""
        if value not in self._known:
            every = (1 << bit_width(value)) - 1
            self._known[value] = self._of_operation(value, every, left) & every
        return self._known[value]

    def _of_operation(self, value: SSAValue, every: int, left: int) -> int:
        if not left:
            return every
        match value.owner:
            case arith.ConstantOp():
                number = constant_integer(value)
                return every if number is None else number
            case arith.AndIOp() as op:
                return self.of(op.lhs, left - 1) & self.of(op.rhs, left - 1)
            case arith.OrIOp() | arith.XOrIOp() as op:
                return self.of(op.lhs, left - 1) | self.of(op.rhs, left - 1)
            case arith.ShLIOp() as op if (shift := _shift(op.rhs)) is not None:
                return self.of(op.lhs, left - 1) << shift
            case arith.ShRUIOp() as op if (shift := _shift(op.rhs)) is not None:
                return self.of(op.lhs, left - 1) >> shift
            case arith.ShRSIOp() as op if (shift := _shift(op.rhs)) is not None:
                bits = self.of(op.lhs, left - 1)
                return every if bits > every >> 1 else bits >> shift
            case arith.ExtUIOp() | arith.TruncIOp() as op:
                return self.of(op.input, left - 1)
            case arith.ExtSIOp() | arith.IndexCastOp() as op:
                bits = self.of(op.input, left - 1)
                is_signed = bits >> (bit_width(op.input) - 1)
                return every if is_signed else bits
            case arith.SelectOp() as op:
                return self.of(op.lhs, left - 1) | self.of(op.rhs, left - 1)
            case _:
                least, greatest = self._range(value)
                return every if least < 0 else (1 << greatest.bit_length()) - 1


def _shift(value: SSAValue) -> int | None:
    number = constant_integer(value)
    return number if number is not None and 0 <= number < bit_width(value) else None
