"""What a schedule tree runs, as disjoint polyhedra, and the tree as the loops it asks for.

For each leaf and each statement in it, the instances and when they run are one set

    { [t_0, ..., t_m, i_0, ..., i_n] : S[i] is in the leaf and runs at time t }

where t are the functions of the bands above the leaf, outermost first: sequences have no
dimension here. The set is cut into disjoint polyhedra, the `Piece`s. The tree becomes

    Level    one dimension of time: one or several loops, one after the other
    Split    the children of a sequence, one after the other
    End      a leaf: its pieces, in any order
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import field, replace

import islpy as isl

from polyopt.poly.isl.lists import sets
from polyopt.poly.isl.names import apart
from polyopt.poly.scanning.echelon import Polyhedron, polyhedra, polyhedron
from polyopt.poly.scanning.systems import Row, System, equality
from polyopt.poly.scanning.times import Order
from polyopt.poly.schedule_tree import Band, Leaf, Mark, Member, Sequence, Tree
from polyopt.support.record import entity, record


@record(eq=False)
class Piece:
    """Instances of `statement`: `polyhedron` is over the `times` and then the iterators. `leaf` is
    the place that they have in the tree, `orders` are those of the levels above and then that of
    the leaf; `is_cut` if this is not one of the pieces that are counted there."""

    statement: str
    polyhedron: Polyhedron
    times: int
    leaf: int = 0
    orders: tuple[Order, ...] = ()
    is_cut: bool = False

    @property
    def first_time(self) -> int:
        """The column of t_0."""
        return len(self.polyhedron.parameters) + 1

    @property
    def iterators(self) -> range:
        """The columns of i_0, ..., i_n."""
        return range(self.first_time + self.times, self.polyhedron.visible + 1)

    def restricted(self, rows: Seq[Row]) -> Piece:
        """The part that meets `rows`."""
        return replace(self, polyhedron=self.polyhedron.restricted(rows), is_cut=True)

    @property
    def set(self) -> isl.Set:
        """{ [t, i] }."""
        parameters = self.polyhedron.parameters
        columns = apart("x", self.polyhedron.variables, parameters)
        condition = self.polyhedron.condition([*parameters, *columns])
        return isl.Set(f"[{', '.join(parameters)}] -> {{ [{', '.join(columns)}] : {condition} }}")


@record(eq=False)
class Level:
    child: Plan
    marks: tuple[str, ...]

    @property
    def leaves(self) -> range:
        return self.child.leaves


@record(eq=False)
class Split:
    children: tuple[Plan, ...]

    @property
    def leaves(self) -> range:
        return range(self.children[0].leaves.start, self.children[-1].leaves.stop)


@record(eq=False)
class End:
    leaf: int

    @property
    def leaves(self) -> range:
        return range(self.leaf, self.leaf + 1)


Plan = Level | Split | End


def orders(plan: Plan, first: Piece, second: Piece) -> bool:
    """Whether `plan` may have to run an instance of `first` before one of `second`."""
    match plan:
        case End():
            return False
        case Level():
            return True
        case Split(children):
            a, b = (
                next(k for k, child in enumerate(children) if piece.leaf in child.leaves)
                for piece in (first, second)
            )
            return orders(children[a], first, second) if a == b else a < b


def plan_loops(tree: Tree, instances: isl.UnionSet, known: isl.Set) -> tuple[Plan, list[Piece]]:
    """`tree` for `instances`, where `known` holds: the loops, and what they run; all pieces have
    the parameters of `known`."""
    planner = _Planner(known)
    return planner.plan(tree, instances, (), (), ()), planner.pieces


Orders = dict[str, Order]
"""By statement."""


@entity
class _Planner:
    known: isl.Set
    pieces: list[Piece] = field(default_factory=list[Piece])
    leaves: int = 0

    def plan(
        self,
        tree: Tree,
        instances: isl.UnionSet,
        above: tuple[Member, ...],
        orders: tuple[Orders, ...],
        marks: tuple[str, ...],
    ) -> Plan:
        match tree:
            case Leaf():
                self._add_pieces((*orders, _orders(instances, above)))
                self.leaves += 1
                return End(self.leaves - 1)
            case Mark(name, child):
                return self.plan(child, instances, above, orders, (*marks, name))
            case Sequence(children):
                return Split(
                    tuple(
                        self.plan(child, instances.intersect(filter), above, orders, ())
                        for filter, child in children
                    )
                )
            case Band(members, child):
                for member in members:
                    above = (*above, member)
                    orders = (*orders, _orders(instances, above))
                plan = self.plan(child, instances, above, orders, ())
                for _ in members:
                    plan = Level(plan, marks)
                return plan

    def _add_pieces(self, orders: tuple[Orders, ...]) -> None:
        for name, order in orders[-1].items():
            whole = order.times_and_iterators.align_params(self.known.get_space())
            found = polyhedra(whole.range().gist_params(self.known).coalesce())
            above = tuple(one[name] for one in orders)
            for one in found:
                self.pieces.append(Piece(name, one, len(order.members), self.leaves, above))
            for one in above:
                one.pieces += len(found)


def _orders(instances: isl.UnionSet, members: tuple[Member, ...]) -> Orders:
    return {
        part.get_tuple_name() or "": Order(part, members)
        for part in sets(instances)
        if not part.is_empty()
    }


def parameter_rows(known: isl.Set) -> System:
    """What one polyhedron can say of what `known` says of the parameters."""
    hull = polyhedron(known.remove_divs().simple_hull())
    return hull.inequalities + tuple(row for one in hull.equalities for row in equality(one))
