"""Affine maps and sets over SSA values as isl text.

A value is an iterator or a parameter, by name, or a constant, or computed from such values by
`affine.apply` or by `arith` on index; anything else has no text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from xdsl.dialects import affine, arith
from xdsl.dialects.arith import IntegerOverflowFlag
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineConstraintKind,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSet,
    AffineSymExpr,
)

Names = Callable[[SSAValue], str | None]
"""The name of an iterator or parameter; None for a value that has to be looked into."""

_RELATIONS = {
    AffineConstraintKind.ge: ">=",
    AffineConstraintKind.le: "<=",
    AffineConstraintKind.eq: "=",
}


_NUMBER = re.compile(r"\(-?\d+\)")


class NotAffineText(Exception):
    """`value` is not an affine function of iterators and parameters."""

    def __init__(self, value: SSAValue):
        super().__init__("not an affine function of iterators and parameters")
        self.value = value


def value_text(value: SSAValue, names: Names) -> str:
    """`value` over `names`; raises NotAffine."""
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return f"({owner.value.value.data})"
    if isinstance(owner, affine.ApplyOp):
        return map_texts(owner.map.data, owner.mapOperands, names)[0]
    name = names(value)
    if name is not None:
        return name
    if not isinstance(owner, arith.AddiOp | arith.SubiOp | arith.MuliOp) or not _is_exact(owner):
        raise NotAffineText(value)
    left, right = value_text(owner.lhs, names), value_text(owner.rhs, names)
    match owner:
        case arith.AddiOp():
            return f"({left} + {right})"
        case arith.SubiOp():
            return f"({left} - {right})"
        case arith.MuliOp():
            for factor, other in ((left, right), (right, left)):
                if _NUMBER.fullmatch(factor):
                    return f"({factor.strip('()')}*{other})"
            raise NotAffineText(value)


def _is_exact(op: arith.AddiOp | arith.SubiOp | arith.MuliOp) -> bool:
    return IntegerOverflowFlag.NSW in op.overflow_flags.data


def map_texts(map: AffineMap, operands: Sequence[SSAValue], names: Names) -> list[str]:
    texts = [value_text(operand, names) for operand in operands]
    return [_expression(one, texts, map.num_dims) for one in map.results]


def set_text(set: AffineSet, operands: Sequence[SSAValue], names: Names) -> str:
    """That the point `operands` lies in the set."""
    texts = [value_text(operand, names) for operand in operands]
    tests = [
        f"{_expression(one.lhs, texts, set.num_dims)} {_RELATIONS[one.kind]} "
        f"{_expression(one.rhs, texts, set.num_dims)}"
        for one in set.constraints
    ]
    return " and ".join(tests) or "0 = 0"


def _expression(expr: AffineExpr, operands: Sequence[str], num_dims: int) -> str:
    match expr:
        case AffineConstantExpr():
            return f"({expr.value})"
        case AffineDimExpr():
            return operands[expr.position]
        case AffineSymExpr():
            return operands[num_dims + expr.position]
        case AffineBinaryOpExpr():
            left = _expression(expr.lhs, operands, num_dims)
            if expr.kind is AffineBinaryOpKind.Add:
                return f"({left} + {_expression(expr.rhs, operands, num_dims)})"
            assert isinstance(expr.rhs, AffineConstantExpr)
            number = expr.rhs.value
            match expr.kind:
                case AffineBinaryOpKind.Mul:
                    return f"({number}*{left})"
                case AffineBinaryOpKind.FloorDiv:
                    return f"floor({left}/{number})"
                case AffineBinaryOpKind.CeilDiv:
                    return f"(-floor((-{left})/{number}))"
                case AffineBinaryOpKind.Mod:
                    return f"({left} mod {number})"
        case _:
            raise AssertionError(f"not an affine expression: {expr}")
