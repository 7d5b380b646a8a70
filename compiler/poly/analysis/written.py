"""What a SCoP may write of each array, so that it can be kept and put back: a box of subscripts.

    lower[k] <= a[k] <= upper[k],   first <= a <= last   (the second in lexicographic order)

`first` and `last` are elements that are accessed for sure, so that all elements between them in
memory belong to the same object; a box may be wider than what is written (a triangle), and without
them it could reach beyond the object. `is_any` is 0 where nothing is written, else 1.

A box is given only where every element in it may be read: what is written for sure shows that, and
so does what else is accessed for sure, and the extents of an object whose declaration is seen.
"""

from __future__ import annotations

from collections.abc import Callable

import islpy as isl

from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.isl.names import apart, parameters_of
from polyopt.poly.loops.loop_tree import Const, Expr, Select
from polyopt.poly.loops.subscripts import condition_of, expression_of
from polyopt.poly.scop import Access, Array, Scop
from polyopt.support.record import record

OPERATIONS = 500_000
"""For one array; a tenth of a second."""

_Set = isl.dim_type.set


@record
class WrittenBox:
    """Subscripts, over the SCoP's parameters."""

    is_any: Expr
    lower: tuple[Expr, ...]
    upper: tuple[Expr, ...]
    first: tuple[Expr, ...]
    last: tuple[Expr, ...]


def written_box(scop: Scop, array: Array, *, is_object: bool) -> WrittenBox | None:
    """The box of what is written of `array`; None where there is none, or it is too dear to find.
    `is_object`: the array's extents are those of a variable."""
    try:
        with budget("what is written", OPERATIONS):
            return _box(scop, array, is_object)
    except BudgetExceeded:
        return None


def _box(scop: Scop, array: Array, is_object: bool) -> WrittenBox | None:
    space = isl.Space.set_alloc(isl.DEFAULT_CONTEXT, 0, len(array.extents))
    nothing = isl.Set.empty(space.set_tuple_name(_Set, array.name))
    written = _image(scop, array, nothing, lambda one: one.is_write)
    extents = _extents(scop, array) if is_object else None
    if extents is not None:
        written = written.intersect(extents)
    else:
        certain = _image(scop, array, nothing, lambda one: one.is_must)
        if not written.is_subset(certain):
            return None
    written = written.coalesce()
    rank = len(array.extents)
    for k in range(rank):
        if not (written.dim_has_lower_bound(_Set, k) and written.dim_has_upper_bound(_Set, k)):
            return None
    ends = written.lexmin_pw_multi_aff(), written.lexmax_pw_multi_aff()
    return WrittenBox(
        _value(scop, written.params().indicator_function()),
        tuple(_value(scop, written.dim_min(k)) for k in range(rank)),
        tuple(_value(scop, written.dim_max(k)) for k in range(rank)),
        tuple(_value(scop, ends[0].get_pw_aff(k)) for k in range(rank)),
        tuple(_value(scop, ends[1].get_pw_aff(k)) for k in range(rank)),
    )


def _image(scop: Scop, array: Array, nothing: isl.Set, wanted: Callable[[Access], bool]) -> isl.Set:
    """The elements of `array` that the accesses asked for may touch."""
    result = nothing
    for statement in scop.statements:
        domain = statement.domain.intersect_params(scop.known)
        for access in statement.accesses:
            if access.array == array.name and wanted(access):
                relation = access.relation.intersect_domain(domain)
                result = result.union(relation.range())
    return result


def _extents(scop: Scop, array: Array) -> isl.Set | None:
    """{ A[a] : 0 <= a[k] < extent[k] }; None where one is not known."""
    names = parameters_of(scop.context.get_space())
    subscripts = apart("a", len(array.extents), names)
    bounds: list[str] = []
    for subscript, extent in zip(subscripts, array.extents, strict=True):
        if extent is None:
            return None
        bounds.append(f"0 <= {subscript} < {extent}")
    where = f" : {' and '.join(bounds)}" if bounds else ""
    text = f"[{', '.join(names)}] -> {{ {array.name}[{', '.join(subscripts)}]{where} }}"
    return isl.Set(text)


def _value(scop: Scop, function: isl.PwAff) -> Expr:
    """The function's value for the parameters at hand, 0 where it has none."""
    known = function.gist(scop.known).coalesce()
    result: Expr = Const(0)
    for where, value in reversed(known.get_pieces()):
        one = expression_of(value)
        result = one if where.plain_is_universe() else Select(condition_of(where), one, result)
    return result
