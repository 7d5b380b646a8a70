"""What is done to the loops of one SCoP: as data, as steps (docs/schedules.md), and its neighbours.

A plan first changes which statements share loops (`structure`), then treats each perfect nest that
this gives by itself: an order of its loops, tiles, unroll-and-jam. A neighbour differs from a plan
in one of these choices. Nothing here asks what is legal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations, zip_longest
from typing import TypeVar

from polyopt.support.record import record

T = TypeVar("T")

SIZES = (8, 16, 32, 64, 128, 256)
FIRST_SIZE = 32
COUNTS = (1, 2, 4, 8)
FACTORS = (0, 1, 2)
ALL_ORDERS_OF = 3
STRUCTURE_LINES = 3


@record
class Nest:
    """The loops of a perfect nest, outermost first, as steps call them."""

    loops: tuple[str, ...]


@record
class Shape:
    """What a structure gives: the nests, and the lines that would change it further."""

    nests: tuple[Nest, ...]
    changes: tuple[str, ...]


@record
class Treatment:
    """What is done to one nest. `order` is a permutation of its loops; `tiles` (0: none) and
    `copies` (1: none) belong to the loops as the nest lists them; where there are tiles, the loops
    inside the outermost are skewed by it `skew` times."""

    order: tuple[int, ...]
    tiles: tuple[int, ...]
    copies: tuple[int, ...]
    skew: int = 0

    @classmethod
    def nothing(cls, nest: Nest) -> Treatment:
        depth = len(nest.loops)
        return cls(tuple(range(depth)), (0,) * depth, (1,) * depth)

    def lines(self, nest: Nest) -> Iterator[str]:
        ordered = [nest.loops[k] for k in self.order]
        if ordered != [*nest.loops]:
            yield f"permute {' '.join(ordered)}"
        cut = [k for k in self.order if self.tiles[k]]
        if cut:
            outermost, *inner = ordered
            skews = [f"skew {one} {outermost} {self.skew}" for one in inner if self.skew]
            loops = " ".join(nest.loops[k] for k in cut)
            sizes = " ".join(str(self.tiles[k]) for k in cut)
            yield "; ".join([*skews, f"tile {loops} {sizes}"])
        for k in self.order:
            if self.copies[k] > 1:
                yield f"unroll {nest.loops[k]} {self.copies[k]}"

    def neighbours(self) -> Iterator[Treatment]:
        """One choice after another, a few of each kind at a time: the promising come first."""
        yield from _in_turns(self._other_copies(), self._other_orders(), self._other_tiles())

    def _other_orders(self) -> Iterator[Treatment]:
        depth = len(self.order)
        if depth <= ALL_ORDERS_OF:
            orders = permutations(range(depth))
        else:
            orders = (_exchanged(self.order, k) for k in range(depth - 1))
        yield from (replace(self, order=order) for order in orders if order != self.order)

    def _other_tiles(self) -> Iterator[Treatment]:
        depth = len(self.tiles)
        if not any(self.tiles):
            yield replace(self, tiles=(FIRST_SIZE,) * depth)
            yield from (
                replace(self, tiles=(FIRST_SIZE,) * depth, skew=factor)
                for factor in FACTORS[1:]
                if depth > 1
            )
        for k, size in enumerate(self.tiles):
            for other in _next_to(size, (0, *SIZES)) if size else (FIRST_SIZE,):
                tiles = _with(self.tiles, k, other)
                yield replace(self, tiles=tiles, skew=self.skew if any(tiles) else 0)
        if any(self.tiles) and depth > 1:
            yield from (replace(self, skew=one) for one in _next_to(self.skew, FACTORS))

    def _other_copies(self) -> Iterator[Treatment]:
        for k in reversed(range(len(self.copies))):
            near = (4,) if self.copies[k] == 1 else _next_to(self.copies[k], COUNTS)
            for count in near:
                yield replace(self, copies=_with(self.copies, k, count))


@record
class Plan:
    """`treatments` has one for each nest of the structure; of none nothing is done to any."""

    structure: tuple[str, ...] = ()
    treatments: tuple[Treatment, ...] = ()

    def lines(self, shape: Shape) -> tuple[str, ...]:
        pairs = zip(shape.nests, self.treatments, strict=True) if self.treatments else ()
        return (*self.structure, *(line for nest, one in pairs for line in one.lines(nest)))

    def neighbours(self, shape: Shape) -> Iterator[Plan]:
        treatments = self.treatments or tuple(map(Treatment.nothing, shape.nests))

        def treated(k: int) -> Iterator[Plan]:
            for other in treatments[k].neighbours():
                yield Plan(self.structure, (*treatments[:k], other, *treatments[k + 1 :]))

        def restructured() -> Iterator[Plan]:
            if len(self.structure) < STRUCTURE_LINES:
                yield from (Plan((*self.structure, line)) for line in shape.changes)

        yield from _in_turns(restructured(), *map(treated, range(len(shape.nests))))


def _in_turns(*kinds: Iterator[T]) -> Iterator[T]:
    for row in zip_longest(*kinds):
        yield from (one for one in row if one is not None)


def _exchanged(order: tuple[int, ...], k: int) -> tuple[int, ...]:
    return (*order[:k], order[k + 1], order[k], *order[k + 2 :])


def _with(values: tuple[int, ...], k: int, value: int) -> tuple[int, ...]:
    return (*values[:k], value, *values[k + 1 :])


def _next_to(value: int, values: tuple[int, ...]) -> tuple[int, ...]:
    """The values right above and below it."""
    k = values.index(value)
    return (*values[k + 1 : k + 2], *values[max(0, k - 1) : k])
