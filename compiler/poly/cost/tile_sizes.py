"""Is a band worth tiling, and by which sizes?

A tile pays where what one iteration touches is touched again by one that would otherwise run
long after it. Sizes, and no tiles at all, are compared by the cycles that an iteration loses, with
the loops in the order in which they run inside the tile, innermost last:

    start / (trip count of the innermost loop)         starting it, and its masked end
    + l1_line * lines that each iteration must bring into L1
    + l2_line * lines that each iteration must bring into L2

Where stores under a mask are slow, its end is one more of these, and its lines cost short_l1_line.
Where the innermost loop does not become vectors, it is started for scalar_start, and most of the
way to L1 is hidden: scalar_l1_line.

What a run of the loops p, ..., n touches is counted in cache lines from the extents of the
subscripts. If it fits a cache, then each iteration of loop p - 1 brings in only what it touches
and its predecessor did not. Where the sizes of the problem are not known, a loop that is not tiled
is taken to be as long as the arrays of such kernels are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property
from math import prod

import islpy as isl

from polyopt.poly.analysis.strides import AccessMatrices, Direction, steps_of
from polyopt.poly.cost.distinct_lines import Reference, distinct
from polyopt.poly.isl.lists import pw_affs
from polyopt.poly.linear.linear_forms import apply
from polyopt.poly.schedule_tree import Band, Member, Tree, members_below, statements_of
from polyopt.support.core_model import CORE, CoreCosts
from polyopt.support.record import record
from polyopt.support.target import Target

Sizes = tuple[int, ...]


@record
class Lines:
    """How many lines are touched; `weighted`: those that are written count for more."""

    all: float
    weighted: float


@record
class TiledNest:
    """The loops around one statement inside a tile, outermost first. `members`: for each loop,
    the member of the tiled band that bounds it, or None; `known`: how long it is at most, or None.
    `has_lanes`: the innermost loop is not serial and leaves no iteration out."""

    references: tuple[Reference, ...]
    members: tuple[int | None, ...]
    known: tuple[int | None, ...]
    has_lanes: bool = True

    @cached_property
    def is_vector(self) -> bool:
        return self.has_lanes and all(map(_may_be_vector, self.references))

    @property
    def untiled_extent(self) -> int:
        dimensions = max((len(one.rows) for one in self.references), default=0)
        return CORE.assumed.of_rank(dimensions)

    def lines(self, extents: Sequence[int], line_bytes: int) -> Lines:
        """What loops of these extents touch. Few runs differ: most sizes are tried with the same
        loops inside."""
        key = (*extents, line_bytes)
        found = self._known_lines.get(key)
        if found is None:
            touched = [(one.lines(extents, line_bytes), one.is_write) for one in self.references]
            found = self._known_lines[key] = Lines(
                sum([lines for lines, _ in touched]),
                sum([lines * (CORE.tiles.write if write else 1) for lines, write in touched]),
            )
        return found

    @cached_property
    def _known_lines(self) -> dict[tuple[int, ...], Lines]:
        return {}

    def extents(self, sizes: Sizes) -> list[int]:
        """Those of the loops in tiles of these sizes."""
        extents = list[int]()
        for member, known in zip(self.members, self.known, strict=True):
            size = 1 if member is None else sizes[member]
            if size == 1:
                extents.append(known or self.untiled_extent)
            else:
                extents.append(size if known is None else min(size, known))
        return extents


@record
class TileSizeModel:
    """Chooses sizes for the bands of a tree whose instances run in the order of `points`;
    `serial` are the statements whose innermost loop there carries a dependence."""

    matrices: AccessMatrices
    points: Tree
    target: Target
    serial: frozenset[str] = frozenset()

    def __call__(self, band: Band, outer: Sequence[Member]) -> Sizes | None:
        """The sizes; None if tiling the band does not pay or nothing is known about it."""
        nests = _deepest(self._nests(band, outer))
        if not nests:
            return None
        choices = _choices(band, nests)
        tried = CORE.tiles.outer_sizes
        starts = [(size,) * len(choices) for size in tried]
        starts += [tuple(1 if 1 in ones else size for ones in choices) for size in tried]

        @cache
        def cost(sizes: Sizes) -> float:
            return sum(self._nest_cost(nest, sizes) for nest in nests)

        best = min((_descend(cost, choices, start) for start in starts), key=cost)
        return best if cost(best) < CORE.tiles.gain * self._cost_of_points(band) else None

    def _nests(self, band: Band, outer: Sequence[Member]) -> Iterator[TiledNest]:
        """One for each statement whose loops are known."""
        for name in statements_of(band):
            nest = self._nest(name, band.members, outer, members_below(band.child, name))
            if nest is not None:
                yield nest

    def _cost_of_points(self, band: Band) -> float:
        """What the statements of the band cost in the order of the points, without tiles."""
        found = [
            self._nest(name, (), (), members_below(self.points, name))
            for name in statements_of(band)
        ]
        nests = _deepest(nest for nest in found if nest is not None)
        return sum(self._nest_cost(nest, ()) for nest in nests)

    def _nest(
        self,
        name: str,
        tiled: Sequence[Member],
        outer: Sequence[Member],
        inner: Sequence[Member],
    ) -> TiledNest | None:
        """The loops of a statement inside the `outer` ones: those to be tiled, and inner ones."""
        loops = [*tiled, *inner]
        steps = steps_of(name, [*outer, *loops])[len(outer) :]
        order = [k for k in self._running_order(name, loops) if steps[k]]
        moving = [step for k in order if (step := steps[k]) is not None]
        if not moving:
            return None
        statement = self.matrices.scop.statement(name)
        references = list[Reference]()
        for access in statement.accesses:
            columns = self.matrices.columns(name, access, moving)
            if columns is None:
                return None
            size = self.matrices.scop.array(access.array).element_bytes
            rows = tuple(zip(*columns, strict=True))
            references.append(Reference(access.array, rows, access.is_write, size))
        count = len(tiled)
        bounds = tuple(k if k < count else None for k in order)
        has_lanes = name not in self.serial and _has_neighbours(statement.domain, moving[-1])
        known = tuple(_known_extent(statement.domain, loops[k]) for k in order)
        return TiledNest(distinct(references), bounds, known, has_lanes)

    def _running_order(self, name: str, members: Sequence[Member]) -> list[int]:
        """The members in the order in which the loops of `points` run along them."""
        rows = [member.factors(name) for member in members]
        left = [k for k, row in enumerate(rows) if row is not None]
        order = list[int]()
        points = members_below(self.points, name)
        for step in steps_of(name, points):
            if step is None:
                continue
            along = next(
                (k for k in left if (row := rows[k]) is not None and any(apply([row], step))), None
            )
            if along is not None:
                order.append(along)
                left.remove(along)
        return order + left

    def _nest_cost(self, nest: TiledNest, sizes: Sizes) -> float:
        extents = nest.extents(sizes)
        l1, l2 = (
            CORE.tiles.l1_share * self.target.l1_bytes,
            CORE.tiles.l2_share * self.target.l2_bytes,
        )
        return (
            self._start(nest) / extents[-1]
            + self._l1_line(nest) * self._new_lines(nest, extents, l1)
            + CORE.tiles.l2_line * self._new_lines(nest, extents, l2)
        )

    def _start(self, nest: TiledNest) -> float:
        """Of a run of the innermost loop, with its end where that is slow."""
        return self._vector_start if nest.is_vector else CORE.tiles.scalar_start

    @cached_property
    def _vector_start(self) -> float:
        is_slow = self.target.slow_masked_stores
        return CORE.tiles.start + (CoreCosts.of(self.target).masked_store if is_slow else 0.0)

    def _l1_line(self, nest: TiledNest) -> float:
        if not nest.is_vector:
            return CORE.tiles.scalar_l1_line
        is_slow = self.target.slow_masked_stores
        return CORE.tiles.short_l1_line if is_slow else CORE.tiles.l1_line

    def _new_lines(self, nest: TiledNest, extents: Sequence[int], capacity: float) -> float:
        """The lines that an innermost iteration brings into a cache of `capacity` bytes."""
        inside = len(extents)
        run = [1] * inside
        line = self.target.line_bytes
        while inside > 0:
            run[inside - 1] = extents[inside - 1]
            if line * nest.lines(run, line).all > capacity:
                run[inside - 1] = 1
                break
            inside -= 1
        iterations = prod(extents[inside:])
        first = nest.lines(run, line).weighted
        if inside == 0:
            return first / iterations  # the whole tile, once
        run[inside - 1] = 2
        return max(0.0, nest.lines(run, line).weighted - first) / iterations


def _descend(
    cost: Callable[[Sizes], float], choices: Sequence[Sequence[int]], start: Sizes
) -> Sizes:
    """From `start`: the best size of one member at a time, until none gets better."""
    sizes, least = start, cost(start)
    while True:
        before = least
        for k, options in enumerate(choices):
            for size in options:
                trial = (*sizes[:k], size, *sizes[k + 1 :])
                if cost(trial) < least:
                    sizes, least = trial, cost(trial)
        if least == before:
            return sizes


def _may_be_vector(reference: Reference) -> bool:
    """Does the innermost loop move to the next element, or not at all?"""
    moves = [row[-1] for row in reference.rows]
    return not any(moves[:-1]) and (not moves or abs(moves[-1]) <= 1)


def _known_extent(domain: isl.Set, member: Member) -> int | None:
    """The number of values between the least and the greatest of the member's, where no parameter
    has a part in that."""
    if domain.involves_dims(isl.dim_type.param, 0, domain.dim(isl.dim_type.param)):
        return None
    for function in pw_affs(member.function.intersect_domain(isl.UnionSet.from_set(domain))):
        least, greatest = function.min_val(), function.max_val()
        if least.is_int() and greatest.is_int():
            return int(greatest.sub(least).to_python()) + 1
    return None


def _has_neighbours(domain: isl.Set, step: Direction) -> bool:
    """Does S[x + step] exist for some S[x]?"""
    if any(change.denominator != 1 for change in step):
        return False
    moved = domain
    for position, change in enumerate(step):
        if change:
            moved = _translate(moved, position, int(change))
    return not moved.intersect(domain).is_empty()


def _translate(domain: isl.Set, position: int, change: int) -> isl.Set:
    """{ S[x + change at position] : S[x] in domain }"""
    name = domain.get_tuple_name()
    count = domain.dim(isl.dim_type.set)
    before = [f"x{k}" for k in range(count)]
    after = [f"x{k} + {change}" if k == position else f"x{k}" for k in range(count)]
    shift = isl.Map(f"{{ {name}[{', '.join(before)}] -> {name}[{', '.join(after)}] }}")
    return domain.apply(shift)


def _deepest(nests: Iterable[TiledNest]) -> list[TiledNest]:
    """Those with the most loops: the others run too seldom to count."""
    known = list(nests)
    most = max((len(nest.members) for nest in known), default=0)
    return [nest for nest in known if len(nest.members) == most]


def _choices(band: Band, nests: Sequence[TiledNest]) -> list[tuple[int, ...]]:
    """Innermost loops may have long tiles: they are what runs in vectors."""
    innermost = {nest.members[-1] for nest in nests}
    inside, outside = CORE.tiles.innermost_sizes, CORE.tiles.outer_sizes
    return [inside if k in innermost else outside for k in range(len(band.members))]
