"""What an `affine.if` asks, as forms of SSA values."""

from __future__ import annotations

from xdsl.dialects import affine
from xdsl.ir.affine import AffineMap
from xdsl.ir.affine.affine_set import AffineConstraintKind

from polyopt.ir.affine.linear import Linear, linear_forms


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
