"""cmem: addresses that are others, in their plainest form.

    offset(p, 0)                        =>  p
    offset(offset(p, i, s), j, s)       =>  offset(p, i + j, s)
    offset(offset(p, 2, 8), 3, 4)       =>  offset(p, 28, 1)
    address(view(p), 0, …, 0)           =>  p
    ptr_to_int(int_to_ptr(k))           =>  k

Not the other way round: an integer does not say which object a pointer that it is made into is of.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from polyopt.dialects.cmem import AddressOp, IntToPtrOp, OffsetOp, PtrToIntOp, ViewOp


class OffsetByNothing(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: OffsetOp, rewriter: PatternRewriter) -> None:
        if _number(op.index) == 0:
            rewriter.replace(op, [], [op.base])


class OffsetOfOffset(RewritePattern):
    """All lie inside of one object, so no sum of theirs overflows."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: OffsetOp, rewriter: PatternRewriter) -> None:
        inner = op.base.owner
        if not isinstance(inner, OffsetOp):
            return
        stride, its = op.stride.value.data, inner.stride.value.data
        here, there = _number(op.index), _number(inner.index)
        index: Operation
        if stride == its and (here is None or there is None):
            index = arith.AddiOp(inner.index, op.index)
        elif here is None or there is None:
            return
        else:
            total = here + there if stride == its else here * stride + there * its
            stride = stride if stride == its else 1
            index = arith.ConstantOp(IntegerAttr(total, IndexType()))
        rewriter.replace(op, [index, OffsetOp(inner.base, index, stride)])


class AddressOfFirst(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: AddressOp, rewriter: PatternRewriter) -> None:
        view = op.memref.owner
        if isinstance(view, ViewOp) and all(_number(index) == 0 for index in op.indices):
            rewriter.replace(op, [], [view.source])


class IntegerOfPointer(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: PtrToIntOp, rewriter: PatternRewriter) -> None:
        made = op.source.owner
        if isinstance(made, IntToPtrOp):
            rewriter.replace(op, [], [made.source])


def _number(value: SSAValue) -> int | None:
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return owner.value.value.data
    return None
