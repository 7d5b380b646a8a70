"""What is counted under conditions is subtracted as minus one.

    n += x[i] < a && x[i] > b ? 1 : 0      =>      n -= x[i] < a && x[i] > b ? -1 : 0

Without AVX-512, a condition in lanes is minus one where it holds, and zero elsewhere: taken as a
number it is what is added up, where a one would first be made of it. (The lanes are added up, and
their sum is subtracted at the end.) Bytes and shorts are counted in groups (`group_sums.py`), which
have sums of ones.
"""

from __future__ import annotations

from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import IntegerAttr, IntegerType, i1
from xdsl.ir import Block, OpResult, SSAValue
from xdsl.utils.hints import isa

from polyopt.dialects.pvec_group_sums import HALF
from polyopt.ir.effects import constant_integer
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.replacement import replace_op
from polyopt.passes.loops.vectors.accumulations import find_accumulation


def subtract_counts(op: affine.ForOp) -> None:
    """In the straight code of an innermost loop."""
    operations = list(op.body.block.ops)
    if any(isinstance(one, affine.LoadOp) and _is_narrow(one.result) for one in operations):
        return
    for store in operations:
        found = find_accumulation(store, operations) if isinstance(store, affine.StoreOp) else None
        if found is None or not isinstance(found.combine, arith.AddiOp) or not _counts(found.term):
            continue
        builder = AffineBuilder(Block(), found.combine)
        negated = _negated(builder, found.term)
        total = arith.SubiOp(found.load.result, negated, overflow=found.combine.overflow_flags)
        builder.insert(total)
        found.combine.results[0].replace_all_uses_with(total.result)
        replace_op(found.combine, builder.block)
        _erase_unused(found.term)


def _is_narrow(value: SSAValue) -> bool:
    return isa(value.type, IntegerType) and value.type.width.data <= HALF


def _counts(term: SSAValue) -> bool:
    """Is it one where a condition holds, else zero, or a choice of such, for this sum alone?"""
    op = term.owner if isinstance(term, OpResult) and term.has_one_use() else None
    if isinstance(op, arith.ExtUIOp):
        return op.input.type == i1
    return isinstance(op, arith.SelectOp) and all(
        constant_integer(one) in (0, 1) or _counts(one) for one in (op.lhs, op.rhs)
    )


def _negated(builder: AffineBuilder, term: SSAValue) -> SSAValue:
    number = constant_integer(term)
    type_ = term.type
    assert isa(type_, IntegerType)
    if number is not None:
        return builder.insert(arith.ConstantOp(IntegerAttr(-number, type_))).result
    op = term.owner
    if isinstance(op, arith.ExtUIOp):
        return builder.insert(arith.ExtSIOp(op.input, type_)).result
    assert isinstance(op, arith.SelectOp)
    chosen = [_negated(builder, one) for one in (op.lhs, op.rhs)]
    return builder.insert(arith.SelectOp(op.cond, *chosen)).result


def _erase_unused(term: SSAValue) -> None:
    op = term.owner
    if isinstance(op, (arith.SelectOp, arith.ExtUIOp)) and not list(term.uses):
        operands = op.operands
        op.detach()
        op.erase()
        for operand in operands:
            _erase_unused(operand)
