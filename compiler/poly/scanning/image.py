"""The exact set of elements that an access touches, and loops that visit each of them once.

C. Ancourt, F. Irigoin, Scanning polyhedra with DO loops, PPoPP 1991: the elements a of

    { a : i in P, a = R i + r }

are what is left of the joint system of a and i when the i are eliminated over the integers. The
equations go first, into a lattice in Hermite form whose outer coordinates are those of the a; the
inner ones are useless and eliminated from the inequalities, one x after the other. Of a lower
bound q x >= g and an upper bound p x <= f, elimination makes p g <= q f, and

    p = 1 or q = 1                        is exact;
    q f - p g >= (p - 1)(q - 1)           surely has an integer x: exact where this is implied;
    ceil(g / q) <= floor(f / p)           is exact always, but linear no more: the last x can be
                                          eliminated so, and the divisions become a guard.

Where several useless coordinates are left and none can be eliminated exactly, the set is cut (W.
Pugh, The Omega test, Supercomputing 1991, instead of the paper's extra loops, which may visit an
element twice): into the part where the second condition holds and those where some lower bound is
missed by a constant, q x = g + c, in which x goes away with an equation. Parts may overlap; where
isl cannot take them apart at a bearable cost, the loops run over a hull of all of them and ask, for
each element, whether any part has it (`unions`): each element is visited once in either case.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

import islpy as isl

from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.isl.names import apart
from polyopt.poly.loops.ast_conversion import LoopFacts
from polyopt.poly.loops.iterator_names import iterator_names
from polyopt.poly.loops.loop_tree import Instance, Node
from polyopt.poly.scanning.affine_lattice import EchelonLattice, Quotient
from polyopt.poly.scanning.echelon import Polyhedron, polyhedra
from polyopt.poly.scanning.pieces import End, Piece
from polyopt.poly.scanning.scanner import Scanner, start
from polyopt.poly.scanning.systems import (
    Row,
    System,
    combine,
    eliminate,
    equality,
    implies,
    minimise,
    sides,
)
from polyopt.poly.scanning.unions import are_disjoint, union_loops

OPERATIONS = 200_000
"""What may be spent on taking parts apart, which only makes the loops simpler."""
_PROJECTIONS = 500
"""Systems that the projection of one polyhedron may look at."""


def image(relation: isl.Map, operations: int = OPERATIONS) -> list[Polyhedron]:
    """The elements that `relation` { S[i] -> A[a] } gives, as polyhedra over a; they are disjoint
    where that does not cost too much. Raises BudgetExceeded."""
    elements = relation.dim(isl.dim_type.out)
    with budget("image", 10 * operations):
        joint = polyhedra(relation.reverse().wrap().flatten())
    parts = [part for one in joint for part in project_integers(one, elements)]
    if len(parts) == 1:
        return parts
    try:
        with budget("disjoint parts of an image", operations):
            return polyhedra(union_of(parts, relation).coalesce())
    except BudgetExceeded:
        return parts


def union_of(parts: Sequence[Polyhedron], relation: isl.Map) -> isl.Set:
    """`parts` in the space of the elements of `relation`."""
    space = relation.get_space().range()
    taken = {one for part in parts for one in part.parameters}
    names = apart("a", space.dim(isl.dim_type.set), taken)
    name = space.get_tuple_name(isl.dim_type.set) or ""
    total = isl.Set.empty(space)
    for part in parts:
        condition = part.condition([*part.parameters, *names])
        header = f"[{', '.join(part.parameters)}] -> "
        total = total.union(isl.Set(f"{header}{{ {name}[{', '.join(names)}] : {condition} }}"))
    return total


def image_loops(elements: Sequence[Polyhedron], array: str, known: System = ()) -> tuple[Node, ...]:
    """Loops that run `array[a]` once for each element a; `known` holds of the parameters. Raises
    Unbounded."""
    if not elements:
        return ()
    parameters = elements[0].parameters
    dimensions = elements[0].variables
    names = iterator_names(dimensions, parameters)
    scanner = Scanner(names, lambda pieces, depth, inner: LoopFacts(True))
    pieces = [Piece(array, one, 0) for one in elements]
    place = start(parameters, known)
    if are_disjoint(elements):
        return scanner.plan(End(0), pieces, 0, place)
    return union_loops(
        scanner,
        pieces,
        dimensions,
        (),
        place,
        lambda inner: (Instance(array, inner.values[1 + len(parameters) :]),),
    )


def project_integers(whole: Polyhedron, variables: int) -> Iterator[Polyhedron]:
    """Polyhedra over the first variables, whose union has a point exactly where `whole` has one
    with some integers for the other columns. Raises BudgetExceeded."""
    yield from _project(whole, variables, count(1))


def _project(whole: Polyhedron, variables: int, effort: Iterator[int]) -> Iterator[Polyhedron]:
    if whole.is_empty:
        return
    last = len(whole.parameters) + variables
    outer = sum(pivot <= last for pivot in whole.lattice.pivots)
    useless = range(outer + 1, len(whole.lattice.pivots) + 1)
    projection = _Projection(whole, variables, effort)
    yield from projection.eliminate(whole.coordinate_rows, set(useless))


class _Projection:
    """Rows are over the coordinates of the whole's lattice."""

    def __init__(self, whole: Polyhedron, variables: int, effort: Iterator[int]):
        self.whole = whole
        self.variables = variables
        self.effort = effort

    def eliminate(self, rows: System, useless: set[int]) -> Iterator[Polyhedron]:
        if next(self.effort) > _PROJECTIONS:
            raise BudgetExceeded("integer projection", _PROJECTIONS)
        rows = minimise(rows)
        useless = {k for k in useless if any(row[k : k + 1] not in ((), (0,)) for row in rows)}
        if not useless:
            yield self._result(rows, [])
            return
        pairs = {unknown: inexact_pairs(rows, unknown) for unknown in useless}
        best = min(useless, key=lambda unknown: (len(pairs[unknown]), unknown))
        if not pairs[best]:
            yield from self.eliminate(eliminate(rows, best), useless - {best})
        elif len(useless) == 1:
            yield self._result(_exact_rows(rows, best, pairs[best]), pairs[best], best)
        else:
            yield from self._cut(rows, useless, best)

    def _cut(self, rows: System, useless: set[int], unknown: int) -> Iterator[Polyhedron]:
        """The dark shadow along `unknown`, and the splinters beside it."""
        lower, upper, rest = sides(rows, unknown)
        dark = [dark_row(low, high, unknown) for low in lower for high in upper]
        yield from self.eliminate((*rest, *dark), useless - {unknown})
        steepest = max(-high[unknown] for high in upper)
        for low in lower:
            slope = low[unknown]
            for missed in range((steepest * slope - steepest - slope) // steepest + 1):
                met = (low[0] - missed, *low[1:])
                part = self.whole.restricted(equality(self.whole.lattice.quotient(met).row))
                yield from _project(part, self.variables, self.effort)

    def _result(
        self, rows: System, pairs: Sequence[tuple[Row, Row]], unknown: int = 0
    ) -> Polyhedron:
        """`rows` over the outer coordinates, and a common value of `unknown` for each pair of
        bounds, as a polyhedron over the columns."""
        last = len(self.whole.parameters) + self.variables
        lattice = self.whole.lattice.prefix(last)
        divisions, equalities = list[Quotient](), list[Row]()
        inequalities = [lattice.from_coordinates(row) for row in rows]
        for column in range(1, last + 1):
            equalities += lattice.value_rows(column)[:1]
            met = lattice.congruence(column)
            if met is not None:
                equalities.append(_multiple(met.row, met.modulus, last, divisions))
        for low, high in pairs:
            below = _division(lattice, low, low[unknown], unknown, last, divisions)
            above = _division(lattice, high, -high[unknown], unknown, last, divisions)
            inequalities.append(combine(1, below, 1, above))
        return Polyhedron(
            self.whole.parameters,
            self.variables,
            tuple(divisions),
            tuple(equalities),
            tuple(inequalities),
        )


def inexact_pairs(rows: System, unknown: int) -> list[tuple[Row, Row]]:
    """The lower and upper bounds of `unknown` whose elimination may add an integer point."""
    lower, upper, _ = sides(rows, unknown)
    return [
        (low, high)
        for low in lower
        for high in upper
        if low[unknown] != 1
        and high[unknown] != -1
        and not implies(rows, dark_row(low, high, unknown))
    ]


def dark_row(low: Row, high: Row, unknown: int) -> Row:
    """q f - p g >= (p - 1)(q - 1)."""
    q, p = low[unknown], -high[unknown]
    shadow = combine(p, low, q, high)
    return (shadow[0] - (p - 1) * (q - 1), *shadow[1:])


def _exact_rows(rows: System, unknown: int, pairs: Sequence[tuple[Row, Row]]) -> System:
    """What elimination makes of the other pairs, and the rows without `unknown`."""
    lower, upper, rest = sides(rows, unknown)
    rest += (
        combine(-high[unknown], low, low[unknown], high)
        for low in lower
        for high in upper
        if (low, high) not in pairs
    )
    return tuple(rest)


def _multiple(row: Row, modulus: int, last: int, divisions: list[Quotient]) -> Row:
    """That `row` is a multiple of `modulus`, as an equality with a further division."""
    divisions.append(Quotient(row, modulus))
    padding = (0,) * (last + len(divisions) - len(row))
    return (*row, *padding, -modulus)


def _division(
    lattice: EchelonLattice,
    bound: Row,
    divisor: int,
    unknown: int,
    last: int,
    divisions: list[Quotient],
) -> Row:
    """floor(bound without unknown / divisor), as a row that is one further division."""
    rest = lattice.quotient((*bound[:unknown], 0, *bound[unknown + 1 :]))
    division = Quotient(rest.row, rest.divisor * divisor)
    if division not in divisions:
        divisions.append(division)
    return (*(0 for _ in range(last + 1 + divisions.index(division))), 1)
