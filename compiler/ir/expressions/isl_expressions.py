"""From isl back to expressions and conditions over a region's parameters."""

from __future__ import annotations

from functools import reduce

import islpy as isl

from polyopt.ir.expressions.affine_space import AffineSpace
from polyopt.ir.expressions.integer_expr import (
    Both,
    Compare,
    Condition,
    Either,
    Expr,
    Monomial,
    Truth,
)
from polyopt.ir.expressions.integer_forms import floor

_PARAM = isl.dim_type.param


def expression_of(aff: isl.Aff, space: AffineSpace) -> Expr:
    """The floor of an affine expression over parameters, which need not have whole factors."""
    denominator = aff.get_denominator_val()
    return floor(_numerator(aff.scale_val(denominator), space), _integer(denominator))


def condition_of_set(values: isl.Set, space: AffineSpace) -> Condition:
    """When the parameters are in a set."""
    result: Condition = Truth(False)
    for part in values.compute_divs().get_basic_sets():
        result = _either(result, _basic_condition(part, space))
    return result


def _basic_condition(values: isl.BasicSet, space: AffineSpace) -> Condition:
    conditions: list[Condition] = []
    for constraint in values.get_constraints():
        term = expression_of(constraint.get_aff(), space)
        conditions.append(Compare("==" if constraint.is_equality() else "<=", -term))
    first, *others = conditions or [Truth(True)]
    return reduce(Both, others, first)


def _either(left: Condition, right: Condition) -> Condition:
    return right if left == Truth(False) else Either(left, right)


def _numerator(aff: isl.Aff, space: AffineSpace) -> Expr:
    names: dict[str | None, Monomial] = {n: monomial for monomial, n in space.parameters.items()}
    result = Expr.constant(_integer(aff.get_constant_val()))
    for place in range(aff.dim(_PARAM)):
        factor = _integer(aff.get_coefficient_val(_PARAM, place))
        if factor:
            result += Expr({names[aff.get_dim_name(_PARAM, place)]: factor})
    for place in range(aff.dim(isl.dim_type.div)):
        factor = _integer(aff.get_coefficient_val(isl.dim_type.div, place))
        if factor:
            result += expression_of(aff.get_div(place), space) * factor
    return result


def _integer(value: isl.Val) -> int:
    return int(value.to_python())
