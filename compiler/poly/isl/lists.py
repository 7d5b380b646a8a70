"""The parts of isl's unions and lists as Python lists.

isl hands them out through callbacks; these only append, so nothing can raise inside one.
"""

from __future__ import annotations

import islpy as isl


def maps(union: isl.UnionMap) -> list[isl.Map]:
    """The maps of a union, one for each pair of spaces, in the order of their spaces' names."""
    found = list[isl.Map]()
    union.foreach_map(found.append)
    return sorted(found, key=_space_key)


def sets(union: isl.UnionSet) -> list[isl.Set]:
    found = list[isl.Set]()
    union.foreach_set(found.append)
    return sorted(found, key=_space_key)


def pw_affs(union: isl.UnionPwAff) -> list[isl.PwAff]:
    found = list[isl.PwAff]()
    union.foreach_pw_aff(found.append)
    return sorted(found, key=_space_key)


def pieces(piecewise: isl.PwAff) -> list[tuple[isl.Set, isl.Aff]]:
    found = list[tuple[isl.Set, isl.Aff]]()
    piecewise.foreach_piece(lambda domain, aff: found.append((domain, aff)))
    return found


def basic_sets(value: isl.Set) -> list[isl.BasicSet]:
    found = list[isl.BasicSet]()
    value.foreach_basic_set(found.append)
    return found


def basic_maps(value: isl.Map) -> list[isl.BasicMap]:
    found = list[isl.BasicMap]()
    value.foreach_basic_map(found.append)
    return found


def points(value: isl.Set) -> list[isl.Point]:
    """Every point of a finite set; callers keep it small."""
    found = list[isl.Point]()
    value.foreach_point(found.append)
    return found


def _space_key(part: isl.Map | isl.Set | isl.PwAff) -> str:
    """isl's own order is that of a hash table; output should not depend on it."""
    return str(part.get_space())
