"""Where two accesses with the same strides touch the same element, without any search.

Subscripts that differ by constants meet at one distance, or never:

    store A[i, j],  load A[i - 1, j + 1]:   the load meets the store 1 row and -1 columns later
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Final, Literal

from xdsl.ir import SSAValue

from polyopt.ir.affine.affine_nest import ElementAccess
from polyopt.ir.affine.subscripts import subscripts_of
from polyopt.ir.objects.alias import may_overlap


class Meeting(Enum):
    """What is not one distance: it may be any."""

    ANY = "any"


UNKNOWN: Final[Literal[Meeting.ANY]] = Meeting.ANY


def meeting(
    source: ElementAccess, sink: ElementAccess, iterators: tuple[SSAValue, SSAValue]
) -> tuple[int, int] | Meeting | None:
    """The iterations from `source` to the `sink` that touches the same element, for each of the
    iterators with everything else the same; None: there is no such sink."""
    if source.memref is not sink.memref:
        return UNKNOWN if may_overlap(source.memref, sink.memref) else None
    here, there = subscripts_of(source), subscripts_of(sink)
    if here is None or there is None:
        return UNKNOWN
    rows: list[tuple[int, int, int]] = []
    for one, other in zip(here, there, strict=True):
        difference = one - other
        if difference.terms:
            return UNKNOWN
        first, second = (one.coefficient(iterator) for iterator in iterators)
        rows.append((first, second, difference.constant))
    return _solve(rows)


def meeting_in_row(
    source: ElementAccess, sink: ElementAccess, iterators: tuple[SSAValue, SSAValue]
) -> int | None:
    """The iterations of the second iterator from `source` to the `sink` that touches the same
    element, whatever the first one is; None where that is not so, or where it decides too."""
    here, there = subscripts_of(source), subscripts_of(sink)
    if source.memref is not sink.memref or here is None or there is None:
        return None
    if any(form.coefficient(iterators[0]) for form in (*here, *there)):
        return None
    shift = shift_between(source, sink, iterators[1])
    return None if shift is None else -shift


def _solve(rows: Sequence[tuple[int, int, int]]) -> tuple[int, int] | Meeting | None:
    """The integers with `a * x + b * y = c` for each row (a, b, c)."""
    if any(not a and not b and c for a, b, c in rows):
        return None
    for a, b, c in rows:
        for p, q, r in rows:
            determinant = a * q - b * p
            if not determinant:
                continue
            x, y = c * q - b * r, a * r - c * p
            if x % determinant or y % determinant:
                return None
            x, y = x // determinant, y // determinant
            return (x, y) if all(k * x + m * y == n for k, m, n in rows) else None
    return UNKNOWN


def shift_between(first: ElementAccess, second: ElementAccess, iterator: SSAValue) -> int | None:
    """The number k such that `second` touches now what `first` touches k iterations later; None
    if there is none, or if they stay where they are."""
    if first.memref is not second.memref:
        return None
    here, there = subscripts_of(first), subscripts_of(second)
    if here is None or there is None:
        return None
    shift: int | None = None
    for one, other in zip(here, there, strict=True):
        difference, factor = other - one, one.coefficient(iterator)
        if difference.terms or (difference.constant and not factor):
            return None
        if not factor:
            continue
        if difference.constant % factor or shift not in (None, difference.constant // factor):
            return None
        shift = difference.constant // factor
    return shift
