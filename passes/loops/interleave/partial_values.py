"""What a loop over vectors carries, as accumulations that may go on in several vectors apart.

next = select m, (old op x), old          op: its order is free
next = a sum of groups of lanes to old
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, VectorType
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from polyopt.dialects import pvec
from polyopt.dialects.loop_facts import restrict_rounding
from polyopt.dialects.pvec_group_sums import GROUP_SUMS, GroupDotOp
from polyopt.ir.elementwise import COMBINERS, neutral_of, on_others
from polyopt.ir.fast_math import may_reassociate, permits
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.interleave.masked_loop import MaskedLoop
from polyopt.support.record import record

_ORDERED = (arith.SubfOp, arith.SubiOp)
_ROUNDING = (arith.AddfOp, arith.MulfOp)


@record
class PartialValue:
    combine: Operation

    @property
    def _reduction(self) -> str:
        return "add" if isinstance(self.combine, GROUP_SUMS) else COMBINERS[type(self.combine)]

    def neutral(self, builder: AffineBuilder) -> SSAValue:
        """What does not change a value that it is combined with, in all lanes."""
        type_ = cast("VectorType[Attribute]", self.combine.results[0].type)
        is_finite = permits(self.combine, FastMathFlag.NO_INFS)
        element, (lanes,) = type_.element_type, type_.get_shape()
        value = neutral_of(self._reduction, element, is_finite=is_finite)
        scalar = arith.ConstantOp.create(properties={"value": value}, result_types=[element])
        return builder.broadcast(builder.insert(scalar).results[0], lanes)

    def combined(self, builder: AffineBuilder, left: SSAValue, right: SSAValue) -> SSAValue:
        """Both together, as they are: LLVM would have one of two chains of fused products wait for
        the other, if it might add them in another order."""
        if isinstance(self.combine, GROUP_SUMS):
            return builder.insert(arith.AddiOp(left, right)).result
        made = on_others(self.combine, [left, right], [left.type])
        if isinstance(made, _ROUNDING):
            restrict_rounding(made.attributes, "in_order")
        return builder.insert(made).results[0]


def partial_values(loop: MaskedLoop) -> list[PartialValue] | None:
    """One for each value that the loop carries; None where one of them is none."""
    _, *arguments = loop.loop.block.args
    found: list[PartialValue] = []
    for old, value in zip(arguments, loop.yielded, strict=True):
        one = _partial_value(old, value)
        if one is None:
            return None
        found.append(one)
    return found


def _partial_value(old: SSAValue, value: SSAValue) -> PartialValue | None:
    """`old` goes nowhere but into its own next value."""
    if isinstance(group := value.owner, GROUP_SUMS):
        links = _chain(old, value)
        is_own = bool(links) and all(one.has_one_use() for one in links)
        return PartialValue(group) if is_own else None
    if not isinstance(value, OpResult) or not isinstance(select := value.op, pvec.SelectOp):
        return None
    combine = select.then.owner
    if select.orelse is not old or not isinstance(combine, Operation):
        return None
    if type(combine) not in COMBINERS or isinstance(combine, _ORDERED):
        return None
    if isinstance(combine, _ROUNDING) and not may_reassociate(combine):
        return None
    users = [use.operation for use in old.uses]
    is_own = sum(1 for one in users if one is combine) == 1 and len(users) == 2
    return PartialValue(combine) if is_own and select.then.has_one_use() else None


def _chain(old: SSAValue, value: SSAValue) -> list[SSAValue]:
    """From `old` through sums of groups to `value`, without it; none if it does not lead there."""
    links: list[SSAValue] = []
    while isinstance(op := value.owner, GROUP_SUMS):
        value = op.acc
        links.insert(0, value)
    return links if value is old else []


def is_kept_where_unset(old: SSAValue, value: SSAValue, mask: SSAValue) -> bool:
    """Do lanes that are not set leave what is carried as it is?"""
    op = value.owner
    if isinstance(op, pvec.SelectOp):
        return op.mask is mask and op.orelse is old
    links = _chain(old, value)
    return bool(links) and all(_adds_nothing(one, mask) for one in [*links[1:], value])


def _adds_nothing(value: SSAValue, mask: SSAValue) -> bool:
    op = value.owner
    assert isinstance(op, GROUP_SUMS)
    zero = [_is_zero_where_unset(one, mask) for one in (op.lhs, op.rhs)]
    return any(zero) if isinstance(op, GroupDotOp) else all(zero)


def _is_zero_where_unset(value: SSAValue, mask: SSAValue) -> bool:
    op = value.owner
    if isinstance(op, pvec.SelectOp) and op.mask is mask:
        op = op.orelse.owner
    if not isinstance(op, arith.ConstantOp) or not isinstance(op.value, DenseIntOrFPElementsAttr):
        return False
    return not any(op.value.get_values())
