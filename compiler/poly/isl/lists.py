"""The parts of isl's unions and lists as Python lists.

isl hands them out through callbacks; these only append, so nothing can raise inside one.
"""

from __future__ import annotations

from typing import TypeVar

import islpy as isl


def maps(union: isl.UnionMap) -> list[isl.Map]:
    """The maps of a union, one for each pair of spaces, in the order of their spaces' names."""
    found = list[isl.Map]()
    union.foreach_map(found.append)
    return _in_order(found)


def sets(union: isl.UnionSet) -> list[isl.Set]:
    found = list[isl.Set]()
    union.foreach_set(found.append)
    return _in_order(found)


def pw_affs(union: isl.UnionPwAff) -> list[isl.PwAff]:
    found = list[isl.PwAff]()
    union.foreach_pw_aff(found.append)
    return _in_order(found)


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


_Part = TypeVar("_Part", isl.Map, isl.Set, isl.PwAff)


def _in_order(parts: list[_Part]) -> list[_Part]:
    """isl's own order is that of a hash table; output should not depend on it."""
    return sorted(parts, key=lambda one: str(one.get_space())) if len(parts) > 1 else parts
