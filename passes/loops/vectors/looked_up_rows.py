"""Rows that the loops around look up: `B[c[p]][k]` and `b[c[p] * n + k]`, seen from a loop over k.

Which row it is, a load says that gives the same in all iterations; along the row, lanes lie side by
side. Such lookups are read as vectors from a place that is computed in front of the loop.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects import affine, arith, memref
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, SSAValue

from polyopt.ir.affine.affine_nest import AffineLoop, is_defined_inside
from polyopt.ir.affine.linear import Linear, linear_of
from polyopt.ir.affine.subscripts import stride_of
from polyopt.ir.effects import bit_width, constant_integer

Rows = dict[memref.LoadOp, tuple[Linear, ...]]

_SAME_OF_SAME = (
    *(arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.AndIOp, arith.MaxSIOp, arith.MinSIOp),
    *(arith.IndexCastOp, arith.ExtSIOp, arith.ExtUIOp, arith.ConstantOp),
    *(arith.CmpiOp, arith.SelectOp),
)
"""Operations without effects, which cannot fail: they may run where the loop does not."""
_QUOTIENTS = (arith.FloorDivSIOp, arith.DivSIOp, arith.DivUIOp, arith.RemSIOp, arith.RemUIOp)


def row_of(load: memref.LoadOp, loop: AffineLoop) -> tuple[Linear, ...] | None:
    """The subscripts of a lookup as forms over the iterator, values from outside of the loop and
    such that are the same in all iterations (`same_in_all`), if lanes lie side by side, or all take
    the same element whatever the loop finds."""
    forms = [_form(index, loop) for index in load.indices]
    known = [form for form in forms if form is not None]
    if not known or len(known) != len(forms):
        return None
    *others, step = [form.coefficient(loop.iv) for form in known]
    is_one = step in (1, -1) or (step == 0 and load.parent is loop.block)
    return tuple(known) if is_one and not any(others) else None


def same_values(rows: Iterable[tuple[Linear, ...]], loop: AffineLoop) -> list[SSAValue]:
    """What the forms are made of that the loop computes, each once."""
    values = {value: None for row in rows for form in row for value in form.values}
    return [one for one in values if one is not loop.iv and is_defined_inside(one, loop.op)]


def _form(index: SSAValue, loop: AffineLoop) -> Linear | None:
    """The index, with sums taken apart; None where it is anything else in each iteration."""
    owner = index.owner
    if isinstance(owner, (arith.AddiOp, arith.SubiOp)) and isinstance(index.type, IndexType):
        left, right = _form(owner.lhs, loop), _form(owner.rhs, loop)
        if left is None or right is None:
            return None
        return left + right if isinstance(owner, arith.AddiOp) else left - right
    form = linear_of(index)
    others = (one for one in form.values if one is not loop.iv)
    return form if all(same_in_all(one, loop) for one in others) else None


def same_in_all(value: SSAValue, loop: AffineLoop) -> bool:
    """Is it from outside of the loop, or computed in every iteration from nothing but such values
    and elements that do not move?"""
    if not is_defined_inside(value, loop.op):
        return True
    owner = value.owner
    if not isinstance(owner, Operation) or owner.parent is not loop.block:
        return False
    if isinstance(owner, affine.LoadOp):
        return stride_of(owner, loop) == 0
    is_same = isinstance(owner, _SAME_OF_SAME) or _is_divided(owner)
    return is_same and all(same_in_all(operand, loop) for operand in owner.operands)


def finds_row(op: Operation, loop: AffineLoop) -> bool:
    """Is it the place of a row or one along it, or a comparison between such as are the same in all
    iterations, for places only?"""
    if len(op.results) == 1 and isinstance(op.results[0].type, IndexType):
        return _form(op.results[0], loop) is not None
    return (
        isinstance(op, arith.CmpiOp)
        and isinstance(op.lhs.type, IndexType)
        and all(isinstance(use.operation, arith.SelectOp) for use in op.result.uses)
        and all(finds_row(use.operation, loop) for use in op.result.uses)
    )


def _is_divided(op: Operation) -> bool:
    """By a number, and not by zero; or shifted by one, and not out of sight."""
    number = constant_integer(op.operands[1]) if len(op.operands) == 2 else None
    if number is None:
        return False
    if isinstance(op, (arith.ShRSIOp, arith.ShRUIOp, arith.ShLIOp)):
        return 0 <= number < bit_width(op.result)
    return isinstance(op, _QUOTIENTS) and number > 0
