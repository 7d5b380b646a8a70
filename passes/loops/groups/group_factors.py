"""Narrow expressions of elements that lie side by side: what they can be, and which bits hold it.

An expression is numbers as the source has them, in integers that lose none; `range` is what it can
be. Sixteen bits with a sign hold it, whatever the elements are, and each of its operations is done
in as many. Where eight bits hold each of its parts, with a sign or without (`are_bytes`), all of it
can be done in bytes.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation
from xdsl.utils.hints import isa

from polyopt.dialects.cmem import element_type
from polyopt.dialects.pvec_group_sums import BYTE, SIGNED, UNSIGNED
from polyopt.dialects.pvec_transfers import ReadOp
from polyopt.passes.loops.value_ranges import ValueRange, fits
from polyopt.support.record import record

Bitwise = arith.AndIOp | arith.OrIOp | arith.XOrIOp
Shift = arith.ShLIOp | arith.ShRSIOp | arith.ShRUIOp
Sum = arith.AddiOp | arith.SubiOp | arith.MuliOp | arith.MaxSIOp | arith.MinSIOp
Arithmetic = Sum | Bitwise | Shift
BITWISE = (arith.AndIOp, arith.OrIOp, arith.XOrIOp)
SHIFTS = (arith.ShLIOp, arith.ShRSIOp, arith.ShRUIOp)
SUMS = (arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.MaxSIOp, arith.MinSIOp)
ARITHMETIC = (*SUMS, *BITWISE, *SHIFTS)


@record
class ReadElement:
    """What is read, extended as `kind` says."""

    read: ReadOp
    kind: str

    @property
    def bits(self) -> int:
        return width_of_elements(self.read)

    @property
    def range(self) -> ValueRange:
        whole = ValueRange.of_bits(self.bits)
        return whole if self.kind == SIGNED else ValueRange(0, whole.high - whole.low)


@record
class Number:
    value: int

    @property
    def range(self) -> ValueRange:
        return ValueRange(self.value, self.value)


@record
class Combined:
    op: Arithmetic
    lhs: Factor
    rhs: Factor
    range: ValueRange


@record
class CountedBits:
    """How many bits of `whole`, which is not below zero, are one: as many in all widths of it."""

    whole: Factor

    @property
    def range(self) -> ValueRange:
        return ValueRange(0, self.whole.range.high.bit_length())


@record
class Comparison:
    """By a name of arith's without its sign: eq, ne, lt, le, gt, ge. Where it `wraps`, what is less
    than zero is greater than all numbers that are not, as it is without signs."""

    predicate: str
    lhs: Factor
    rhs: Factor
    wraps: bool = False

    @property
    def is_equality(self) -> bool:
        return self.predicate in ("eq", "ne")


@record
class BothConditions:
    op: Bitwise
    lhs: Condition
    rhs: Condition


@record
class ChosenCondition:
    condition: Condition
    then: Condition | bool
    orelse: Condition | bool


@record
class Chosen:
    condition: Condition
    then: Factor
    orelse: Factor

    @property
    def range(self) -> ValueRange:
        return self.then.range | self.orelse.range


Condition = Comparison | BothConditions | ChosenCondition
Factor = ReadElement | Number | Combined | Chosen | CountedBits
ONE = Number(1)


def width_of_elements(read: ReadOp) -> int:
    element = element_type(read.memref)
    return element.width.data if isa(element, IntegerType) else 0


def one_sign(lhs: Factor, rhs: Factor, bits: int) -> bool | None:
    """Whether integers of so many bits have to be taken with a sign to be those of both sides;
    None where they cannot be."""
    both = lhs.range | rhs.range
    for signed in (False, True):
        if fits(both, bits, signed=signed):
            return signed
    return None


def are_bytes(factor: Factor | Condition | bool) -> bool:
    """Do eight bits of each part give eight bits of the whole, which are all of it? Products of
    bytes the machine has none of, and shifts of such without signs only."""
    match factor:
        case ReadElement():
            return factor.bits == BYTE
        case Number():
            return one_sign(factor, factor, BYTE) is not None
        case Combined(op, lhs, rhs, _):
            parts = are_bytes(lhs) and are_bytes(rhs)
            is_known = one_sign(factor, factor, BYTE) is not None
            if isinstance(op, (arith.MaxSIOp, arith.MinSIOp)):
                is_known = one_sign(lhs, rhs, BYTE) is not None
            if isinstance(op, SHIFTS):
                is_known = is_known and fits(lhs.range, BYTE, signed=False) and _is_below(rhs, BYTE)
            return parts and is_known and not isinstance(op, arith.MuliOp)
        case CountedBits(whole):
            return are_bytes(whole) and fits(whole.range, BYTE, signed=False)
        case Chosen(condition, then, orelse):
            parts = are_bytes(condition) and are_bytes(then) and are_bytes(orelse)
            return parts and one_sign(then, orelse, BYTE) is not None
        case ChosenCondition(condition, then, orelse):
            return are_bytes(condition) and are_bytes(then) and are_bytes(orelse)
        case Comparison(_, lhs, rhs, True):
            return _wraps_in_a_byte(lhs, rhs)
        case Comparison(_, lhs, rhs):
            return are_bytes(lhs) and are_bytes(rhs) and one_sign(lhs, rhs, BYTE) is not None
        case BothConditions(_, lhs, rhs):
            return are_bytes(lhs) and are_bytes(rhs)
        case bool():
            return True


def byte_kinds(factor: Factor) -> list[str]:
    """How eight bits of it may be extended to be it."""
    ways = ((UNSIGNED, False), (SIGNED, True))
    return [kind for kind, signed in ways if fits(factor.range, BYTE, signed=signed)]


def _is_below(factor: Factor, bits: int) -> bool:
    return isinstance(factor, Number) and 0 <= factor.value < bits


def is_defined(op: Operation, rhs: Factor, bits: int) -> bool:
    """Does an operation on integers of so many bits have a result? They are shifted by fewer."""
    return not isinstance(op, SHIFTS) or _is_below(rhs, bits)


def _wraps_in_a_byte(lhs: Factor, rhs: Factor) -> bool:
    """Is what a sum or difference of bytes is below zero, modulo 256, greater than what it is above
    zero, and than what it is compared with?"""
    if not isinstance(lhs, Combined) or not isinstance(lhs.op, (arith.AddiOp, arith.SubiOp)):
        return False
    greatest = max(lhs.range.high, rhs.range.high)
    is_apart = greatest < min(1 << BYTE, lhs.range.low + (1 << BYTE))
    return are_bytes(lhs.lhs) and are_bytes(lhs.rhs) and is_natural_byte(rhs) and is_apart


def is_natural_byte(factor: Factor) -> bool:
    return are_bytes(factor) and fits(factor.range, BYTE, signed=False)
