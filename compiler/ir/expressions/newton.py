"""Polynomials in the counter of a loop as chains of recurrences, and their sums.

    {c_0, +, c_1, +, ..., +, c_k}  =  c_0 + c_1 C(n, 1) + ... + c_k C(n, k)

with the binomials of n, the number of the iteration, is Newton's form of a polynomial that is
whole for every n (O. Bachmann, P. S. Wang, E. V. Zima: "Chains of Recurrences", ISSAC 1994). What
is added up over the iterations before the n-th is the same chain, one place further:

    the sum of C(k, i) for 0 <= k < n   ==   C(n, i + 1)

so that no division is ever left over, and all of it holds modulo 2**bits, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from polyopt.ir.expressions.integer_expr import ZERO, Binomial, Counter, Expr, Monomial
from polyopt.ir.expressions.integer_forms import binomial

_HIGHEST_ORDER = 6
"""Of a chain. A polynomial of a higher degree is left as it is."""


def newton_form(expr: Expr, counter: Counter) -> tuple[Expr, ...] | None:
    """(c_0, ..., c_k) as above with `n` the counter, which is in no c; None where there are none.
    The same chain for equal polynomials, however they are written."""
    orders: dict[int, Expr] = {}
    for monomial, factor in expr.terms.items():
        parts = _separated(monomial, counter)
        if parts is None:
            return None
        outside, inside = parts
        for order, times in inside.items():
            term = Expr({outside: factor * times})
            orders[order] = orders.get(order, ZERO) + term
    highest = max((order for order, term in orders.items() if term != ZERO), default=0)
    return tuple(orders.get(order, ZERO) for order in range(highest + 1))


def from_newton(coefficients: Sequence[Expr], counter: Counter) -> Expr:
    """The expression of a chain."""
    result = ZERO
    for order, coefficient in enumerate(coefficients):
        result += coefficient * binomial(Expr.of(counter), order)
    return result


def newton_sum(coefficients: Sequence[Expr]) -> tuple[Expr, ...] | None:
    """The chain of the sum over the iterations before; None where it has become too long."""
    if len(coefficients) > _HIGHEST_ORDER:
        return None
    return ZERO, *coefficients


def _separated(monomial: Monomial, counter: Counter) -> tuple[Monomial, dict[int, int]] | None:
    """The atoms without the counter, and the binomials that the product of the others is a sum
    of: order to factor."""
    outside: list[object] = []
    inside = {0: 1}
    for atom in monomial:
        order = _order(atom, counter)
        if order is None:
            if counter in Expr.of(atom).all_atoms():
                return None
            outside.append(atom)
            continue
        inside = _times(inside, order)
        if max(inside) > _HIGHEST_ORDER:
            return None
    return tuple(atom for atom in monomial if _order(atom, counter) is None), inside


def _order(atom: object, counter: Counter) -> int | None:
    if atom == counter:
        return 1
    if isinstance(atom, Binomial) and atom.term.as_atom == counter:
        return atom.order
    return None


def _times(binomials: dict[int, int], order: int) -> dict[int, int]:
    """Their sum times `C(n, order)`: `C(n, a) C(n, b)` is the sum over j of
    `C(j, a) C(a, j - b) C(n, j)`."""
    result: dict[int, int] = {}
    for other, factor in binomials.items():
        for j in range(max(other, order), other + order + 1):
            times = comb(j, other) * comb(other, j - order)
            result[j] = result.get(j, 0) + factor * times
    return result
