"""What an `affine.if` asks, as forms of SSA values, and the set that asks it."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine
from xdsl.dialects.builtin import AffineSetAttr
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap, AffineSet
from xdsl.ir.affine.affine_set import AffineConstraintExpr, AffineConstraintKind

from polyopt.ir.affine.linear import Linear, linear_forms, map_of


def conditions_of(op: affine.IfOp) -> tuple[Linear, ...] | None:
    """The forms that are at least zero where `op` takes its first branch, and not all of which are
    where it does not; None where one divides."""
    set = op.condition.data
    found: list[Linear] = []
    for test in set.constraints:
        sides = AffineMap(set.num_dims, set.num_symbols, (test.lhs, test.rhs))
        forms = linear_forms(sides, op.args)
        if forms is None:
            return None
        difference = forms[0] - forms[1]
        if test.kind is not AffineConstraintKind.le:
            found.append(difference)
        if test.kind is not AffineConstraintKind.ge:
            found.append(-difference)
    return tuple(found)


def set_of(conditions: Sequence[Linear]) -> tuple[AffineSetAttr, list[SSAValue]]:
    """The affine set where every form is at least zero, and its operands."""
    affine_map, operands = map_of(conditions)
    constraints = tuple(
        AffineConstraintExpr(AffineConstraintKind.ge, expr, AffineExpr.constant(0))
        for expr in affine_map.data.results
    )
    return AffineSetAttr(AffineSet(len(operands), 0, constraints)), operands
