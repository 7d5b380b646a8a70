"""Which nests to fuse: those that touch the same big data, for one pass over it instead of two.

Loop nests that use each element of an array about once are as fast as memory. Two such nests
whose loops can be aligned so that both touch the same elements in the same iterations become one.
For neighbours X and Y among the children of a sequence, with outermost bands (x_1, ..., x_n) and
(y_1, ..., y_m):

    alignment    the first d members of X and some d members of Y, for the largest d that works;
                 members of a permutable band may be taken in any order, of another only as they
                 stand
    legality     no dependence from X to Y goes backward along a fused member
    benefit      some access of X and some of Y move alike along the fused members, in one array,
                 with as many dimensions as the nest has loops
    no harm      the innermost loops do not cost more than they did (`locality`), and a nest of
                 recurrences both ways, whose iterations are lanes where it stands alone, is joined
                 by none that has a parallel loop (distances to the nearest of 300 x 400 pixels,
                 behind their first values: 885 us together, 180 apart)

Nests that do more work than they touch data run apart, but for loops along which all their
accesses move, a batch of small products say: along these there is nothing to keep for later.

    [ X: i, j { A[i][j] };  Y: i, j { A[j][i] } ]   =>   i, j { X: A[i][j]; Y: A[i][j] }

A nest may pass others that it does not depend on, on its way to the one that it fits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from itertools import combinations, islice, permutations, product

import islpy as isl

from polyopt.poly.analysis.permutability import TreePosition, is_coincident, is_forward
from polyopt.poly.analysis.strides import Direction, steps_of
from polyopt.poly.changes.contractions import CONTRACT
from polyopt.poly.changes.skewing import is_wavefront
from polyopt.poly.cost.locality import LocalityModel, order_for_locality, tree_cost
from polyopt.poly.linear.linear_forms import rank
from polyopt.poly.schedule_tree import (
    Band,
    Leaf,
    Mark,
    Member,
    Tree,
    members_below,
    statements_of,
)
from polyopt.poly.schedule_tree import Sequence as TreeSequence
from polyopt.support.core_model import CORE
from polyopt.support.record import record

Child = tuple[isl.UnionSet, Tree]
Columns = tuple[tuple[int, ...], ...]

ALIGNMENTS = 24
"""The most ways to align two nests that are looked at. Each asks isl about their dependences and
the model about their order; those of the kernels that fuse at all do so at one of the first."""

PERMUTED = 5
"""The most members of a band that are tried in all orders."""


def fuse_nests(tree: Tree, model: LocalityModel, place: TreePosition) -> Tree:
    """Every sequence with its children fused where it pays, inner sequences first. Marked
    subtrees (tiles) stay as they are."""
    match tree:
        case Leaf() | Mark():
            return tree
        case Band(members, child):
            return replace(tree, child=fuse_nests(child, model, place.inside(members)))
        case TreeSequence(children, is_ordered):
            inner = [
                (instances, fuse_nests(child, model, place.among(instances)))
                for instances, child in children
            ]
            fused = _Fuser(model, place).fuse(inner)
            while len(fused) < len(inner):  # what has grown may fit what it did not fit before
                inner, fused = fused, _Fuser(model, place).fuse(fused)
            if len(fused) == 1:
                return fused[0][1]
            return TreeSequence(tuple(fused), is_ordered)


@record
class _Fuser:
    """`costs` are those of trees, by what they are identical to."""

    model: LocalityModel
    place: TreePosition
    costs: dict[int, tuple[Tree, float]] = field(default_factory=dict[int, tuple[Tree, float]])

    def fuse(self, children: Sequence[Child]) -> list[Child]:
        """Each child joins the nearest earlier one that it fits and can reach."""
        done = list[Child]()
        for child in children:
            for position in reversed(range(len(done))):
                together = self._together(done[position], child)
                if together is not None:
                    done[position] = together
                    break
                if self._depends(done[position], child):
                    done.append(child)
                    break
            else:
                done.append(child)
        return done

    def _depends(self, earlier: Child, later: Child) -> bool:
        return not self._between(earlier, later).is_empty()

    def _between(self, earlier: Child, later: Child) -> isl.UnionMap:
        return self.place.pending.intersect_domain(earlier[0]).intersect_range(later[0])

    def _together(self, first: Child, second: Child) -> Child | None:
        """The two as one nest, or None."""
        x, y = _band(first[1]), _band(second[1])
        if x is None or y is None:
            return None
        if self._is_wavefront(first) != self._is_wavefront(second):
            return None
        is_memory_bound = self._is_memory_bound(x) and self._is_memory_bound(y)
        instances = first[0].union(second[0])
        place = self.place.among(instances)
        streams_of = self._streams if is_memory_bound else self._batch_streams
        streams = streams_of(x), streams_of(y)
        for members, rest in self._alignments(first, second, streams):
            band = Band(members, rest, x.permutable and y.permutable)
            fused = order_for_locality(band, self.model, place)
            together = instances, fused
            apart = self._cost(first) + self._cost(second)
            if self._cost(together, place) <= CORE.orders.tolerance * apart:
                return together
        return None

    def _is_wavefront(self, child: Child) -> bool:
        instances, tree = child
        return is_wavefront(tree, self.place.among(instances))

    def _cost(self, child: Child, place: TreePosition | None = None) -> float:
        """The cost of a nest among the others, at its place; it is asked for again by all that it
        is to be fused with."""
        instances, tree = child
        known = self.costs.get(id(tree))
        if known is None:
            cost = tree_cost(tree, self.model, place or self.place.among(instances))
            known = self.costs[id(tree)] = tree, cost
        return known[1]

    def _alignments(
        self, first: Child, second: Child, streams: tuple[_Streams, _Streams]
    ) -> Iterator[tuple[tuple[Member, ...], Tree]]:
        """The fused members and what is left below them: deepest first. Of the many ways to align
        deep nests with each other, `ALIGNMENTS` are looked at."""
        x, y = _band(first[1]), _band(second[1])
        pairs = self._between(first, second)
        assert x is not None
        assert y is not None
        for chosen_x, chosen_y in islice(_alike(x, y, *streams), ALIGNMENTS):
            members = _fused(
                [x.members[k] for k in chosen_x], [y.members[k] for k in chosen_y], pairs
            )
            if members is None:
                continue
            below = (
                (first[0], _left(first[1], chosen_x)),
                (second[0], _left(second[1], chosen_y)),
            )
            yield members, _sequence(below)

    def _streams(self, band: Band) -> _Streams:
        """The accesses that touch about one new element in each iteration. Nests that stream one
        array alike have something to keep for each other."""
        found = dict[tuple[str, Columns], None]()
        for name in statements_of(band):
            loops = self._loops(band, name)
            for array, columns in self._matrices(band, name):
                if rank(columns) == loops:
                    found[array, columns[: len(band.members)]] = None
        return _Streams(tuple(found), frozenset(range(len(band.members))))

    def _batch_streams(self, band: Band) -> _Streams:
        """All accesses, and the members along which each of them moves: what iterations of these
        loops touch has nothing in common."""
        found = dict[tuple[str, Columns], None]()
        members = frozenset(range(len(band.members)))
        for name in statements_of(band):
            steps = self._steps(band, name)
            for access in self.model.matrices.scop.statement(name).accesses:
                columns = self.model.matrices.columns(name, access, steps)
                if columns is None:
                    return _Streams((), frozenset())
                members = frozenset(k for k in members if any(columns[k]))
                found[access.array, columns[: len(band.members)]] = None
        return _Streams(tuple(found), members)

    def _is_memory_bound(self, band: Band) -> bool:
        """Whether every statement uses some element of its own in each iteration."""
        return bool(statements_of(band)) and all(
            any(
                rank(columns) == self._loops(band, name)
                for _, columns in self._matrices(band, name)
            )
            for name in self._deepest(band)
        )

    def _deepest(self, band: Band) -> list[str]:
        loops = {name: self._loops(band, name) for name in statements_of(band)}
        return [name for name, count in loops.items() if count == max(loops.values())]

    def _loops(self, band: Band, name: str) -> int:
        return sum(step is not None for step in self._steps(band, name))

    def _steps(self, band: Band, name: str) -> list[Direction | None]:
        members = [*self.place.outer, *band.members, *members_below(band.child, name)]
        return steps_of(name, members)[len(self.place.outer) :]

    def _matrices(self, band: Band, name: str) -> Iterator[tuple[str, Columns]]:
        """For each access with a known matrix: its columns, one for each loop of the nest."""
        steps = self._steps(band, name)
        for access in self.model.matrices.scop.statement(name).accesses:
            columns = self.model.matrices.columns(name, access, steps)
            if columns is not None:
                yield access.array, columns


@record
class _Streams:
    """How the subscripts of arrays move along each member of a band, and the members that may be
    fused by that."""

    accesses: tuple[tuple[str, Columns], ...]
    members: frozenset[int]


def _alike(
    x: Band, y: Band, streams_x: _Streams, streams_y: _Streams
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The members of both along which some array is touched alike, most members first."""
    for depth in range(min(len(x.members), len(y.members)), 0, -1):
        for chosen_x in _choices(x, depth):
            if not streams_x.members.issuperset(chosen_x):
                continue
            fitting = set[tuple[int, ...]]()
            for (array, moves), (other, moves_y) in product(streams_x.accesses, streams_y.accesses):
                if array == other:
                    fitting.update(_matches(y, chosen_x, moves, moves_y))
            for chosen_y in sorted(fitting):
                if streams_y.members.issuperset(chosen_y):
                    yield chosen_x, chosen_y


def _matches(
    y: Band, chosen_x: Sequence[int], moves_x: Columns, moves_y: Columns
) -> Iterator[tuple[int, ...]]:
    """The members of `y` that move an array, one by one, as those chosen do."""
    if not y.permutable:
        if all(moves_x[k] == moves_y[place] for place, k in enumerate(chosen_x)):
            yield tuple(range(len(chosen_x)))
        return
    places = [[at for at, moves in enumerate(moves_y) if moves == moves_x[k]] for k in chosen_x]
    for chosen_y in product(*places):
        if len(set(chosen_y)) == len(chosen_y):
            yield chosen_y


def _choices(band: Band, depth: int) -> Iterator[tuple[int, ...]]:
    """For a band of many members only those as they stand: there are too many orders of them."""
    if band.permutable and len(band.members) <= PERMUTED:
        yield from permutations(range(len(band.members)), depth)
    elif band.permutable:
        yield from combinations(range(len(band.members)), depth)
    else:
        yield tuple(range(depth))


def _band(tree: Tree) -> Band | None:
    """The outermost loops of a nest, which may be a contraction's."""
    if isinstance(tree, Mark) and tree.name == CONTRACT:
        tree = tree.child
    return tree if isinstance(tree, Band) else None


def _left(tree: Tree, chosen: Sequence[int]) -> Tree:
    """What stands below the chosen members; a mark on nothing but these is gone."""
    if isinstance(tree, Mark):
        below = _left(tree.child, chosen)
        return below if isinstance(below, Leaf) else replace(tree, child=below)
    assert isinstance(tree, Band)
    rest = tuple(one for k, one in enumerate(tree.members) if k not in chosen)
    return replace(tree, members=rest) if rest else tree.child


def _fused(
    x: Sequence[Member], y: Sequence[Member], pairs: isl.UnionMap
) -> tuple[Member, ...] | None:
    """The members of both together; None if a dependence in `pairs` goes backward."""
    fused = list[Member]()
    for a, b in zip(x, y, strict=True):
        member = Member(a.function.union_add(b.function))
        if not is_forward(pairs, member):
            return None
        coincident = a.coincident and b.coincident and is_coincident(pairs, member)
        fused.append(replace(member, coincident=coincident))
    return tuple(fused)


def _sequence(children: Sequence[Child]) -> Tree:
    """The children in order; those of a sequence among them in its place."""
    flat = list[Child]()
    for instances, child in children:
        if isinstance(child, TreeSequence) and child.is_ordered:
            flat += child.children
        else:
            flat.append((instances, child))
    return TreeSequence(tuple(flat))
