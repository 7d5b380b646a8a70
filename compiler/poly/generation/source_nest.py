"""The loops of the source's order, right by construction: a SCoP given back.

A schedule tree that came from loops has in each band member, of each statement, one iterator as
it is, or counted down, or shifted. So the tree is a loop nest. Of any other function (a tile, a
multiple, a skewed time) the time is one iterator more, tied to the others by the domain. All that
is left to do is

    bounds    of each loop: any that no instance is outside of
    guards    of each instance: its whole domain, but for the bounds that just say the same

Nothing is projected as long as the domain has bounds of each iterator in those outside, as loops
have; nothing is cut, and nothing has to be disjoint. Such loops are slower than those that a
generator makes: they take the place of a SCoP for which none can be shown to be right.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce

import islpy as isl

from polyopt.poly.isl.lists import basic_sets, pieces, pw_affs
from polyopt.poly.isl.names import parameters_of
from polyopt.poly.loops.expressions import (
    FALSE,
    TRUE,
    add,
    all_of,
    any_of,
    compare,
    floor_div,
    maximum,
    minimum,
    scale,
    subtract,
)
from polyopt.poly.loops.iterator_names import iterator_names
from polyopt.poly.loops.loop_sources import name_sources
from polyopt.poly.loops.loop_tree import Branch, Condition, Const, Expr, Instance, Loop, Name, Node
from polyopt.poly.scanning.bounds import Unbounded
from polyopt.poly.scanning.echelon import Polyhedron, polyhedron
from polyopt.poly.scanning.systems import Row, coefficient, equality, project
from polyopt.poly.schedule_tree import (
    Band,
    Leaf,
    Mark,
    Member,
    Tree,
    UnsupportedTree,
    read_tree,
)
from polyopt.poly.schedule_tree import Sequence as TreeSequence
from polyopt.poly.scop import Scop
from polyopt.support.record import record


def source_nest(scop: Scop, schedule: isl.Schedule) -> tuple[Node, ...]:
    """The loops that run `scop` in the order of `schedule`. Raises UnsupportedTree where that is
    no order of loops, Unbounded where a loop has no bound."""
    parameters = parameters_of(scop.context.get_space())
    parts = list[_Part]()
    for statement in scop.statements:
        domain = statement.domain.align_params(scop.context.get_space())
        values = (None,) * domain.dim(isl.dim_type.set)
        parts.append(_Part(statement.name, domain.get_space(), domain, _pieces(domain), values))
    tree = read_tree(schedule)
    most = max((one.domain.dim(isl.dim_type.set) for one in scop.statements), default=0)
    names = iterator_names(_depth(tree) + most, parameters)
    return name_sources(scop, _Nest(tuple(map(Name, parameters)), names).nodes(tree, parts, 0))


def _depth(tree: Tree) -> int:
    match tree:
        case Leaf():
            return 0
        case Mark(_, child):
            return _depth(child)
        case Band(members, child):
            return len(members) + _depth(child)
        case TreeSequence(children):
            return max((_depth(child) for _, child in children), default=0)


@record(eq=False)
class _Part:
    """Instances of `statement`, at a place in the nest: the `values` of the iterators that the
    loops around fix; `met` are rows of the domain that hold there. Behind the iterators of `own`,
    the statement's space, the domain has those that `timed` gave it."""

    statement: str
    own: isl.Space
    domain: isl.Set
    pieces: tuple[Polyhedron, ...]
    values: tuple[Expr | None, ...]
    met: frozenset[tuple[int, Row]] = frozenset()
    asked: tuple[Condition, ...] = ()

    def with_domain(self, domain: isl.Set) -> _Part:
        return replace(self, domain=domain, pieces=_pieces(domain), met=frozenset())

    @property
    def arity(self) -> int:
        return self.own.dim(isl.dim_type.set)

    def timed(self, functions: Sequence[isl.PwAff]) -> _Part:
        """The same with one more iterator, behind the others: the time that a function gives."""
        more = len(self.values) - self.arity
        maps = [isl.Map.from_pw_aff(one).reset_tuple_id(isl.dim_type.in_) for one in functions]
        times = reduce(isl.Map.union, maps).insert_dims(isl.dim_type.in_, self.arity, more)
        graph = times.wrap().flatten().align_params(self.own.params())
        domain = self.domain.add_dims(isl.dim_type.set, 1).reset_tuple_id()
        both = domain.intersect(graph).align_params(self.own.params())
        return replace(self.with_domain(both), values=(*self.values, None))

    def among(self, instances: isl.UnionSet) -> _Part | None:
        """Those of its instances that are among these; None where there are none."""
        mine = instances.extract_set(self.own)
        if mine.plain_is_universe():
            return self
        if mine.plain_is_empty():
            return None
        more = len(self.values) - self.arity
        if more:
            mine = mine.add_dims(isl.dim_type.set, more).reset_tuple_id()
        return self.with_domain(self.domain.intersect(mine).align_params(self.own.params()))


def _pieces(domain: isl.Set) -> tuple[Polyhedron, ...]:
    """They may overlap."""
    return tuple(
        polyhedron(one)
        for part in basic_sets(domain.compute_divs())
        for one in basic_sets(isl.Set.from_basic_set(part.detect_equalities()).compute_divs())
    )


@record
class _Bounds:
    """least <= iterator <= greatest, from `rows` of the pieces."""

    least: tuple[Expr, ...]
    greatest: tuple[Expr, ...]
    rows: frozenset[tuple[int, Row]]


@record
class _Nest:
    parameters: tuple[Expr, ...]
    names: Sequence[str]

    def nodes(self, tree: Tree, parts: Sequence[_Part], depth: int) -> tuple[Node, ...]:
        parts = [part for part in parts if part.pieces]
        if not parts:
            return ()
        match tree:
            case Leaf():
                return tuple(node for part in parts for node in self._scan(part, depth))
            case Mark(_, child):
                return self.nodes(child, parts, depth)
            case TreeSequence(children):
                return tuple(
                    node
                    for instances, child in children
                    for node in self.nodes(child, _among(parts, instances), depth)
                )
            case Band(members, child):
                return self._loops(members, child, parts, depth)

    def _loops(
        self, members: Sequence[Member], child: Tree, parts: Sequence[_Part], depth: int
    ) -> tuple[Node, ...]:
        if not members:
            return self.nodes(child, parts, depth)
        first, *rest = members
        steps, timed = zip(*(self._step(first, part) for part in parts), strict=True)
        return self._loop(
            steps, timed, depth, lambda inner: self._loops(rest, child, inner, depth + 1)
        )

    def _scan(self, part: _Part, depth: int) -> tuple[Node, ...]:
        """Instances at a leaf: in any order."""
        if None in part.values:
            step = _TimeForm(part.values.index(None), 1, Const(0))
            return self._loop(
                [step],
                [part],
                depth,
                lambda inner: tuple(node for one in inner for node in self._scan(one, depth + 1)),
            )
        arguments = tuple(value for value in part.values[: part.arity] if value is not None)
        condition = all_of(*part.asked, self._membership(part))
        instance = Instance(part.statement, arguments)
        return _guarded(condition, (instance,))

    def _step(self, member: Member, part: _Part) -> tuple[_TimeForm, _Part]:
        """The member as a function of one iterator that is not fixed yet: one of the statement
        or, where it is no such function, one that is the time."""
        found = [
            one
            for one in pw_affs(member.function)
            if one.get_domain_space().get_tuple_name(isl.dim_type.set) == part.statement
        ]
        functions = [value for one in found for _, value in pieces(one)]
        if not functions:
            raise UnsupportedTree("a schedule that is no order of loops")
        if all(one.plain_is_equal(functions[0]) for one in functions):
            form = self._form_of(functions[0].align_params(part.own.params()), part)
            if form is not None:
                return form, part
        return _TimeForm(len(part.values), 1, Const(0)), part.timed(found)

    def _form_of(self, function: isl.Aff, part: _Part) -> _TimeForm | None:
        values = [function.get_constant_val()]
        values += [
            function.get_coefficient_val(isl.dim_type.param, k) for k in range(len(self.parameters))
        ]
        factors = [function.get_coefficient_val(isl.dim_type.in_, k) for k in range(part.arity)]
        divisions = function.dim(isl.dim_type.div)
        if divisions or not all(value.is_int() for value in (*values, *factors)):
            return None
        known = [Const(1), *self.parameters]
        rest = [
            scale(factor.to_python(), value) for factor, value in zip(values, known, strict=True)
        ]
        left = list[tuple[int, int]]()
        for k, (factor, value) in enumerate(zip(factors, part.values, strict=False)):
            if value is not None:
                rest.append(scale(factor.to_python(), value))
            elif not factor.is_zero():
                left.append((k, factor.to_python()))
        if len(left) > 1 or any(abs(factor) != 1 for _, factor in left):
            return None
        ((iterator, sign),) = left or [(None, 1)]
        return _TimeForm(iterator, sign, add(Const(0), *rest))

    def _loop(
        self,
        steps: Sequence[_TimeForm],
        parts: Sequence[_Part],
        depth: int,
        body: Callable[[list[_Part]], tuple[Node, ...]],
    ) -> tuple[Node, ...]:
        bounds = [self._bounds(part, step) for part, step in zip(parts, steps, strict=True)]
        name = self.names[depth]
        is_shared = len({(one.least, one.greatest) for one in bounds}) == 1
        inner = [
            self._inside(part, step, Name(name), one.rows if is_shared else frozenset())
            for part, step, one in zip(parts, steps, bounds, strict=True)
        ]
        lower = minimum(*(maximum(*one.least) for one in bounds))
        upper = maximum(*(minimum(*one.greatest) for one in bounds))
        return (Loop(name, lower, add(upper, Const(1)), 1, body(inner)),)

    def _inside(
        self, part: _Part, step: _TimeForm, time: Expr, met: frozenset[tuple[int, Row]]
    ) -> _Part:
        if step.iterator is None:
            asked = compare(subtract(time, step.rest), is_equality=True)
            return replace(part, asked=(*part.asked, asked))
        values = list(part.values)
        values[step.iterator] = scale(step.sign, subtract(time, step.rest))
        inside = replace(part, values=tuple(values))
        return replace(inside, met=part.met | met if len(part.pieces) == 1 else frozenset())

    def _bounds(self, part: _Part, step: _TimeForm) -> _Bounds:
        """Of the time sign * iterator + rest; those of a union are the outermost of its pieces."""
        if step.iterator is None:
            return _Bounds((step.rest,), (step.rest,), frozenset())
        least, greatest, rows = list[Expr](), list[Expr](), set[tuple[int, Row]]()
        for number, piece in enumerate(part.pieces):
            lower, upper, used = self._sides(part, piece, step.iterator)
            rows |= {(number, row) for row in used}
            if step.sign < 0:
                lower, upper = [scale(-1, one) for one in upper], [scale(-1, one) for one in lower]
            least.append(maximum(*(add(one, step.rest) for one in lower)))
            greatest.append(minimum(*(add(one, step.rest) for one in upper)))
        if len(least) == 1:
            return _Bounds((least[0],), (greatest[0],), frozenset(rows))
        return _Bounds((minimum(*least),), (maximum(*greatest),), frozenset())

    def _sides(
        self, part: _Part, piece: Polyhedron, iterator: int
    ) -> tuple[list[Expr], list[Expr], list[Row]]:
        """The bounds of an iterator, below and above, by rows of the piece that speak of it and
        of what is fixed; where there is none on a side, by what elimination makes."""
        first = len(self.parameters) + 1
        column = first + iterator
        open_columns = [first + k for k, value in enumerate(part.values) if value is None]
        unknown = [k for k in open_columns if k != column]
        unknown += range(piece.visible + 1, piece.width + 1)
        given = [*piece.inequalities, *(row for one in piece.equalities for row in equality(one))]
        used = [
            row
            for row in given
            if coefficient(row, column) and not any(coefficient(row, k) for k in unknown)
        ]
        sides = {row[column] > 0 for row in used}
        if len(sides) < 2:
            given += (row for k in range(len(piece.divisions)) for row in piece.definition(k))
            used = [row for row in project(given, unknown) if coefficient(row, column)]
        values = [Const(1), *self.parameters, *(value or Const(0) for value in part.values)]
        lower, upper = list[Expr](), list[Expr]()
        for row in used:
            factor = row[column]
            rest = _linear((*row[:column], 0, *row[column + 1 :]), values)
            if factor > 0:
                lower.append(floor_div(add(scale(-1, rest), Const(factor - 1)), factor))
            else:
                upper.append(floor_div(rest, -factor))
        if not lower or not upper:
            raise Unbounded("a loop of the source without a bound")
        return lower, upper, used

    def _membership(self, part: _Part) -> Condition:
        """That the instance is in the part's domain."""
        return any_of(
            *(self._inside_piece(part, number, one) for number, one in enumerate(part.pieces))
        )

    def _inside_piece(self, part: _Part, number: int, piece: Polyhedron) -> Condition:
        values = [Const(1), *self.parameters, *(value or Const(0) for value in part.values)]
        for division in piece.divisions:
            values.append(floor_div(_linear(division.row, values), division.divisor))
        asked = [compare(_linear(row, values), is_equality=True) for row in piece.equalities]
        asked += [
            compare(_linear(row, values))
            for row in piece.inequalities
            if (number, row) not in part.met
        ]
        return all_of(*asked)


@record
class _TimeForm:
    """time = sign * iterator + rest; or just rest, where the iterator is None."""

    iterator: int | None
    sign: int
    rest: Expr


def _linear(row: Row, values: Sequence[Expr]) -> Expr:
    pairs = zip(row, values, strict=False)
    return add(Const(0), *(scale(factor, value) for factor, value in pairs if factor))


def _among(parts: Sequence[_Part], instances: isl.UnionSet) -> list[_Part]:
    found = [part.among(instances) for part in parts]
    return [part for part in found if part is not None]


def _guarded(condition: Condition, nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    if condition == FALSE:
        return ()
    return nodes if condition == TRUE else (Branch(condition, nodes),)
