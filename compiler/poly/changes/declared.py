"""For which parameters every access stays within the arrays as they are declared."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import islpy as isl

from polyopt.poly.isl.numbers import val
from polyopt.poly.scop import Scop, Statement

MOST_PIECES = 8
"""Half-spaces multiply: what would make more pieces is not taken into account."""

_PARAM, _SET = isl.dim_type.param, isl.dim_type.set


def within_declared(scop: Scop, parameters: isl.Set) -> isl.Set:
    """Those of the parameters for which no access that is certain leaves an array whose extents
    are numbers; where that is not simple, some more of them."""
    allowed = parameters
    for statement in scop.statements:
        for touched, dim, size in _declared(scop, statement):
            outside = touched.intersect_params(allowed).lower_bound_val(_SET, dim, val(size))
            left = allowed.subtract(outside.params()).coalesce()
            if left.n_basic_set() <= MOST_PIECES:
                allowed = left
    return allowed


def declared_limits(scop: Scop, largest: int, fixed: Collection[str] = ()) -> dict[str, int]:
    """{ p: B }, B <= `largest`, of parameters that say which instances run, but for `fixed` ones:
    the SCoP does the same where B takes the place of p > B, as long as no access leaves an array
    whose extents are numbers.

    Of statements that depend on p, none runs where p > B unless an access that is certain leaves
    an array, and none runs at p = B that does not run beyond it too. And what is known of p and
    others, `m <= p`, is still so with B."""
    limits, known = _separate_limits(scop, largest, fixed), scop.known
    found = dict[str, int]()
    while True:
        left = [name for name in limits if name not in found]
        name = next((one for one in left if _stays_known(known, one, limits[one])), None)
        if name is None:
            return found
        found[name] = limits[name]
        place = known.find_dim_by_name(_PARAM, name)
        known = known.upper_bound_val(_PARAM, place, val(limits[name]))


def _separate_limits(scop: Scop, largest: int, fixed: Collection[str]) -> dict[str, int]:
    """Of each parameter, by what the statements do alone."""
    known = scop.known
    outside = list(_leaving(scop, largest))
    named = {*fixed, *(extent for array in scop.arrays for extent in array.extents)}
    runs = [
        (one, one.domain.params().intersect(known).align_params(known.get_space()))
        for one in scop.statements
        if outside
    ]
    found = dict[str, int]()
    for place in range(known.dim(_PARAM) if outside else 0):
        name = known.get_dim_name(_PARAM, place)
        if name is None or name in named or not any(_involves(one.domain, name) for one, _ in runs):
            continue
        concerned = [run for one, run in runs if _depends_on(one, name)]
        limits = {most for part in outside if (most := _limit(part, place)) is not None}
        for most in sorted(one for one in limits if 0 <= one <= largest):
            if all(_is_limited(run, known, place, most, outside) for run in concerned):
                found[name] = most
                break
    return found


def _stays_known(known: isl.Set, name: str, most: int) -> bool:
    """Whether all that is known where the parameter is greater is so where it is the greatest."""
    place = known.find_dim_by_name(_PARAM, name)
    beyond = known.lower_bound_val(_PARAM, place, val(most + 1))
    return beyond.eliminate(_PARAM, place, 1).fix_val(_PARAM, place, val(most)).is_subset(known)


def _declared(scop: Scop, statement: Statement) -> Iterator[tuple[isl.Set, int, int]]:
    """What each access that is certain touches, and the places and sizes of the array's extents
    that are numbers; not of a row that numbers name: `a[0][i]` is written for all of an array."""
    for access in statement.accesses:
        extents = scop.array(access.array).extents
        sizes = [(dim, int(size)) for dim, size in enumerate(extents) if size and size.isdigit()]
        if access.is_must and sizes:
            touched = statement.domain.apply(access.relation)
            yield from ((touched, dim, size) for dim, size in sizes if not _is_in_row(touched, dim))


def _is_in_row(touched: isl.Set, dim: int) -> bool:
    return dim > 0 and all(touched.plain_get_val_if_fixed(_SET, k).is_int() for k in range(dim))


def _leaving(scop: Scop, largest: int) -> Iterator[isl.Set]:
    """For which parameters accesses that are certain leave rows of so many elements at most."""
    known = scop.known
    for statement in scop.statements:
        for touched, dim, size in _declared(scop, statement):
            if size > largest:
                continue
            outside = touched.intersect_params(known).lower_bound_val(_SET, dim, val(size)).params()
            if outside.n_basic_set() == 1 and not outside.is_empty():
                yield outside.align_params(known.get_space())


def _depends_on(statement: Statement, name: str) -> bool:
    """Whether the parameter is in what the statement does, and for which instances."""
    relations = (access.relation for access in statement.accesses)
    return _involves(statement.domain, name) or any(_involves(one, name) for one in relations)


def _involves(one: isl.Set | isl.Map, name: str) -> bool:
    at = one.find_dim_by_name(_PARAM, name)
    return at >= 0 and one.involves_dims(_PARAM, at, 1)


def _limit(outside: isl.Set, place: int) -> int | None:
    """One less than the least value of the parameter there."""
    moved = outside.from_params().move_dims(_SET, 0, _PARAM, place, 1)
    least = moved.dim_min_val(0)
    return least.to_python() - 1 if least.is_int() else None


def _is_limited(
    run: isl.Set, known: isl.Set, place: int, most: int, outside: list[isl.Set]
) -> bool:
    """Whether accesses are outside wherever the statement runs (`run`) with a parameter that is
    greater, and whether it runs there where it runs with the greatest."""
    beyond = run.lower_bound_val(_PARAM, place, val(most + 1))
    at_most = run.fix_val(_PARAM, place, val(most))
    moved = at_most.eliminate(_PARAM, place, 1).lower_bound_val(_PARAM, place, val(most + 1))
    return moved.intersect(known).is_subset(beyond) and any(
        beyond.is_subset(one) for one in outside
    )
