"""Truth values as conditions over integer expressions."""

from __future__ import annotations

from xdsl.dialects import arith, cf
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Block, SSAValue

from polyopt.ir.branches import Edge
from polyopt.ir.cfg import enclosing_block
from polyopt.ir.effects import as_signed, bit_width, constant_integer
from polyopt.ir.integer_expr import (
    Both,
    Compare,
    Condition,
    Either,
    Expr,
    Flag,
    Truth,
    Wrapped,
    negated,
)
from polyopt.ir.readings import Readings


def condition_of(value: SSAValue, readings: Readings) -> Condition:
    """When an i1 is true, as seen from the block that computes it."""
    op = value.owner
    if isinstance(op, Block):
        return Flag(value)
    match op:
        case arith.ConstantOp():
            return Truth(constant_integer(value) != 0)
        case arith.CmpiOp():
            return _comparison(op, readings)
        case arith.AndIOp():
            return Both(condition_of(op.lhs, readings), condition_of(op.rhs, readings))
        case arith.OrIOp():
            return Either(condition_of(op.lhs, readings), condition_of(op.rhs, readings))
        case arith.XOrIOp():
            left, right = condition_of(op.lhs, readings), condition_of(op.rhs, readings)
            return Either(Both(left, negated(right)), Both(negated(left), right))
        case arith.SelectOp():
            condition = condition_of(op.cond, readings)
            then, orelse = condition_of(op.lhs, readings), condition_of(op.rhs, readings)
            return Either(Both(condition, then), Both(negated(condition), orelse))
        case _:
            return Flag(value)


def edge_condition(edge: Edge, readings: Readings) -> Condition:
    """When a terminator that control has reached takes the edge."""
    op = edge.terminator
    match op:
        case cf.ConditionalBranchOp():
            if op.then_block is op.else_block:
                return Truth(True)
            condition = condition_of(op.cond, readings)
            return condition if edge.position == 0 else negated(condition)
        case cf.SwitchOp():
            return _switch_condition(op, edge, readings)
        case _:
            return Truth(True)


def _switch_condition(op: cf.SwitchOp, edge: Edge, readings: Readings) -> Condition:
    """Case n is taken for its number, the default for none of the numbers."""
    flag = readings.signed(op.flag, edge.source)
    bits = bit_width(op.flag)
    numbers = [as_signed(n, bits) for n in op.case_values.get_values()] if op.case_values else []
    if edge.position > 0:
        return Compare("==", flag - numbers[edge.position - 1])
    condition: Condition = Truth(True)
    for number in numbers:
        condition = Both(condition, Compare("!=", flag - number))
    return condition


def _comparison(op: arith.CmpiOp, readings: Readings) -> Condition:
    """The predicates of arith: eq ne slt sle sgt sge ult ule ugt uge."""
    predicate = op.predicate.value.data
    if op.lhs.type == IntegerType(1):
        return _comparison_of_flags(op, predicate, readings)
    if predicate < 2 and (inner := _test_of_extended_flag(op, predicate, readings)) is not None:
        return inner
    block = enclosing_block(op)
    if predicate < 2:
        difference = _difference(op, block, readings)
        return Compare("==" if predicate == 0 else "!=", difference)
    read = readings.signed if predicate < 6 else readings.unsigned
    left, right = read(op.lhs, block), read(op.rhs, block)
    match (predicate - 2) % 4:
        case 0:
            return Compare("<", left - right)
        case 1:
            return Compare("<=", left - right)
        case 2:
            return Compare("<", right - left)
        case _:
            return Compare("<=", right - left)


def _difference(op: arith.CmpiOp, block: Block, readings: Readings) -> Expr:
    """Bits are equal in both readings: take the one that does not wrap."""
    signed = readings.signed(op.lhs, block) - readings.signed(op.rhs, block)
    if not any(isinstance(atom, Wrapped) for atom in signed.all_atoms()):
        return signed
    unsigned = readings.unsigned(op.lhs, block) - readings.unsigned(op.rhs, block)
    return min(unsigned, signed, key=lambda e: sum(isinstance(a, Wrapped) for a in e.all_atoms()))


def _test_of_extended_flag(
    op: arith.CmpiOp, predicate: int, readings: Readings
) -> Condition | None:
    """`(int)(a < b) != 0` and `== 0`, as C writes them."""
    source = op.lhs.owner
    if not isinstance(source, arith.ExtUIOp) or constant_integer(op.rhs) != 0:
        return None
    if source.input.type != IntegerType(1):
        return None
    condition = condition_of(source.input, readings)
    return negated(condition) if predicate == 0 else condition


def _comparison_of_flags(op: arith.CmpiOp, predicate: int, readings: Readings) -> Condition:
    left, right = condition_of(op.lhs, readings), condition_of(op.rhs, readings)
    differ = Either(Both(left, negated(right)), Both(negated(left), right))
    if predicate == 1:
        return differ
    return negated(differ) if predicate == 0 else Flag(op.result)
