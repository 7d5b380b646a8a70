"""Access relations as subscripts: from a single-valued map to expressions over its dimensions.

    { S[i, j] -> A[i + 2j, floor(j/4)] }    gives    Name("0") + 2*Name("1"), Name("1") floordiv 4

where the dimension at position k of the domain has the name `str(k)` and parameters keep theirs.
A map that is affine by pieces gives, of each subscript, the greatest or least of several functions
(`max(i - 1, 0)`) where it is one, else a choice between the pieces.
"""

from __future__ import annotations

from functools import reduce

import islpy as isl

from polyopt.poly.loops.expressions import (
    add,
    all_of,
    any_of,
    compare,
    floor_div,
    maximum,
    minimum,
    scale,
)
from polyopt.poly.loops.loop_tree import Condition, Const, Expr, Name, Select
from polyopt.support.record import record

_In, _Param, _Div = isl.dim_type.in_, isl.dim_type.param, isl.dim_type.div
_Set = isl.dim_type.set


def subscripts_of(relation: isl.Map, domain: isl.Set) -> tuple[Expr, ...]:
    """The element that `relation` gives for each instance of `domain`; it gives exactly one. Of a
    domain that turns out to be empty, any will do."""
    function = isl.PwMultiAff.from_map(relation.intersect_domain(domain)).gist(domain).coalesce()
    pieces = list[tuple[isl.Set, isl.MultiAff]]()
    function.foreach_piece(lambda where, value: pieces.append((where, value)))
    rank = function.dim(isl.dim_type.out)
    if not pieces:
        return (Const(0),) * rank
    return tuple(
        _choice(_joined([(where, value.get_aff(k)) for where, value in pieces]), domain)
        for k in range(rank)
    )


@record
class _Piece:
    where: isl.Set
    value: isl.PwAff
    """Everywhere, not only there."""
    expression: Expr


def _joined(pieces: list[tuple[isl.Set, isl.Aff]]) -> list[_Piece]:
    """Where a subscript is one affine function, whatever others do there, is one piece; where two
    functions are each the greater one, or the less, their maximum or minimum is."""
    found: dict[Expr, _Piece] = {}
    for where, aff in pieces:
        expression = expression_of(aff)
        value = isl.PwAff.from_aff(aff)
        before = found.get(expression)
        everywhere = where if before is None else before.where.union(where)
        found[expression] = _Piece(everywhere, value, expression)
    joined = list[_Piece]()
    for piece in found.values():
        joined.append(piece)
        while len(joined) > 1 and (both := _extreme(joined[-2], joined[-1])) is not None:
            joined[-2:] = [both]
    return joined


def _extreme(one: _Piece, other: _Piece) -> _Piece | None:
    for value, build in (
        (one.value.max(other.value), maximum),
        (one.value.min(other.value), minimum),
    ):
        if all(each.where.is_subset(value.eq_set(each.value)) for each in (one, other)):
            expression = build(one.expression, other.expression)
            return _Piece(one.where.union(other.where), value, expression)
    return None


def _choice(pieces: list[_Piece], domain: isl.Set) -> Expr:
    """The last piece needs no test: the pieces cover all there is."""
    *first, last = pieces
    return reduce(
        lambda orelse, piece: Select(
            condition_of(piece.where.gist(domain).coalesce()), piece.expression, orelse
        ),
        reversed(first),
        last.expression,
    )


def expression_of(aff: isl.Aff) -> Expr:
    """An affine function with integer values; a denominator divides exactly or is a floor's."""
    divisor = aff.get_denominator_val()
    terms: list[Expr] = [Const(_integer(aff.get_constant_val().mul(divisor)))]
    for kind in (_In, _Param, _Div):
        for k in range(aff.dim(kind)):
            factor = _integer(aff.get_coefficient_val(kind, k).mul(divisor))
            if factor:
                terms.append(scale(factor, _variable(aff, kind, k)))
    return floor_div(add(*terms), divisor.to_python())


def _variable(aff: isl.Aff, kind: isl.dim_type, position: int) -> Expr:
    if kind == _In:
        return Name(str(position))
    if kind == _Param:
        name = aff.get_dim_name(_Param, position)
        assert name is not None
        return Name(name)
    return expression_of(aff.get_div(position))


def condition_of(where: isl.Set) -> Condition:
    """Membership in a set without existentials that are no integer divisions."""
    parts = list[isl.BasicSet]()
    where.compute_divs().foreach_basic_set(parts.append)
    return any_of(*(_conjunction(part) for part in parts))


def _conjunction(part: isl.BasicSet) -> Condition:
    constraints = list[isl.Constraint]()
    part.foreach_constraint(constraints.append)
    return all_of(
        *(
            compare(expression_of(one.get_aff()), is_equality=one.is_equality())
            for one in constraints
        )
    )


def _integer(value: isl.Val) -> int:
    return value.to_python()
