"""Pieces become loops, one dimension of time after the other, outermost first.

  1. the pieces that have to share a loop are found, and the loops' order (`groups`);
  2. a loop is bounded by the rows of the pieces' projections (`echelon`); rows that what is
     known here implies are left out, and so are those implied by the others, while there is
     one lower and one upper bound left; a column that all pieces determine is no loop;
  3. a stride that all pieces have becomes the loop's step, its start aligned;
  4. what all pieces demand of outer columns, and no loop inside does, is a branch around it, as is
     what they demand of the parameters where that spares bounds, outside of all loops that it
     does not depend on;
  5. at a leaf, iterators that the times do not determine are scanned by loops of their own, and
     what a piece demands and nothing above implies is asked.

So the innermost questions are exact: an instance runs if and only if it is in its polyhedron.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from polyopt.poly.loops.ast_conversion import LoopFacts
from polyopt.poly.loops.expressions import names_in, subtract
from polyopt.poly.loops.loop_tree import Branch, Condition, Const, Instance, Loop, Name, Node
from polyopt.poly.scanning.affine_lattice import Congruence, common_column, congruence_at
from polyopt.poly.scanning.bounds import loop_bounds, prune
from polyopt.poly.scanning.echelon import Polyhedron
from polyopt.poly.scanning.groups import common_rows, ordered_groups
from polyopt.poly.scanning.peeling import peeled
from polyopt.poly.scanning.pieces import End, Level, Piece, Plan, Split, orders
from polyopt.poly.scanning.places import Place, guarded
from polyopt.poly.scanning.systems import Row, System, coefficient, implies, minimise, rank
from polyopt.support.record import record

Judge = Callable[[Sequence[Piece], int, int | None], LoopFacts]
"""What a loop over some pieces carries, by its depth and that of the only loop inside it."""

Body = Callable[[Place], tuple[Node, ...]]


def start(parameters: Sequence[str], known: System) -> Place:
    """The place outside of all loops."""
    return Place(known, (), (Const(1), *map(Name, parameters)))


@record
class Scanner:
    """`names` are the loops' by depth."""

    names: Sequence[str]
    judge: Judge

    def plan(
        self, plan: Plan, pieces: Sequence[Piece], depth: int, place: Place
    ) -> tuple[Node, ...]:
        """The loops of `plan` for some of its pieces."""
        match plan:
            case End():
                return tuple(node for piece in pieces for node in self.leaf(piece, depth, place))
            case Split(children):
                nodes = list[Node]()
                for child in children:
                    mine = [piece for piece in pieces if piece.leaf in child.leaves]
                    nodes += self.plan(child, mine, depth, place)
                return tuple(nodes)
            case Level(child, marks):
                if not pieces:
                    return ()
                nodes = list[Node]()
                column = pieces[0].first_time + depth
                for group in self._groups(child, pieces, column, place):
                    body = self._inside(child, group, depth + 1)
                    nodes += self.loop(group, depth, marks, place, body)
                return tuple(nodes)

    def _groups(
        self, plan: Plan, pieces: Sequence[Piece], column: int, place: Place
    ) -> list[list[Piece]]:
        """The pieces of each loop; one that has but a single value, where the others' bounds do
        not reach, is peeled off them."""
        shadows = [(one, one.polyhedron.shadow(column)) for one in pieces]
        found = list[list[Piece]]()
        for group in ordered_groups(shadows, column, place.rows, partial(orders, plan)):
            parts = peeled(group, column, place.rows)
            found += [group] if parts is None else self._groups(plan, parts, column, place)
        return found

    def _inside(self, plan: Plan, pieces: Sequence[Piece], depth: int) -> Body:
        return lambda place: self.plan(plan, pieces, depth, place)

    def loop(
        self,
        pieces: Sequence[Piece],
        depth: int,
        marks: tuple[str, ...],
        place: Place,
        body: Body,
    ) -> tuple[Node, ...]:
        """A loop that all `pieces` share, behind what they all demand of the columns before."""
        column = pieces[0].first_time + depth
        systems = [piece.polyhedron.shadow(column) for piece in pieces]
        hull = systems[0] if len(pieces) == 1 else common_rows(systems, place.rows)
        outer = [row for row in hull if not coefficient(row, column)]
        bounds = [row for row in hull if coefficient(row, column)]
        own = prune(bounds, column, place.rows)
        asked = _not_asked_inside(outer, pieces, column, place.rows)
        parametric = [row for row in outer if rank(row) < pieces[0].first_time]
        shorter = prune(own, column, (*place.rows, *parametric))
        if len(shorter) < len(own):
            own, asked = shorter, [*asked, *parametric]
        needed = minimise(asked, place.rows)
        congruences = _common_congruences(pieces, column - 1, place)
        conditions = place.conditions(needed, congruences)
        place = place.with_rows((*needed, *own)).with_congruences(congruences)

        shared = common_column(
            [one.polyhedron.lattice.column(column) for one in pieces], place.lattice
        )
        if shared.is_determined:
            return guarded(conditions, body(place.with_value(place.quotient(shared.offset))))
        lower, upper = loop_bounds(own, systems, column, place, shared)
        if (met := congruence_at(shared)) is not None:
            place = place.with_congruences((met,))
        if subtract(upper, lower) == Const(1):
            return guarded(conditions, body(place.with_value(lower)))
        name = self.names[depth]
        inner = body(place.with_value(Name(name)))
        if not inner:
            return ()
        match inner:
            case (Branch(condition, then, ()),) if name not in names_in(condition):
                conditions, inner = (*conditions, condition), then
            case _:
                pass
        inside = _only_loop(inner)
        facts = self.judge(pieces, depth, self.names.index(inside) if inside else None)
        loop = Loop(
            name,
            lower,
            upper,
            shared.stride,
            inner,
            facts.is_parallel,
            facts.reductions,
            marks,
            pipeline=facts.pipeline,
        )
        return guarded(conditions, (loop,))

    def leaf(
        self, piece: Piece, depth: int, place: Place, marks: tuple[str, ...] = ()
    ) -> tuple[Node, ...]:
        """The instances of one piece where the columns before `depth` have values; loops for the
        others get `marks`."""
        column = piece.first_time + depth
        if column <= piece.polyhedron.visible:
            return self.loop(
                [piece],
                depth,
                marks,
                place,
                lambda inner: self.leaf(piece, depth + 1, inner, marks),
            )
        values = tuple(place.values[column] for column in piece.iterators)
        asked = membership(piece.polyhedron, place)
        return guarded(asked, (Instance(piece.statement, values),))


def membership(polyhedron: Polyhedron, place: Place) -> tuple[Condition, ...]:
    """What is left to be asked where the parameters and variables have values, so that the point
    is in `polyhedron`."""
    place = _with_divisions(polyhedron, place)
    every = (polyhedron.lattice.congruence(column) for column in range(1, polyhedron.width + 1))
    congruences = dict.fromkeys(one for one in every if one is not None and not place.is_met(one))
    rows = [row for row in polyhedron.rows if not implies(place.rows, row)]
    return place.conditions(minimise(rows, place.rows), tuple(congruences))


def _only_loop(nodes: Sequence[Node]) -> str | None:
    """The name of the loop that is all of `nodes`, perhaps under conditions."""
    match nodes:
        case [Loop(iterator)]:
            return iterator
        case [Branch(_, then, ())]:
            return _only_loop(then)
        case _:
            return None


def _not_asked_inside(
    rows: Sequence[Row], pieces: Sequence[Piece], column: int, known: System
) -> list[Row]:
    """Those of `rows`, about columns before `column`, that have to be asked here: neither
    `known` nor implied by the bounds of the loops inside, which are empty where they fail."""
    asked = [row for row in rows if not implies(known, row)]
    for piece in pieces:
        if not asked:
            return []
        inside = [
            row for row in piece.polyhedron.shadow(piece.polyhedron.visible) if rank(row) >= column
        ]
        asked = [row for row in asked if not implies((*known, *inside), row)]
    return asked


def _common_congruences(pieces: Sequence[Piece], last: int, place: Place) -> list[Congruence]:
    """What all pieces demand of the columns up to `last` besides inequalities, unless it is known
    at `place`."""
    first, *others = [
        [lattice.congruence(column) for column in range(1, last + 1)]
        for lattice in (piece.polyhedron.lattice for piece in pieces)
    ]
    return [
        one
        for one in first
        if one is not None and not place.is_met(one) and all(one in other for other in others)
    ]


def _with_divisions(polyhedron: Polyhedron, place: Place) -> Place:
    """The place with the divisions as further columns, and with what defines them."""
    points = polyhedron.lattice
    for k, division in enumerate(polyhedron.divisions):
        column = polyhedron.visible + 1 + k
        at = points.column(column)
        if at.is_determined:
            place = place.with_rows(points.value_rows(column))
            place = place.with_value(place.quotient(at.offset))
        else:
            place = place.with_rows(polyhedron.definition(k))
            place = place.with_value(place.quotient(division))
    return place
