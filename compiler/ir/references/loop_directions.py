"""In which directions of loops, each in the one before, accesses may meet: the classic tests on
loops of any kind.

    for (j …) for (i …) for (k = first[i]; k < i; k++)
      x[i][j] -= l[i][k] * x[k][j];             x[i][j], x[k][j]: (0, *)

A subscript is a sum of counters with numbers as factors and of what no iteration changes, or it may
be anything; but for the bounds of the loops, which are not looked at, that is all the tests of
`poly/classic` ask of loops. A row of a matrix in one dimension, `m*i + j`, is two subscripts where
`0 <= j < m` is proved (V. Maslov: Delinearization, PLDI 1992). Of a subscript that grows as data
decide its envelope says how far apart it takes one value (`growth`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.expressions.integer_expr import Atom, Compare, Counter, Expr, Monomial
from polyopt.ir.references.growth import growth_distances, within
from polyopt.ir.references.loop_nest import NaturalNest
from polyopt.ir.references.memory_references import Reference
from polyopt.poly.classic.pair_test import compare_references
from polyopt.poly.classic.references import Reference as Row
from polyopt.poly.classic.references import Subscript
from polyopt.poly.linear.dependence_vectors import ANY, DependenceVector, Interval

_DIMENSIONS = 6
"""So many subscripts at most are made of one."""


def directions(nest: NaturalNest, references: Sequence[Reference]) -> Iterator[DependenceVector]:
    """Boxes around the distances in the loops between accesses through one base of which one
    writes; those of either order of the two."""
    for _, _, vectors in vectors_of_pairs(nest, references):
        yield from vectors


def vectors_of_pairs(
    nest: NaturalNest, references: Sequence[Reference]
) -> Iterator[tuple[Reference, Reference, list[DependenceVector]]]:
    """The same, for each pair of accesses."""
    common = len(nest.loops)
    names = dict[Monomial, str]()
    rows = [
        Row("", tuple(_subscript(index, nest, one, names) for index in indices), _free(nest, one))
        for one, indices in zip(references, _subscripts(nest, references), strict=True)
    ]
    for number, (source, row) in enumerate(zip(references, rows, strict=True)):
        for sink, other in zip(references[number:], rows[number:], strict=True):
            if source.is_write or sink.is_write:
                told = compare_references(row, other, common).vectors
                yield source, sink, list(within(told, growth_distances(nest, source, sink)))


def _free(nest: NaturalNest, one: Reference) -> tuple[Interval, ...]:
    return (ANY,) * len(nest.around(one))


def _subscripts(
    nest: NaturalNest, references: Sequence[Reference]
) -> list[tuple[Expr | None, ...]]:
    """As many for each, of the same dimensions; None may be anything."""
    columns = _dimensions(nest, references)
    if columns is None:
        return [(None,)] * len(references)
    found = list[list[Expr]]()
    while columns and len(found) < _DIMENSIONS:
        column, *columns = columns
        apart = _apart(nest, references, column)
        if apart is None:
            found.append(column)
        else:
            columns = [*apart, *columns]
    return list(zip(*found, *columns, strict=True))


def _dimensions(nest: NaturalNest, references: Sequence[Reference]) -> list[list[Expr]] | None:
    """One list of subscripts, of all accesses, for each dimension of the array."""
    first = references[0]
    shape = (first.shape, first.offset, first.element_bytes)
    if all((one.shape, one.offset, one.element_bytes) == shape for one in references):
        if nest.is_fixed(first.offset) and first.indices:
            return [list(column) for column in zip(*(r.indices for r in references), strict=True)]
    places = [one.flat for one in references]
    known = [place for place in places if place is not None]
    sizes = {one.element_bytes for one in references}
    return [known] if len(known) == len(places) and len(sizes) == 1 else None


def _apart(
    nest: NaturalNest, references: Sequence[Reference], column: list[Expr]
) -> tuple[list[Expr], list[Expr]] | None:
    """(q, r) with `column == s*q + r` and `0 <= r < s`, for a size `s` by which a counter goes."""
    for size in dict.fromkeys(_sizes(nest, column)):
        pairs = [_divided(index, size) for index in column]
        if all(
            _is_within(nest, rest, size, one)
            for (_, rest), one in zip(pairs, references, strict=True)
        ):
            return [one for one, _ in pairs], [rest for _, rest in pairs]
    return None


def _sizes(nest: NaturalNest, column: Sequence[Expr]) -> Iterator[Monomial]:
    """Products by which counters go."""
    for index in column:
        for monomial in index.terms:
            size = tuple(atom for atom in monomial if not isinstance(atom, Counter))
            if size and size != monomial and nest.is_fixed(Expr({size: 1})):
                yield size


def _divided(index: Expr, size: Monomial) -> tuple[Expr, Expr]:
    """(q, r) with `index == size*q + r`, as the terms say."""
    quotient, rest = dict[Monomial, int](), dict[Monomial, int]()
    for monomial, factor in index.terms.items():
        left = _without(monomial, size)
        if left is None:
            rest[monomial] = factor
        else:
            quotient[left] = factor
    return Expr(quotient), Expr(rest)


def _without(monomial: Monomial, size: Monomial) -> Monomial | None:
    left: list[Atom] = list(monomial)
    for atom in size:
        if atom not in left:
            return None
        left.remove(atom)
    return tuple(left)


def _is_within(nest: NaturalNest, rest: Expr, size: Monomial, one: Reference) -> bool:
    block = enclosing_block(one.op)
    inside = (Compare("<=", -rest), Compare("<", rest - Expr({size: 1})))
    return all(nest.ranges.always(condition, block) for condition in inside)


def _subscript(
    index: Expr | None, nest: NaturalNest, one: Reference, names: dict[Monomial, str]
) -> Subscript | None:
    """None where it is no sum of counters, or of what changes."""
    if index is None:
        return None
    rest, factors = index, list[int]()
    for loop in nest.around(one):
        parts = rest.split(Counter(loop))
        step = None if parts is None else parts[1].as_constant
        if parts is None or step is None:
            return None
        rest = parts[0]
        factors.append(step)
    if not nest.is_fixed(rest):
        return None
    symbols = sorted(
        (names.setdefault(monomial, f"p{len(names)}"), factor)
        for monomial, factor in rest.terms.items()
        if monomial
    )
    return Subscript(rest.constant_term, tuple(factors), tuple(symbols))
