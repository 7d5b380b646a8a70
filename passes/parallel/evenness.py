"""Whether the iterations of a loop take equally long.

for i < n { for j < m { … } }                    they do
for i < n { for j <= i { … } }                   they do not: a bound depends on i
for i < n { if (1 <= i <= n - 2) { … } }         as good as: those at the ends are left out
for i < n { if (i <= m) { … } }                  nobody knows
"""

from __future__ import annotations

from typing import Literal

from xdsl.dialects import affine
from xdsl.ir import Region, SSAValue
from xdsl.ir.affine import AffineConstraintKind

from polyopt.ir.affine.affine_nest import AffineLoop, access_of, enclosing_loops
from polyopt.ir.affine.linear import Linear, linear_expression, linear_of
from polyopt.support.core_model import CORE


def depends_on(loop: affine.ForOp) -> bool:
    """Whether an iteration of the loop takes as long as its iterator says: some bound or condition
    inside depends on it, other than one that is the same for all but a few at the ends."""
    values: set[SSAValue] = {loop.body.block.args[0]}
    for op in loop.body.walk():
        uses = any(operand in values for operand in op.operands)
        if not uses or access_of(op) is not None:
            continue
        if isinstance(op, affine.ForOp):
            return True
        if isinstance(op, affine.IfOp) and not _tells_the_ends(op, AffineLoop(loop)):
            return True
        if isinstance(op, affine.ApplyOp):
            values |= set(op.results)
    return False


def _tells_the_ends(op: affine.IfOp, loop: AffineLoop) -> bool:
    """Whether the condition is the same for all iterations but a few at the ends, in which no loops
    stand deeper in each other than there are for all."""
    condition = op.condition.data
    leaves = [linear_of(operand) for operand in op.operands]
    is_rare = False
    for one in condition.constraints:
        left, right = (
            linear_expression(side, leaves, condition.num_dims) for side in (one.lhs, one.rhs)
        )
        if left is None or right is None:
            return False
        form = right - left if one.kind is AffineConstraintKind.le else left - right
        end = _end_of(form, loop)
        if end is None:
            return False
        is_rare |= one.kind is AffineConstraintKind.eq or end == "last"
    seldom = op.then_region if is_rare else op.else_region
    around = len(enclosing_loops(op, loop.op)) - 1
    return around + _depth(seldom) <= _depth(loop.op.body, seldom)


def _end_of(form: Linear, loop: AffineLoop) -> Literal["none", "first", "last"] | None:
    """Of `form >= 0`: whether it is so from one of the first iterations on or up to one of the last
    ones, "first"; or only in these, "last"; "none" where the loop has no say. Else None."""
    factor = form.coefficient(loop.iv)
    if not factor:
        return "none"
    if abs(factor) != 1:
        return None
    turn = (form - Linear.of(loop.iv) * factor) * -factor
    at_start = any(_is_few(turn - one) for one in loop.lowers or ())
    at_end = any(_is_few(one - turn) for one in loop.uppers or ())
    if not at_start and not at_end:
        return None
    return "first" if (at_start if factor > 0 else at_end) else "last"


def _is_few(distance: Linear) -> bool:
    return not distance.terms and abs(distance.constant) <= CORE.threads.few_at_ends


def _depth(region: Region, without: Region | None = None) -> int:
    """How many loops stand in each other, at most."""
    return max(
        (
            isinstance(op, affine.ForOp) + max(map(lambda one: _depth(one, without), inner))
            for block in region.blocks
            for op in block.ops
            if (inner := [one for one in op.regions if one is not without])
        ),
        default=0,
    )
