"""How many iterations apart subscripts meet that grow as data decide.

    k = 0;  for (i …) { x[k] = x[k + 4]; k += a[i] ? 2 : 3; }       2 iterations, no more, no less

The subscript grows by at least 2 and at most 3 in an iteration, so that it is 4 greater after two
of them, if ever; and it never is the same in another one (P. Wu, A. Cohen, D. Padua: "Induction
Variable Analysis without Idiom Recognition", LCPC 2001). That is said of the outermost loop of a
nest, and of one inside for iterations of the same one around.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from polyopt.ir.evolution.step_range import StepRange
from polyopt.ir.expressions.integer_expr import Expr, Unknown
from polyopt.ir.references.loop_nest import NaturalNest
from polyopt.ir.references.memory_references import Reference
from polyopt.poly.linear.dependence_vectors import DependenceVector, Interval
from polyopt.support.record import record


@record
class Distances:
    """Between iterations of the loop at this `level` of a nest, for the same ones of those around;
    None: they never meet."""

    level: int
    of: Interval | None


def growth_distances(nest: NaturalNest, source: Reference, sink: Reference) -> list[Distances]:
    """What each subscript says, from the source to the sink."""
    if source.element_bytes != sink.element_bytes:
        return []
    pairs = [(source.flat, sink.flat)]
    if source.shape == sink.shape and source.offset == sink.offset:
        pairs = list(zip(source.indices, sink.indices, strict=True))
    return [
        found
        for one, other in pairs
        if one is not None and other is not None
        for found in _distances(nest, one, other)
    ]


def within(
    vectors: Iterable[DependenceVector], told: list[Distances]
) -> Iterator[DependenceVector]:
    """The vectors, as far as they are among the distances."""
    for vector in vectors:
        left: DependenceVector | None = vector
        for one in told:
            left = None if left is None else _restricted(left, one)
        if left is not None:
            yield left


def _restricted(vector: DependenceVector, told: Distances) -> DependenceVector | None:
    if not all(one.is_zero for one in vector[: told.level]):
        return vector
    here = None if told.of is None else _common(vector[told.level], told.of)
    return None if here is None else (*vector[: told.level], here, *vector[told.level + 1 :])


def _distances(nest: NaturalNest, one: Expr, other: Expr) -> Iterator[Distances]:
    """From a subscript to another one that is the same but for a number."""
    apart = (one - other).as_constant
    if apart is None:
        return
    for monomial, factor in one.terms.items():
        atom = monomial[0] if len(monomial) == 1 else None
        found = None if not isinstance(atom, Unknown) else _steps(nest, atom)
        if found is None:
            continue
        level, steps = found
        rest = one - Expr({monomial: factor})
        if steps.greatest < 0:
            factor, steps = -factor, StepRange(steps.start, -steps.greatest, -steps.least)
        if steps.least <= 0 or not nest.is_fixed(rest):
            continue
        if apart % factor:
            yield Distances(level, None)
        else:
            yield Distances(level, _meeting(apart // factor, steps))


def _steps(nest: NaturalNest, atom: Unknown) -> tuple[int, StepRange] | None:
    """Of a variable of a loop of the nest, the level of the loop and how much it changes."""
    owner = atom.value.owner
    level = next((k for k, loop in enumerate(nest.loops) if loop.header is owner), None)
    if level is None or not atom.is_signed:
        return None
    found = nest.ranges.steps(atom.value, nest.loops[level].header)
    return None if found is None else (level, found[1])


def _meeting(apart: int, steps: StepRange) -> Interval | None:
    """So many iterations later it is so much greater: a distance times a step."""
    size = abs(apart)
    low, high = -(-size // steps.greatest), size // steps.least
    if low > high:
        return None
    return Interval(low, high) if apart >= 0 else Interval(-high, -low)


def _common(one: Interval, other: Interval) -> Interval | None:
    lows = [end for end in (one.low, other.low) if end is not None]
    highs = [end for end in (one.high, other.high) if end is not None]
    low, high = max(lows, default=None), min(highs, default=None)
    return None if low is not None and high is not None and low > high else Interval(low, high)
