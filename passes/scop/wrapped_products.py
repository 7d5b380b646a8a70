"""Subscripts whose products may wrap around: `a[i*n + j]` where all of it is `size_t`.

    Wrapped(i*n + j, 64)  ==  i*n + j       if i, n and j are no greater than 3037000499

Whether a sum of products is in the range of a type is no affine question. Whether its factors are
so small that it must be is one: the terms are gathered by the sizes in them,

    term  ==  sum over p of  p * A(p)       p a product of sizes, A(p) affine

and where no size and no A(p) is greater than B, and the sum of B**(degree of p + 1) is in the
range, so is the term. Of what is read without a sign none may be negative either. Sizes of `int`
that are multiplied as `size_t` are small enough by their type; others are asked when the program
runs (`assumptions.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.dialects import memref

from polyopt.ir.expressions.affine_space import AffineSpace
from polyopt.ir.expressions.integer_expr import Atom, Compare, Either, Expr, Monomial, Wrapped
from polyopt.ir.expressions.integer_forms import replaced
from polyopt.ir.references.memory_references import Reference
from polyopt.ir.references.rows_of_sums import without_factors
from polyopt.support.record import record


@record
class SmallFactor:
    """A part of a term that has to be from `least` to `greatest`."""

    part: Expr
    least: int
    greatest: int

    @property
    def is_broken(self) -> Either:
        too_small = Compare("<", self.part - self.least)
        return Either(too_small, Compare("<", -self.part + self.greatest))


SmallFactors = dict[memref.LoadOp | memref.StoreOp, list[SmallFactor]]
"""What each access asks."""


def with_open_products(
    references: Sequence[Reference], space: AffineSpace
) -> tuple[list[Reference], SmallFactors] | None:
    """The references with terms in the place of what is reduced into a type's range, where those
    are products that no affine expression says; and what has to be small for that. None where
    there are none such, or where it is not known what to ask."""
    changed: list[Reference] = []
    factors: SmallFactors = {}
    for reference in references:
        found: dict[Wrapped, None] = {}
        changed.append(_with_open_products(reference, space, found))
        asked = dict[SmallFactor, None]()
        for one in found:
            small = _small_factors(one, space)
            if small is None:
                return None
            asked |= dict.fromkeys(small)
        if asked:
            factors[reference.op] = list(asked)
    return (changed, factors) if factors else None


def _with_open_products(
    reference: Reference, space: AffineSpace, found: dict[Wrapped, None]
) -> Reference:
    def opened(expr: Expr) -> Expr:
        return replaced(expr, lambda atom: _opened(atom, space, found))

    return replace(
        reference,
        offset=opened(reference.offset),
        shape=tuple(None if one is None else opened(one) for one in reference.shape),
        indices=tuple(map(opened, reference.indices)),
    )


def _opened(atom: Atom, space: AffineSpace, found: dict[Wrapped, None]) -> Expr | None:
    """What is inside of it has been opened before."""
    if not isinstance(atom, Wrapped) or space.defect(atom.term) is None:
        return None
    found[atom] = None
    return atom.term


def _small_factors(wrapped: Wrapped, space: AffineSpace) -> list[SmallFactor] | None:
    parts = _by_sizes(wrapped.term, space)
    asked = [*parts.values(), *(Expr.of(atom) for sizes in parts for atom in sizes)]
    if any(space.defect(part) is not None for part in asked):
        return None
    lowest, greatest = wrapped.range
    bound = greatest_bound([len(sizes) + 1 for sizes in parts], greatest)
    least = -bound if lowest else 0
    return [SmallFactor(part, least, bound) for part in dict.fromkeys(asked)]


def _by_sizes(term: Expr, space: AffineSpace) -> dict[Monomial, Expr]:
    """A(p) for each p. What does not change is counted with what does, as the `first*n` of
    `(first + i)*n`."""
    parts = dict[Monomial, Expr]()
    fixed = dict[Monomial, int]()
    for monomial, factor in term.terms.items():
        sizes = tuple(atom for atom in monomial if space.is_parameter((atom,)))
        moving = tuple(atom for atom in monomial if atom not in sizes)
        if moving:
            parts[sizes] = parts.get(sizes, Expr({})) + Expr({moving: factor})
        else:
            fixed[monomial] = factor
    for monomial, factor in fixed.items():
        near = [
            one
            for one in parts
            if len(one) >= len(monomial) - 1 and without_factors(monomial, one) is not None
        ]
        sizes = max(near, key=len, default=monomial)
        rest = without_factors(monomial, sizes)
        assert rest is not None
        parts[sizes] = parts.get(sizes, Expr({})) + Expr({rest: factor})
    return parts


def greatest_bound(degrees: Sequence[int], greatest: int) -> int:
    """The greatest B for which the sum of B**d over the degrees d is not greater."""
    bound = 0
    for bit in reversed(range(greatest.bit_length())):
        more = bound | 1 << bit
        if sum(more**degree for degree in degrees) <= greatest:
            bound = more
    return bound
