"""What a contraction is: the roles of iterators, by what varies with which.

    X[f(i, j)] = g(X[f(i, j)], P(i, k), Q(k, j))

n^3 work runs on n^2 data where each operand but X varies with the rows i or with the columns j,
none with both, some with either; the next column is the next element of X; and there is one
iterator, the depth k, that X does not vary with. No kernel and no operator is recognised: gemm,
syrk, covariance, trmm, a min-plus product are all this. The other iterators of X are the batch.

Both who looks for contractions in schedules and who looks for them in loops ask here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from itertools import permutations
from typing import Generic, TypeVar

from polyopt.support.record import record

T = TypeVar("T", bound=Hashable)

OPERANDS = 6
"""Sums of more products, as over a filter's window, have as many panels to pack, which repeat the
same data: vectors along the rows are as fast."""


@record
class Roles(Generic[T]):
    rows: T
    columns: T
    depth: T
    batch: tuple[T, ...]


def contraction_roles(
    iterators: Sequence[T],
    result: Collection[T],
    taken: Sequence[Collection[T]],
    is_next: Callable[[T], bool],
    results: int = 1,
) -> Iterator[Roles[T]]:
    """Every assignment of roles to `iterators` that fits, rows and columns late in them first.

    `result` is what the elements that are updated vary with (one in each of `results` arrays), each
    of `taken` what another operand varies with; `is_next`: a step along an iterator leads to the
    next element of what is updated."""
    tile = [one for one in iterators if one in result]
    depth = [one for one in iterators if one not in result]
    if len(depth) != 1 or not 0 < len(taken) <= OPERANDS * results:
        return
    for rows, columns in permutations(reversed(tile), 2):
        if any(rows in one and columns in one for one in taken):
            continue
        if not any(rows in one for one in taken) or not any(columns in one for one in taken):
            continue
        if is_next(columns):
            batch = tuple(one for one in tile if one not in (rows, columns))
            yield Roles(rows, columns, depth[0], batch)
