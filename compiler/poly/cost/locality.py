"""Which loop should be innermost? The one whose iterations touch memory as vectors like it.

The cost of one innermost iteration of a statement is estimated from the strides of its accesses,
in scalar memory accesses: with L lanes,

    a parallel loop   stride 0 costs nothing, stride 1 or -1 costs 1 / L, a greater one `near`, any
                      other `far`: an element and a cache line of its own
    a serial loop     stride 0 costs nothing, a far access `far`, any other 1, and no iteration is
                      done in less than `latency`
    a serial loop     in lanes of the parallel loop around it: stride 0 costs nothing, stride 1 or
                      -1 `transposed`, for squares of rows are; another costs what it would in a
                      loop over the lanes, at least `across`: its lines lie far apart

A write counts twice: its line is also read. A statement in n loops counts as if each of them ran
`extent` times, so that the deepest statements decide.

A loop is judged where it would stand: of the dependences that reach its band, those count that no
other loop of the band carries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import islpy as isl

from polyopt.poly.analysis.permutability import TreePosition, is_coincident
from polyopt.poly.analysis.strides import AccessMatrices, Direction, Stride, steps_of
from polyopt.poly.linear.linear_forms import map_of, rank
from polyopt.poly.schedule_tree import (
    Band,
    Leaf,
    Mark,
    Member,
    Tree,
    bands,
    statements_of,
)
from polyopt.poly.schedule_tree import Sequence as TreeSequence
from polyopt.support.core_model import CORE
from polyopt.support.record import record


@record
class LocalityModel:
    """`lanes` is how many elements a vector register holds. `in_lanes`: serial loops may run in
    lanes of the loop around them."""

    matrices: AccessMatrices
    lanes: int = 4
    in_lanes: bool = True

    def cost(self, band: Band, position: int, place: TreePosition) -> float:
        """The cost of the statements of an innermost band that stands at `place`, if the member
        at `position` were its last."""
        others = [one for k, one in enumerate(band.members) if k != position]
        member = band.members[position]
        around = place.inside(others)
        is_parallel = around.is_coincident(member)
        members = [*place.outer, *others, member]
        has_lanes = self.in_lanes and not is_parallel and _is_in_lanes(place, others)
        total = 0.0
        for name in statements_of(band):
            total += self._statement_cost(name, members, is_parallel, has_lanes)
        return total

    def _statement_cost(
        self, name: str, members: Sequence[Member], is_parallel: bool, has_lanes: bool
    ) -> float:
        steps = steps_of(name, members)
        weight = CORE.orders.extent ** sum(step is not None for step in steps)
        if has_lanes:
            return weight * self._lanes_cost(name, steps)
        cost = 0.0
        for access in self.matrices.scop.statement(name).accesses:
            stride = self.matrices.stride(name, access, steps[-1])
            once = self._vector_cost(stride) if is_parallel else _scalar_cost(stride)
            cost += 2 * once if access.is_write else once
        return weight * (cost if is_parallel else max(CORE.orders.latency, cost))

    def _lanes_cost(self, name: str, steps: Sequence[Direction | None]) -> float:
        cost = 0.0
        for access in self.matrices.scop.statement(name).accesses:
            along = self.matrices.stride(name, access, steps[-1])
            if along == 0:
                continue
            once = self._vector_cost(self.matrices.stride(name, access, steps[-2]))
            once = (
                min(once, CORE.orders.transposed)
                if along in (1, -1)
                else max(once, CORE.orders.across)
            )
            cost += 2 * once if access.is_write else once
        return cost

    def _vector_cost(self, stride: Stride) -> float:
        if isinstance(stride, str):
            return CORE.orders.far
        return {0: 0.0, 1: 1.0 / self.lanes}.get(abs(stride), CORE.orders.near)


def _is_in_lanes(place: TreePosition, others: Sequence[Member]) -> bool:
    """Is the loop around the innermost one parallel?"""
    if others:
        return place.inside(others[:-1]).is_coincident(others[-1])
    return bool(place.reaching) and is_coincident(place.reaching[-1], place.outer[-1])


def _scalar_cost(stride: Stride) -> float:
    if isinstance(stride, str):
        return CORE.orders.far
    return 1.0 if stride else 0.0


def order_for_locality(tree: Tree, model: LocalityModel, place: TreePosition) -> Tree:
    """In each innermost permutable band: the member of least cost last, the others as they
    were. Legal since the members of a permutable band commute."""
    match tree:
        case Leaf():
            return tree
        case Mark(_, child):
            return replace(tree, child=order_for_locality(child, model, place))
        case TreeSequence(children):
            return replace(
                tree,
                children=tuple(
                    (instances, order_for_locality(child, model, place.among(instances)))
                    for instances, child in children
                ),
            )
        case Band(members, child, permutable):
            if bands(child):
                inner = order_for_locality(child, model, place.inside(members))
                return replace(tree, child=inner)
            if not permutable or len(members) < 2:
                return tree
            costs = [model.cost(tree, k, place) for k in range(len(members))]
            for best in sorted(range(len(members)), key=lambda k: (costs[k], -k)):
                moved = move_innermost(tree, best)
                if moved is tree or not _runs_once(moved, model, place):
                    return moved
            return tree


def _runs_once(band: Band, model: LocalityModel, place: TreePosition) -> bool:
    """Do the other loops say, for some statement, which iteration of the innermost one there is?

    for (i = 0; i < n; i += 8) for (j = i; j < i + 4; j++): inside of j, a loop over i runs once at
    most, and for half the j never."""
    *others, inner = [*place.outer, *band.members]
    for name in statements_of(band):
        domain = model.matrices.scop.statement(name).domain.reset_tuple_id()
        rows = [row for one in others if any(row := one.factors(name) or ())]
        size, last = domain.dim(isl.dim_type.set), inner.factors(name) or ()
        if not rows or not any(last) or rank([*rows, last]) == rank(rows):
            continue
        if map_of(rows, size).intersect_domain(domain).is_injective():
            return True
    return False


def move_innermost(band: Band, position: int) -> Band:
    """The member at `position` last, the others in their order."""
    members = band.members
    if position == len(members) - 1:
        return band
    return replace(band, members=(*members[:position], *members[position + 1 :], members[position]))


def tree_cost(tree: Tree, model: LocalityModel, place: TreePosition) -> float:
    """The cost of all innermost bands as they are."""
    match tree:
        case Leaf():
            return 0.0
        case Mark(_, child):
            return tree_cost(child, model, place)
        case TreeSequence(children):
            return sum(
                tree_cost(child, model, place.among(instances)) for instances, child in children
            )
        case Band(members, child):
            if bands(child):
                return tree_cost(child, model, place.inside(members))
            return model.cost(tree, len(members) - 1, place)


def serial_statements(tree: Tree, place: TreePosition) -> frozenset[str]:
    """Those whose innermost loop carries a dependence."""
    match tree:
        case Leaf():
            return frozenset()
        case Mark(_, child):
            return serial_statements(child, place)
        case TreeSequence(children):
            inner = [
                serial_statements(child, place.among(instances)) for instances, child in children
            ]
            return frozenset[str]().union(*inner)
        case Band(members, child):
            if bands(child):
                return serial_statements(child, place.inside(members))
            pending = place.inside(members[:-1]).pending
            is_parallel = is_coincident(pending, members[-1])
            return frozenset() if is_parallel else frozenset(statements_of(tree))
