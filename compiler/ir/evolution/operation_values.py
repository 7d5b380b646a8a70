"""What an operation makes of its operands, as an expression: exact, or `Wrapped` where it may wrap.

    + - * with nsw, read as signed       over the readings of the operands
    / % >> & | min max ?: casts          over floors, extrema and choices
    pointers, views                      addresses in bytes

The operands are read by whoever knows how they change from iteration to iteration (`Readings`).
What has no expression is an unknown.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith, memref
from xdsl.ir import Block, Operation, OpResult, SSAValue

from polyopt.dialects import cmem
from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.effects import bit_width, constant_integer, is_wide
from polyopt.ir.evolution.exact_floats import truncated
from polyopt.ir.evolution.masks import BitOp, is_sum, masked
from polyopt.ir.expressions.conditions import condition_of
from polyopt.ir.expressions.integer_conditions import condition_flags
from polyopt.ir.expressions.integer_expr import ZERO, Counter, Expr, Unknown
from polyopt.ir.expressions.integer_forms import choice, extremum, floor, quotient, wrapped
from polyopt.ir.expressions.readings import Readings
from polyopt.ir.expressions.shapes import byte_offset
from polyopt.ir.expressions.unknown_values import leaf

_Read = Callable[[SSAValue, bool], Expr]
"""What a reader, signed or not, sees of an operand."""


def integer_value(value: SSAValue, op: Operation, is_signed: bool, readings: Readings) -> Expr:
    """What a signed or unsigned reader sees of an integer that `op` computes."""
    bits, block = bit_width(value), enclosing_block(op)
    if bits == 1 and not isinstance(op, arith.ConstantOp):
        result = _truth(value, is_signed, readings)
    elif isinstance(op, arith.AddiOp | arith.SubiOp | arith.MuliOp):
        result = _arithmetic(op, block, is_signed, readings)
    elif isinstance(op, arith.AndIOp | arith.OrIOp | arith.XOrIOp):
        result = _of_bits(op, block, is_signed, readings)
    elif isinstance(op, arith.SelectOp):
        result = _selected(op, block, is_signed, readings)
    elif isinstance(op, arith.FPToSIOp | arith.FPToUIOp):
        term = truncated(op, readings)
        signed = isinstance(op, arith.FPToSIOp)
        result = None if term is None else _converted(term, bits, signed, is_signed)
    else:
        result = _exact(op, bits, is_signed, _reader(readings, block))
    return leaf(value, is_signed) if result is None else result


def address_value(value: SSAValue, op: Operation, readings: Readings) -> Expr:
    """The address that `op` computes, in bytes."""
    block = enclosing_block(op)
    match op:
        case cmem.ViewOp():
            return readings.signed(op.source, block)
        case cmem.OffsetOp():
            index = readings.signed(op.index, block)
            return readings.signed(op.base, block) + index * op.stride.value.data
        case cmem.AddressOp():
            indices = [readings.signed(index, block) for index in op.indices]
            offset = byte_offset(op.memref, indices, readings, block)
            if offset is None:
                return leaf(value, True)
            return readings.signed(op.memref, block) + offset
        case cmem.IntToPtrOp():
            return readings.signed(op.source, block)
        case cmem.DistinctObjectsOp():
            assert isinstance(value, OpResult)
            return readings.signed(op.memrefs[value.index], block)
        case memref.CastOp():
            return readings.signed(op.source, block)
        case _:
            return leaf(value, True)


def _reader(readings: Readings, block: Block) -> _Read:
    def read(operand: SSAValue, signed: bool) -> Expr:
        return readings.signed(operand, block) if signed else readings.unsigned(operand, block)

    return read


def _exact(op: Operation, bits: int, is_signed: bool, read: _Read) -> Expr | None:
    """Of operations whose result is one expression over their operands, whatever these are."""
    match op:
        case arith.ConstantOp():
            number = constant_integer(op.result)
            return None if number is None else wrapped(Expr.constant(number), bits, is_signed)
        case arith.ShLIOp():
            return _shifted_left(op, bits, is_signed, read)
        case arith.ShRSIOp() | arith.ShRUIOp():
            shift = constant_integer(op.rhs)
            if shift is None or not 0 <= shift < bits - 1:
                return None
            signed = isinstance(op, arith.ShRSIOp)
            return _converted(floor(read(op.lhs, signed), 1 << shift), bits, signed, is_signed)
        case arith.DivSIOp() | arith.RemSIOp() | arith.FloorDivSIOp() | arith.CeilDivSIOp():
            divisor = read(op.rhs, True).as_constant
            if divisor is None or divisor in (0, -1):
                return None
            result = _signed_division(op, read(op.lhs, True), divisor)
            return _converted(result, bits, True, is_signed)
        case arith.DivUIOp() | arith.RemUIOp():
            return _unsigned_division(op, bits, is_signed, read)
        case arith.MinSIOp() | arith.MaxSIOp():
            is_max = isinstance(op, arith.MaxSIOp)
            result = extremum(is_max, [read(op.lhs, True), read(op.rhs, True)])
            return _converted(result, bits, True, is_signed)
        case arith.MinUIOp() | arith.MaxUIOp():
            is_max = isinstance(op, arith.MaxUIOp)
            result = extremum(is_max, [read(op.lhs, False), read(op.rhs, False)])
            return _converted(result, bits, False, is_signed)
        case arith.ExtSIOp():
            return _converted(read(op.input, True), bits, True, is_signed)
        case arith.ExtUIOp():
            return read(op.input, False)
        case arith.TruncIOp() if is_wide(op.input.type):
            return None
        case arith.TruncIOp():
            return wrapped(read(op.input, True), bits, is_signed)
        case arith.IndexCastOp():
            term = read(op.input, True)
            if bit_width(op.input) <= bits:
                return _converted(term, bits, True, is_signed)
            return wrapped(term, bits, is_signed)
        case cmem.PtrToIntOp():
            return read(op.source, is_signed)
        case _:
            return None


def _truth(value: SSAValue, is_signed: bool, readings: Readings) -> Expr | None:
    condition = condition_of(value, readings)
    if any(condition_flags(condition)):
        return None
    return choice(condition, Expr.constant(-1 if is_signed else 1), ZERO)


def _arithmetic(
    op: arith.AddiOp | arith.SubiOp | arith.MuliOp,
    block: Block,
    is_signed: bool,
    readings: Readings,
) -> Expr | None:
    """Over the readings that do not wrap, where the operation says of one that it does not. None
    for a product of data that loops go through: it is one number, and what it is multiplied out
    to is computed anew."""
    exact_signed, exact_unsigned = _flag(op, "nsw"), _flag(op, "nuw")
    signed = exact_signed or (is_signed and not exact_unsigned)
    read = _reader(readings, block)
    left, right = read(op.lhs, signed), read(op.rhs, signed)
    if not signed and (number := constant_integer(op.rhs)) is not None and not exact_unsigned:
        right = Expr.constant(number)
    match op:
        case arith.AddiOp():
            result = left + right
        case arith.SubiOp():
            result = left - right
        case _:
            if _is_data(left, readings) and _is_data(right, readings):
                return None
            result = left * right
    if signed == is_signed and (exact_signed if signed else exact_unsigned):
        return result
    return wrapped(result, bit_width(op.result), is_signed)


def _of_bits(op: BitOp, block: Block, is_signed: bool, readings: Readings) -> Expr | None:
    mask, read = constant_integer(op.rhs), _reader(readings, block)
    if mask is not None:
        result = masked(op, read(op.lhs, is_signed), mask, bit_width(op.result), is_signed)
        if result is not None:
            return result
    if not is_sum(op, readings):
        return None
    total = read(op.lhs, is_signed) + read(op.rhs, is_signed)
    return None if _is_data(total, readings) else total


def _selected(op: arith.SelectOp, block: Block, is_signed: bool, readings: Readings) -> Expr | None:
    read = _reader(readings, block)
    then, orelse = read(op.lhs, is_signed), read(op.rhs, is_signed)
    if then == orelse:
        return then
    condition = condition_of(op.cond, readings)
    return None if any(condition_flags(condition)) else choice(condition, then, orelse)


def _shifted_left(op: arith.ShLIOp, bits: int, is_signed: bool, read: _Read) -> Expr | None:
    shift = constant_integer(op.rhs)
    if shift is None or not 0 <= shift < bits - 1:
        return None
    exact = _flag(op, "nsw")
    product = read(op.lhs, exact or is_signed) * (1 << shift)
    return product if exact and is_signed else wrapped(product, bits, is_signed)


def _unsigned_division(
    op: arith.DivUIOp | arith.RemUIOp, bits: int, is_signed: bool, read: _Read
) -> Expr | None:
    divisor = constant_integer(op.rhs)
    if divisor is None or divisor <= 0:
        return None
    term = read(op.lhs, False)
    result = floor(term, divisor)
    if isinstance(op, arith.RemUIOp):
        result = term - result * divisor
    return _converted(result, bits, False, is_signed)


def _signed_division(op: Operation, term: Expr, divisor: int) -> Expr:
    size = abs(divisor)
    sign = 1 if divisor > 0 else -1
    match op:
        case arith.FloorDivSIOp():
            return floor(term * sign, size)
        case arith.CeilDivSIOp():
            return -floor(term * -sign, size)
        case arith.RemSIOp():
            return term - quotient(term, size) * size
        case _:
            return quotient(term, size) * sign


_NESTED = 4
"""Through how many loads, one of the other's place, it is asked whether a place stays the same."""


def _is_data(term: Expr, readings: Readings) -> bool:
    """Whether it is put together from what loops find in memory: it is one number then, not many.
    What is always read from the same place, `picture->width`, may be a parameter of the loops."""
    loads = (atom.value.owner for atom in term.all_atoms() if isinstance(atom, Unknown))
    return any(isinstance(one, memref.LoadOp) and _moves(one, readings, _NESTED) for one in loads)


def _moves(load: memref.LoadOp, readings: Readings, depth: int) -> bool:
    """Whether its address may change from iteration to iteration."""
    if depth == 0:
        return True
    block = enclosing_block(load)
    for operand in load.operands:
        for atom in readings.signed(operand, block).all_atoms():
            owner = atom.value.owner if isinstance(atom, Unknown) else None
            if isinstance(owner, memref.LoadOp):
                if _moves(owner, readings, depth - 1):
                    return True
            elif isinstance(atom, Counter) or _is_of_a_loop(owner):
                return True
    return False


def _is_of_a_loop(owner: Operation | Block | None) -> bool:
    """Whether it is an argument of a block that control may come to again."""
    return isinstance(owner, Block) and bool(list(owner.predecessors()))


def _flag(op: arith.AddiOp | arith.SubiOp | arith.MuliOp | arith.ShLIOp, name: str) -> bool:
    return any(flag.value == name for flag in op.overflow_flags.data)


def _converted(expr: Expr, bits: int, has: bool, wanted: bool) -> Expr:
    """An exact expression of the `has` (signed or not) reading, read as `wanted`."""
    return expr if has == wanted else wrapped(expr, bits, wanted)
