"""What grows in a loop of few iterations, as a table of numbers.

    2**k, 0 <= k <= 3     ->     (k <= 0 ? 1 : (k <= 1 ? 2 : (k <= 2 ? 4 : 8)))

No constraint of isl can say how a power grows, but it can say a few cases: `for (s = 1; s < 1024;
s *= 2)` around loops over arrays becomes a static control part.
"""

from __future__ import annotations

from collections.abc import Callable

from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.expressions.evaluation import evaluated
from polyopt.ir.expressions.integer_expr import (
    Atom,
    Binomial,
    Compare,
    Counter,
    Divided,
    Expr,
    Logarithm,
    Power,
    Unknown,
)
from polyopt.ir.expressions.integer_forms import choice, rebuilt

_LONGEST_TABLE = 12

Repetitions = Callable[[NaturalLoop], int | None]
"""How often a loop is repeated, where that is a number."""


def grows(expr: Expr) -> bool:
    """Whether something in it is not affine for the way it grows."""
    return any(isinstance(a, Binomial | Power | Divided | Logarithm) for a in expr.all_atoms())


def tabulated(expr: Expr, repeated: Repetitions) -> Expr:
    """The expression with tables for what grows with the counter of one loop alone. It holds
    while control is in that loop."""
    result = Expr({})
    for monomial, factor in expr.terms.items():
        product = Expr.constant(factor)
        for atom in monomial:
            product = product * _atom(atom, repeated)
        result += product
    return result


def _atom(atom: Atom, repeated: Repetitions) -> Expr:
    alone = Expr.of(atom)
    if not grows(alone):
        return alone
    leaves = {a for a in alone.all_atoms() if isinstance(a, Unknown | Counter)}
    counter = leaves.pop() if len(leaves) == 1 else None
    count = repeated(counter.loop) if isinstance(counter, Counter) else None
    if count is None or not 0 <= count <= _LONGEST_TABLE:
        return rebuilt(atom, lambda part: tabulated(part, repeated))
    assert isinstance(counter, Counter)
    result: Expr | None = None
    for k in range(count, -1, -1):
        number = evaluated(alone, {counter: k})
        if number is None:
            return alone
        entry = Expr.constant(number)
        at_most = Compare("<=", Expr.of(counter) - k)
        result = entry if result is None else choice(at_most, entry, result)
    assert result is not None
    return result
