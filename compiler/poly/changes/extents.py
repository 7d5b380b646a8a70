"""How long an array has to be, for what is used of it.

    { A[i] : 0 <= i < n }                     n
    { A[i] : 0 <= i < n or 0 <= i < m }       the greater one of n and m

An extent is affine in the parameters, or the greatest of several such forms; what is negative
counts as 0. It is never too small; where forms hold in different cases it may be more than is used.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq

import islpy as isl

from polyopt.poly.isl.lists import pieces
from polyopt.poly.isl.numbers import val

Extent = isl.Aff | isl.PwAff
"""Of a piecewise form the greatest of all pieces counts, whatever the parameters are."""

_SET = isl.dim_type.set


def forms_of(extent: Extent) -> list[isl.Aff]:
    return [extent] if isinstance(extent, isl.Aff) else [form for _, form in pieces(extent)]


def constant_extent(extent: Extent) -> int | None:
    """Where no parameter decides."""
    forms = forms_of(extent)
    if not all(form.is_cst() for form in forms):
        return None
    return max(0, *(form.get_constant_val().to_python() for form in forms))


def greatest_extents(extents: Seq[Extent], parameters: isl.Set) -> list[int] | None:
    """What the extents do not exceed for such parameters, if anything."""
    space, found = parameters.get_space(), list[int]()
    for extent in extents:
        ends = [parameters.max_val(form.align_params(space)) for form in forms_of(extent)]
        if not all(end.is_int() for end in ends):
            return None
        found.append(max(0, *(end.to_python() for end in ends)))
    return found


def one_bound_each(touched: isl.UnionSet) -> tuple[isl.Aff, ...] | None:
    """One more than a bound of each dimension that no case needs to be told from another for."""
    elements = isl.Set.from_union_set(touched)
    found = list[isl.Aff]()
    for k in range(elements.dim(_SET)):
        if not elements.is_subset(elements.lower_bound_val(_SET, k, val(0))):
            return None
        others = elements.dim(_SET) - k - 1
        line = elements.project_out(_SET, k + 1, others).project_out(_SET, 0, k)
        constraints = list[isl.Constraint]()
        line.remove_divs().simple_hull().foreach_constraint(constraints.append)
        ends = [
            one.get_bound(_SET, 0)
            for one in constraints
            if one.get_coefficient_val(_SET, 0).to_python() == -1
        ]
        if not ends:
            return None
        found.append(min(ends, key=str).add_constant_val(val(1)))
    return tuple(found)


def greatest_of_forms(touched: isl.UnionSet) -> tuple[Extent, ...] | None:
    """One more than the greatest index of each dimension; None where one is negative, or has no
    end."""
    elements = isl.Set.from_union_set(touched)
    found = list[Extent]()
    for k in range(elements.dim(_SET)):
        if not elements.is_subset(elements.lower_bound_val(_SET, k, val(0))):
            return None
        if not elements.dim_has_upper_bound(_SET, k):
            return None
        found.append(elements.dim_max(k).coalesce().add_constant_val(val(1)))
    return tuple(found)


def is_within(touched: isl.UnionSet, sizes: Seq[int]) -> bool:
    elements = isl.Set.from_union_set(touched)
    box = isl.Set.universe(elements.get_space())
    for k, size in enumerate(sizes):
        box = box.lower_bound_val(_SET, k, val(0)).upper_bound_val(_SET, k, val(size - 1))
    return elements.is_subset(box)
