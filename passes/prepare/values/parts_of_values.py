"""Values whose bits are those of several others, and parts of values.

    joined    the bits of numbers and pointers one behind the other, as one value
    part      some bits of a value, as a value of another type
    fold      a part of what has been joined is what was joined there

A struct of three floats travels in two doubles, one of which is two floats
(`frontend/language/abi`); where both the function and its calls are known, nothing is left of that.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, cf, func
from xdsl.dialects.builtin import (
    Float32Type,
    Float64Type,
    IntegerAttr,
    IntegerType,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from polyopt.dialects import cmem
from polyopt.ir.effects import constant_integer
from polyopt.ir.expressions.shapes import element_bytes

_INTEGERS = (i8, i16, i32, i64)
_OPERATIONS = 128
"""That a search looks into at most: eight floats in four doubles, chosen and handed on, are 40."""


def has_bits(type: Attribute) -> bool:
    """Is it an integer of whole bytes, a floating-point number or a pointer, of at most 64 bits?"""
    return type in _INTEGERS or isinstance(type, Float32Type | Float64Type | LLVMPointerType)


def joined(parts: Sequence[tuple[int, SSAValue]], type: Attribute) -> list[Operation]:
    """The value of `type` whose bits from each number on are those of each part, and zero where no
    part is: operations, the last of which gives it. At least one is there."""
    width = _bits(type)
    whole = IntegerType(width)
    ops: list[Operation] = []
    total: SSAValue | None = None
    for first, part in parts:
        value = _as_integer(ops, part)
        if _bits(value.type) < width:
            value = _add(ops, arith.ExtUIOp(value, whole))
        if first:
            by = _add(ops, arith.ConstantOp(IntegerAttr(first, whole)))
            value = _add(ops, arith.ShLIOp(value, by))
        total = value if total is None else _add(ops, arith.OrIOp(total, value))
    assert total is not None
    _as_type(ops, total, type)
    return ops


def part(value: SSAValue, first: int, type: Attribute) -> list[Operation]:
    """The value of `type` that `value` has from this bit on: operations, the last of which gives
    it."""
    ops: list[Operation] = []
    bits = _as_integer(ops, value)
    if first:
        by = _add(ops, arith.ConstantOp(IntegerAttr(first, IntegerType(_bits(bits.type)))))
        bits = _add(ops, arith.ShRUIOp(bits, by))
    width = _bits(type)
    if width < _bits(bits.type):
        bits = _add(ops, arith.TruncIOp(bits, IntegerType(width)))
    _as_type(ops, bits, type)
    return ops


def fold_parts(function: func.FuncOp) -> bool:
    """Parts of what was joined are what was joined, also where that was chosen by a condition, or
    comes from the only block before; what is used no more stays where it is. Was there any?
    `part(joined(…, (f, x), …), f, type of x) == x`."""
    found = False
    for block in function.body.blocks:
        for op in list(block.ops):
            if isinstance(op, arith.TruncIOp | arith.BitcastOp | cmem.IntToPtrOp):
                found = _fold(op) or found
    return found


def _fold(op: Operation) -> bool:
    result = op.results[0]
    if not has_bits(result.type) or not has_bits(op.operands[0].type):
        return False
    found = _Search().find(result, 0, _bits(result.type))
    if found is None or found is result or found is op.operands[0]:
        return False  # nothing known, or as it is
    ops: list[Operation] = []
    value = found
    if found.type != result.type:
        _as_type(ops, _as_integer(ops, found), result.type)
        value = ops[-1].results[0]
    block = op.parent
    assert block is not None
    for one in ops:
        one.location = op.location
        block.insert_op_before(one, op)
    value.name_hint = value.name_hint or result.name_hint
    result.replace_all_uses_with(value)
    return True


class _Search:
    """Looks for the value that has some bits, in a number of steps that no program makes long."""

    def __init__(self) -> None:
        self._steps = _OPERATIONS

    def _goes_on(self) -> bool:
        self._steps -= 1
        return self._steps >= 0

    def find(self, value: SSAValue, first: int, width: int) -> SSAValue | None:
        """The value whose bits, all of them, are these of `value`; None where none is known."""
        if first == 0 and width == _bits(value.type):
            inner = self._look_into(value, first, width)
            return value if inner is None else inner
        return self._look_into(value, first, width)

    def _look_into(self, value: SSAValue, first: int, width: int) -> SSAValue | None:
        op = value.owner
        match op:
            case _ if not self._goes_on():
                return None
            case Block():
                passed = _passed_to(value, op)
                return None if passed is None else self.find(passed, first, width)
            case arith.SelectOp() if has_bits(value.type):
                return self._choose(op, first, width)
            case arith.BitcastOp() if has_bits(op.input.type):
                return self.find(op.input, first, width)
            case arith.TruncIOp() if has_bits(op.input.type):
                return self.find(op.input, first, width)
            case cmem.PtrToIntOp() | cmem.IntToPtrOp():
                return self.find(op.operands[0], first, width)
            case arith.ExtUIOp() if has_bits(op.input.type):
                inside = first + width <= _bits(op.input.type)
                return self.find(op.input, first, width) if inside else None
            case arith.ShRUIOp() | arith.ShLIOp():
                by = constant_integer(op.rhs)
                if by is None or not has_bits(value.type):
                    return None
                start = first + by if isinstance(op, arith.ShRUIOp) else first - by
                is_whole = 0 <= start and start + width <= _bits(value.type)
                return self.find(op.lhs, start, width) if is_whole else None
            case arith.OrIOp() if has_bits(value.type):
                if self._is_zero(op.rhs, first, width):
                    return self.find(op.lhs, first, width)
                return (
                    self.find(op.rhs, first, width) if self._is_zero(op.lhs, first, width) else None
                )
            case _:
                return None

    def _choose(self, select: arith.SelectOp, first: int, width: int) -> SSAValue | None:
        """The choice between parts, instead of the part of the choice."""
        one, other = self.find(select.lhs, first, width), self.find(select.rhs, first, width)
        block = select.parent
        if one is None or other is None or one.type != other.type or block is None:
            return None
        chosen = arith.SelectOp(select.cond, one, other)
        chosen.location = select.location
        block.insert_op_before(chosen, select)
        return chosen.result

    def _is_zero(self, value: SSAValue, first: int, width: int) -> bool:
        """Are these bits known to be zero?"""
        op = value.owner
        match op:
            case _ if not self._goes_on():
                return False
            case arith.ConstantOp():
                number = constant_integer(value)
                return number is not None and number >> first & (1 << width) - 1 == 0
            case arith.ExtUIOp() if has_bits(op.input.type):
                own = _bits(op.input.type)
                return first >= own or self._is_zero(op.input, first, min(width, own - first))
            case arith.ShLIOp():
                by = constant_integer(op.rhs)
                if by is None:
                    return False
                below = max(0, min(width, by - first))  # zeros that came in
                return below == width or self._is_zero(op.lhs, first + below - by, width - below)
            case arith.OrIOp():
                return self._is_zero(op.lhs, first, width) and self._is_zero(op.rhs, first, width)
            case _:
                return False


def _passed_to(value: SSAValue, block: Block) -> SSAValue | None:
    """What the one block before passes for an argument of this one."""
    before = block.predecessors()
    branch = before[0].last_op if len(before) == 1 else None
    if not isinstance(branch, cf.BranchOp) or not isinstance(value, BlockArgument):
        return None
    return branch.arguments[value.index]


def _bits(type: Attribute) -> int:
    size = element_bytes(type)
    assert size is not None
    return 8 * size


def _as_integer(ops: list[Operation], value: SSAValue) -> SSAValue:
    match value.type:
        case LLVMPointerType():
            return _add(ops, cmem.PtrToIntOp(value))
        case Float32Type():
            return _add(ops, arith.BitcastOp(value, i32))
        case Float64Type():
            return _add(ops, arith.BitcastOp(value, i64))
        case _:
            return value


def _as_type(ops: list[Operation], value: SSAValue, type: Attribute) -> None:
    match type:
        case LLVMPointerType():
            _add(ops, cmem.IntToPtrOp(value))
        case Float32Type() | Float64Type():
            _add(ops, arith.BitcastOp(value, type))
        case _:
            pass


def _add(ops: list[Operation], op: Operation) -> SSAValue:
    ops.append(op)
    return op.results[0]
