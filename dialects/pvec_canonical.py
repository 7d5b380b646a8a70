"""pvec: masks that are known, in their plainest form.

    range_mask 0 to 8 : vector<8xi1>         =>  constant dense<true>
    select(all set, x, y)                    =>  x
    select(m, x, x)                          =>  x
    what is accessed under a mask, all set   =>  what is accessed
    what is written under a mask, none set   =>  nothing

What a register holds of what was written is no matter of single operations: `share-transfers`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerAttr
from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from polyopt.dialects.pvec import (
    GatherOp,
    RangeMaskOp,
    SelectOp,
    StridedLoadOp,
    StridedStoreOp,
)
from polyopt.dialects.pvec_lanes import lanes_of, mask_type
from polyopt.dialects.pvec_transfers import ReadOp, WriteOp


class KnownRange(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: RangeMaskOp, rewriter: PatternRewriter) -> None:
        lanes = known_lanes(op.mask)
        if lanes is not None:
            value = DenseIntOrFPElementsAttr.from_list(
                mask_type(len(lanes)), [int(one) for one in lanes]
            )
            rewriter.replace(op, arith.ConstantOp(value))


class KnownSelection(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: SelectOp, rewriter: PatternRewriter) -> None:
        lanes = known_lanes(op.mask)
        if op.then is op.orelse or (lanes is not None and all(lanes)):
            rewriter.replace(op, [], [op.then])
        elif lanes is not None and not any(lanes):
            rewriter.replace(op, [], [op.orelse])


class UnmaskedRead(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ReadOp, rewriter: PatternRewriter) -> None:
        if op.mask is not None and _is_whole(op.mask):
            place = op.map, op.indices
            rewriter.replace(
                op, ReadOp(op.memref, place, op.distances, op.result.type, None, op.within)
            )


class UnmaskedWrite(RewritePattern):
    """A non-temporal one must be aligned where it is whole, of which a mask says
    nothing: it is left under its mask."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: WriteOp, rewriter: PatternRewriter) -> None:
        if op.mask is None:
            return
        if _is_empty(op.mask):
            rewriter.erase(op)
        elif _is_whole(op.mask) and op.nontemporal is None:
            place = op.map, op.indices
            rewriter.replace(op, WriteOp(op.value, op.memref, place, op.distances))


class UnmaskedStridedLoad(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: StridedLoadOp, rewriter: PatternRewriter) -> None:
        if op.mask is not None and _is_whole(op.mask):
            steps, type_ = op.steps.get_values(), op.result.type
            rewriter.replace(op, StridedLoadOp(op.memref, op.indices, steps, None, type_))


class UnmaskedStridedStore(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: StridedStoreOp, rewriter: PatternRewriter) -> None:
        if op.mask is None:
            return
        if _is_empty(op.mask):
            rewriter.erase(op)
        elif _is_whole(op.mask):
            steps = op.steps.get_values()
            rewriter.replace(op, StridedStoreOp(op.value, op.memref, op.indices, steps, None))


class UnmaskedGather(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: GatherOp, rewriter: PatternRewriter) -> None:
        if op.mask is not None and _is_whole(op.mask):
            rewriter.replace(op, GatherOp(op.memref, op.indices, None, op.result.type))


def known_lanes(mask: SSAValue) -> Sequence[bool] | None:
    """Which lanes are set, where that is the same in every run."""
    owner, count = mask.owner, lanes_of(mask)
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, DenseIntOrFPElementsAttr):
        values = [bool(one) for one in owner.value.get_values()]
        return values if len(values) == count else values * count
    if isinstance(owner, vector.CreateMaskOp):
        low, high = 0, _number(owner.mask_dim_sizes[0])
    elif isinstance(owner, RangeMaskOp):
        low, high = _number(owner.lower), _number(owner.upper)
    else:
        return None
    if low is None or high is None:
        return None
    return [low <= lane < high for lane in range(count)]


def _is_whole(mask: SSAValue) -> bool:
    lanes = known_lanes(mask)
    return lanes is not None and all(lanes)


def _is_empty(mask: SSAValue) -> bool:
    lanes = known_lanes(mask)
    return lanes is not None and not any(lanes)


def _number(value: SSAValue) -> int | None:
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return owner.value.value.data
    return None
