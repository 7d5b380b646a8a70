"""One shape for all references to an object.

References that agree on the shape of their array keep their subscripts. Where they differ (a
pointer walks over a two-dimensional array, a program linearises by hand) the place in the object
is taken apart by the strides of one shape, as in T. Grosser, J. Ramanujam, L.-N. Pouchet,
P. Sadayappan, S. Pop: "Optimistic Delinearization of Parametrically Sized Arrays", ICS 2015:

    p[i*m + j]           ->  p[i][j],     given that 0 <= j < m
    p[(i*64 + j)*64 + k] ->  p[i][j][k],  given that 0 <= j < 64 and 0 <= k < 64
    p[i*(m + 2) + j]     ->  p[i][j],     given that 0 <= j < m + 2
    p[i*(m + 2*n) + j]   ->  p[i][j],     given that 0 <= j < m + 2*n (`rows_of_sums.py`)
    p[3*(i*m + j) + 1]   ->  p[i][3*j + 1],  given that 0 <= 3*j + 1 < 3*m

Where every factor of a parameter is a multiple of the same number, so is the row: of pixels of
three bytes there are m in it, and the rows of an image that is read two at a time are twice m.

Factors that are numbers tell extents as parameters do, where one reference adds two loops or more
with different factors: a step of 4 elements alone is no row. Whether rows are as long as they
seem is for the caller to prove or to check.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from math import gcd, prod

from polyopt.ir.expressions.integer_expr import Expr, Floor, Monomial, Quotient, Unknown
from polyopt.ir.expressions.shapes import strides
from polyopt.ir.references.memory_references import Reference
from polyopt.ir.references.rows_of_sums import divide, shape_of_sums, without_factors
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
    as it stands, None if the shape was found by delinearisation; then `rows` says whether numbers
    told some of its extents. The shape begins `start` bytes behind the base: where a field of a
    struct does."""

    shape: tuple[Expr | None, ...]
    subscripts: tuple[Subscript, ...]
    pattern: Reference | None
    start: int = 0
    rows: bool = False


def layouts(
    references: Sequence[Reference],
    is_parameter: Callable[[Monomial], bool],
    least_row: int | None = 2,
) -> list[ArrayLayout]:
    """The layouts that fit all references to one object, the best first. Rows that only numbers
    tell have `least_row` elements or more; none are looked for where that is None."""
    patterns = _patterns(references)
    rows = (
        None if least_row is None else _guessed_shape(_flats(references), is_parameter, least_row)
    )
    shapes = [
        *((pattern.shape, pattern, False) for pattern in patterns if len(pattern.shape) > 1),
        (rows, None, True),
        *((pattern.shape, pattern, False) for pattern in patterns if len(pattern.shape) <= 1),
        (_guessed_shape(_flats(references), is_parameter), None, False),
        ((None,), None, False),
    ]
    padded = _padded_layout(_flats(references), is_parameter)
    padded = padded or _summed_layout(_flats(references), is_parameter)
    result: list[ArrayLayout] = [] if padded is None else [padded]
    for shape, pattern, is_rows in shapes:
        if shape is None:
            continue
        start = 0 if pattern is None else _start(pattern)
        assert start is not None
        subscripts = [_subscript_of(reference, shape, start) for reference in references]
        if all(s is not None for s in subscripts):
            found = tuple(s for s in subscripts if s is not None)
            if pattern is not None and not _holds_all(pattern, references):
                shape = (None, *shape[1:])
            result.append(ArrayLayout(shape, found, pattern, start, is_rows))
    return result


def _holds_all(pattern: Reference, references: Sequence[Reference]) -> bool:
    """Whether the others are in the pattern's array, not in one beside it, as other members of a
    struct are: then they go beyond its first extent."""
    if pattern.op.memref is pattern.base or not pattern.shape:
        return True
    start = pattern.offset.as_constant
    return all(one.shape == pattern.shape and one.offset.as_constant == start for one in references)


def _flats(references: Sequence[Reference]) -> list[Expr | None]:
    return [reference.flat for reference in references]


def _padded_layout(
    flats: Sequence[Expr | None], is_parameter: Callable[[Monomial], bool]
) -> ArrayLayout | None:
    """The layout with rows of `m + c` elements, which products like `i*(m + c)` tell after they
    are multiplied out; None where no sum of a parameter and a number is the length of a row."""
    shifts = _shifts(flats, is_parameter)
    if not shifts or None in flats:
        return None
    there = {size: Expr.of(size) - c for size, c in shifts.items()}
    back = {size: Expr.of(size) + c for size, c in shifts.items()}
    # From here on a size stands for the padded one.
    moved = [_replaced(flat, there) for flat in flats if flat is not None]
    shape = _guessed_shape(moved, is_parameter)
    if shape is None:
        return None
    found: list[Subscript] = []
    for flat in moved:
        subscript = _taken_apart(flat, shape)
        if subscript is None:
            return None
        indices = tuple(_replaced(index, back) for index in subscript.indices)
        bounds = tuple(
            (_replaced(index, back), _replaced(extent, back)) for index, extent in subscript.bounds
        )
        found.append(Subscript(indices, bounds))
    extents = tuple(None if extent is None else _replaced(extent, back) for extent in shape)
    return ArrayLayout(extents, tuple(found), None)


def _summed_layout(
    flats: Sequence[Expr | None], is_parameter: Callable[[Monomial], bool]
) -> ArrayLayout | None:
    """The layout with rows that are as long as a sum says, of parameters and their products."""
    known = [flat for flat in flats if flat is not None]
    shape = shape_of_sums([_without_remainders(flat) for flat in known], is_parameter)
    if shape is None or len(known) < len(flats):
        return None
    found = [_taken_apart(flat, shape) for flat in known]
    subscripts = tuple(one for one in found if one is not None)
    return ArrayLayout(shape, subscripts, None) if len(subscripts) == len(flats) else None


def _shifts(
    flats: Sequence[Expr | None], is_parameter: Callable[[Monomial], bool]
) -> dict[Unknown, int]:
    """For each size m the number c, if there is one and it is not 0, for which the places are
    polynomials in m + c: of `a * m**d + b * m**(d-1) + ...` beside a loop, b is a * d * c."""
    found: dict[Unknown, set[int | None]] = {}
    for place in flats:
        flat = None if place is None else _without_remainders(place)
        by_loops: dict[tuple[Unknown, Monomial], dict[int, int]] = {}
        for monomial, count in flat.terms.items() if flat is not None else ():
            for size in {atom for atom in monomial if isinstance(atom, Unknown)}:
                if is_parameter((size,)):
                    degree = monomial.count(size)
                    rest = tuple(atom for atom in monomial if atom != size)
                    if rest and not is_parameter(rest):
                        by_loops.setdefault((size, rest), {})[degree] = count
        for (size, rest), counts in by_loops.items():
            degree = max(counts)
            assert flat is not None
            below = counts.get(degree - 1, flat.terms.get(rest, 0) if degree == 1 else 0)
            whole, left = divmod(below, degree * counts[degree])
            found.setdefault(size, set()).add(None if left else whole)
    return {size: c for size, votes in found.items() if len(votes) == 1 and (c := votes.pop())}


def _replaced(expr: Expr, by: Mapping[Unknown, Expr]) -> Expr:
    total = Expr({})
    for monomial, count in expr.terms.items():
        term = Expr.constant(count)
        for atom in monomial:
            term = term * (
                by.get(atom, Expr.of(atom)) if isinstance(atom, Unknown) else Expr.of(atom)
            )
        total += term
    return total


def _patterns(references: Sequence[Reference]) -> list[Reference]:
    """One reference for each shape and place where it begins, those of the most dimensions
    first."""
    found: dict[tuple[tuple[Expr | None, ...], int], Reference] = {}
    for reference in references:
        start = _start(reference)
        if start is not None and (start == 0 or len(reference.shape) > 1):
            found.setdefault((reference.shape, start), reference)
    return sorted(found.values(), key=lambda reference: -len(reference.shape))


def _start(reference: Reference) -> int | None:
    """How many bytes behind the base the reference's array begins, always at a whole element."""
    start = reference.offset.as_constant
    return None if start is None or start % reference.element_bytes else start


def _subscript_of(
    reference: Reference, shape: tuple[Expr | None, ...], start: int
) -> Subscript | None:
    if reference.shape == shape and reference.offset.as_constant == start:
        return Subscript(reference.indices)
    if reference.flat is None:
        return None
    return _taken_apart(reference.flat - start // reference.element_bytes, shape)


def _taken_apart(flat: Expr, shape: tuple[Expr | None, ...]) -> Subscript | None:
    """The indices whose place in an array of `shape` is `flat`."""
    factors = strides(shape)
    if factors is None:
        return None
    number = flat.terms.get((), 0)
    rest = flat - number
    indices: list[Expr] = []
    for factor in factors:
        index, rest = divide(rest, factor)
        indices.append(index)
    if rest.terms or (number and not shape):
        return None
    for place, digit in _digits(number, shape, indices).items():
        indices[place] = indices[place] + digit
    bounds = [
        (index, extent)
        for index, extent in zip(indices[1:], shape[1:], strict=True)
        if extent is not None
    ]
    return Subscript(tuple(indices), tuple(bounds))


def _digits(number: int, shape: tuple[Expr | None, ...], indices: Sequence[Expr]) -> dict[int, int]:
    """`number` in the mixed radix of the innermost extents that are numbers. Beside a loop the
    digit of least magnitude: one row on and one element back is `i + 1`, `j - 1`. Of no extents
    there are no digits, and `number` is 0."""
    if not shape:
        return {}
    digits: dict[int, int] = {}
    for place in reversed(range(1, len(shape))):
        extent = shape[place]
        size = None if extent is None else extent.as_constant
        if not size:
            digits[place] = number
            return digits
        digit = number % size
        if indices[place].terms and 2 * digit > size:
            digit -= size
        digits[place] = digit
        number = (number - digit) // size
    digits[0] = number
    return digits


def _guessed_shape(
    flats: Sequence[Expr | None],
    is_parameter: Callable[[Monomial], bool],
    least_row: int | None = None,
) -> tuple[Expr | None, ...] | None:
    """The extents that products like `i*m` and `i*m*l` tell, innermost from the smallest; inside
    of them, where `least_row` is given, those that factors like the 64 of `i*64` tell."""
    products: dict[Monomial, list[int]] = {}
    offsets: dict[Monomial, list[int]] = {}
    numbers: list[set[int]] = []
    for flat in flats:
        found: set[int] = set()
        for monomial, count in flat.terms.items() if flat is not None else ():
            sizes = tuple(atom for atom in monomial if isinstance(atom, Unknown))
            if monomial and not is_parameter(monomial) and not sizes:
                if flat is not None and not _is_remainder(monomial, count, flat):
                    found.add(abs(count))
            elif sizes and len(sizes) < len(monomial) and is_parameter(sizes):
                products.setdefault(sizes, []).append(count)
            elif sizes == monomial:
                offsets.setdefault(sizes, []).append(count)
        numbers.append(found)
    rows = [] if least_row is None else _rows(numbers, least_row)
    inner_size = prod(rows)
    multiples = _multiples(products, offsets)
    if any(multiple % inner_size for _, multiple in multiples):
        rows = []
    if not rows and (least_row is not None or not products):
        return None
    shape: list[Expr | None] = []
    inner: Monomial = ()
    size = prod(rows)
    for product, multiple in multiples:
        extent = without_factors(product, inner)
        if extent is None:
            return None
        shape.insert(0, Expr({extent: multiple // size}))
        inner, size = product, multiple
    return (None, *shape, *map(Expr.constant, rows))


def _is_remainder(monomial: Monomial, count: int, flat: Expr) -> bool:
    """Whether this is the quotient of a remainder: of `u*t - u*d*(t / d)`, which is `u*(t % d)`. It
    is in the places that `t` counts; what it has as a factor is the length of no row."""
    moving = _counted(monomial, count)
    return bool(moving) and all(flat.terms.get(m) == n for m, n in moving.items())


def _counted(monomial: Monomial, count: int) -> dict[Monomial, int]:
    """What moves in the `u*t` of such a remainder; nothing where it is none."""
    if len(monomial) != 1 or not isinstance(monomial[0], Floor | Quotient):
        return {}
    unit, left = divmod(-count, monomial[0].divisor)
    return {} if left else {m: unit * own for m, own in monomial[0].term.terms.items() if m}


def _without_remainders(flat: Expr) -> Expr:
    """The place but for remainders, such as the `(i + c) % 2` of each other element of a row:
    `i*m + i + c - 2*((i + c) / 2)` is no row of `m + 1`."""
    for monomial, count in flat.terms.items():
        moving = _counted(monomial, count)
        if moving and (count < 0 or _is_remainder(monomial, count, flat)):
            flat = flat - Expr({**moving, monomial: count})
    return flat


def _multiples(
    products: Mapping[Monomial, Sequence[int]], offsets: Mapping[Monomial, Sequence[int]]
) -> list[tuple[Monomial, int]]:
    """Each product, the smallest first, with the number that divides all its factors, those of
    greater products and those of the places that are so many rows behind the base: how many times
    the product there are elements in what moves by it."""
    result: list[tuple[Monomial, int]] = []
    multiple = 0
    ordered = sorted(products, key=len)
    for place in reversed(range(len(ordered))):
        product = ordered[place]
        behind = [
            count
            for offset, counts in offsets.items()
            if _greatest_part(offset, ordered) == product
            for count in counts
        ]
        multiple = gcd(multiple, *products[product], *behind)
        result.insert(0, (product, multiple))
    return result


def _greatest_part(offset: Monomial, ordered: Sequence[Monomial]) -> Monomial | None:
    return next(
        (one for one in reversed(ordered) if without_factors(offset, one) is not None), None
    )


def _rows(numbers: Sequence[set[int]], least_row: int) -> list[int]:
    """The extents, outermost first, that the factors of the loops in each reference tell: the
    smallest factor moves in the row, each greater one that the last one divides is a row of it."""
    strides = sorted(set[int]().union(*numbers))[:1]
    for number in sorted(set[int]().union(*numbers)):
        inner = strides[-1] if len(strides) > 1 else 1
        if number > strides[0] and number % inner == 0 and number // inner >= least_row:
            strides.append(number)
    if not any(len(found.intersection(strides)) > 1 for found in numbers):
        return []
    strides[0] = 1
    return [outer // inner for inner, outer in pairwise(strides)][::-1]
