"""How often a loop's back edge is taken, from the conditions on which it is left.

An exit whose test runs in every iteration says "stay" on the difference of a recurrence and
something constant in the loop, `a + s * k` in iteration k. The count of stays is then

    a + s*k < 0,  s > 0        max(0, ceil(-a / s))
    a + s*k != 0               -a / s, if that is a whole number and not negative

    u + v * b**k < 0, v > 0    the least k with b**k >= -u / v
    (a / b**k) >= m, m > 0     the least k with b**k > a / m

and the trip count is the minimum over such exits. An exit on equality that is never met lets the
others decide; were it the only one, the loop would not end. Where numbers alone decide, the
iterations are counted one by one.
"""

from __future__ import annotations

from collections.abc import Sequence

from polyopt.ir.branches import Edge
from polyopt.ir.control.cfg import defining_block
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import bit_width
from polyopt.ir.expressions.conditions import edge_condition
from polyopt.ir.expressions.evaluation import decided
from polyopt.ir.expressions.integer_conditions import both_of, either_of, mapped_condition, negated
from polyopt.ir.expressions.integer_expr import (
    ZERO,
    Both,
    Choice,
    Compare,
    Condition,
    Counter,
    Divided,
    Expr,
    Power,
    Truth,
    Unknown,
    Wrapped,
    condition_terms,
)
from polyopt.ir.expressions.integer_forms import (
    choice,
    exact_quotient,
    extremum,
    floor,
    logarithm,
    replaced,
)
from polyopt.ir.expressions.readings import Readings
from polyopt.support.record import record


@record
class TripCount:
    """`taken` is exact where the `assumptions` hold; where they do not, nothing is known."""

    taken: Expr
    assumptions: tuple[Condition, ...] = ()


def trip_count(
    loop: NaturalLoop, flow: ControlFlow, readings: Readings, *, wraps: bool = True
) -> TripCount | None:
    """None where an exit is not understood. Without `wraps` nothing that the exits compare is
    taken to wrap."""
    counts: list[TripCount] = []
    for edge in loop.exits():
        count = stays_at(edge, loop, flow, readings, wraps=wraps)
        if count is None:
            return None
        counts.append(count)
    return _least(counts) if counts else None


def _least(counts: Sequence[TripCount]) -> TripCount:
    """What comes first of several ways to end, each of which does where its assumptions hold."""
    sure = [count.taken for count in counts if not count.assumptions]
    first = TripCount(extremum(False, sure)) if sure else None
    for count in counts:
        if count.assumptions:
            first = count if first is None else _earlier(first, count)
    assert first is not None
    return first


def _earlier(one: TripCount, other: TripCount) -> TripCount:
    """`other` ends the loop under assumptions only."""
    both = extremum(False, [one.taken, other.taken])
    comes = both_of(other.assumptions)
    if not one.assumptions:
        return TripCount(choice(comes, both, one.taken))
    known = both_of(one.assumptions)
    taken = choice(known, choice(comes, both, one.taken), other.taken)
    return TripCount(taken, (either_of([known, comes]),))


def stays_at(
    edge: Edge, loop: NaturalLoop, flow: ControlFlow, readings: Readings, *, wraps: bool = True
) -> TripCount | None:
    """The number of iterations before the first in which the loop is left by this edge, were it
    not left by another one; None where that is not understood."""
    if flow.loops.innermost(edge.source) is not loop:
        return None
    if not all(flow.dominators.dominates(edge.source, latch) for latch in loop.latches):
        return None
    stay = negated(edge_condition(edge, readings))
    return count_stays(stay if wraps else mapped_condition(stay, _unwrapped), loop)


def _unwrapped(expr: Expr) -> Expr:
    return replaced(expr, lambda atom: atom.term if isinstance(atom, Wrapped) else None)


def count_stays(stay: Condition, loop: NaturalLoop) -> TripCount | None:
    """The number of iterations before the first in which `stay` does not hold."""
    match stay:
        case Truth(False):
            return TripCount(ZERO)
        case Both(left, right):
            counts = [count_stays(left, loop), count_stays(right, loop)]
            known = [count for count in counts if count is not None]
            if len(known) != 2:
                return None
            return _least(known)
        case Compare():
            return _count_comparison(stay, loop)
        case _:
            return None


def _count_comparison(stay: Compare, loop: NaturalLoop) -> TripCount | None:
    if not _is_understood(stay, loop):
        only_readings = all(_is_reading(a) for a in stay.term.all_atoms() if isinstance(a, Wrapped))
        growing = _count_growing(stay, loop) if only_readings else None
        return growing or _counted(stay, loop)
    parts = stay.term.split(Counter(loop))
    step = parts[1].as_constant if parts else None
    if parts is None or not step:
        return _counted(stay, loop) or _count_growing(stay, loop)
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


_MOST_COUNTED = 1 << 10


def _counted(stay: Compare, loop: NaturalLoop) -> TripCount | None:
    """Where the condition is made of numbers and the counter alone."""
    counter = Counter(loop)
    leaves = {a for a in stay.term.all_atoms() if isinstance(a, Unknown | Counter)}
    if leaves != {counter}:
        return None
    for k in range(_MOST_COUNTED):
        stays = decided(stay, {counter: k})
        if stays is None:
            return None
        if not stays:
            return TripCount(Expr.constant(k))
    return None


def _count_growing(stay: Compare, loop: NaturalLoop) -> TripCount | None:
    """Something is multiplied or divided by a number in each iteration."""
    if stay.relation not in ("<", "<="):
        return _count_to_zero(stay, loop)
    term = stay.term if stay.relation == "<" else stay.term - 1
    growing = [a for a in dict.fromkeys(term.atoms()) if isinstance(a, Power | Divided)]
    parts = term.split(growing[0]) if len(growing) == 1 else None
    factor = parts[1].as_constant if parts else None
    if parts is None or factor is None or not _is_constant(parts[0], loop):
        return None
    match growing[0]:
        case Power(base, exponent) if exponent.as_atom == Counter(loop):
            if base < 2 or factor <= 0:
                return None
            return TripCount(logarithm(-floor(parts[0], factor), base))
        case Divided(start, base, times, _) if times.as_atom == Counter(loop):
            least = parts[0].as_constant
            if factor != -1 or least is None or least < 0 or not _is_constant(start, loop):
                return None
            return TripCount(logarithm(floor(start, least + 1) + 1, base))
        case _:
            return None


def _count_to_zero(stay: Compare, loop: NaturalLoop) -> TripCount | None:
    """`x != 0` of what is divided and not negative is `x > 0`."""
    match stay.term.as_atom:
        case Divided(start, _, _, _) if stay.relation == "!=" and _is_natural(start):
            return _count_growing(Compare("<", -stay.term), loop)
        case _:
            return None


def _is_reading(wrap: Wrapped) -> bool:
    """The bits of one value, read with the other sign: exact as it stands."""
    atom = wrap.term.as_atom
    return isinstance(atom, Unknown) and bit_width(atom.value) == wrap.bits


def _is_natural(expr: Expr) -> bool:
    number = expr.as_constant
    if number is not None:
        return number >= 0
    atom = expr.as_atom
    return isinstance(atom, Unknown | Wrapped) and not atom.is_signed


def _is_constant(expr: Expr, loop: NaturalLoop) -> bool:
    return not any(isinstance(a, Counter) and a.loop is loop for a in expr.all_atoms())


def _count_until_equal(start: Expr, step: int) -> TripCount:
    """The first k with `start + step * k == 0`."""
    size = abs(step)
    distance = -start if step > 0 else start
    assumptions: list[Condition] = []
    if distance.as_constant is None or distance.as_constant < 0:
        assumptions.append(Compare("<=", -distance))
    exact = exact_quotient(distance, size)
    if exact is None:
        exact = floor(distance, size)
        assumptions.append(Compare("==", distance - exact * size))
    return TripCount(exact, tuple(assumptions))


def _is_understood(stay: Condition, loop: NaturalLoop) -> bool:
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


def _is_computed_in(atom: Unknown, loop: NaturalLoop) -> bool:
    return defining_block(atom.value) in loop
