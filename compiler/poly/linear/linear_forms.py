"""Affine functions and access relations as integer vectors, for models that need no exactness.

Models of locality ask how subscripts and schedule functions change from one iteration to the
next, so only the factors of the iterators matter. What is not one affine function over its
whole domain (pieces, divisions) has no form here and gives None: "unknown" to every model.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

import islpy as isl

from polyopt.poly.isl.lists import pieces, pw_affs

Vector = tuple[int, ...]

_ZERO = Fraction(0)


def functions_of(function: isl.UnionPwAff) -> dict[str | None, Vector | None]:
    """For each statement in the domain of `function`: the factors of its iterators."""
    return {
        part.get_domain_space().get_tuple_name(isl.dim_type.set): _factors_of(part)
        for part in pw_affs(function)
    }


def function_of(function: isl.UnionPwAff, statement: str) -> Vector | None:
    """The factors of the statement's iterators in `function`."""
    return functions_of(function).get(statement)


def linear_text(row: Vector, names: Sequence[str]) -> str:
    """ "2 t - i"; "0" if nothing is left of it. Iterators without a name are numbered."""
    text = ""
    for k, factor in enumerate(row):
        if not factor:
            continue
        name = names[k] if k < len(names) else f"i{k}"
        size = "" if abs(factor) == 1 else f"{abs(factor)} "
        sign = ("- " if factor < 0 else "+ ") if text else ("-" if factor < 0 else "")
        text += f"{' ' if text else ''}{sign}{size}{name}"
    return text or "0"


def map_of(rows: Sequence[Vector], size: int) -> isl.Map:
    """{ [i0, …] -> [rows] } on `size` iterators."""
    names = [f"i{k}" for k in range(size)]
    places = ", ".join(linear_text(row, names) for row in rows)
    return isl.Map(f"{{ [{', '.join(names)}] -> [{places}] }}")


def subscripts_of(relation: isl.Map) -> tuple[Vector, ...] | None:
    """One vector for each subscript of an access relation."""
    if not relation.is_single_valued():
        return None
    function = isl.MultiPwAff.from_pw_multi_aff(isl.PwMultiAff.from_map(relation))
    rows = [_factors_of(function.get_at(k)) for k in range(function.dim(isl.dim_type.out))]
    known = [row for row in rows if row is not None]
    return tuple(known) if len(known) == len(rows) else None


def _factors_of(function: isl.PwAff) -> Vector | None:
    parts = pieces(function)
    if len(parts) != 1:
        return None
    _, aff = parts[0]
    if aff.dim(isl.dim_type.div):
        return None
    values = [
        aff.get_coefficient_val(isl.dim_type.in_, k) for k in range(aff.dim(isl.dim_type.in_))
    ]
    if not all(value.is_int() for value in values):
        return None
    return tuple(value.to_python() for value in values)


def apply(rows: Sequence[Vector], direction: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """The matrix of `rows` times `direction`. Most of both are zeros."""
    steps = [(k, step) for k, step in enumerate(direction) if step.numerator]
    return tuple(
        sum((row[k] * step for k, step in steps if row[k]), _ZERO) if steps else _ZERO
        for row in rows
    )


def directions(rows: Sequence[Vector]) -> list[tuple[Fraction, ...]] | None:
    """For independent rows f_0, ..., f_n of a square matrix: the vectors d_0, ..., d_n with
    f_a · d_b = 1 where a = b and 0 elsewhere: the step from one iteration to the next of each
    loop while the other loops stand still. None if the matrix is not square or is singular."""
    size = len(rows)
    if any(len(row) != size for row in rows):
        return None
    left = [[Fraction(value) for value in row] for row in rows]
    right = [[Fraction(int(a == b)) for b in range(size)] for a in range(size)]
    for column in range(size):
        pivot = next((row for row in range(column, size) if left[row][column]), None)
        if pivot is None:
            return None
        left[column], left[pivot] = left[pivot], left[column]
        right[column], right[pivot] = right[pivot], right[column]
        factor = left[column][column]
        left[column] = [value / factor for value in left[column]]
        right[column] = [value / factor for value in right[column]]
        for row in range(size):
            if row != column and left[row][column]:
                factor = left[row][column]
                left[row] = [a - factor * b for a, b in zip(left[row], left[column], strict=True)]
                right[row] = [
                    a - factor * b for a, b in zip(right[row], right[column], strict=True)
                ]
    return [tuple(right[row][column] for row in range(size)) for column in range(size)]


def independent(rows: Sequence[Vector]) -> list[int]:
    """The positions of the rows that are no linear combination of those before them."""
    chosen = list[int]()
    basis = list[list[Fraction]]()
    for position, row in enumerate(rows):
        rest = [Fraction(value) for value in row]
        for other in basis:
            lead = next(k for k, value in enumerate(other) if value)
            factor = rest[lead] / other[lead]
            rest = [a - factor * b for a, b in zip(rest, other, strict=True)]
        if any(rest):
            basis.append(rest)
            chosen.append(position)
    return chosen


def rank(rows: Sequence[Vector]) -> int:
    return _rank(tuple(rows))


@lru_cache(maxsize=4096)
def _rank(rows: tuple[Vector, ...]) -> int:
    return len(independent(rows))
