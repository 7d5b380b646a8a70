"""Quotients and remainders of numbers that a loop does not change are computed in front of it, so
that it counts to a value that is there: `for (i = 0; i < n / step; i++)`.

    loop { q = n / d; … }      ->      e = d == 0 ? 1 : d;  q = n / e;  loop { … }

In front of a loop that never runs, C may not divide: there the divisor is another one where the
quotient is none, and nobody uses what comes out.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.ir import Block, Operation, SSAValue

from polyopt.ir.control.cfg import defining_block
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import constant_integer, is_speculatable
from polyopt.ir.insertion import insert_before

_Signed = arith.DivSIOp | arith.RemSIOp
_Division = _Signed | arith.DivUIOp | arith.RemUIOp

FLAGS = "overflowFlags"

MOST_OPERATIONS = 8
"""Operations that the two numbers may take, of what is computed from values in front."""


def compute_steady_quotients_once(flow: ControlFlow) -> None:
    """Those that every iteration computes, in front of the outermost loop that leaves their numbers
    as they are. No block or edge changes."""
    for op, loop in list(_divisions(flow)):
        steady = _outermost(op, loop)
        if steady is not None:
            _move(op, steady)


def _divisions(flow: ControlFlow) -> Iterator[tuple[_Division, NaturalLoop]]:
    """With the innermost loop around each."""
    for block in flow.cfg.blocks:
        loop = flow.loops.innermost(block)
        if loop is None or not all(flow.dominators.dominates(block, one) for one in loop.latches):
            continue
        for op in block.ops:
            if isinstance(op, _Division) and isinstance(op.result.type, IntegerType):
                if not is_speculatable(op):
                    yield op, loop


def _outermost(op: _Division, innermost: NaturalLoop) -> NaturalLoop | None:
    found, loop = None, innermost
    while loop is not None and _computed(op, loop) is not None and len(loop.entries()) == 1:
        found, loop = loop, loop.parent
    return found


def _computed(op: _Division, loop: NaturalLoop) -> list[Operation] | None:
    """What in the loop computes the two numbers from values in front of it; None where they are not
    computed from such values alone."""
    found, pending = dict[Operation, None](), list(op.operands)
    while pending:
        value = pending.pop()
        if defining_block(value) not in loop.blocks:
            continue
        owner = value.owner
        if (
            not isinstance(owner, Operation)
            or not _is_simple(owner)
            or len(found) > MOST_OPERATIONS
        ):
            return None
        found.pop(owner, None)
        found[owner] = None
        pending.extend(owner.operands)
    return list(reversed(found))


def _is_simple(op: Operation) -> bool:
    return op.name.startswith("arith.") and not op.regions and is_speculatable(op)


def _move(op: _Division, loop: NaturalLoop) -> None:
    """In front of the loop its operands are computed again, and may wrap there."""
    place = loop.entries()[0].terminator
    copies: dict[SSAValue, SSAValue] = {}
    for one in _computed(op, loop) or ():
        copy = one.clone(copies)
        if FLAGS in copy.properties:
            copy.properties[FLAGS] = arith.IntegerOverflowAttr("none")
        insert_before(copy, place, one)
    left, right = (copies.get(value, value) for value in op.operands)
    divisor = _harmless(op, left, right, place)
    made = insert_before(type(op)(left, divisor), place, op)
    made[0].name_hint = op.result.name_hint
    op.result.replace_all_uses_with(made[0])
    block = op.parent
    assert isinstance(block, Block)
    block.erase_op(op)


def _harmless(op: _Division, left: SSAValue, right: SSAValue, place: Operation) -> SSAValue:
    """The divisor, or 1 where there is no quotient."""
    type_ = op.result.type
    assert isinstance(type_, IntegerType)

    def number(value: int) -> SSAValue:
        return insert_before(arith.ConstantOp(IntegerAttr(value, type_)), place, op)[0]

    def are_equal(value: SSAValue, other: int) -> SSAValue:
        return insert_before(arith.CmpiOp(value, number(other), "eq"), place, op)[0]

    has_none = are_equal(right, 0)
    least = -(1 << (type_.width.data - 1))
    if isinstance(op, _Signed) and constant_integer(left) in (None, least):
        is_least, is_turned = are_equal(left, least), are_equal(right, -1)
        overflows = insert_before(arith.AndIOp(is_least, is_turned), place, op)[0]
        has_none = insert_before(arith.OrIOp(has_none, overflows), place, op)[0]
    divisor = insert_before(arith.SelectOp(has_none, number(1), right), place, op)[0]
    divisor.name_hint = right.name_hint
    return divisor
