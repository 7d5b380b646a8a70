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

from collections.abc import Iterator
from collections.abc import Sequence as Seq
from dataclasses import field, replace

import islpy as isl

from polyopt.poly.isl_lists import sets
from polyopt.poly.scanning.echelon import Polyhedron, polyhedra, polyhedron
from polyopt.poly.scanning.systems import Row, System, equality
from polyopt.poly.schedule_tree import Band, Leaf, Mark, Member, Sequence, Tree, joint_function
from polyopt.support.record import entity, record


@record(eq=False)
class Piece:
    """Instances of `statement`: `polyhedron` is over the `times` and then the iterators. `leaf` is
    the place that they have in the tree."""

    statement: str
    polyhedron: Polyhedron
    times: int
    leaf: int

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
        return replace(self, polyhedron=self.polyhedron.restricted(rows))

    def order(self, depth: int) -> isl.Map:
        """{ S[i] -> [t_0, ..., t_depth] }; further inside, iterators follow the times."""
        iterators = [f"i{k}" for k in range(len(self.iterators))]
        columns = [*(f"t{k}" for k in range(self.times)), *iterators]
        condition = self.polyhedron.condition([*self.polyhedron.parameters, *columns])
        outer = [f"x{k}" for k in range(depth + 1)]
        equal = "".join(f"{x} = {name} and " for x, name in zip(outer, columns, strict=False))
        where = f"{equal}{condition}"
        if self.times:
            where = f"exists {', '.join(columns[: self.times])} : {where}"
        return isl.Map(
            f"[{', '.join(self.polyhedron.parameters)}] -> {{ "
            f"{self.statement}[{', '.join(iterators)}] -> [{', '.join(outer)}] : {where} }}"
        )


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
    return planner.plan(tree, instances, (), ()), planner.pieces


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
        marks: tuple[str, ...],
    ) -> Plan:
        match tree:
            case Leaf():
                self.pieces += self._pieces(instances, above)
                self.leaves += 1
                return End(self.leaves - 1)
            case Mark(name, child):
                return self.plan(child, instances, above, (*marks, name))
            case Sequence(children):
                return Split(
                    tuple(
                        self.plan(child, instances.intersect(filter), above, ())
                        for filter, child in children
                    )
                )
            case Band(members, child):
                plan = self.plan(child, instances, (*above, *members), ())
                for _ in members:
                    plan = Level(plan, marks)
                return plan

    def _pieces(self, instances: isl.UnionSet, above: tuple[Member, ...]) -> Iterator[Piece]:
        for part in sets(instances):
            if part.is_empty():
                continue
            whole = self._timed(part, above).align_params(self.known.get_space())
            value = whole.range().gist_params(self.known)
            for one in polyhedra(value.coalesce()):
                yield Piece(part.get_tuple_name() or "", one, len(above), self.leaves)

    def _timed(self, instances: isl.Set, above: tuple[Member, ...]) -> isl.Map:
        """{ S[i] -> [t, i] }."""
        itself = isl.Map.identity(instances.get_space().map_from_set()).intersect_domain(instances)
        itself = itself.set_tuple_name(isl.dim_type.out, "")
        if not above:
            return itself
        union = isl.UnionSet.from_set(instances)
        time = isl.UnionMap.from_multi_union_pw_aff(joint_function(above)).intersect_domain(union)
        return isl.Map.from_union_map(time).flat_range_product(itself)


def parameter_rows(known: isl.Set) -> System:
    """What one polyhedron can say of what `known` says of the parameters."""
    hull = polyhedron(known.remove_divs().simple_hull())
    return hull.inequalities + tuple(row for one in hull.equalities for row in equality(one))
