"""The iterations of one loop at which two references may meet.

For a loop around both references the unknowns are the pair (x, y), its iteration at the source
and at the sink; for a loop around one of them, or a symbol, a single number. Equations in these
unknowns alone leave

    base + t_1 s_1 + ... + t_r s_r       for all integers t

with r = 2 where nothing is known yet, 1 for a line such as a constant distance (x, x + 3), 0 for
a point. On a line both iterations are chains of recurrences in the number of the conflict,
x = {x_0, +, s_x} and y = {y_0, +, s_y}, and the bounds of the loop become bounds of t, exactly.
"""

from __future__ import annotations

from typing import Literal

from polyopt.poly.linear.dependence_vectors import ZERO, Interval
from polyopt.poly.linear.lattice import Matrix, Vector, identity, solve
from polyopt.support.record import record

Direction = Literal["<", "=", ">", "*"]
"""How the source's iteration x compares with the sink's y."""


@record
class Chrec:
    """The chain of recurrences {base, +, step}: base, base + step, base + 2 step, ..."""

    base: int
    step: int

    def __str__(self) -> str:
        return f"{{{self.base}, +, {self.step}}}"


@record
class Conflicts:
    """`base` and `steps` (the rows s) as above; `bounds` are those of each unknown.
    `equations` are the rows (f, c) of f . (x, y) = c that have led here."""

    bounds: tuple[Interval, ...]
    base: Vector
    steps: Matrix
    equations: tuple[tuple[Vector, int], ...] = ()

    @staticmethod
    def unrestricted(bounds: tuple[Interval, ...]) -> Conflicts:
        return Conflicts(bounds, (0,) * len(bounds), identity(len(bounds)))

    def restricted(self, factors: Vector, right: int) -> Conflicts | None:
        """Those at which also `factors` . (x, y) = `right`; None if there are none."""
        equations = (*self.equations, (factors, right))
        found = solve(tuple(one for one, _ in equations), tuple(c for _, c in equations))
        if found is None:
            return None
        base, steps = found
        forward = tuple(row if row > (0,) * len(row) else tuple(-x for x in row) for row in steps)
        return Conflicts(self.bounds, base, forward, equations)

    def along(self, factors: Vector) -> Vector:
        """`factors` as a function of t, without its constant part."""
        return tuple(_dot(factors, step) for step in self.steps)

    def values(self, factors: Vector, direction: Direction = "*") -> Interval | None:
        """An interval around { factors . (x, y) } within the bounds and the direction, exact on
        lines and points; None if no conflict is left."""
        if len(self.steps) == 2:
            return _in_plane(factors, self.bounds, direction)
        numbers = self._numbers(direction)
        if numbers is None:
            return None
        start = _dot(factors, self.base)
        constant = Interval(start, start)
        if not self.steps:
            return constant
        return constant + numbers.scaled(_dot(factors, self.steps[0]))

    def chains(self) -> tuple[Chrec, ...] | None:
        """The unknowns as chains of recurrences from the first conflict in the bounds on; None
        if they have none: nothing is known, or there is no first or no conflict."""
        numbers = self._numbers("*") if len(self.steps) < 2 else None
        if numbers is None or numbers.low is None:
            return None
        steps = self.steps[0] if self.steps else (0,) * len(self.base)
        return tuple(
            Chrec(start + numbers.low * step, step)
            for start, step in zip(self.base, steps, strict=True)
        )

    def _numbers(self, direction: Direction) -> Interval | None:
        """The t of a line that are within bounds and direction: [0, 0] for a point."""
        steps = self.steps[0] if self.steps else (0,) * len(self.base)
        numbers = Interval(None, None) if self.steps else ZERO
        limits = list(zip(self.base, steps, self.bounds, strict=True))
        if direction != "*":
            limits.append((self.base[1] - self.base[0], steps[1] - steps[0], _GAPS[direction]))
        for start, step, bound in limits:
            shifted = bound + Interval(-start, -start)
            narrowed = _intersect(numbers, _divided(shifted, step))
            if narrowed is None:
                return None
            numbers = narrowed
        return numbers


_GAPS: dict[Direction, Interval] = {
    "<": Interval(1, None),
    "=": ZERO,
    ">": Interval(None, -1),
    "*": Interval(None, None),
}
"""y - x."""


def _in_plane(
    factors: Vector, bounds: tuple[Interval, ...], direction: Direction
) -> Interval | None:
    """a x + b y for all pairs within the bounds and the direction: Banerjee's inequalities. The
    region is a triangle, given by its corners and, where it is not bounded, its rays."""
    x, y = bounds
    a, b = factors
    box = x.scaled(a) + y.scaled(b)
    if direction == "*":
        return box
    common = _intersect(x, y)
    if direction == "=":
        return None if common is None else common.scaled(a + b)
    if direction == ">":
        a, b, x, y = b, a, y, x
    # Now x < y: x + 1 <= y.
    low, high = x.low, y.high
    if low is not None and high is not None and low >= high:
        return None
    corners, rays = _triangle(low, high)
    values = [a * one + b * other for one, other in corners]
    ways = [a * one + b * other for one, other in rays]
    least = None if any(way < 0 for way in ways) else min(values)
    most = None if any(way > 0 for way in ways) else max(values)
    return _intersect(box, Interval(least, most))


_Points = list[tuple[int, int]]


def _triangle(low: int | None, high: int | None) -> tuple[_Points, _Points]:
    """Corners and rays of { (x, y) : low <= x < y <= high }."""
    if low is not None and high is not None:
        return [(low, low + 1), (low, high), (high - 1, high)], []
    if low is not None:
        return [(low, low + 1)], [(0, 1), (1, 1)]
    if high is not None:
        return [(high - 1, high)], [(-1, 0), (-1, -1)]
    return [(0, 1)], [(0, 1), (-1, 0), (1, 1), (-1, -1)]


def _divided(interval: Interval, step: int) -> Interval | None:
    """{ t : step * t in the interval }; None if it is empty."""
    low, high = interval.low, interval.high
    if step == 0:
        inside = (low is None or low <= 0) and (high is None or high >= 0)
        return Interval(None, None) if inside else None
    if step < 0:
        low, high, step = _minus(high), _minus(low), -step
    return Interval(
        None if low is None else -(-low // step), None if high is None else high // step
    )


def _minus(limit: int | None) -> int | None:
    return None if limit is None else -limit


def _intersect(one: Interval, other: Interval | None) -> Interval | None:
    if other is None:
        return None
    lows = [x for x in (one.low, other.low) if x is not None]
    highs = [x for x in (one.high, other.high) if x is not None]
    low, high = max(lows, default=None), min(highs, default=None)
    return None if low is not None and high is not None and low > high else Interval(low, high)


def _dot(left: Vector, right: Vector) -> int:
    return sum(a * b for a, b in zip(left, right, strict=True))
