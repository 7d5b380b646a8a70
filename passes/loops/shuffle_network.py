"""Elements that lie in some vectors, in another order in others: by shuffles of two vectors each.

What all results need is brought together step by step, two halves of the sources at a time, and
what several results share is made once. Each step halves the number of results whose elements a
vector holds, so that a square of 2^k vectors takes k steps for each, where results made one after
the other take 2^k - 1:

    sources  x0 y0 u0 v0   x1 y1 u1 v1   x2 y2 u2 v2   x3 y3 u3 v3
    halves   x0 x1 u0 u1   y0 y1 v0 v1   x2 x3 u2 u3   y2 y3 v2 v3
    results  x0 x1 x2 x3   y0 y1 y2 y3   u0 u1 u2 u3   v0 v1 v2 v3

Vectors whose results are taken in turns stay in place within 128 bits where they can, for which
there are shuffles that need no table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from functools import cached_property

from polyopt.support.record import entity, record

Element = int
"""What stands for an element, in sources and results alike."""

Lanes = Sequence[Element | None]
"""The elements of a result; in some lanes any will do."""


@record
class Shuffle:
    """A new vector: lane k is lane `order[k]` of `left` and `right` side by side. Vectors are
    numbered, the sources first, then the shuffles as they come."""

    left: int
    right: int
    order: tuple[int, ...]


@record
class Network:
    """`shuffles` in an order in which they can run, and the numbers of the vectors that are the
    results."""

    shuffles: tuple[Shuffle, ...]
    results: tuple[int, ...]


def shuffle_network(
    sources: Sequence[Sequence[Element]], results: Sequence[Lanes], lanes: int
) -> Network:
    """Result r holds element `results[r][k]` in lane k. An element that several sources hold is
    taken from the first of them; each wanted one is in some source."""
    weaver = _Weaver(sources, results, lanes)
    found = tuple(weaver.result(number) for number in range(len(results)))
    return Network(tuple(weaver.shuffles), found)


_Numbers = tuple[int, ...]


@entity
class _Weaver:
    """`held` are the elements in the lanes of the sources, then of each shuffle."""

    sources: Sequence[Sequence[Element]]
    results: Sequence[Lanes]
    lanes: int
    shuffles: list[Shuffle] = field(default_factory=list[Shuffle])
    _made: dict[tuple[_Numbers, _Numbers], int] = field(
        default_factory=dict[tuple[_Numbers, _Numbers], int]
    )

    @cached_property
    def held(self) -> list[Lanes]:
        return list(self.sources)

    @cached_property
    def _source_of(self) -> dict[Element, int]:
        found: dict[Element, int] = {}
        for number, elements in enumerate(self.sources):
            for element in elements:
                found.setdefault(element, number)
        return found

    def result(self, number: int) -> int:
        vector = self.brought((number,), tuple(range(len(self.sources))))
        wanted = self.results[number]
        pairs = zip(wanted, self.held[vector], strict=True)
        if all(element in (None, there) for element, there in pairs):
            return vector
        return self._shuffle(vector, vector, wanted)

    def brought(self, results: _Numbers, sources: _Numbers) -> int:
        """A vector of all that these sources have for these results, at least."""
        if len(sources) == 1:
            return sources[0]
        key = results, sources
        if key not in self._made:
            self._made[key] = self._joined(results, sources)
        return self._made[key]

    def _joined(self, results: _Numbers, sources: _Numbers) -> int:
        half = 1 << (len(sources) - 1).bit_length() - 1
        sides = [
            self.brought(self._block_around(results, part), part)
            for part in (sources[:half], sources[half:])
            if self._wanted(results, part)
        ]
        if len(sides) < 2:
            return sides[0] if sides else sources[0]
        wanted = self._wanted(results, sources)
        if len(results) == 1:
            # What is for one result is where it is to be in the end.
            here = set(wanted)
            lanes: Lanes = [one if one in here else None for one in self.results[results[0]]]
        else:
            lanes = [*wanted, *[None] * (self.lanes - len(wanted))]
        left, right = sides
        return self._shuffle(left, right, lanes)

    def _shuffle(self, left: int, right: int, wanted: Lanes) -> int:
        places = {one: self.lanes + lane for lane, one in enumerate(self.held[right])}
        places |= {one: lane for lane, one in enumerate(self.held[left])}
        order = [lane if one is None else places[one] for lane, one in enumerate(wanted)]
        self.shuffles.append(Shuffle(left, right, tuple(order)))
        self.held.append(wanted)
        return len(self.held) - 1

    def _wanted(self, results: _Numbers, sources: _Numbers) -> list[Element]:
        return [
            element
            for number in results
            for element in self.results[number]
            if element is not None and self._source_of[element] in sources
        ]

    def _block_around(self, results: _Numbers, sources: _Numbers) -> _Numbers:
        """The results that share a vector of these sources with `results`: every n-th, for the
        least n with which they fit into one."""
        count = len(self.results)
        for stride in range(1, count + 1):
            blocks = [tuple(range(first, count, stride)) for first in range(stride)]
            if all(len(self._wanted(block, sources)) <= self.lanes for block in blocks):
                around = (block for block in blocks if set(results) <= set(block))
                return next(around, results)
        return results
