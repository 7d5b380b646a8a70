"""One shape for all references to an object.

References that agree on the shape of their array keep their subscripts. Where they differ (a
pointer walks over a two-dimensional array, a program linearises by hand) the place in the object
is taken apart by the strides of one shape, as in T. Grosser, J. Ramanujam, L.-N. Pouchet,
P. Sadayappan, S. Pop: "Optimistic Delinearization of Parametrically Sized Arrays", ICS 2015:

    p[i*m + j]  ->  p[i][j],  given that 0 <= j < m
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from polyopt.ir.integer_expr import ONE, Expr, Monomial, Unknown
from polyopt.ir.memory_references import Reference
from polyopt.ir.shapes import strides
from polyopt.support.record import record


@record
class Subscript:
    """Where a reference goes in the common shape. `bounds` are pairs (index, extent) for which
    `0 <= index < extent` has to hold for the subscript to be right."""

    indices: tuple[Expr, ...]
    bounds: tuple[tuple[Expr, Expr], ...] = ()


@record
class ArrayLayout:
    """`subscripts` in the order of the references. `pattern` is a reference that has this shape
    as it stands, None if the shape was found by delinearisation."""

    shape: tuple[Expr | None, ...]
    subscripts: tuple[Subscript, ...]
    pattern: Reference | None


def layouts(
    references: Sequence[Reference], is_parameter: Callable[[Monomial], bool]
) -> list[ArrayLayout]:
    """The layouts that fit all references to one object, the best first."""
    result: list[ArrayLayout] = []
    for pattern in _patterns(references):
        subscripts = [subscript_of(reference, pattern.shape) for reference in references]
        if all(s is not None for s in subscripts):
            found = tuple(s for s in subscripts if s is not None)
            result.append(ArrayLayout(pattern.shape, found, pattern))
    for shape in (_guessed_shape(references, is_parameter), (None,)):
        if shape is None:
            continue
        subscripts = [_taken_apart(reference.flat, shape) for reference in references]
        if all(s is not None for s in subscripts):
            found = tuple(s for s in subscripts if s is not None)
            result.append(ArrayLayout(shape, found, None))
    return result


def _patterns(references: Sequence[Reference]) -> list[Reference]:
    """One reference for each shape that starts at the base, those of the most dimensions first."""
    found: dict[tuple[Expr | None, ...], Reference] = {}
    for reference in references:
        if not reference.offset.terms:
            found.setdefault(reference.shape, reference)
    return sorted(found.values(), key=lambda reference: -len(reference.shape))


def subscript_of(reference: Reference, shape: tuple[Expr | None, ...]) -> Subscript | None:
    """Where a reference goes in an array of `shape` that starts at its base."""
    if reference.shape == shape and not reference.offset.terms:
        return Subscript(reference.indices)
    return _taken_apart(reference.flat, shape)


def _taken_apart(flat: Expr | None, shape: tuple[Expr | None, ...]) -> Subscript | None:
    """The indices whose place in an array of `shape` is `flat`."""
    factors = strides(shape)
    if flat is None or factors is None:
        return None
    indices: list[Expr] = []
    for factor in factors:
        index, flat = _divide(flat, factor)
        indices.append(index)
    if flat.terms:
        return None
    bounds = [
        (index, extent)
        for index, extent in zip(indices[1:], shape[1:], strict=True)
        if extent is not None
    ]
    return Subscript(tuple(indices), tuple(bounds))


def _divide(flat: Expr, factor: Expr) -> tuple[Expr, Expr]:
    """(q, r) with `flat == q * factor + r`, q as the terms that the factor divides."""
    if factor == ONE:
        return flat, Expr({})
    if len(factor.terms) != 1:
        return Expr({}), flat
    ((divisor, number),) = factor.terms.items()
    quotient: dict[Monomial, int] = {}
    rest: dict[Monomial, int] = {}
    for monomial, count in flat.terms.items():
        remaining = _without(monomial, divisor)
        if remaining is not None and count % number == 0:
            quotient[remaining] = count // number
        elif not monomial and not divisor and abs(count) >= abs(number):
            whole = int(count / number)
            quotient[()], rest[()] = whole, count - whole * number
        else:
            rest[monomial] = count
    return Expr(quotient), Expr(rest)


def _without(monomial: Monomial, divisor: Monomial) -> Monomial | None:
    """The quotient of two products."""
    remaining = list(monomial)
    for atom in divisor:
        if atom not in remaining:
            return None
        remaining.remove(atom)
    return tuple(remaining)


def _guessed_shape(
    references: Sequence[Reference], is_parameter: Callable[[Monomial], bool]
) -> tuple[Expr | None, ...] | None:
    """The extents that products like `i*m` and `i*m*l` tell, innermost from the smallest."""
    products: dict[Monomial, None] = {}
    for reference in references:
        for monomial in reference.flat.terms if reference.flat is not None else ():
            sizes = tuple(atom for atom in monomial if isinstance(atom, Unknown))
            if sizes and len(sizes) < len(monomial) and is_parameter(sizes):
                products[sizes] = None
    if not products:
        return None
    shape: list[Expr | None] = []
    inner: Monomial = ()
    for product in sorted(products, key=len):
        extent = _without(product, inner)
        if extent is None:
            return None
        shape.insert(0, Expr({extent: 1}))
        inner = product
    return (None, *shape)
