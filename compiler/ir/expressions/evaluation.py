"""Integer expressions and conditions where all that they are made of is known."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from polyopt.ir.expressions.integer_expr import (
    Atom,
    Binomial,
    Both,
    Choice,
    Compare,
    Condition,
    Divided,
    Either,
    Expr,
    Extremum,
    Flag,
    Floor,
    Logarithm,
    Power,
    Quotient,
    Truth,
    Wrapped,
)
from polyopt.ir.expressions.integer_forms import (
    binomial,
    compares,
    logarithm,
    power,
    quotient,
    wrapped,
)

_LARGEST_EXPONENT = 1 << 12


class _NotKnown(Exception):
    pass


def evaluated(expr: Expr, known: Mapping[Atom, int]) -> int | None:
    """The number that an expression is; None where something in it is not known."""
    try:
        return _number(expr, known)
    except _NotKnown:
        return None


def decided(condition: Condition, known: Mapping[Atom, int]) -> bool | None:
    """Whether a condition holds; None where something in it is not known."""
    try:
        return _holds(condition, known)
    except _NotKnown:
        return None


def _number(expr: Expr, known: Mapping[Atom, int]) -> int:
    return sum(
        factor * prod(_atom(atom, known) for atom in monomial)
        for monomial, factor in expr.terms.items()
    )


def _holds(condition: Condition, known: Mapping[Atom, int]) -> bool:
    match condition:
        case Truth(holds):
            return holds
        case Compare(relation, term):
            return compares(relation, _number(term, known))
        case Both(left, right):
            return _holds(left, known) and _holds(right, known)
        case Either(left, right):
            return _holds(left, known) or _holds(right, known)
        case Flag():
            raise _NotKnown


def _atom(atom: Atom, known: Mapping[Atom, int]) -> int:
    number = known.get(atom)
    if number is not None:
        return number
    match atom:
        case Floor(term, divisor):
            return _number(term, known) // divisor
        case Quotient(term, divisor):
            return _constant(quotient(_exactly(term, known), divisor))
        case Extremum(is_max, terms):
            return (max if is_max else min)(_number(term, known) for term in terms)
        case Choice(condition, then, orelse):
            return _number(then if _holds(condition, known) else orelse, known)
        case Wrapped(term, bits, is_signed):
            return _constant(wrapped(_exactly(term, known), bits, is_signed))
        case Binomial(term, order):
            return _constant(binomial(_exactly(term, known), order))
        case Power(base, exponent):
            return _constant(power(base, Expr.constant(_exponent(exponent, known))))
        case Divided(term, base, times, to_zero):
            divisor = base ** _exponent(times, known)
            if to_zero:
                return _constant(quotient(_exactly(term, known), divisor))
            return _number(term, known) // divisor
        case Logarithm(term, base):
            return _constant(logarithm(_exactly(term, known), base))
        case _:
            raise _NotKnown


def _exponent(expr: Expr, known: Mapping[Atom, int]) -> int:
    number = _number(expr, known)
    if not 0 <= number <= _LARGEST_EXPONENT:
        raise _NotKnown
    return number


def _exactly(expr: Expr, known: Mapping[Atom, int]) -> Expr:
    return Expr.constant(_number(expr, known))


def _constant(expr: Expr) -> int:
    number = expr.as_constant
    assert number is not None
    return number
