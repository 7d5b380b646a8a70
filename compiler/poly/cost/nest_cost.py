"""What a nest of loops costs, whoever has written it: plain data, and one function for all of it.

    Straight    code that runs as it stands: the cycles it keeps the core busy, what it touches
    Run         a loop: how often, what is in it, what starting it costs, and what each iteration
                waits for from the one before

    cycles(Run) = start + trips * max(cycles of an iteration, wait)
                  but what short loops wait for goes by while those before and after them run
    lines       that a level of memory lacks: all that a loop touches, each once, if one iteration
                fits, since the next one finds what it shares with it; else those of each iteration

The lines are those of the distinct lines model (`distinct_lines.py`), with the loops as they run.
The same summary is made of loops in the order of the source and of those that have been generated,
tiled and written as vectors, so that they can be compared.
"""

from __future__ import annotations

from collections.abc import Sequence

from polyopt.poly.cost.distinct_lines import Reference
from polyopt.support.core_model import CoreCosts
from polyopt.support.record import record
from polyopt.support.target import Target


@record
class Touched:
    """Accesses to one array that move alike: over the loops around, outermost first, and then over
    the places that they are at in one iteration, so many in each dimension, each of `width`
    elements in a row; `share` is the part of all iterations in which they are made. The first ones
    `inside`, `unrolled` of them, are loops as those around, written out. `strides` are the bytes
    from one element to the next in each dimension, where they are known."""

    reference: Reference
    inside: tuple[float, ...]
    share: float = 1.0
    width: int = 1
    unrolled: int = 0
    strides: tuple[int, ...] | None = None


@record
class Straight:
    cycles: float
    touched: tuple[Touched, ...] = ()


@record
class Run:
    """`alone`: each time that it starts, it waits for nothing that was computed the last time."""

    trips: float
    inner: tuple[Part, ...]
    start: float = 0.0
    wait: float = 0.0
    alone: bool = False


Part = Straight | Run


@record
class Estimate:
    """Cycles: of the core, and those in which it waits for memory."""

    core: float
    memory: float

    @property
    def cycles(self) -> float:
        return self.core + self.memory

    def overlapped(self, share: float) -> float:
        """The cycles, if a part of those in which less is to be done goes by meanwhile."""
        return self.cycles - share * min(self.core, self.memory)


def estimate(parts: Sequence[Part], target: Target, core: CoreCosts) -> Estimate:
    """What is touched is in a level already if all of it fits there."""
    levels = (
        (core.l1_share * target.l1_bytes, core.l1_line, 1.0),
        (core.l2_share * target.l2_bytes, core.l2_line, core.unforeseen),
        (core.l3_share * target.l3_bytes, core.l3_line, core.unforeseen),
    )
    extents: list[float] = []
    memory = 0.0
    for capacity, cost, unforeseen in levels:
        level = _Level(capacity / target.line_bytes, target.line_bytes, core, unforeseen)
        if level.held(parts, extents) <= level.lines:
            break
        memory += cost * level.fetched(parts, extents)
    return Estimate(sum(core_cycles(part, core) for part in parts), memory)


def core_cycles(part: Part, core: CoreCosts, *, again: bool = False) -> float:
    """Those in which the core is busy or waits for itself; `again`: there is a loop around."""
    match part:
        case Straight(cycles):
            return cycles
        case Run(trips, inner, start, wait, alone):
            busy = sum(core_cycles(one, core, again=True) for one in inner)
            waits = trips * wait
            if again and alone and busy:
                waits /= max(1.0, core.in_flight / (start + trips * busy))
            return start + max(trips * busy, waits)


@record
class _Level:
    """A level of memory that holds so many lines."""

    lines: float
    line_bytes: int
    core: CoreCosts
    unforeseen: float

    def fetched(self, parts: Sequence[Part], extents: list[float]) -> float:
        """What one run of `parts`, inside of loops that stand still, brings in."""
        if self.held(parts, extents) <= self.lines:
            return self._weighed(parts, extents)
        return sum(self._fetched_by(part, extents) for part in parts)

    def _fetched_by(self, part: Part, extents: list[float]) -> float:
        if isinstance(part, Straight):
            return self._weighed([part], extents)
        inner = [*extents, 1.0]
        if self.held(part.inner, inner) > self.lines:
            return part.trips * self.fetched(part.inner, inner)
        return self._weighed(part.inner, [*extents, part.trips])

    def held(self, parts: Sequence[Part], extents: list[float]) -> float:
        """The different lines of one run."""
        return sum(lines for lines, _ in self._lines(parts, extents).values())

    def _weight(self, touched: Touched, extents: Sequence[float]) -> float:
        """How much each of its lines costs: rows that lie close behind each other are one run."""
        one = touched.reference
        weight = self.core.written if one.is_write else 1.0
        if self.unforeseen == 1.0 or not one.rows:
            return weight
        *others, row = one.rows
        lines = 1.0
        for loop in reversed(range(len(extents))):
            step = abs(row[loop]) * one.element_bytes / self.line_bytes
            if any(other[loop] for other in others):
                if touched.strides is None:
                    break
                moved = sum(by * at[loop] for by, at in zip(touched.strides, one.rows, strict=True))
                step = abs(moved) / self.line_bytes
            if step - lines > self.core.next_lines - 1:
                break
            lines += step * (extents[loop] - 1)
        return weight * max(1.0, self.unforeseen * min(1.0, self.core.followed_lines / lines))

    def _weighed(self, parts: Sequence[Part], extents: list[float]) -> float:
        return sum(weighed for _, weighed in self._lines(parts, extents).values())

    def _lines(self, parts: Sequence[Part], extents: list[float]) -> dict[str, tuple[float, float]]:
        """Of each array, and with what they cost: the most that any of the parts touches, for they
        touch the same; in one piece of code, the sum of what moves in different ways."""
        found: dict[str, tuple[float, float]] = {}
        for part in parts:
            if isinstance(part, Straight):
                own = self._touched(part, extents)
            else:
                own = self._lines(part.inner, [*extents, part.trips])
            for array, lines in own.items():
                found[array] = max(lines, found.get(array, lines))
        return found

    def _touched(self, part: Straight, extents: list[float]) -> dict[str, tuple[float, float]]:
        found: dict[str, tuple[float, float]] = {}
        for one in part.touched:
            around = [*extents, *one.inside]
            lines = one.reference.dense_lines(around, self.line_bytes, one.width)
            before, weighed = found.get(one.reference.array, (0.0, 0.0))
            weight = self._weight(one, [*extents, *one.inside[: one.unrolled]])
            found[one.reference.array] = before + lines, weighed + lines * weight * one.share
        return found
