"""The matrix that makes the innermost loops of a nest walk along cache lines.

Memory order (K. McKinley, S. Carr, C.-W. Tseng, Improving data locality with loop
transformations, TOPLAS 1996): a loop costs, for each access, the share of a cache line that one
iteration of it needs anew if it were innermost,

    0                            the element stays the same
    stride * size / line         only the last subscript moves, by less than a line
    1                            anything else, and what is unknown

and the best order has the cheapest loop innermost, then the next. Of all orders, with loops
reversed where only that keeps the dependences, the first legal one is taken: the order of the
source if none is better. (SWIM's case: column by column through rows becomes row by row.)
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product

from polyopt.poly.linear.lattice import Matrix, identity
from polyopt.poly.linear.linear_forms import (
    apply,
    directions,
    function_of,
    independent,
    subscripts_of,
)
from polyopt.poly.matrix.legality import is_legal
from polyopt.poly.matrix.nests import MatrixNest
from polyopt.poly.scop import Access, Scop, Statement

DEEPEST = 6
"""Nests deeper than this keep their order: too many orders to go through."""

Direction = tuple[Fraction, ...]


def choose_matrix(scop: Scop, nest: MatrixNest, line_bytes: int) -> Matrix | None:
    """The legal signed permutation of least cost, or None where the nest's own order has it."""
    if not 2 <= nest.depth <= DEEPEST:
        return None
    costs = loop_costs(scop, nest, line_bytes)
    wanted = list(range(nest.depth))

    def cost(order: tuple[int, ...]) -> list[Fraction]:
        return [costs[axis] for axis in reversed(order)]

    for order in sorted(permutations(wanted), key=cost):
        if cost(order) == cost(tuple(wanted)):
            return None
        for matrix in _signed(order):
            if is_legal(matrix, nest.vectors):
                return matrix
    return None


def loop_costs(scop: Scop, nest: MatrixNest, line_bytes: int) -> list[Fraction]:
    """What each loop of the nest costs innermost: cache lines for one iteration."""
    costs = [Fraction(0)] * nest.depth
    functions = nest.functions
    own = range(len(nest.outer), len(nest.outer) + nest.depth)
    for statement in scop.statements:
        rows = [function_of(function, statement.name) for function in functions]
        if all(rows[k] is None for k in own):
            continue
        for axis, place in enumerate(own):
            step = _step([row for row in rows if row], rows[place])
            for access in statement.accesses:
                costs[axis] += _lines(scop, statement, access, step, line_bytes)
    return costs


def _step(rows: list[tuple[int, ...]], row: tuple[int, ...] | None) -> Direction | None:
    """How the iteration vector changes from one iteration to the next of the loop of `row`, all
    other loops standing still."""
    chosen = [rows[k] for k in independent(rows)]
    steps = directions(chosen)
    if steps is None or row not in chosen:
        return None
    return steps[chosen.index(row)]


def _lines(
    scop: Scop, statement: Statement, access: Access, step: Direction | None, line_bytes: int
) -> Fraction:
    subscripts = subscripts_of(access.relation) if step is not None else None
    if step is None or subscripts is None:
        return Fraction(1)
    moves = apply(subscripts, step)
    if not any(moves):
        return Fraction(0)
    if any(moves[:-1]):
        return Fraction(1)
    size = scop.array(access.array).element_bytes
    return min(Fraction(1), abs(moves[-1]) * size / line_bytes)


def _signed(order: tuple[int, ...]) -> Iterator[Matrix]:
    """The permutation, then those with loops reversed, few before many."""
    unit = identity(len(order))
    signs = sorted(product((1, -1), repeat=len(order)), key=lambda one: one.count(-1))
    for choice in signs:
        yield tuple(
            tuple(sign * x for x in unit[axis]) for sign, axis in zip(choice, order, strict=True)
        )
