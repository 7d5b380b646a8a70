"""What the integers of straight code can be, and how many of their bits are needed.

Indices are integers of 64 bits.

Values are taken with a sign, whatever reads them: an element of eight bits is from -128 to 127,
and what `extui` makes of it from 0 to 255. An operation whose result may leave its type's range
may give anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from xdsl.dialects import affine, arith, math
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.ir.effects import constant_integer
from polyopt.support.record import record

ALL = 1 << 10
"""More bits than any integer has: the value itself is needed."""

MODULAR = (
    *(arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.ShLIOp),
    *(arith.AndIOp, arith.OrIOp, arith.XOrIOp),
)
"""Of whose results the lowest bits depend on as many of their operands."""

RIGHT_SHIFTS = (arith.ShRSIOp, arith.ShRUIOp)
DIVISIONS = (arith.DivSIOp, arith.RemSIOp, arith.DivUIOp, arith.RemUIOp)


@record
class ValueRange:
    low: int
    high: int

    @staticmethod
    def of_bits(width: int) -> ValueRange:
        return ValueRange(-(1 << (width - 1)), (1 << (width - 1)) - 1)

    def __or__(self, other: ValueRange) -> ValueRange:
        return ValueRange(min(self.low, other.low), max(self.high, other.high))


def fits(range_: ValueRange, width: int, *, signed: bool) -> bool:
    if signed:
        return -(1 << (width - 1)) <= range_.low and range_.high < 1 << (width - 1)
    return range_.low >= 0 and range_.high < 1 << width


def width_of(type_: Attribute) -> int:
    if isinstance(type_, IndexType):
        return 64
    assert isa(type_, IntegerType)
    return type_.width.data


def _is_integer(value: SSAValue) -> bool:
    return isinstance(value.type, (IntegerType, IndexType))


def value_ranges(operations: Sequence[Operation]) -> dict[SSAValue, ValueRange]:
    """Of the operations' integers; what is not there can be anything."""
    known: dict[SSAValue, ValueRange] = {}
    for op in operations:
        for result in filter(_is_integer, op.results):
            whole = ValueRange.of_bits(width_of(result.type))
            found = _result(op, known)
            is_inside = found and whole.low <= found.low and found.high <= whole.high
            known[result] = found if found and is_inside else whole
    return known


def _result(op: Operation, known: dict[SSAValue, ValueRange]) -> ValueRange | None:
    def of(value: SSAValue) -> ValueRange:
        number = constant_integer(value)
        if number is not None:
            return ValueRange(number, number)
        return known.get(value) or ValueRange.of_bits(width_of(value.type))

    if isinstance(op, math.CtPopOp):
        counted = of(op.operand)
        bits = counted.high.bit_length() if counted.low >= 0 else width_of(op.operand.type)
        return ValueRange(0, bits)
    if not op.name.startswith("arith."):
        return None
    if isinstance(op, arith.ConstantOp):
        return of(op.result)
    here = [of(one) for one in op.operands if _is_integer(one)]
    match op:
        case arith.ExtUIOp():
            width = width_of(op.input.type)
            return here[0] if here[0].low >= 0 else ValueRange(0, (1 << width) - 1)
        case arith.ExtSIOp() | arith.TruncIOp() | arith.IndexCastOp():
            return here[0]
        case arith.SelectOp():
            return here[1] | here[2]
        case arith.CmpiOp():
            return None
        case arith.SubiOp() if (split := divided_by(op)) is not None:
            is_natural = isinstance(split[2], arith.FloorDivSIOp) or of(split[0]).low >= 0
            return ValueRange(0 if is_natural else 1 - split[1], split[1] - 1)
        case _ if len(here) == 2:
            return range_of_two(op, *here)
        case _:
            return None


def divided_by(op: arith.SubiOp) -> tuple[SSAValue, int, Operation] | None:
    """The whole, the divisor and the division, if the operation gives what the division leaves:
    `x - x / d * d`, d > 0."""
    product = op.rhs.owner
    if not isinstance(product, arith.MuliOp):
        return None
    divisor, division = constant_integer(product.rhs), product.lhs.owner
    if divisor is None or divisor <= 0:
        return None
    if not isinstance(division, arith.DivSIOp | arith.FloorDivSIOp) or division.lhs is not op.lhs:
        return None
    return (op.lhs, divisor, division) if constant_integer(division.rhs) == divisor else None


def range_of_two(op: Operation, left: ValueRange, right: ValueRange) -> ValueRange | None:
    """What an operation on two integers can give, as if nothing wrapped; None if not known."""
    ends = [(a, b) for a in (left.low, left.high) for b in (right.low, right.high)]
    is_natural = left.low >= 0 and right.low >= 0
    match op:
        case arith.MaxSIOp():
            return ValueRange(max(left.low, right.low), max(left.high, right.high))
        case arith.MinSIOp():
            return ValueRange(min(left.low, right.low), min(left.high, right.high))
        case arith.AddiOp():
            found = [a + b for a, b in ends]
        case arith.SubiOp():
            found = [a - b for a, b in ends]
        case arith.MuliOp():
            found = [a * b for a, b in ends]
        case arith.ShLIOp() if 0 <= right.low == right.high < 64:
            found = [a << b for a, b in ends]
        case arith.ShRSIOp() if 0 <= right.low == right.high:
            found = [a >> b for a, b in ends]
        case arith.ShRUIOp() if left.low >= 0 and 0 <= right.low == right.high:
            found = [a >> b for a, b in ends]
        case arith.DivSIOp() | arith.DivUIOp() if is_natural and right.low > 0:
            found = [a // b for a, b in ends]
        case arith.FloorDivSIOp() if right.low > 0:
            found = [a // b for a, b in ends]
        case arith.DivSIOp() if right.low > 0:
            found = [abs(a) // b * (1 if a > 0 else -1) for a, b in ends]
        case arith.RemSIOp() | arith.RemUIOp() if is_natural and right.low > 0:
            return ValueRange(0, min(left.high, right.high - 1))
        case arith.RemSIOp() if right.low > 0:
            return ValueRange(1 - right.high, right.high - 1)
        case arith.AndIOp() if left.low >= 0 or right.low >= 0:
            return ValueRange(0, min(one.high for one in (left, right) if one.low >= 0))
        case arith.OrIOp() | arith.XOrIOp() if is_natural:
            return ValueRange(0, (1 << max(left.high, right.high).bit_length()) - 1)
        case arith.AndIOp() | arith.OrIOp() | arith.XOrIOp():
            # As many bits as both have, with their sign.
            beyond = 1 << max((one if one >= 0 else ~one).bit_length() for one in chain(*ends))
            return ValueRange(-beyond, beyond - 1)
        case arith.MaxUIOp() | arith.MinUIOp() if is_natural:
            return left | right
        case _:
            return None
    return ValueRange(min(found), max(found))


def needed_bits(operations: Sequence[Operation]) -> dict[SSAValue, int]:
    """How many of a value's lowest bits what is stored, compared or used elsewhere depends on."""
    inside = set(operations)
    needed: dict[SSAValue, int] = {}

    def need(value: SSAValue, bits: int) -> None:
        needed[value] = max(needed.get(value, 0), bits)

    for op in operations:
        for result in op.results:
            if any(use.operation not in inside for use in result.uses):
                need(result, ALL)
    for op in reversed(operations):
        own = max((needed.get(one, 0) for one in op.results), default=0)
        match op:
            case affine.StoreOp():
                need(op.value, width_of(op.value.type))
            case arith.TruncIOp():
                need(op.input, min(own, width_of(op.result.type)))
            case arith.ExtSIOp() | arith.ExtUIOp():
                need(op.input, own if own <= width_of(op.input.type) else ALL)
            case arith.ShRSIOp() | arith.ShRUIOp():
                by = constant_integer(op.rhs)
                need(op.lhs, ALL if by is None or by < 0 else own + by)
                need(op.rhs, ALL)
            case arith.ShLIOp():
                need(op.lhs, own)
                need(op.rhs, ALL)
            case arith.SelectOp():
                need(op.lhs, own)
                need(op.rhs, own)
            case arith.ConstantOp() | affine.LoadOp():
                pass
            case _:
                bits = own if isinstance(op, MODULAR) else ALL
                for operand in op.operands:
                    need(operand, bits)
    return needed
