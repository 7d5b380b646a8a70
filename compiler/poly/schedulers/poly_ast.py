"""The poly-ast scheduler: loops permuted, fused, distributed, reversed and retimed, never skewed.

J. Shirako, L.-N. Pouchet, V. Sarkar, Oil and water can mix: an integration of polyhedral and
AST-based transformations, SC 2014, §III. Every loop of the result runs along one iterator of each
statement in it, so that accesses and innermost loops stay what they were or change places.

    algorithm 2   level by level: components by the dependences not yet carried, a permutation
                  for each, fusion between them, then the next level inside each fused nest
    algorithm 3   for a component: all its statements in every loop down to the innermost, so
                  that the nest can be tiled; where that fails, algorithm 2
    algorithm 4   for each statement the iterator next in the order of its memory cost
                  (`memory_cost`), or the first combination for which reversals and shifts exist
                  (`retiming`)
    algorithm 5   components fused where that is legal and pays (`poly_ast_fusion`)

Ours: of the shifts that keep the dependences those are taken that leave the least to skew
for tiles, and of these the least, not those of the least distance of reuse: a distance of a few
iterations stays in cache, and each shift peels iterations. A statement that has no iterator left
may go along one that it had (the division of a triangular solver at j = i): a constant there would
ask for the loop to run backward, or leave the nest imperfect. And the greedy search may end where
nothing is left to choose: then the component that it failed for is kept in the order of
the source.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import islpy as isl

from polyopt.poly.analysis.permutability import TreePosition, merge_bands
from polyopt.poly.changes.retiming import (
    Direction,
    Edge,
    RetimedRow,
    edges_of,
    find_directions,
    least_shifts,
)
from polyopt.poly.cost.memory_cost import levels_of
from polyopt.poly.dependences import Dependences
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.schedule_tree import (
    LEAF,
    Band,
    Member,
    Tree,
    UnsupportedTree,
    build_schedule,
)
from polyopt.poly.schedule_tree import Sequence as TreeSequence
from polyopt.poly.schedulers.interface import SchedulerOptions
from polyopt.poly.schedulers.poly_ast_fusion import Fused, Fusion, among, is_parallel
from polyopt.poly.schedulers.poly_ast_model import Model
from polyopt.poly.scop import Scop
from polyopt.support.components import ordered_components
from polyopt.support.record import record
from polyopt.support.remarks import remark
from polyopt.support.target import Target


def schedule_poly_ast(
    scop: Scop, dependences: Dependences, options: SchedulerOptions
) -> isl.Schedule:
    """The order of algorithm 2; that of the source where it finds none within the budget."""
    span = scop.span
    place = TreePosition((), dependences.validity)
    try:
        with budget("poly-ast", options.operations):
            model = Model.of(scop, levels_of(Target.named(options.march)))
            if not model.source:
                return scop.schedule
            kept = frozenset[str]() if options.permute else frozenset(model.source)
            nests = _Nests(model, kept, options.fuse == "max")
            tree = merge_bands(nests.order_all(place), place)
            return build_schedule(scop.domain, tree)
    except BudgetExceeded:
        remark("missed", "schedule-budget", "scheduling costs too much: original order kept", span)
    except (_NoSchedule, UnsupportedTree):
        remark("missed", "schedule-failed", "no schedule found: original order kept", span)
    return scop.schedule


class _NoSchedule(Exception):
    """The search found nothing for these statements."""

    def __init__(self, names: Iterable[str]):
        super().__init__()
        self.names = frozenset(names)


Rows = tuple[RetimedRow, ...]
WAIT = Direction(None)


@record
class _Level:
    """A loop body that is still to be ordered: its statements with their rows so far, the
    dependences that these do not order, and those that reached the loops around, innermost
    last. `is_in_parallel`: a loop around is parallel."""

    rows: Mapping[str, Rows]
    place: TreePosition
    around: tuple[isl.UnionMap, ...] = ()
    is_in_parallel: bool = False


@record
class _Nests:
    """Algorithms 2 to 4. `as_in_source` are the statements whose loops keep the order of the
    source; `fuses`: components may share loops."""

    model: Model
    as_in_source: frozenset[str] = frozenset()
    fuses: bool = True

    def order_all(self, place: TreePosition) -> Tree:
        names = self.model.source.keys()
        level = _Level({name: () for name in names}, place)
        try:
            return self._order(level)
        except _NoSchedule as failure:
            if self.as_in_source >= names:
                raise
            more = failure.names - self.as_in_source or names
            return replace(self, as_in_source=self.as_in_source | more).order_all(place)

    def _order(self, level: _Level) -> Tree:
        """Algorithm 2."""
        edges = edges_of(level.place.pending)
        parts = [self._permuted(level, names, edges) for names in _components(level.rows, edges)]
        fusion = Fusion(self.model, level.rows, edges, level.is_in_parallel)
        groups = fusion.fuse(parts) if self.fuses else fusion.in_order(parts)
        children = [(self._instances(one.names), self._nest(level, one, edges)) for one in groups]
        return children[0][1] if len(children) == 1 else TreeSequence(tuple(children))

    def _permuted(self, level: _Level, names: Sequence[str], edges: Sequence[Edge]) -> Fused:
        found = self._permute(level, names, edges)
        if found is None:
            raise _NoSchedule(names)
        return Fused(frozenset(names), found)

    def _nest(self, level: _Level, group: Fused, edges: Sequence[Edge]) -> Tree:
        """The loop of the group, and what is inside."""
        if all(direction.axis is None for direction in group.directions.values()):
            if len(group.names) > 1:
                raise _NoSchedule(group.names)
            return LEAF
        member, inner = self._enter(level, group.names, group.directions, edges)
        tree = self._order_perfectly(inner) if group.components == 1 else None
        return Band((member,), tree or self._order(inner))

    def _order_perfectly(self, level: _Level) -> Tree | None:
        """Algorithm 3: None if the statements cannot all be in all loops."""
        names, edges = list(level.rows), edges_of(level.place.pending)
        if not any(self._left(level, name) for name in names):
            components = _components(level.rows, edges)
            if len(components) < len(names):
                return None
            leaves = tuple((self._instances(one), LEAF) for one in components)
            return LEAF if len(leaves) == 1 else TreeSequence(leaves)
        found = self._permute(level, names, edges)
        if found is None:
            return None
        member, inner = self._enter(level, names, found, edges)
        tree = self._order_perfectly(inner)
        return tree and Band((member,), tree)

    def _permute(
        self, level: _Level, names: Sequence[str], edges: Sequence[Edge]
    ) -> dict[str, Direction] | None:
        """Algorithm 4. The deepest statements come first, so that others give way to them."""
        deepest_first = sorted(names, key=lambda name: -len(self._left(level, name)))
        loops = len(self._left(level, deepest_first[0]))
        candidates = {name: self._candidates(level, name, loops) for name in deepest_first}
        own = among(edges, names)
        found = find_directions(candidates, own)
        return found and self._following(level, found, own)

    def _following(
        self, level: _Level, found: dict[str, Direction], edges: Sequence[Edge]
    ) -> dict[str, Direction]:
        """Statements that wait go along an iterator that they had instead, where more of the
        dependences that reach the loops around go forward then: less is left to skew."""
        waiting = [name for name, one in found.items() if one.axis is None]
        if not waiting or len(waiting) == len(found):
            return found
        wishes = self._wishes(level, found)
        shifts = least_shifts(found, edges, wishes)
        for name in waiting:
            for other in _used(level.rows[name]):
                changed = found | {name: other}
                moved = least_shifts(changed, edges, wishes)
                if moved is None or shifts is None:
                    continue
                if _kept(changed, moved, wishes) > _kept(found, shifts, wishes):
                    found, shifts = changed, moved
        return found

    def _candidates(self, level: _Level, name: str, loops: int) -> list[Direction]:
        """What the statement may do in the first of so many loops: go along one of its iterators,
        wait where it has fewer than loops are left, or go along one that it had, go backward along
        one."""
        left = self._left(level, name)
        if name in self.as_in_source:
            return left[:1] or [WAIT, *_used(level.rows[name])]
        waiting = [WAIT, *_used(level.rows[name])] if len(left) < loops or not left else []
        return [*left, *waiting, *(one.reversed() for one in left)]

    def _left(self, level: _Level, name: str) -> list[Direction]:
        """The statement's iterators that no row runs along yet, in the order to try them."""
        used = {row.direction.axis for row in level.rows[name]}
        order = self.model.source if name in self.as_in_source else self.model.best
        return [one for one in order[name] if one.axis not in used]

    def _enter(
        self,
        level: _Level,
        names: Iterable[str],
        directions: Mapping[str, Direction],
        edges: Sequence[Edge],
    ) -> tuple[Member, _Level]:
        """The loop along the directions, and the level inside."""
        rows = self.rows_of(level, directions, among(edges, names))
        member = Member(self._function(rows))
        here = level.place.among(self._instances(names))
        inside = _Level(
            {name: (*level.rows[name], rows[name]) for name in level.rows if name in rows},
            here.inside((member,)),
            (*level.around, here.pending),
            level.is_in_parallel or is_parallel(rows, among(edges, names)),
        )
        return member, inside

    def rows_of(
        self, level: _Level, directions: Mapping[str, Direction], edges: Sequence[Edge]
    ) -> dict[str, RetimedRow]:
        """The directions with the least shifts that keep the edges and, where they can, the
        dependences that the loops around carry: then the nest can be tiled unskewed."""
        shifts = least_shifts(directions, edges, self._wishes(level, directions))
        if shifts is None:
            raise _NoSchedule(directions)
        return {name: RetimedRow(one, shifts[name]) for name, one in directions.items()}

    def _wishes(self, level: _Level, names: Iterable[str]) -> list[Edge]:
        """The dependences between the statements that the loops around carry, innermost first."""
        wishes, kept = list[Edge](), list(names)
        if len(kept) > 1:
            instances = self._instances(kept)
            for pairs in reversed(level.around):
                wishes += edges_of(pairs.intersect_domain(instances).intersect_range(instances))
        return wishes

    def _function(self, rows: Mapping[str, RetimedRow]) -> isl.UnionPwAff:
        function = isl.UnionPwAff.empty(self.model.scop.context.get_space())
        for name, row in rows.items():
            space = self.model.scop.statement(name).domain.get_space()
            part = isl.UnionPwAff.from_pw_aff(row.function(space))
            function = function.union_add(part)
        return function

    def _instances(self, names: Iterable[str]) -> isl.UnionSet:
        union = isl.UnionSet.empty(self.model.scop.context.get_space())
        for name in names:
            union = union.union(isl.UnionSet.from_set(self.model.scop.statement(name).domain))
        return union


def _used(rows: Rows) -> list[Direction]:
    """The directions that the statement went in, each once, the last one first."""
    found = [row.direction for row in reversed(rows) if row.direction.axis is not None]
    return list(dict.fromkeys(found))


def _kept(
    directions: Mapping[str, Direction], shifts: Mapping[str, int], wishes: Iterable[Edge]
) -> int:
    """How many of the edges go forward along rows of these directions and shifts."""
    kept = 0
    for edge in wishes:
        least = edge.least(directions[edge.source], directions[edge.target])
        kept += least is not None and least + shifts[edge.target] - shifts[edge.source] >= 0
    return kept


def _components(names: Iterable[str], edges: Sequence[Edge]) -> list[list[str]]:
    """The strongly connected components, each after those that it depends on."""
    listed = list(names)
    arcs = {(edge.source, edge.target) for edge in edges}
    graph = [[(one, other) in arcs for other in listed] for one in listed]
    return [[listed[k] for k in component] for component in ordered_components(graph)]
