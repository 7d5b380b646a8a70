"""What an iteration makes of the integer whose bits a loop goes through.

With what lets the loop go on it says how often the loop runs:

    v & (v - 1)   while v != 0          once for each bit that is set
    v >> 1        while v != 0          once for each bit up to the highest that is set
    v >> 1        while v > 0, signed   the same; not at all for what is not positive
    v >> 1        while !(v & 1)        once for each zero below the lowest bit that is set
"""

from __future__ import annotations

from typing import Literal

from xdsl.dialects import arith, cf
from xdsl.dialects.builtin import IntegerType, i1
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.ir.branches import Edge
from polyopt.ir.effects import constant_integer

Change = Literal["clear", "shift", "positive", "trailing"]
"""The lines of the table above."""

_EQ, _NE, _SGT, _UGT = 0, 1, 4, 8
EXTENSIONS = (arith.ExtUIOp, arith.ExtSIOp)
CASTS = (*EXTENSIONS, arith.TruncIOp)
_HALVINGS = (arith.ShRUIOp, arith.ShRSIOp, arith.DivUIOp, arith.DivSIOp)
_SIGNED = (arith.ShRSIOp, arith.DivSIOp)


def change_of(
    v: BlockArgument, after: SSAValue, branch: cf.ConditionalBranchOp, exit: Edge, *, is_ahead: bool
) -> Change | None:
    """`is_ahead`: v itself is tested, before the body; else what follows it, behind."""
    test = branch.cond.owner
    if not isa(v.type, IntegerType) or not isinstance(test, arith.CmpiOp):
        return None
    if constant_integer(test.rhs) != 0:
        return None
    predicate, goes_on = test.predicate.value.data, exit.position == 1
    if predicate == _SGT:
        is_positive = goes_on and is_ahead and without(test.lhs, arith.ExtSIOp) is v
        return "positive" if is_positive and _is_half(after, v, is_positive=True) else None
    if predicate not in (_EQ, _NE, _UGT):
        return None
    if goes_on == (predicate != _EQ):
        if without(test.lhs, *EXTENSIONS) is not (v if is_ahead else after):
            return None
        if _is_cleared(after, v):
            return "clear"
        return "shift" if _is_half(after, v) else None
    if is_ahead and is_lowest_bit(test.lhs, v, has_sign=False) and halving_of(after, v):
        return "trailing"
    return None


def _is_cleared(after: SSAValue, v: BlockArgument) -> bool:
    """v & (v - 1): the lowest bits of both depend on those of v alone."""
    op = without_casts(after, v.type).owner
    if not isinstance(op, arith.AndIOp):
        return False
    return any(
        without_casts(one, v.type) is v and _is_one_less(without_casts(other, v.type), v)
        for one, other in ((op.lhs, op.rhs), (op.rhs, op.lhs))
    )


def _is_one_less(value: SSAValue, v: BlockArgument) -> bool:
    match value.owner:
        case arith.SubiOp() as op:
            return without_casts(op.lhs, v.type) is v and constant_integer(op.rhs) == 1
        case arith.AddiOp() as op:
            return any(
                without_casts(one, v.type) is v and constant_integer(other) == -1
                for one, other in ((op.lhs, op.rhs), (op.rhs, op.lhs))
            )
        case _:
            return False


def halving_of(after: SSAValue, v: BlockArgument) -> type[Operation] | None:
    """The shift of v by one, filled with zeros or with its sign, that `after` is for all v that are
    even; None where it is none."""
    op = without(after, arith.TruncIOp).owner
    if not isinstance(op, _HALVINGS) or not _is_by_two(op):
        return None
    source = op.operands[0]
    if without(source, arith.ExtUIOp) is v:
        is_extended = source is not v
        return arith.ShRSIOp if isinstance(op, _SIGNED) and not is_extended else arith.ShRUIOp
    is_signed = isinstance(op, _SIGNED) and without(source, arith.ExtSIOp) is v
    return arith.ShRSIOp if is_signed else None


def _is_half(after: SSAValue, v: BlockArgument, *, is_positive: bool = False) -> bool:
    """v >> 1, filled with zeros, for all v or all positive ones."""
    shift = halving_of(after, v)
    return shift is arith.ShRUIOp or (is_positive and shift is not None)


def _is_by_two(op: Operation) -> bool:
    divides = isinstance(op, arith.DivUIOp | arith.DivSIOp)
    return constant_integer(op.operands[1]) == (2 if divides else 1)


def is_lowest_bit(value: SSAValue, v: BlockArgument, *, has_sign: bool) -> bool:
    """Is it v & 1, or a rest by two? Of a negative v that is -1, which is no bit (`has_sign`) but
    where it does not occur, or only zero is asked for."""
    while isinstance(value.owner, CASTS) and not _is_flag(value.owner.operands[0]):
        value = value.owner.operands[0]
    op = value.owner
    match op:
        case arith.AndIOp():
            pairs = ((op.lhs, op.rhs), (op.rhs, op.lhs))
            return any(
                without(one, *CASTS) is v and constant_integer(other) == 1 for one, other in pairs
            )
        case arith.RemUIOp():
            return without(op.lhs, arith.ExtUIOp) is v and constant_integer(op.rhs) == 2
        case arith.RemSIOp():
            if has_sign and not isinstance(op.lhs.owner, arith.ExtUIOp):
                return False
            source = without(op.lhs, *(EXTENSIONS if not has_sign else (arith.ExtUIOp,)))
            return source is v and constant_integer(op.rhs) == 2
        case _:
            return False


# Integers


def _is_flag(value: SSAValue) -> bool:
    """An extension by its sign is no number that it was."""
    return value.type == i1


def without(value: SSAValue, *kinds: type[Operation]) -> SSAValue:
    while isinstance(value.owner, kinds):
        value = value.owner.operands[0]
    return value


def without_casts(value: SSAValue, type_: Attribute) -> SSAValue:
    """What all bits of the type come from, through longer types."""
    assert isa(type_, IntegerType)
    while isinstance(value.owner, CASTS):
        inner = value.owner.operands[0]
        if not isa(inner.type, IntegerType) or inner.type.width.data < type_.width.data:
            break
        value = inner
    return value
