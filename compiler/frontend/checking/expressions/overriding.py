"""Initialisers of what was initialised before, in the same braces.

    struct o x = { .p = { 1, 2 }, .p = { 3 } };      x.p.b is 0
    struct o y = { .p = v, .p.b = 3 };               y.p.a is v.a

What is said anew of a whole object is all that is said of it (C11 6.7.9p19, DR 413).
"""

from __future__ import annotations

from bisect import bisect_left, insort

from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import ArrayType, CType
from polyopt.frontend.tree.typed_tree import InitialItem
from polyopt.support.record import record


@record
class _Anew:
    """The bytes from `start` to `end` are initialised anew by the items from `position` on."""

    position: int
    start: int
    end: int


class Overriding:
    """What is said anew of one object and its parts, while its items are collected."""

    def __init__(self) -> None:
        self._anew: list[_Anew] = []
        self._starts: list[int] = []
        self._wide: list[tuple[int, int]] = []
        self._behind = 0

    def begin(self, position: int, type: CType, offset: int) -> bool:
        """The items from `position` on say all of the object there. Gives whether it is a part of
        what one item has stored, which is still there."""
        if not self._starts or offset > self._starts[-1]:
            return self._is_part(offset, type)
        end = _end(type, offset)
        at = bisect_left(self._starts, offset)
        if at < len(self._starts) and self._starts[at] < end:
            self._anew.append(_Anew(position, offset, end))
        return self._is_part(offset, type)

    def store(self, item: InitialItem) -> None:
        """It is one of the items."""
        if not self._starts or item.offset > self._starts[-1]:
            self._starts.append(item.offset)
        else:
            insort(self._starts, item.offset)
        if not ct.is_scalar(item.type):
            end = _end(item.type, item.offset)
            self._wide.append((item.offset, end))
            self._behind = max(self._behind, end)

    def left(self, items: list[InitialItem]) -> list[InitialItem]:
        """Those of which nothing is said anew."""
        if not self._anew:
            return items
        return [item for position, item in enumerate(items) if not self._is_over(position, item)]

    def _is_part(self, offset: int, type: CType) -> bool:
        return offset < self._behind and any(
            start <= offset and _end(type, offset) <= end and (start, end) != (offset, end)
            for start, end in self._wide
        )

    def _is_over(self, position: int, item: InitialItem) -> bool:
        end = item.offset + 1 if item.member else _end(item.type, item.offset)
        return any(
            position < one.position and one.start <= item.offset and end <= one.end
            for one in self._anew
        )


def _end(type: CType, offset: int) -> int:
    """Where the object ends; an array of unknown length is the last of an object."""
    if isinstance(type, ArrayType) and type.length is None:
        return 1 << 62
    return offset + ct.size_of(type)
