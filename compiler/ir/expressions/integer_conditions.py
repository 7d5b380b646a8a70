"""Conditions on integer expressions: put together, negated, looked through, mapped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from polyopt.ir.expressions.integer_expr import Both, Compare, Condition, Either, Expr, Flag, Truth


def both_of(conditions: Sequence[Condition]) -> Condition:
    """All of them hold. As deep as the logarithm of their number: who looks at conditions goes
    down into them, and chains of `&&` and switches may be long."""
    return _balanced(Both, conditions) if conditions else Truth(True)


def either_of(conditions: Sequence[Condition]) -> Condition:
    """One of them holds, as `both_of`."""
    return _balanced(Either, conditions) if conditions else Truth(False)


def _balanced(kind: type[Both | Either], conditions: Sequence[Condition]) -> Condition:
    if len(conditions) == 1:
        return conditions[0]
    middle = (len(conditions) + 1) // 2
    return kind(_balanced(kind, conditions[:middle]), _balanced(kind, conditions[middle:]))


def negated(condition: Condition) -> Condition:
    match condition:
        case Truth(holds):
            return Truth(not holds)
        case Flag(value, expected):
            return Flag(value, not expected)
        case Both(left, right):
            return Either(negated(left), negated(right))
        case Either(left, right):
            return Both(negated(left), negated(right))
        case Compare("<", term):
            return Compare("<=", -term)
        case Compare("<=", term):
            return Compare("<", -term)
        case Compare("==", term):
            return Compare("!=", term)
        case Compare(_, term):
            return Compare("==", term)


def condition_flags(condition: Condition) -> Iterator[Flag]:
    match condition:
        case Flag():
            yield condition
        case Both(left, right) | Either(left, right):
            yield from condition_flags(left)
            yield from condition_flags(right)
        case _:
            return


def mapped_condition(condition: Condition, new: Callable[[Expr], Expr]) -> Condition:
    """The condition with `new` applied to its expressions."""
    match condition:
        case Compare(relation, term):
            return Compare(relation, new(term))
        case Both(left, right):
            return Both(mapped_condition(left, new), mapped_condition(right, new))
        case Either(left, right):
            return Either(mapped_condition(left, new), mapped_condition(right, new))
        case _:
            return condition
