"""The distinct lines model: how many cache lines, or pages, a run of loops touches.

J. Ferrante, V. Sarkar, W. Thrash, On estimating and enhancing cache effectiveness, LCPC 1991; as
used by J. Shirako, L.-N. Pouchet, V. Sarkar, Oil and water can mix: an integration of polyhedral
and AST-based transformations, SC 2014, §III.B. An access with the subscripts f_1, ..., f_m in
loops that run t_1, ..., t_n times touches, with lines of L bytes and elements of b,

    DL(t)    = |f_1| * ... * |f_(m-1)| * lines(f_m)        at most one line in each iteration
    |f|      = 1 + sum_k |a_k| (t_k - 1)                   the values of f = a_1 i_1 + ... + a_n i_n
    lines(f) = max(1, |f| b / L)                           neighbours share lines

and of either at most one for each iteration of the loops that f moves with: the rows i and i + 1000
are two for each i, and not what is between them.

Where one loop alone moves the last subscript, by 1, and w times, the elements lie without gaps, and
there are hardly more lines than they fill, however far the subscripts reach together; what another
loop moves along with it shifts the elements (the triangle A[i][i + j] is half of its square):

    DL(t)   <= t_1 * ... * t_n / w * max(1, w b / L) + |f_1| * ... * |f_(m-1)|

Runs are taken to begin where a line does. Accesses to one array that differ by constants only
touch nearly the same lines and count once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from math import prod
from operator import mul

from polyopt.support.record import record

Row = tuple[int, ...]


@record
class Reference:
    """The subscripts of one access over the loops of a nest (rows), in elements per step."""

    array: str
    rows: tuple[Row, ...]
    is_write: bool
    element_bytes: int

    def lines(self, extents: Sequence[float], line_bytes: int) -> float:
        """DL for loops of these extents."""
        key = self.rows, self.element_bytes, (*extents,), line_bytes
        found = _known_lines.get(key)
        if found is None:
            found = min(prod(self._factors(extents, line_bytes)), self._iterations(extents))
            if len(_known_lines) >= MOST_KNOWN:
                _known_lines.clear()
            _known_lines[key] = found
        return found

    def dense_lines(self, extents: Sequence[float], line_bytes: int, width: int = 1) -> float:
        """`lines`, or fewer where there are no gaps; an access is to `width` elements."""
        found = self.lines(extents, line_bytes)
        if not any(sum(map(bool, column)) > 1 for column in zip(*self.rows, strict=True)):
            return found
        rank = len(self.rows)
        along = (*[0] * (rank - 1), 1)
        steps = [*zip(zip(*self.rows, strict=True), extents, strict=True), (along, float(width))]
        loops = _straightened(_joined(steps, lambda together, times: together <= times))
        runs = [extent for column, extent in loops if column == along]
        if not runs:
            return found
        run = max(runs)
        filled = prod([extent for _, extent in loops]) / run
        filled *= max(1.0, run * self.element_bytes / line_bytes)
        return min(found, filled + prod(self._factors(extents, line_bytes)[:-1]))

    def growth(self, extents: Sequence[float], line_bytes: int, loop: int) -> float:
        """The derivative of DL by the extent of `loop`."""
        factors = self._factors(extents, line_bytes)
        iterations = self._iterations(extents)
        if iterations < prod(factors):
            return iterations / extents[loop] if loop in self._moving else 0.0
        spans = self._spans(extents, line_bytes)
        slopes = [float(abs(row[loop])) for row in self.rows]
        if slopes:
            slopes[-1] *= self.element_bytes / line_bytes if factors[-1] > 1 else 0
        for k, (row, factor, span) in enumerate(zip(self.rows, factors, spans, strict=True)):
            if factor < span:
                slopes[k] = factor / extents[loop] if row[loop] else 0.0
        return sum(slope * prod(factors[:k] + factors[k + 1 :]) for k, slope in enumerate(slopes))

    def _factors(self, extents: Sequence[float], line_bytes: int) -> list[float]:
        """|f_1|, ..., lines(f_m)."""
        return [
            min(span, prod([extents[k] for k, by in enumerate(row) if by]))
            for row, span in zip(self.rows, self._spans(extents, line_bytes), strict=True)
        ]

    def _spans(self, extents: Sequence[float], line_bytes: int) -> list[float]:
        """Those of everything from the least value to the greatest."""
        steps = [extent - 1 for extent in extents]
        factors = [1.0 + sum(map(mul, row, steps)) for row in self._magnitudes]
        if factors:
            factors[-1] = max(1.0, factors[-1] * self.element_bytes / line_bytes)
        return factors

    def _iterations(self, extents: Sequence[float]) -> float:
        """Of the loops along which the reference moves."""
        return prod([extents[k] for k in self._moving])

    @cached_property
    def _magnitudes(self) -> tuple[Row, ...]:
        return tuple(tuple(map(abs, row)) for row in self.rows)

    @cached_property
    def _moving(self) -> tuple[int, ...]:
        """The loops along which the reference moves."""
        return tuple(k for k, column in enumerate(zip(*self.rows, strict=True)) if any(column))


MOST_KNOWN = 1 << 14
_known_lines: dict[tuple[tuple[Row, ...], int, tuple[float, ...], int], float] = {}
"""Of accesses and loops alike, which most of a program are: of 9344 questions about 64 nests 51
are others than before."""

_Step = tuple[Row, float]
"""What a loop adds to each of the subscripts, and how often it runs."""


def _joined(steps: Iterable[_Step], are_one: Callable[[int, float], bool]) -> list[_Step]:
    """A loop over tiles and the one inside of them are one that takes the steps of the inner one,
    if `are_one` of how many of these are a step of the outer one, and how often the inner one
    runs."""
    loops = list[_Step]()
    for column, extent in sorted(steps, key=lambda one: sum(map(abs, one[0]))):
        if extent <= 1 or not any(column):
            continue
        for k, (fine, times) in enumerate(loops):
            together = _times(fine, column)
            if together is not None and are_one(together, times):
                loops[k] = fine, times + together * (extent - 1)
                break
        else:
            loops.append((column, extent))
    return loops


def _straightened(loops: Sequence[_Step]) -> list[_Step]:
    """Without what a loop moves along a subscript, other than the last, that one has to itself. Of
    the elements of two iterations none are the same."""
    columns = [column for column, _ in loops if sum(map(abs, column)) == 1 and 1 in column[:-1]]
    own = {column.index(1) for column in columns}
    steps = list[_Step]()
    for column, extent in loops:
        if sum(map(bool, column)) > 1:
            column = tuple(0 if k in own else step for k, step in enumerate(column))
        steps.append((column, extent))
    return _joined(steps, lambda together, times: together == times)


def _times(fine: Row, coarse: Row) -> int | None:
    """How many of the one the other is."""
    at = next(k for k, step in enumerate(fine) if step)
    steps, rest = divmod(coarse[at], fine[at])
    same = rest == 0 and coarse == tuple(steps * one for one in fine)
    return abs(steps) if same else None


def distinct(references: Iterable[Reference]) -> tuple[Reference, ...]:
    """One for each array and matrix, written if any of them is."""
    found: dict[tuple[str, tuple[Row, ...]], Reference] = {}
    for one in references:
        key = (one.array, one.rows)
        written = one.is_write or (key in found and found[key].is_write)
        found[key] = replace(one, is_write=written)
    return tuple(found.values())
