"""Is a matrix legal for a nest, and which matrices that begin with given rows are?

Legality is multiplication: T d lexicographically positive for every dependence vector d. On
boxes this is exact row by row: the least value of a row's product is taken at a corner; if it is
positive the box is ordered, if negative some distance is reversed, and if zero only the face
where it is zero goes on to the next row.

Completion (W. Li, Compiling for NUMA parallel machines, PhD thesis, Cornell 1993) adds rows that
are independent of those before and within 90 degrees of every dependence not yet ordered: if the
outermost loop that carries one of these is i, then on the vectors that all rows so far send to
zero, x_i is such a row. Ours is the row of smallest determinant that agrees with x_i there up to
a positive factor: a unimodular matrix wherever the given rows can begin one.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from polyopt.poly.linear.dependence_vectors import DependenceVector, Interval, combine
from polyopt.poly.linear.lattice import Matrix, Vector, identity, kernel, rank, solve


def is_legal(matrix: Matrix, vectors: Sequence[DependenceVector]) -> bool:
    """Whether a non-singular `matrix` orders every dependence as it was."""
    return first_reversed(matrix, vectors) is None


def first_reversed(matrix: Matrix, vectors: Sequence[DependenceVector]) -> DependenceVector | None:
    """A dependence vector of which some distance becomes lexicographically negative."""
    return next((one for one in vectors if _order(matrix, one) == "reversed"), None)


def complete(rows: Matrix, vectors: Sequence[DependenceVector], depth: int) -> Matrix | None:
    """A legal non-singular `depth` x `depth` matrix whose first rows are `rows`; None if they
    are linearly dependent or already reverse a dependence."""
    if any(len(row) != depth for row in rows) or (rows and rank(rows) < len(rows)):
        return None
    if first_reversed(rows, vectors) is not None:
        return None
    pending = [one for one in vectors if _order(rows, one) == "open"]
    levels = sorted({_carrier(one) for one in pending})
    for axis in (*levels, *range(depth)):
        row = _along(axis, rows, depth)
        if row is not None:
            rows = (*rows, row)
    return rows


def is_outer_parallel(matrix: Matrix, vectors: Sequence[DependenceVector]) -> bool:
    """Whether the first loop of the transformed nest carries no dependence."""
    return all(combine(matrix[0], one).is_zero for one in vectors)


def _order(rows: Matrix, vector: DependenceVector) -> str:
    """What `rows` make of the box: "kept", "reversed" (some of it), or "open" (some of it is
    zero in every row, none reversed)."""
    for row in rows:
        low = combine(row, vector).low
        if low is None or low < 0:
            return "reversed"
        if low > 0:
            return "kept"
        vector = tuple(map(_least, row, vector))
    return "open"


def _least(factor: int, component: Interval) -> Interval:
    """Where `factor` times the component is least."""
    if factor == 0:
        return component
    end = component.low if factor > 0 else component.high
    return Interval(end, end)


def _carrier(vector: DependenceVector) -> int:
    """The loop that carries the dependence."""
    return next(k for k, component in enumerate(vector) if not component.is_zero)


def _along(axis: int, rows: Matrix, depth: int) -> Vector | None:
    """The row that is x_axis, up to a positive factor, on { x : rows x = 0 }; None if x_axis is
    zero there: a row like that is no new one."""
    free = kernel(rows) if rows else identity(depth)
    values = tuple(solution[axis] for solution in free)
    common = gcd(*values)
    if common == 0:
        return None
    if common == 1:
        return tuple(int(k == axis) for k in range(depth))
    found = solve(free, tuple(value // common for value in values))
    assert found is not None, "a kernel has unit elementary divisors"
    return _shortened(found[0], rows)


def _shortened(row: Vector, rows: Matrix) -> Vector:
    """`row` plus the multiples of `rows` that make it short: smaller factors, simpler loops."""
    improved = True
    while improved:
        improved = False
        for other in rows:
            length = sum(x * x for x in other)
            product = sum(x * y for x, y in zip(row, other, strict=True))
            factor = (2 * product + length) // (2 * length)
            if factor:
                shorter = tuple(x - factor * y for x, y in zip(row, other, strict=True))
                if sum(x * x for x in shorter) < sum(x * x for x in row):
                    row, improved = shorter, True
    return row
