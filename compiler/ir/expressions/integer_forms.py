"""Each atom of an integer expression in its simplest form: what is known of it is done at once.

A quotient takes out what is divisible, a power of a constant is a number, a reduction into the
range of a type forgets those inside of it. Who makes atoms makes them here, so that equal values
are equal expressions more often; `rebuilt` and `replaced` make them again from changed parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import gcd

from polyopt.ir.expressions.integer_conditions import mapped_condition
from polyopt.ir.expressions.integer_expr import (
    ONE,
    ZERO,
    Atom,
    Binomial,
    Choice,
    Compare,
    Condition,
    Divided,
    Expr,
    Extremum,
    Floor,
    Logarithm,
    Monomial,
    Power,
    Quotient,
    Truth,
    Wrapped,
)

_LARGEST_POWER = 64


def floor(term: Expr, divisor: int) -> Expr:
    """`floor(term / divisor)`, divisor > 0; what is divisible is taken out."""
    last = term.as_atom
    if isinstance(last, Divided) and last.base == divisor and not last.to_zero:
        return divided(last.term, divisor, last.times + 1, to_zero=False)
    whole = Expr.constant(term.constant_term // divisor)
    rest: dict[Monomial, int] = {}
    for monomial, factor in term.terms.items():
        exact = _divided_term(monomial, factor, divisor) if monomial else None
        if exact is not None:
            whole += exact
        elif monomial:
            rest[monomial] = factor
    if not rest:
        return whole
    inner = Expr(rest) + term.constant_term % divisor
    return whole + Expr.of(Floor(inner, divisor))


def quotient(term: Expr, divisor: int) -> Expr:
    """`term / divisor` rounded to zero, divisor > 0."""
    exact = exact_quotient(term, divisor)
    if exact is not None:
        return exact
    last = term.as_atom
    if isinstance(last, Divided) and last.base == divisor and last.to_zero:
        return divided(last.term, divisor, last.times + 1, to_zero=True)
    number = term.as_constant
    if number is not None:
        return Expr.constant(abs(number) // divisor * (1 if number > 0 else -1))
    return Expr.of(Quotient(term, divisor))


def exact_quotient(term: Expr, divisor: int) -> Expr | None:
    """`term / divisor`, where every factor is divisible, or what is multiplied by it is."""
    result = Expr({})
    for monomial, factor in term.terms.items():
        part = _divided_term(monomial, factor, divisor)
        if part is None:
            return None
        result += part
    return result


def _divided_term(monomial: Monomial, factor: int, divisor: int) -> Expr | None:
    """The exact quotient of `factor` times a product of atoms."""
    if factor % divisor == 0:
        return Expr({monomial: factor // divisor})
    if len(monomial) != 1:
        return None
    common = gcd(factor, divisor)
    inner = _divided_atom(monomial[0], divisor // common)
    return None if inner is None else inner * (factor // common)


def _divided_atom(atom: Atom, divisor: int) -> Expr | None:
    """`Wrapped(8*x, 64) / 8 == Wrapped(x, 61)`: what bytes of a type say of its elements."""
    match atom:
        case Wrapped(term, bits, is_signed) if not divisor & (divisor - 1):
            shift = divisor.bit_length() - 1
            exact = exact_quotient(term, divisor) if shift < bits - 1 else None
            return None if exact is None else wrapped(exact, bits - shift, is_signed)
        case Extremum(is_max, terms):
            quotients = [exact_quotient(term, divisor) for term in terms]
            known = [one for one in quotients if one is not None]
            return extremum(is_max, known) if len(known) == len(terms) else None
        case Choice(condition, then, orelse):
            first, second = exact_quotient(then, divisor), exact_quotient(orelse, divisor)
            if first is None or second is None:
                return None
            return choice(condition, first, second)
        case _:
            return None


def extremum(is_max: bool, terms: Iterable[Expr]) -> Expr:
    """Terms that differ by a constant are compared."""
    kept: list[Expr] = []
    for term in terms:
        for place, other in enumerate(kept):
            distance = (term - other).as_constant
            if distance is not None:
                if (distance > 0) == is_max:
                    kept[place] = term
                break
        else:
            kept.append(term)
    return kept[0] if len(kept) == 1 else Expr.of(Extremum(is_max, tuple(kept)))


def choice(condition: Condition, then: Expr, orelse: Expr) -> Expr:
    """`then` where the condition holds, else `orelse`: one of them where they are equal, the
    extremum where that is what is asked."""
    if then == orelse:
        return then
    match condition:
        case Truth(holds):
            return then if holds else orelse
        case Compare(relation, term) if (number := term.as_constant) is not None:
            return then if compares(relation, number) else orelse
        case Compare("<" | "<=", term) if term == then - orelse:
            return extremum(False, [then, orelse])
        case Compare("<" | "<=", term) if term == orelse - then:
            return extremum(True, [then, orelse])
        case _:
            return Expr.of(Choice(condition, then, orelse))


def compares(relation: str, number: int) -> bool:
    match relation:
        case "<":
            return number < 0
        case "<=":
            return number <= 0
        case "==":
            return number == 0
        case _:
            return number != 0


def binomial(term: Expr, order: int) -> Expr:
    """`term` over `order`, with the constant part taken out: `C(x + c, k)` is the sum of
    `C(c, j) * C(x, k - j)`, for negative c too."""
    if order == 0:
        return ONE
    constant = term.constant_term
    variable = term - constant
    result = Expr.constant(_over(constant, order))
    if variable == ZERO:
        return result
    for part in range(1, order + 1):
        over = variable if part == 1 else Expr.of(Binomial(variable, part))
        result += over * _over(constant, order - part)
    return result


def _over(number: int, order: int) -> int:
    product = 1
    for k in range(order):
        product = product * (number - k) // (k + 1)
    return product


def power(base: int, exponent: Expr) -> Expr:
    """`base ** exponent`, with what is constant and not negative of the exponent taken out."""
    constant = exponent.constant_term
    variable = exponent - constant
    if variable == ZERO and constant >= 0:
        return Expr.constant(base**constant)
    if 0 < constant <= _LARGEST_POWER:
        return Expr.of(Power(base, variable)) * base**constant
    return Expr.of(Power(base, exponent))


def divided(term: Expr, base: int, times: Expr, to_zero: bool) -> Expr:
    number = times.as_constant
    if number is None or number < 0:
        return Expr.of(Divided(term, base, times, to_zero))
    return quotient(term, base**number) if to_zero else floor(term, base**number)


def logarithm(term: Expr, base: int) -> Expr:
    number = term.as_constant
    if number is None:
        return Expr.of(Logarithm(term, base))
    exponent = 0
    while base**exponent < number:
        exponent += 1
    return Expr.constant(exponent)


def wrapped(term: Expr, bits: int, is_signed: bool) -> Expr:
    """`term` reduced into the range of a type; what is added in it and was reduced modulo a
    multiple need not have been."""
    while any(isinstance(a, Wrapped) and a.bits >= bits for a in term.atoms()):
        term = _without_reductions(term, bits)
    number = term.as_constant
    if number is not None:
        number &= (1 << bits) - 1
        return Expr.constant(number - (1 << bits) if is_signed and number >> (bits - 1) else number)
    return Expr.of(Wrapped(term, bits, is_signed))


def _without_reductions(term: Expr, bits: int) -> Expr:
    result = Expr({})
    for monomial, factor in term.terms.items():
        product = Expr.constant(factor)
        for atom in monomial:
            if isinstance(atom, Wrapped) and atom.bits >= bits:
                product = product * atom.term
            else:
                product = product * Expr.of(atom)
        result += product
    return result


def rebuilt(atom: Atom, new: Callable[[Expr], Expr]) -> Expr:
    """The atom with `new` applied to the expressions directly in it, simplified again."""
    match atom:
        case Floor(term, divisor):
            return floor(new(term), divisor)
        case Quotient(term, divisor):
            return quotient(new(term), divisor)
        case Wrapped(term, bits, is_signed):
            return wrapped(new(term), bits, is_signed)
        case Extremum(is_max, terms):
            return extremum(is_max, map(new, terms))
        case Choice(condition, then, orelse):
            return choice(mapped_condition(condition, new), new(then), new(orelse))
        case Binomial(term, order):
            return binomial(new(term), order)
        case Power(base, exponent):
            return power(base, new(exponent))
        case Divided(term, base, times, to_zero):
            return divided(new(term), base, new(times), to_zero)
        case Logarithm(term, base):
            return logarithm(new(term), base)
        case _:
            return Expr.of(atom)


def replaced(expr: Expr, new: Callable[[Atom], Expr | None]) -> Expr:
    """The expression in which each atom for which `new` gives an expression is replaced by
    it, at every depth,
    innermost first."""
    result = Expr({})
    for monomial, factor in expr.terms.items():
        product = Expr.constant(factor)
        for atom in monomial:
            inside = rebuilt(atom, lambda part: replaced(part, new))
            same = inside.as_atom
            outside = None if same is None else new(same)
            product = product * (inside if outside is None else outside)
        result += product
    return result
