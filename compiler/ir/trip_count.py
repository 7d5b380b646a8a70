"""How often a loop's back edge is taken, from the conditions on which it is left.

An exit whose test runs in every iteration says "stay" on the difference of a recurrence and
something constant in the loop, `a + s * k` in iteration k. The count of stays is then

    a + s*k < 0,  s > 0        max(0, ceil(-a / s))
    a + s*k != 0               -a / s, if that is a whole number and not negative

and the trip count is the minimum over such exits.
"""

from __future__ import annotations

from polyopt.ir.cfg import defining_block
from polyopt.ir.conditions import edge_condition
from polyopt.ir.control_flow import ControlFlow
from polyopt.ir.integer_expr import (
    ZERO,
    Both,
    Choice,
    Compare,
    Condition,
    Counter,
    Expr,
    Truth,
    Unknown,
    Wrapped,
    condition_terms,
    extremum,
    floor,
    negated,
)
from polyopt.ir.loops import Loop
from polyopt.ir.readings import Readings
from polyopt.support.record import record


@record
class TripCount:
    """`taken` is exact where the `assumptions` hold; where they do not, nothing is known."""

    taken: Expr
    assumptions: tuple[Condition, ...] = ()


def trip_count(loop: Loop, flow: ControlFlow, readings: Readings) -> TripCount | None:
    """None where an exit is not understood."""
    counts: list[TripCount] = []
    for edge in loop.exits():
        if flow.loops.innermost(edge.source) is not loop:
            return None
        if not all(flow.dominators.dominates(edge.source, latch) for latch in loop.latches):
            return None
        stay = negated(edge_condition(edge, readings))
        count = count_stays(stay, loop)
        if count is None:
            return None
        counts.append(count)
    if not counts:
        return None
    assumptions = tuple(dict.fromkeys(a for count in counts for a in count.assumptions))
    return TripCount(extremum(False, [count.taken for count in counts]), assumptions)


def count_stays(stay: Condition, loop: Loop) -> TripCount | None:
    """The number of iterations before the first in which `stay` does not hold."""
    match stay:
        case Truth(False):
            return TripCount(ZERO)
        case Both(left, right):
            counts = [count_stays(left, loop), count_stays(right, loop)]
            known = [count for count in counts if count is not None]
            if len(known) != 2:
                return None
            taken = extremum(False, [count.taken for count in known])
            return TripCount(taken, known[0].assumptions + known[1].assumptions)
        case Compare():
            return _count_comparison(stay, loop)
        case _:
            return None


def _count_comparison(stay: Compare, loop: Loop) -> TripCount | None:
    if not _is_understood(stay, loop):
        return None
    parts = stay.term.split(Counter(loop))
    step = parts[1].as_constant if parts else None
    if parts is None or not step:
        return None
    start = parts[0]
    match stay.relation:
        case "<" if step > 0:
            return TripCount(extremum(True, [ZERO, -floor(start, step)]))
        case "<=" if step > 0:
            return TripCount(extremum(True, [ZERO, -floor(start - 1, step)]))
        case "!=":
            return _count_until_equal(start, step)
        case "==":
            return TripCount(Expr.of(Choice(Compare("==", start), Expr.constant(1), ZERO)))
        case _:
            return None


def _count_until_equal(start: Expr, step: int) -> TripCount:
    """The first k with `start + step * k == 0`."""
    size = abs(step)
    distance = -start if step > 0 else start
    assumptions: list[Condition] = []
    if distance.as_constant is None or distance.as_constant < 0:
        assumptions.append(Compare("<=", -distance))
    exact = distance.divided_by(size)
    if exact is None:
        exact = floor(distance, size)
        assumptions.append(Compare("==", distance - exact * size))
    return TripCount(exact, tuple(assumptions))


def _is_understood(stay: Condition, loop: Loop) -> bool:
    """Nothing in the condition wraps or changes in the loop in a way that has no expression."""
    for term in condition_terms(stay):
        for atom in term.all_atoms():
            if isinstance(atom, Wrapped):
                return False
            if isinstance(atom, Unknown) and _is_computed_in(atom, loop):
                return False
            if isinstance(atom, Counter) and atom.loop is not loop and loop.encloses(atom.loop):
                return False
    return True


def _is_computed_in(atom: Unknown, loop: Loop) -> bool:
    return defining_block(atom.value) in loop
