"""What is done to one perfect nest: an order of its loops, two levels of tiles, register tiles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, permutations
from math import prod

from polyopt.poly.transform.names import TILE_SUFFIX
from polyopt.support.record import record
from polyopt.tools.tune.turns import in_turns

SIZES = (4, 8, 16, 32, 64, 128, 256, 512)
FIRST_SIZE = 32
BLOCKS = (2, 4, 8, 16)
FIRST_BLOCKS = (4, 8)
COUNTS = (1, 2, 4, 8)
FIRST_COUNT = 4
FIRST_PAIRS = ((4, 2), (2, 4), (4, 4))
MOST_COPIES = 32
"""Results of a body that unrolled loops compute together: as many as there are registers."""
FACTORS = (0, 1, 2)
ALL_ORDERS_OF = 3

Numbers = tuple[int, ...]


@record
class TreatedNest:
    """The loops of a perfect nest, outermost first, as steps call them; how much work depends on
    what is done to them."""

    loops: tuple[str, ...]
    work: float = 1.0


@record
class Treatment:
    """`order` is a permutation of the nest's loops. `tiles` (0: none) and `copies` (1: none)
    belong to the loops as the nest lists them; where there are tiles, the loops inside the
    outermost are skewed by it `skew` times, and `blocks` (empty: none) says for each loop how many
    tiles are one of the level above."""

    order: Numbers
    tiles: Numbers
    copies: Numbers
    skew: int = 0
    blocks: Numbers = ()

    @classmethod
    def nothing(cls, nest: TreatedNest) -> Treatment:
        depth = len(nest.loops)
        return cls(tuple(range(depth)), (0,) * depth, (1,) * depth)

    def lines(self, nest: TreatedNest) -> Iterator[str]:
        """Skews and the outermost tiles are one line: often only both together are legal."""
        ordered = [nest.loops[k] for k in self.order]
        if ordered != [*nest.loops]:
            yield f"permute {' '.join(ordered)}"
        outermost, *inner = ordered
        steps = [f"skew {one} {outermost} {self.skew}" for one in inner if self.skew]
        for level, sizes in enumerate(self._levels(), 1):
            yield "; ".join([*steps, *self._cut(nest, level, sizes)])
            steps = []
        for k in self.order:
            if self.copies[k] > 1:
                yield f"unroll {nest.loops[k]} {self.copies[k]}"

    def _levels(self) -> Iterator[Numbers]:
        """The sizes of tiles in iterations, outermost first."""
        if self.blocks and any(self.tiles):
            yield tuple(size * n for size, n in zip(self.tiles, self.blocks, strict=True))
        if any(self.tiles):
            yield self.tiles

    def _cut(self, nest: TreatedNest, level: int, sizes: Numbers) -> Iterator[str]:
        """Tiles, their loops outside of all that is left whole."""
        cut = [k for k in self.order if sizes[k]]
        loops = [nest.loops[k] for k in cut]
        yield f"tile {' '.join([*loops, *(str(sizes[k]) for k in cut)])}"
        whole = [nest.loops[k] for k in self.order[: self.order.index(cut[0])]]
        if whole and not any(TILE_SUFFIX in loop for loop in nest.loops):
            number = str(level) if level > 1 else ""
            yield f"permute {' '.join([*(one + TILE_SUFFIX + number for one in loops), *whole])}"

    def neighbours(self) -> Iterator[Treatment]:
        """One choice after another, a few of each kind at a time: the promising come first."""
        yield from in_turns(
            self._other_copies(),
            self._other_orders(),
            self._other_tiles(),
            self._other_pairs(),
            self._other_blocks(),
        )

    def _other_orders(self) -> Iterator[Treatment]:
        depth = len(self.order)
        if depth <= ALL_ORDERS_OF:
            orders = permutations(range(depth))
        else:
            orders = (_exchanged(self.order, k) for k in range(depth - 1))
        yield from (replace(self, order=order) for order in orders if order != self.order)

    def _other_tiles(self) -> Iterator[Treatment]:
        depth = len(self.tiles)
        if not any(self.tiles) and depth > 1:
            for factor in FACTORS:
                yield replace(self._tiled((FIRST_SIZE,) * depth), skew=factor)
        for k, size in enumerate(self.tiles):
            for other in _next_to(size, (0, *SIZES)) if size else (FIRST_SIZE,):
                tiles = _with(self.tiles, k, other)
                if self._reorders(tiles) or not any(tiles):
                    yield self._tiled(tiles)
        if any(self.tiles) and depth > 1:
            yield from (replace(self, skew=one) for one in _next_to(self.skew, FACTORS))

    def _reorders(self, tiles: Numbers) -> bool:
        """Not strips of the outermost loop alone, which run in the order of the loop."""
        return any(tiles[k] for k in self.order[1:])

    def _tiled(self, tiles: Numbers) -> Treatment:
        """With these tiles; without any nothing is around them."""
        if any(tiles):
            return replace(self, tiles=tiles)
        return replace(self, tiles=tiles, skew=0, blocks=())

    def _other_blocks(self) -> Iterator[Treatment]:
        """A second level of tiles, at first of as many tiles along each loop; then loop by loop."""
        tiled = [k for k, size in enumerate(self.tiles) if size]
        if tiled and not self.blocks:
            for count in FIRST_BLOCKS:
                yield replace(self, blocks=(count,) * len(self.tiles))
        elif tiled:
            for k in tiled:
                for count in _next_to(self.blocks[k], BLOCKS):
                    yield replace(self, blocks=_with(self.blocks, k, count))
            yield replace(self, blocks=())

    def _other_copies(self) -> Iterator[Treatment]:
        """Of one loop; the innermost last, which is the one that vectors want."""
        *others, innermost = self.order
        for k in (*reversed(others), innermost):
            near = (FIRST_COUNT,) if self.copies[k] == 1 else _next_to(self.copies[k], COUNTS)
            for count in near:
                yield from self._copied(_with(self.copies, k, count))

    def _other_pairs(self) -> Iterator[Treatment]:
        """Register tiles: the counts of two loops together, outer loops first."""
        for k, m in combinations(self.order, 2):
            at = self.copies[k], self.copies[m]
            if at == (1, 1):
                pairs = FIRST_PAIRS
            else:
                firsts, seconds = _next_to(at[0], COUNTS), _next_to(at[1], COUNTS)
                pairs = tuple((one, other) for one in firsts for other in seconds)
            for one, other in pairs:
                yield from self._copied(_with(_with(self.copies, k, one), m, other))

    def _copied(self, copies: Numbers) -> Iterator[Treatment]:
        if prod(copies) <= MOST_COPIES:
            yield replace(self, copies=copies)


def _exchanged(order: Numbers, k: int) -> Numbers:
    return (*order[:k], order[k + 1], order[k], *order[k + 2 :])


def _with(values: Numbers, k: int, value: int) -> Numbers:
    return (*values[:k], value, *values[k + 1 :])


def _next_to(value: int, values: Numbers) -> Numbers:
    """The values right above and below it."""
    k = values.index(value)
    return (*values[k + 1 : k + 2], *values[max(0, k - 1) : k])
