"""How many points a set has, without looking at each.

    | { [i, j] : 0 <= i < n and i <= j < n } |  for n = 100000:  5000050000

The points with one value of the first dimension are counted for a few values of it: as long as
the others follow the polynomial through these, the sum over all is that of the polynomial. Where
they do not, as where a minimum changes sides, the range is halved. What is no polynomial anywhere
has to be looked at point by point, and is given up.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import islpy as isl

from polyopt.poly.isl.lists import basic_sets
from polyopt.poly.isl.numbers import val

FEW = 12
"""So many values of a dimension are counted one by one."""

NEIGHBOURS = 8
"""So many values in a row must follow the polynomial: more than what loops count remainders by."""

SLICES = 4000
"""More slices than that are not looked at."""


class TooManySlices(Exception):
    """The set is no union of a few pieces whose slices grow as a polynomial does."""


def count_points(points: isl.Set) -> int | None:
    """Of a set without parameters; None where it has no end, or too many pieces."""
    try:
        counter = _Counter()
        pieces = basic_sets(points.make_disjoint())
        return sum(counter.count(isl.Set.from_basic_set(piece), 0) for piece in pieces)
    except TooManySlices:
        return None


class _Counter:
    def __init__(self) -> None:
        self.slices = 0

    def count(self, points: isl.Set, dim: int) -> int:
        """The points, whose dimensions before `dim` have one value each."""
        self.slices += 1
        if self.slices > SLICES:
            raise TooManySlices
        if points.is_empty():
            return 0
        if dim == points.dim(isl.dim_type.set):
            return 1
        low, high = points.dim_min_val(dim), points.dim_max_val(dim)
        if not low.is_int() or not high.is_int():
            raise TooManySlices
        first, last = low.to_python(), high.to_python()
        if dim == points.dim(isl.dim_type.set) - 1:
            step = points.get_stride(dim).to_python()
            if _is_regular(points, dim, first, step):
                return (last - first) // step + 1
        return self.between(points, dim, first, last, {})

    def between(self, points: isl.Set, dim: int, low: int, high: int, known: dict[int, int]) -> int:
        """Those of which dimension `dim` is in the range."""

        def slice_at(value: int) -> int:
            if value not in known:
                known[value] = self.count(
                    points.fix_val(isl.dim_type.set, dim, val(value)), dim + 1
                )
            return known[value]

        if high - low < FEW:
            return sum(slice_at(value) for value in range(low, high + 1))
        degree = points.dim(isl.dim_type.set) - dim - 1
        nodes = [low + k for k in range(degree + 1)]
        middle = (low + high) // 2
        # A row of neighbours: what comes and goes by remainders is no polynomial.
        probes = {high, high - 1, *range(middle, min(middle + NEIGHBOURS, high + 1))}
        values = [slice_at(value) for value in nodes]
        if all(slice_at(value) == _through(nodes, values, value) for value in probes):
            return _summed(values, high - low + 1)
        return self.between(points, dim, low, middle, known) + self.between(
            points, dim, middle + 1, high, known
        )


def _is_regular(points: isl.Set, dim: int, first: int, step: int) -> bool:
    """Whether the last dimension has all values from the first one on by that step."""
    hull = isl.Set.from_basic_set(points.polyhedral_hull())
    space = isl.LocalSpace.from_space(points.get_space())
    place = isl.Aff.var_on_domain(space, isl.dim_type.set, dim).add_constant_val(val(-first))
    rest = place.mod_val(val(step))
    return hull.intersect(isl.Set.from_basic_set(rest.zero_basic_set())).is_subset(points)


def _through(nodes: list[int], values: list[int], at: int) -> Fraction:
    """The polynomial through the values, at another place."""
    total = Fraction(0)
    for k, value in enumerate(values):
        weight = Fraction(1)
        for m, other in enumerate(nodes):
            if m != k:
                weight *= Fraction(at - other, nodes[k] - other)
        total += value * weight
    return total


def _summed(values: list[int], count: int) -> int:
    """Of the polynomial with these values at 0, 1, …: the sum of the first `count`."""
    # By Newton's forward differences: the sum of binomial(x, k) is binomial(count, k + 1).
    differences, row = list[int](), list(values)
    while row:
        differences.append(row[0])
        row = [b - a for a, b in pairwise(row)]
    total, binomial = 0, 1
    for k, difference in enumerate(differences):
        binomial = binomial * (count - k) // (k + 1)
        total += difference * binomial
    return total
