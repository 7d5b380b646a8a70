"""Which components of a loop level the poly-ast scheduler fuses: algorithm 5 of the paper.

J. Shirako, L.-N. Pouchet, V. Sarkar, Oil and water can mix: an integration of polyhedral and
AST-based transformations, SC 2014, §III.C. Beginning with the deepest, each component takes in all
others for which

    1. nothing that belongs to neither has to run between the two
    2. some array is touched alike by both in all loops down to this one
    3. the memory cost falls
    4. there are reversals and shifts that keep the dependences between them
    5. no outermost parallel loop becomes a serial one; one that carries nothing but reductions
       that may be reordered is parallel
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from polyopt.poly.changes.retiming import Direction, Edge, RetimedRow, find_directions, least_shifts
from polyopt.poly.cost.memory_cost import Body, least_cost, share_data
from polyopt.poly.schedulers.poly_ast_model import Model
from polyopt.support.components import ordered_components
from polyopt.support.record import record


@record
class Fused:
    """Components that share the loop of one level, with directions for which shifts exist."""

    names: frozenset[str]
    directions: Mapping[str, Direction]
    components: int = 1


@record
class Fusion:
    """Algorithm 5 at one level: the statements have `rows` so far, which leave the edges to be
    ordered. `is_in_parallel`: a loop around is parallel."""

    model: Model
    rows: Mapping[str, tuple[RetimedRow, ...]]
    edges: Sequence[Edge]
    is_in_parallel: bool

    def fuse(self, parts: Sequence[Fused]) -> list[Fused]:
        """The components in groups, in an order that the dependences allow."""
        done = list[Fused]()
        left = sorted(parts, key=self._depth, reverse=True)
        while left:
            group = left.pop(0)
            grown = True
            while grown and self._depth(group):
                grown = False
                for other in [one for one in left if self._depth(one)]:
                    rest = [*done, *(one for one in left if one is not other)]
                    fused = self._together(group, other, rest)
                    if fused is not None:
                        left.remove(other)
                        group, grown = fused, True
            done.append(group)
        return self.in_order(done)

    def _depth(self, group: Fused) -> int:
        """How many loops the deepest statement still gets; 0 if none along this level."""
        if all(direction.axis is None for direction in group.directions.values()):
            return 0
        return max(len(self.model.source[name]) for name in group.names)

    def _together(self, group: Fused, other: Fused, rest: Sequence[Fused]) -> Fused | None:
        if self._something_between(group, other, rest):
            return None
        names = group.names | other.names
        edges = among(self.edges, names)
        ways = {
            name: [one] if one.axis is None else [one, one.reversed()]
            for name, one in (*group.directions.items(), *other.directions.items())
        }
        directions = find_directions(ways, edges)
        if directions is None or not self._pays(group.names, other.names, directions):
            return None
        fused = Fused(names, directions, group.components + other.components)
        if not self.is_in_parallel and not self._is_parallel(fused):
            if self._is_parallel(group) or self._is_parallel(other):
                return None
        return fused

    def _something_between(self, group: Fused, other: Fused, rest: Sequence[Fused]) -> bool:
        """Whether a third has to run after the one and before the other."""
        return self._leads(group, other, rest) or self._leads(other, group, rest)

    def _leads(self, start: Fused, end: Fused, rest: Sequence[Fused]) -> bool:
        reached, waiting = list[Fused](), [start]
        while waiting:
            here = waiting.pop()
            after = [one for one in rest if one not in reached and self._precedes(here, one)]
            reached += after
            waiting += after
        return any(self._precedes(one, end) for one in reached)

    def _precedes(self, one: Fused, other: Fused) -> bool:
        return any(e.source in one.names and e.target in other.names for e in self.edges)

    def _pays(
        self, one: frozenset[str], other: frozenset[str], directions: Mapping[str, Direction]
    ) -> bool:
        bodies, others = self._bodies(one, directions), self._bodies(other, directions)
        if not share_data(bodies, others):
            return False
        levels = self.model.levels
        together = least_cost(self._bodies(one | other, directions), levels)
        return together < least_cost(bodies, levels) + least_cost(others, levels)

    def _bodies(self, names: frozenset[str], directions: Mapping[str, Direction]) -> list[Body]:
        """In the order of the source."""
        return [
            self.model.body(name, [*(row.direction for row in rows), directions[name]])
            for name, rows in self.rows.items()
            if name in names
        ]

    def _is_parallel(self, group: Fused) -> bool:
        edges = among(self.edges, group.names)
        shifts = least_shifts(group.directions, edges)
        assert shifts is not None
        return is_parallel(
            {n: RetimedRow(d, shifts[n]) for n, d in group.directions.items()}, edges
        )

    def in_order(self, groups: Sequence[Fused]) -> list[Fused]:
        """Each after those that it depends on, else as in the source."""
        place = {name: k for k, name in enumerate(self.rows)}
        groups = sorted(groups, key=lambda one: min(place[name] for name in one.names))
        before = [[self._precedes(one, other) for other in groups] for one in groups]
        return [groups[k] for (k,) in ordered_components(before)]


def is_parallel(rows: Mapping[str, RetimedRow], edges: Iterable[Edge]) -> bool:
    """Whether no edge is carried by the rows, which keep them all."""
    for edge in edges:
        before, after = rows[edge.source], rows[edge.target]
        greatest = edge.greatest(before.direction, after.direction)
        if greatest is None or greatest + after.shift - before.shift > 0:
            return False
    return True


def among(edges: Iterable[Edge], names: Iterable[str]) -> list[Edge]:
    kept = frozenset(names)
    return [edge for edge in edges if edge.source in kept and edge.target in kept]
