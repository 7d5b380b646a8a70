"""Build, substitute and evaluate the expressions of `loop_tree`, folded as they are built.

The builders keep the value and only make the form simpler: sums are flat with one constant and
one product for each term, products of constants are folded, and a minimum or maximum stands
above sums: `min(a, b) + c` is `min(a + c, b + c)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from polyopt.poly.loops.loop_tree import (
    All,
    Any,
    Compare,
    Condition,
    Const,
    Expr,
    FloorDiv,
    Max,
    Min,
    Mod,
    Name,
    Product,
    Select,
    Sum,
)
from polyopt.support.index_width import INDEX_END

TRUE = All(())
FALSE = Any(())


def add(*terms: Expr) -> Expr:
    """`terms[0] + terms[1] + …`."""
    for k, term in enumerate(terms):
        if isinstance(term, Min | Max):
            rest = terms[:k] + terms[k + 1 :]
            return type(term)(tuple(add(one, *rest) for one in term.terms))
    coefficients: dict[Expr, int] = {}
    constant = 0
    for term in _flat(terms):
        match term:
            case Const(value):
                constant += value
            case Product(factor, inner):
                coefficients[inner] = coefficients.get(inner, 0) + factor
            case _:
                coefficients[term] = coefficients.get(term, 0) + 1
    parts = [scale(factor, inner) for inner, factor in coefficients.items() if factor]
    if constant or not parts:
        parts.append(Const(constant))
    return parts[0] if len(parts) == 1 else Sum(tuple(parts))


def _flat(terms: Sequence[Expr]) -> list[Expr]:
    flat = list[Expr]()
    for term in terms:
        if isinstance(term, Sum):
            flat += term.terms
        else:
            flat.append(term)
    return flat


def scale(factor: int, term: Expr) -> Expr:
    """`factor * term`."""
    if factor == 0:
        return Const(0)
    if factor == 1:
        return term
    match term:
        case Const(value):
            return Const(factor * value)
        case Product(inner_factor, inner):
            return scale(factor * inner_factor, inner)
        case Sum(terms):
            return add(*(scale(factor, one) for one in terms))
        case Min(terms):
            scaled = tuple(scale(factor, one) for one in terms)
            return Min(scaled) if factor > 0 else Max(scaled)
        case Max(terms):
            scaled = tuple(scale(factor, one) for one in terms)
            return Max(scaled) if factor > 0 else Min(scaled)
        case _:
            return Product(factor, term)


def subtract(left: Expr, right: Expr) -> Expr:
    return add(left, scale(-1, right))


def floor_div(term: Expr, divisor: int) -> Expr:
    """`floor(term / divisor)`, also for a negative divisor."""
    if divisor < 0:
        return floor_div(scale(-1, term), -divisor)
    if divisor == 1:
        return term
    match term:
        case Const(value):
            return Const(value // divisor)
        case Min(terms) | Max(terms):
            return type(term)(tuple(floor_div(one, divisor) for one in terms))
        case _:
            return FloorDiv(term, divisor)


def modulo(term: Expr, divisor: int) -> Expr:
    """`term mod divisor` in [0, |divisor|)."""
    divisor = abs(divisor)
    if divisor == 1:
        return Const(0)
    return Const(term.value % divisor) if isinstance(term, Const) else Mod(term, divisor)


def minimum(*terms: Expr) -> Expr:
    return _extremum(Min, min, terms)


def maximum(*terms: Expr) -> Expr:
    return _extremum(Max, max, terms)


def _extremum(
    kind: type[Min] | type[Max], choose: Callable[[int, int], int], terms: Sequence[Expr]
) -> Expr:
    distinct: dict[Expr, None] = {}
    constant: int | None = None
    for term in terms:
        for one in term.terms if isinstance(term, kind) else (term,):
            if isinstance(one, Const):
                constant = one.value if constant is None else choose(constant, one.value)
            else:
                distinct[one] = None
    parts = list(distinct)
    if constant is not None:
        parts.append(Const(constant))
    return parts[0] if len(parts) == 1 else kind(tuple(parts))


def compare(term: Expr, *, is_equality: bool = False) -> Condition:
    """`term >= 0` or `term == 0`: decided where the term is constant, or a constant that is no
    index away from an index, split where it is a minimum or maximum."""
    match term:
        case Sum((*_, Const(value))) if value <= -INDEX_END or value > INDEX_END:
            return TRUE if value > 0 and not is_equality else FALSE
        case Sum((*_, Const(value))) if value == INDEX_END and not is_equality:
            return TRUE
        case Const(value):
            return TRUE if (value == 0 if is_equality else value >= 0) else FALSE
        case Min(terms) if not is_equality:
            return all_of(*(compare(one) for one in terms))
        case Max(terms) if not is_equality:
            return any_of(*(compare(one) for one in terms))
        case _:
            return Compare(term, is_equality)


def all_of(*conditions: Condition) -> Condition:
    return _junction(All, Any, conditions)


def any_of(*conditions: Condition) -> Condition:
    return _junction(Any, All, conditions)


def _junction(
    kind: type[All] | type[Any],
    dual: type[All] | type[Any],
    conditions: Sequence[Condition],
) -> Condition:
    distinct: dict[Condition, None] = {}
    for condition in conditions:
        for one in condition.conditions if isinstance(condition, kind) else (condition,):
            if one == dual(()):
                return one
            distinct[one] = None
    parts = tuple(distinct)
    return parts[0] if len(parts) == 1 else kind(parts)


def substitute(expression: Expr, values: Mapping[str, Expr]) -> Expr:
    """`expression` with the named iterators replaced."""
    match expression:
        case Const():
            return expression
        case Name(name):
            return values.get(name, expression)
        case Sum(terms):
            return add(*(substitute(term, values) for term in terms))
        case Product(factor, term):
            return scale(factor, substitute(term, values))
        case FloorDiv(term, divisor):
            return floor_div(substitute(term, values), divisor)
        case Mod(term, divisor):
            return modulo(substitute(term, values), divisor)
        case Min(terms):
            return minimum(*(substitute(term, values) for term in terms))
        case Max(terms):
            return maximum(*(substitute(term, values) for term in terms))
        case Select(condition, then, orelse):
            return Select(
                substitute_condition(condition, values),
                substitute(then, values),
                substitute(orelse, values),
            )


def substitute_condition(condition: Condition, values: Mapping[str, Expr]) -> Condition:
    match condition:
        case Compare(term, is_equality):
            return compare(substitute(term, values), is_equality=is_equality)
        case All(conditions):
            return all_of(*(substitute_condition(one, values) for one in conditions))
        case Any(conditions):
            return any_of(*(substitute_condition(one, values) for one in conditions))


def evaluate(expression: Expr, values: Mapping[str, int]) -> int:
    match expression:
        case Const(value):
            return value
        case Name(name):
            return values[name]
        case Sum(terms):
            return sum(evaluate(term, values) for term in terms)
        case Product(factor, term):
            return factor * evaluate(term, values)
        case FloorDiv(term, divisor):
            return evaluate(term, values) // divisor
        case Mod(term, divisor):
            return evaluate(term, values) % divisor
        case Min(terms):
            return min(evaluate(term, values) for term in terms)
        case Max(terms):
            return max(evaluate(term, values) for term in terms)
        case Select(condition, then, orelse):
            return evaluate(then if holds(condition, values) else orelse, values)


def holds(condition: Condition, values: Mapping[str, int]) -> bool:
    match condition:
        case Compare(term, is_equality):
            value = evaluate(term, values)
            return value == 0 if is_equality else value >= 0
        case All(conditions):
            return all(holds(one, values) for one in conditions)
        case Any(conditions):
            return any(holds(one, values) for one in conditions)


def chooses(expression: Expr) -> bool:
    """Is there a choice in it, if only of the greatest or the least?"""
    match expression:
        case Select() | Min() | Max():
            return True
        case Sum(terms):
            return any(map(chooses, terms))
        case Product(_, term) | FloorDiv(term) | Mod(term):
            return chooses(term)
        case _:
            return False


def names_in(expression: Expr | Condition) -> frozenset[str]:
    """The parameters and iterators that `expression` speaks of."""
    match expression:
        case Const():
            return frozenset()
        case Name(name):
            return frozenset((name,))
        case Sum(terms) | Min(terms) | Max(terms):
            return frozenset[str]().union(*(names_in(term) for term in terms))
        case Product(_, term) | FloorDiv(term, _) | Mod(term, _) | Compare(term, _):
            return names_in(term)
        case Select(condition, then, orelse):
            return names_in(condition) | names_in(then) | names_in(orelse)
        case All(conditions) | Any(conditions):
            return frozenset[str]().union(*(names_in(one) for one in conditions))
