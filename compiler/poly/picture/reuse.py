"""Which dependences are only that memory is used again.

    for i { s = …; for j { s += A[i][j] }; y[i] = s }     no value of s goes from i to i + 1, but
                                                          the one s is written for each i

If each iteration had a variable of its own, the loop over i would carry nothing. What a loop
carries in values alone, flow without anti and output dependences, says whether that is so of an
array, too; then it is its memory that iterations share.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from polyopt.poly.dependences import OPERATIONS, Dependences, compute_dependences
from polyopt.poly.picture.arrows import Arrow
from polyopt.poly.picture.obstacles import common_elements
from polyopt.poly.picture.touches import Touches
from polyopt.poly.scop import Scop, Statement

REUSE = frozenset({"anti", "output"})
"""The kinds of dependences that say nothing of values."""


def of_values(dependences: Dependences) -> Dependences:
    """Those along which values go."""
    if dependences.precision != "exact":
        return dependences
    empty = dependences.anti.subtract(dependences.anti)
    return replace(dependences, anti=empty, output=empty)


def without_reuse(
    scop: Scop, dependences: Dependences, own: Collection[str], operations: int = OPERATIONS
) -> Dependences:
    """As if each iteration had the variables `own` for itself. The SCoP has the order that the
    dependences are of. Raises BudgetExceeded."""
    used = {access.array for one in scop.statements for access in one.accesses}
    if dependences.precision != "exact" or used.isdisjoint(own):
        return dependences
    others = replace(scop, statements=tuple(_without(one, own) for one in scop.statements))
    rest = compute_dependences(others, reassociate=True, operations=operations)
    return replace(dependences, anti=rest.anti, output=rest.output)


def _without(statement: Statement, own: Collection[str]) -> Statement:
    accesses = tuple(one for one in statement.accesses if one.array not in own)
    reductions = tuple(one for one in statement.reductions if one.array not in own)
    return replace(statement, accesses=accesses, reductions=reductions)


def is_reuse(one: Arrow, touched: Touches, own: Collection[str]) -> bool:
    """Whether the two only use variables of `own` again."""
    kinds = set(one.kinds)
    elements = [e for kind in kinds & REUSE for e in common_elements(one, touched, kind)]
    return kinds <= REUSE and bool(elements) and all(array in own for array, _ in elements)


def shared_names(found: Iterable[Arrow], touched: Touches) -> tuple[str, ...]:
    """The arrays that pairs use again and pass no values in."""
    names = dict[str, None]()
    for one in found:
        for kind in one.kinds:
            for array, _ in common_elements(one, touched, kind) if kind in REUSE else ():
                names[array] = None
    return tuple(names)
