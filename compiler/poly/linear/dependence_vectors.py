"""Distance and direction vectors: a box of integers around the distances of a dependence.

For a dependence { s -> t } and the loops (f_1, ..., f_n) around both, the distances are the
integer vectors f(t) - f(s). A component is an interval:

    3        a constant distance            (interval [3, 3])
    + - 0    a direction                    ([1, oo], [-oo, -1], [0, 0])
    *        unknown                        ([-oo, oo])

Boxes lose how components depend on each other, so they are safe, not exact. The first component
that is not zero of every vector made here is positive, so that each is lexicographically
positive as a whole; a set of distances gives one vector for each part of it and each loop that
carries some of that part.
"""

from __future__ import annotations

from collections.abc import Iterable

import islpy as isl

from polyopt.poly.isl.lists import basic_sets
from polyopt.poly.isl.numbers import val
from polyopt.support.record import record

_Param, _Set = isl.dim_type.param, isl.dim_type.set


@record
class Interval:
    """{ x : low <= x <= high }; None is no limit."""

    low: int | None
    high: int | None

    @property
    def value(self) -> int | None:
        """The only integer in it, if there is one only."""
        return self.low if self.low == self.high else None

    @property
    def is_zero(self) -> bool:
        return self.low == self.high == 0

    def __add__(self, other: Interval) -> Interval:
        return Interval(_sum(self.low, other.low), _sum(self.high, other.high))

    def scaled(self, factor: int) -> Interval:
        if factor == 0:
            return ZERO
        ends = (_times(factor, self.low), _times(factor, self.high))
        return Interval(*ends) if factor > 0 else Interval(*reversed(ends))

    def __str__(self) -> str:
        if self.value is not None:
            return str(self.value)
        low = "" if self.low is None else self.low
        high = "" if self.high is None else self.high
        return _DIRECTIONS.get((self.low, self.high), f"{low}..{high}")


_DIRECTIONS: dict[tuple[int | None, int | None], str] = {
    (1, None): "+",
    (None, -1): "-",
    (0, None): "0+",
    (None, 0): "0-",
    (None, None): "*",
}

ZERO = Interval(0, 0)
POSITIVE = Interval(1, None)
NEGATIVE = Interval(None, -1)
ANY = Interval(None, None)

DependenceVector = tuple[Interval, ...]


def distance(*components: int) -> DependenceVector:
    """The vector of constant distances."""
    return tuple(Interval(one, one) for one in components)


def combine(row: Iterable[int], vector: DependenceVector) -> Interval:
    """{ row . d : d in the box }, exactly."""
    result = ZERO
    for factor, component in zip(row, vector, strict=True):
        result += component.scaled(factor)
    return result


def vector_text(vector: DependenceVector) -> str:
    return f"({', '.join(map(str, vector))})"


def vectors_of(distances: isl.Set) -> list[DependenceVector]:
    """The boxes of the lexicographically positive distances; the zero vector has none, since no
    loop carries it. Raises ValueError if a distance is lexicographically negative: then these
    are no dependences in the order of their loops."""
    distances = distances.project_out(_Param, 0, distances.dim(_Param))
    depth = distances.dim(_Set)
    found = dict[DependenceVector, None]()
    for part in basic_sets(distances.make_disjoint()):
        rest = isl.Set.from_basic_set(part)
        for level in range(depth):
            if not rest.upper_bound_val(_Set, level, val(-1)).is_empty():
                raise ValueError("a distance is lexicographically negative")
            carried = rest.lower_bound_val(_Set, level, val(1))
            if not carried.is_empty():
                found[_box(carried)] = None
            rest = rest.fix_val(_Set, level, val(0))
    return list(found)


def _box(distances: isl.Set) -> DependenceVector:
    return tuple(
        Interval(_finite(distances.dim_min_val(k)), _finite(distances.dim_max_val(k)))
        for k in range(distances.dim(_Set))
    )


def _finite(value: isl.Val) -> int | None:
    return value.to_python() if value.is_int() else None


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _times(factor: int, limit: int | None) -> int | None:
    return None if limit is None else factor * limit
