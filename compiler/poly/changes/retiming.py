"""One dimension of a schedule: which iterator each statement runs along, which way, how shifted.

A row of statement S is the function  sign * i_axis + shift,  or the constant  shift  where S has
no iterator left. Rows r keep a dependence s -> t from S to T if  r_T(t) - r_S(s) >= 0.  With the
axes and signs (the directions) fixed, let m be the least  sign_T * t - sign_S * s  of the
dependence; then what is asked of the shifts is

    shift_T >= shift_S - m          impossible if there is no least one

A system of such differences has solutions iff the graph with these weights has no cycle of
positive weight, and the longest paths in it are the least ones (J. Shirako, L.-N. Pouchet,
V. Sarkar, Oil and water can mix, SC 2014, §III.C, solve the same constraints on the sign of alpha
and on c). Reversal is the sign, retiming the shift.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

import islpy as isl

from polyopt.poly.isl.lists import maps
from polyopt.poly.isl.numbers import val
from polyopt.support.record import entity, record

_In = isl.dim_type.in_

TRIES = 2000
"""Directions tried for the statements of one component, before the search is given up."""


@record
class Direction:
    """`axis` is the position of an iterator; None: no iterator is left."""

    axis: int | None
    sign: int = 1

    def reversed(self) -> Direction:
        return Direction(self.axis, -self.sign)


@record
class RetimedRow:
    direction: Direction
    shift: int = 0

    def function(self, space: isl.Space) -> isl.PwAff:
        """{ S[i] -> sign * i_axis + shift } for all of the space of S."""
        aff = isl.Aff.zero_on_domain(isl.LocalSpace.from_space(space))
        aff = aff.set_constant_val(val(self.shift))
        if self.direction.axis is not None:
            sign = val(self.direction.sign)
            aff = aff.set_coefficient_val(_In, self.direction.axis, sign)
        return isl.PwAff.from_aff(aff)


@record(eq=False)
class Edge:
    """The dependences from one statement to another, as a set of pairs [S[s] -> T[t]]."""

    source: str
    target: str
    pairs: isl.Set
    source_dimensions: int
    _known: dict[tuple[Direction, Direction], int | None] = field(
        default_factory=dict[tuple[Direction, Direction], int | None]
    )

    def least(self, before: Direction, after: Direction) -> int | None:
        """The least difference of time of the pairs, with these directions of the source and of
        the target; None if there is none."""
        key = (before, after)
        if key not in self._known:
            self._known[key] = self._compute_least(before, after)
        return self._known[key]

    def greatest(self, before: Direction, after: Direction) -> int | None:
        opposite = self.least(_negated(before), _negated(after))
        return None if opposite is None else -opposite

    def _compute_least(self, before: Direction, after: Direction) -> int | None:
        space = isl.LocalSpace.from_space(self.pairs.get_space())
        aff = isl.Aff.zero_on_domain(space)
        if before.axis is not None:
            aff = aff.add_coefficient_val(_In, before.axis, val(-before.sign))
        if after.axis is not None:
            place = self.source_dimensions + after.axis
            aff = aff.add_coefficient_val(_In, place, val(after.sign))
        value = self.pairs.min_val(aff)
        return value.to_python() if value.is_int() else None


def _negated(direction: Direction) -> Direction:
    return direction if direction.axis is None else direction.reversed()


def edges_of(pairs: isl.UnionMap) -> list[Edge]:
    return [
        Edge(
            str(part.get_tuple_name(_In)),
            str(part.get_tuple_name(isl.dim_type.out)),
            part.wrap(),
            part.dim(_In),
        )
        for part in maps(pairs)
        if not part.is_empty()
    ]


Candidates = Mapping[str, Sequence[Direction]]
Directions = Mapping[str, Direction]


def find_directions(candidates: Candidates, edges: Sequence[Edge]) -> dict[str, Direction] | None:
    """A direction for each statement such that shifts exist: the first in the order of the
    candidates, the first statement's changed last; None if there is none or it is not found."""
    search = _Search(candidates, edges)
    return search.extend({}, list(candidates))


@entity
class _Search:
    candidates: Candidates
    edges: Sequence[Edge]
    tries: int = 0

    def extend(self, chosen: dict[str, Direction], left: list[str]) -> dict[str, Direction] | None:
        if not left:
            return chosen
        for direction in self.candidates[left[0]]:
            self.tries += 1
            if self.tries > TRIES:
                return None
            extended = chosen | {left[0]: direction}
            inside = [e for e in self.edges if e.source in extended and e.target in extended]
            if least_shifts(extended, inside) is None:
                continue
            found = self.extend(extended, left[1:])
            if found is not None:
                return found
        return None


def least_shifts(
    directions: Directions, edges: Iterable[Edge], wishes: Iterable[Edge] = ()
) -> dict[str, int] | None:
    """The least shifts, none negative, that keep all edges, and of the wishes, one after the
    other, each that can still be kept; None if the edges cannot."""
    needs = list[_Difference]()
    for edge in edges:
        need = _need(directions, edge)
        if need is None:
            return None
        needs.append(need)
    shifts = _longest_paths(directions, needs)
    if shifts is None:
        return None
    for edge in wishes:
        wish = _need(directions, edge)
        more = None if wish is None else _longest_paths(directions, [*needs, wish])
        if wish is not None and more is not None:
            needs.append(wish)
            shifts = more
    return shifts


@record
class _Difference:
    """shift of `target` - shift of `source` >= `least`."""

    source: str
    target: str
    least: int


def _need(directions: Directions, edge: Edge) -> _Difference | None:
    least = edge.least(directions[edge.source], directions[edge.target])
    return None if least is None else _Difference(edge.source, edge.target, -least)


def _longest_paths(names: Iterable[str], needs: Sequence[_Difference]) -> dict[str, int] | None:
    """R. Bellman, L. Ford: None if a cycle has positive weight."""
    shifts = dict.fromkeys(names, 0)
    for _ in range(len(shifts) + 1):
        changed = False
        for need in needs:
            wanted = shifts[need.source] + need.least
            if wanted > shifts[need.target]:
                shifts[need.target] = wanted
                changed = True
        if not changed:
            return shifts
    return None
