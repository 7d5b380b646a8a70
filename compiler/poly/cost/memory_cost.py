"""What loads cost, per iteration, in nests of tiled loops: the price of the distinct lines.

J. Shirako, L.-N. Pouchet, V. Sarkar, Oil and water can mix: an integration of polyhedral and
AST-based transformations, SC 2014, §III.B. With DL(t) lines touched by a tile of t_1 x ... x t_d
iterations (`distinct_lines`), on a cache and likewise on the TLB, whose lines are pages:

    mem_cost(t) = cost of a line * DL(t) / (t_1 * ... * t_d)

    order     loops by the derivative of mem_cost with respect to their tile size: the more
              negative the further inside
    fusion    pays if it lowers the least mem_cost of all tiles that fit; what two nests touch
              alike in the loops that they share is loaded once

The tiles are those of the optimist: they need not exist for the model to order loops by them.
Where loops are shared but not the innermost ones, the nests inside run one after the other: what
each needs has to fit beside what a nest before it leaves for one behind it (a working set, as in
J. Shirako et al., Analytical bounds for optimal tile size selection, CC 2012).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from math import prod

from polyopt.poly.cost.distinct_lines import Reference
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.target import Target

Movement = tuple[object, ...]
"""An array, and how each of its subscripts moves in the shared loops of a nest."""


@record
class Level:
    """A cache or the TLB: how many lines it holds, their size, what a miss costs."""

    lines: int
    line_bytes: int
    cycles: float


def levels_of(target: Target) -> tuple[Level, ...]:
    return (
        Level(target.l1_bytes // target.line_bytes, target.line_bytes, target.l1_miss_cycles),
        Level(target.tlb_entries, target.page_bytes, target.tlb_miss_cycles),
    )


def loop_order(references: Sequence[Reference], loops: int, levels: Sequence[Level]) -> list[int]:
    """The loops of a nest, outermost first, in the order of least memory cost; loops of equal
    derivatives keep theirs."""
    extents = [float(CORE.movement.nominal)] * loops
    volume = prod(extents)

    def derivative(loop: int) -> float:
        total = 0.0
        for level in levels:
            lines = sum(one.lines(extents, level.line_bytes) for one in references)
            growth = sum(one.growth(extents, level.line_bytes, loop) for one in references)
            total += level.cycles * (growth - lines / extents[loop]) / volume
        return total

    return sorted(range(loops), key=derivative, reverse=True)


@record
class Body:
    """The references of one statement over its loops, outermost first, of which the first
    `shared` are those of the nest and the others its own."""

    references: tuple[Reference, ...]
    loops: int
    shared: int

    @cached_property
    def uses(self) -> dict[Movement, tuple[Reference, ...]]:
        """The references that move alike in the loops of the nest, by array and movement."""
        found: dict[Movement, list[Reference]] = {}
        for one in self.references:
            found.setdefault(self._movement(one), []).append(one)
        return {key: tuple(same) for key, same in found.items()}

    def _movement(self, reference: Reference) -> Movement:
        return (reference.array, *(row[: self.shared] for row in reference.rows))


def share_data(one: Sequence[Body], other: Sequence[Body]) -> bool:
    """Whether some array is touched alike in the loops of the nest; scalars do not count."""

    def arrays(bodies: Sequence[Body]) -> set[Movement]:
        return {key for body in bodies for key in body.uses if len(key) > 1}

    return not arrays(one).isdisjoint(arrays(other))


def least_cost(bodies: Sequence[Body], levels: Sequence[Level]) -> float:
    """The memory cost of a nest of these bodies, in the order of the source, in the tiles best
    for each level."""
    return sum(_Nest(tuple(bodies), level).least_cost() for level in levels)


@record
class _Nest:
    """Tiles have one size for all outer loops and one for all inner ones: those of the bodies'
    own, or the innermost where all are shared. No size costs more than a smaller one, so the best
    tiles just fit."""

    bodies: tuple[Body, ...]
    level: Level

    def least_cost(self) -> float:
        costs = list[float]()
        outer = 1.0
        while outer <= CORE.movement.largest and self._fits(outer, 1.0):
            inner = _largest(lambda size, outer=outer: self._fits(outer, size))
            costs.append(self._cost(outer, inner))
            outer *= CORE.movement.grid
        return min(costs, default=self._cost(1.0, 1.0))

    @cached_property
    def _is_perfect(self) -> bool:
        """Whether all statements are in all loops."""
        return all(body.loops == body.shared for body in self.bodies)

    def _extents(self, body: Body, outer: float, inner: float) -> list[float]:
        outermost = max(1, body.shared - 1) if self._is_perfect else body.shared
        return [outer] * outermost + [inner] * (body.loops - outermost)

    def _lines(self, body: Body, extents: Sequence[float]) -> dict[Movement, float]:
        """The lines of each use in a tile."""
        return {
            key: sum(one.lines(extents, self.level.line_bytes) for one in references)
            for key, references in body.uses.items()
        }

    def _cost(self, outer: float, inner: float) -> float:
        """Of all tiles. What several bodies use is paid for once, by the one that uses most."""
        once: dict[Movement, float] = {}
        for body in self.bodies:
            extents = self._extents(body, outer, inner)
            tiles = CORE.movement.extent**body.loops / prod(extents)
            for key, lines in self._lines(body, extents).items():
                once[key] = max(once.get(key, 0.0), lines * tiles)
        return self.level.cycles * sum(once.values())

    def _fits(self, outer: float, inner: float) -> bool:
        needs = [self._lines(one, self._extents(one, outer, inner)) for one in self.bodies]
        held: dict[Movement, float] = {}
        for need in needs:
            for key, lines in need.items():
                held[key] = max(held.get(key, 0.0), lines)
        if self._is_perfect:
            return sum(held.values()) <= self.level.lines
        last = {key: k for k, need in enumerate(needs) for key in need}
        begun = set[Movement]()
        for k, need in enumerate(needs):
            begun |= need.keys()
            kept = (held[key] for key in begun if last[key] >= k)
            if sum(kept) > self.level.lines:
                return False
        return True


def _largest(fits: Callable[[float], bool]) -> float:
    """The largest size up to CORE.movement.largest that fits, nearly; 1 if none does."""
    low, high = 1.0, CORE.movement.largest
    while high > low * CORE.movement.precision:
        middle = (low * high) ** 0.5
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low
