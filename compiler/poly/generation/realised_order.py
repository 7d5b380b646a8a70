"""Do generated loops run in the order of a schedule tree? A proof that never looks at dependences.

All pairs of instances that a dependence may join are many, and isl finds their order hard to
decide. But a schedule that is known to be legal need not be proved legal again: it is enough that
the loops realise it. For two executions A and B (places in the loop tree; A is before B in the
text, or is B) go through what the tree says of both, outermost first:

    member f, inside loops that hold both   the next common loop's iterator c says f: f = a c + b
                                            in both, a > 0, b of the iterators outside; or f is
                                            equal in both, a function of these
    member f, where A and B stand apart     no instance of B has a lesser f than one of A, where
                                            all before is equal
    children of a sequence                  A's is before B's, and they stand apart

The equations f = a c + b are read off the affine hull of { [iterators, f's] } of each execution,
so only what stands apart below one band is a question about two instances.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from fractions import Fraction
from itertools import takewhile

import islpy as isl

from polyopt.poly.generation.executions import Execution
from polyopt.poly.isl.lists import maps
from polyopt.poly.schedule_tree import (
    Band,
    Leaf,
    Mark,
    Member,
    Tree,
    UnsupportedTree,
    joint_function,
)
from polyopt.poly.schedule_tree import Sequence as TreeSequence
from polyopt.poly.scop import Scop
from polyopt.support.record import entity, record

_In, _Out, _Param = isl.dim_type.in_, isl.dim_type.out, isl.dim_type.param

Row = tuple[Fraction, ...]
"""A linear equation over the columns 1, parameters, iterators, functions."""


@record(eq=False)
class _Choice:
    """Child `number` of a sequence, or of a set, whose children may run in any order."""

    node: TreeSequence
    number: int


_Descent = _Choice | Member


@record(eq=False)
class _Leaf:
    """A leaf of the tree: the instances that go there, None if all do, and the way to it."""

    instances: isl.UnionSet | None
    steps: tuple[_Descent, ...]


def _leaves(
    tree: Tree, instances: isl.UnionSet | None, steps: tuple[_Descent, ...]
) -> Iterator[_Leaf]:
    match tree:
        case Leaf():
            yield _Leaf(instances, steps)
        case Mark(_, child):
            yield from _leaves(child, instances, steps)
        case Band(members, child):
            yield from _leaves(child, instances, (*steps, *members))
        case TreeSequence(children):
            for k, (mine, child) in enumerate(children):
                both = mine if instances is None else mine.intersect(instances)
                yield from _leaves(child, both, (*steps, _Choice(tree, k)))


@entity
class _Run:
    """An execution as far as one leaf of the tree has it: `points` are { [iterators, f's] }."""

    execution: Execution
    steps: tuple[_Descent, ...]
    points: isl.Set
    equations: _Equations
    known: dict[Row, bool] = field(default_factory=dict[Row, bool])

    @property
    def iterators(self) -> int:
        return len(self.execution.path.iterators)

    def meets(self, row: Row) -> bool:
        found = self.known.get(row)
        if found is None:
            found = self.known[row] = self.equations.imply(row)
        return found


def realises(scop: Scop, executions: Sequence[Execution], tree: Tree) -> str | None:
    """None if loops with these executions, each instance in one of them, surely run in the order
    of `tree`; else a text that says where that does not show."""
    leaves = list(_leaves(tree, None, ()))
    runs = [run for one in executions for run in _runs(scop, one, leaves)]
    for k, run in enumerate(runs):
        for other in runs[k:]:
            if not _in_order(run, other):
                return f"{run.execution.statement} and {other.execution.statement}"
    return None


def _runs(scop: Scop, execution: Execution, leaves: Sequence[_Leaf]) -> Iterator[_Run]:
    whole = execution.iterations(scop).intersect_params(scop.known)
    universe = isl.UnionSet.from_set(isl.Set.universe(whole.get_space().domain()))
    mine = [
        leaf
        for leaf in leaves
        if leaf.instances is None or not leaf.instances.intersect(universe).is_empty()
    ]
    for leaf in mine:
        part = whole
        if len(mine) > 1:
            assert leaf.instances is not None
            part = whole.intersect_domain(_only(leaf.instances, whole))
        if part.is_empty():
            continue
        points = _points(part, [one for one in leaf.steps if isinstance(one, Member)])
        if points is None:
            raise UnsupportedTree("a function is not defined everywhere")
        yield _Run(execution, leaf.steps, points, _Equations.of(points, scop))


def _only(instances: isl.UnionSet, like: isl.Map) -> isl.Set:
    return instances.extract_set(like.get_space().domain())


def _points(part: isl.Map, members: Sequence[Member]) -> isl.Set | None:
    """{ [iterators, f's] }; None where some f has no value."""
    if members:
        universe = isl.UnionSet.from_set(isl.Set.universe(part.get_space().domain()))
        function = joint_function(members).intersect_domain(universe)
        times = maps(isl.UnionMap.from_multi_union_pw_aff(function))
        if len(times) != 1 or not part.domain().is_subset(times[0].domain()):
            return None
        part = part.flat_range_product(times[0])
    return part.range()


@record(eq=False)
class _Equations:
    """A reduced echelon form whose pivots are the innermost columns."""

    rows: dict[int, Row]

    @staticmethod
    def of(points: isl.Set, scop: Scop) -> _Equations:
        points = points.align_params(scop.context.get_space())
        hull = points.affine_hull().remove_divs()
        matrix = hull.equalities_matrix(
            isl.dim_type.cst, _Param, isl.dim_type.set, isl.dim_type.div
        )
        found = _Equations({})
        for row in range(matrix.rows()):
            values = (matrix.get_element_val(row, k).to_python() for k in range(matrix.cols()))
            found._add(tuple(map(Fraction, values)))
        return found

    def _add(self, row: Row) -> None:
        row = self.reduce(row)
        pivot = next((k for k in range(len(row) - 1, 0, -1) if row[k]), 0)
        if not pivot:
            return
        row = tuple(value / row[pivot] for value in row)
        for other, old in self.rows.items():
            if old[pivot]:
                self.rows[other] = _minus(old, old[pivot], row)
        self.rows[pivot] = row

    def reduce(self, row: Row) -> Row:
        for pivot, one in self.rows.items():
            if row[pivot]:
                row = _minus(row, row[pivot], one)
        return row

    def imply(self, row: Row) -> bool:
        width = max((len(one) for one in self.rows.values()), default=len(row))
        return not any(self.reduce((*row, *(Fraction(0) for _ in range(width - len(row))))))


def _minus(row: Row, factor: Fraction, other: Row) -> Row:
    return tuple(a - factor * b for a, b in zip(row, other, strict=True))


def _in_order(first: _Run, second: _Run) -> bool:
    return _Pair(first, second).is_in_order()


@entity
class _Pair:
    """`common` loops hold both; where `apart`, the first runs before the second inside them;
    `matched` of the common loops have said what the tree says so far."""

    first: _Run
    second: _Run
    common: int = 0
    apart: bool = False
    matched: int = 0
    functions: int = 0
    parameters: int = 0
    joint: isl.Map | None = None

    def is_in_order(self) -> bool:
        a, b = self.first.execution.path, self.second.execution.path
        same = list(takewhile(lambda pair: pair[0] == pair[1], zip(a.time, b.time, strict=False)))
        names = [one for one, _ in same]
        self.apart = len(same) < max(len(a.time), len(b.time))
        self.common = sum(name in names for name in a.iterators)
        self.parameters = self.first.points.dim(_Param)
        for mine, other in zip(self.first.steps, self.second.steps, strict=False):
            match mine, other:
                case _Choice(node, k), _Choice(_, l):
                    if k == l:
                        continue
                    if not node.is_ordered:
                        return True
                    self._skip_constant_loops()
                    return self._stand_apart() and (k < l or self._no_pair())
                case Member(), Member():
                    done = self._member(mine, other)
                    if done is not None:
                        return done
                    self.functions += 1
                case _:
                    return False
        return True

    def _stand_apart(self) -> bool:
        return self.apart and self.matched == self.common

    def _member(self, mine: Member, other: Member) -> bool | None:
        """None to go on with what is inside."""
        while self.matched < self.common:
            if self._is_equal():
                return None
            if self._is_counted():
                self.matched += 1
                return None
            if not self._is_constant():
                return False
            self.matched += 1
        if not self.apart:
            return True
        return self._ordered_apart()

    def _skip_constant_loops(self) -> None:
        while self.matched < self.common and self._is_constant():
            self.matched += 1

    def _is_equal(self) -> bool:
        """Whether this function is one and the same function of the matched iterators in both."""
        last = self.parameters + self.matched
        for run in (self.first, self.second):
            form = run.equations.rows.get(self._column(run))
            if form is not None and not any(form[last + 1 : self._column(run)]):
                if self._both(self._coefficients(form, run)):
                    return True
        return False

    def _is_counted(self) -> bool:
        """Whether it is a c + b for the next common iterator c, a > 0, in both."""
        last = self.parameters + self.matched + 1
        same = [Fraction(0)] * (last + 1)
        same[last] = Fraction(-1)
        if self._both(tuple(same)):
            return True
        for run in (self.first, self.second):
            form = run.equations.rows.get(self._column(run))
            if form is None or any(form[last + 1 : self._column(run)]):
                continue
            coefficients = self._coefficients(form, run)
            if coefficients[last] < 0 and self._both(coefficients):
                return True
        return False

    def _is_constant(self) -> bool:
        """Whether the next common iterator is one function of those before it in both."""
        column = self.parameters + self.matched + 1
        for run in (self.first, self.second):
            form = run.equations.rows.get(column)
            if (
                form is not None
                and self.first.meets(form[: column + 1])
                and self.second.meets(form[: column + 1])
            ):
                return True
        return False

    def _column(self, run: _Run) -> int:
        return 1 + self.parameters + run.iterators + self.functions

    def _coefficients(self, form: Row, run: _Run) -> Row:
        """Of 1, the parameters and the iterators, where the function's own is 1."""
        return form[: 1 + self.parameters + run.iterators]

    def _both(self, coefficients: Row) -> bool:
        for run in (self.first, self.second):
            column = self._column(run)
            row = [
                *coefficients[:column],
                *(Fraction(0) for _ in range(column - len(coefficients))),
            ]
            if not run.meets((*row, Fraction(1))):
                return False
        return True

    def _pairs(self) -> isl.Map:
        """{ [first's iterators, f's] -> [second's] : the common iterators are equal }, and what
        has been equated so far."""
        if self.joint is None:
            pairs = isl.Map.from_domain_and_range(self.first.points, self.second.points)
            for k in range(self.common):
                pairs = pairs.equate(_In, k, _Out, k)
            for k in range(self.functions):
                pairs = pairs.equate(_In, self.first.iterators + k, _Out, self.second.iterators + k)
            self.joint = pairs
        return self.joint

    def _no_pair(self) -> bool:
        return self._pairs().is_empty()

    def _ordered_apart(self) -> bool | None:
        pairs = self._pairs()
        places = _In, self.first.iterators + self.functions
        others = _Out, self.second.iterators + self.functions
        if not pairs.order_gt(*places, *others).is_empty():
            return False
        self.joint = pairs.equate(*places, *others)
        return True if self.joint.is_empty() else None
