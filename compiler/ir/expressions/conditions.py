"""Truth values as conditions over integer expressions."""

from __future__ import annotations

from xdsl.dialects import arith, cf
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Block, SSAValue

from polyopt.ir.branches import Edge
from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.effects import as_signed, bit_width, constant_integer, is_wide
from polyopt.ir.expressions.integer_conditions import both_of, either_of, negated
from polyopt.ir.expressions.integer_expr import (
    Both,
    Compare,
    Condition,
    Either,
    Expr,
    Flag,
    Truth,
    Unknown,
    Wrapped,
)
from polyopt.ir.expressions.readings import Readings

_DEPTH_LIMIT = 50
"""How deep conditions are followed through operations of different kinds; what is deeper is not
understood. Chains of one kind may be longer. What says a condition twice counts as `_TWICE`: the
size would double with each."""
_TWICE = 8


def condition_of(value: SSAValue, readings: Readings, depth: int = _DEPTH_LIMIT) -> Condition:
    """When an i1 is true, as seen from the block that computes it."""
    op = value.owner
    if depth <= 0:
        return Flag(value)
    inner = depth - 1
    if isinstance(op, Block):
        return _passed(value, op, readings)
    match op:
        case arith.ConstantOp():
            return Truth(constant_integer(value) != 0)
        case arith.CmpiOp():
            return _comparison(op, readings, inner)
        case arith.CmpfOp():
            return readings.compared(op) or Flag(value)
        case arith.AndIOp():
            return both_of([condition_of(one, readings, inner) for one in _operands(op)])
        case arith.OrIOp():
            return either_of([condition_of(one, readings, inner) for one in _operands(op)])
        case arith.XOrIOp():
            if constant_integer(op.rhs) is not None:
                left = condition_of(op.lhs, readings, inner)
                return negated(left) if constant_integer(op.rhs) else left
            left = condition_of(op.lhs, readings, depth - _TWICE)
            right = condition_of(op.rhs, readings, depth - _TWICE)
            return Either(Both(left, negated(right)), Both(negated(left), right))
        case arith.SelectOp():
            condition = condition_of(op.cond, readings, depth - _TWICE)
            then = condition_of(op.lhs, readings, inner)
            orelse = condition_of(op.rhs, readings, inner)
            return Either(Both(condition, then), Both(negated(condition), orelse))
        case _:
            return Flag(value)


def _passed(value: SSAValue, block: Block, readings: Readings) -> Condition:
    """Of a flag that leads a loop: what it is at first, and what an iteration leaves in it."""
    number = readings.unsigned(value, block)
    if any(isinstance(atom, Unknown) and atom.value is value for atom in number.all_atoms()):
        return Flag(value)
    return Compare("!=", number)


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
    return both_of([Compare("!=", flag - number) for number in numbers])


def _operands(op: arith.AndIOp | arith.OrIOp) -> list[SSAValue]:
    """Those of a tree of operations of one kind, from left to right, each once."""
    found, seen = list[SSAValue](), set[SSAValue]()
    waiting: list[SSAValue] = [op.result]
    while waiting:
        value = waiting.pop()
        if value in seen:
            continue
        seen.add(value)
        owner = value.owner
        if isinstance(owner, type(op)):
            waiting += (owner.rhs, owner.lhs)
        else:
            found.append(value)
    return found


def _comparison(op: arith.CmpiOp, readings: Readings, depth: int) -> Condition:
    """The predicates of arith: eq ne slt sle sgt sge ult ule ugt uge."""
    predicate = op.predicate.value.data
    if is_wide(op.lhs.type):
        return Flag(op.result)
    if op.lhs.type == IntegerType(1):
        return _comparison_of_flags(op, predicate, readings, depth)
    if predicate < 2:
        tested = _test_of_extended_flag(op, predicate, readings, depth)
        if tested is not None:
            return tested
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
    op: arith.CmpiOp, predicate: int, readings: Readings, depth: int
) -> Condition | None:
    """`(int)(a < b) != 0` and `== 0`, as C writes them."""
    source = op.lhs.owner
    if not isinstance(source, arith.ExtUIOp) or constant_integer(op.rhs) != 0:
        return None
    if source.input.type != IntegerType(1):
        return None
    condition = condition_of(source.input, readings, depth)
    return negated(condition) if predicate == 0 else condition


def _comparison_of_flags(
    op: arith.CmpiOp, predicate: int, readings: Readings, depth: int
) -> Condition:
    left = condition_of(op.lhs, readings, depth - _TWICE)
    right = condition_of(op.rhs, readings, depth - _TWICE)
    differ = Either(Both(left, negated(right)), Both(negated(left), right))
    if predicate == 1:
        return differ
    return negated(differ) if predicate == 0 else Flag(op.result)
