"""A few instances of a SCoP that are worth looking at.

A picture of a million points shows nothing. Sizes (parameters) are chosen small, so that the
deepest statement has a handful of iterations in each loop; where a loop is long whatever the
sizes are, its first iterations are taken. What is shown of a smaller problem is exact: the domains
are those of the SCoP, with these sizes put in.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import islpy as isl

from polyopt.poly.isl.lists import points, sets
from polyopt.poly.isl.numbers import val
from polyopt.poly.scop import Scop
from polyopt.support.record import record

LIMIT = 320
"""The most instances in one sample."""

EXTENTS = {0: 1, 1: 24, 2: 10, 3: 5, 4: 4}
"""How many iterations of each loop are wanted, by the depth of the nest; of deeper nests the
innermost four loops are shown so, the outer ones by their first iteration."""

SHOWN_DEPTH = 4

Instance = tuple[str, tuple[int, ...]]
"""A statement's name and the values of its iterators."""


@record
class Sample:
    """`parameters` have the values that were put in; `extent` is how many iterations of a loop
    there may be; `cropped` names the statements of which there are more instances than shown."""

    parameters: tuple[tuple[str, int], ...]
    extent: int
    domain: isl.UnionSet
    cropped: tuple[str, ...]

    def instances(self) -> list[Instance]:
        """All of them, statement by statement, in the order of their iterators."""
        return sorted(one for part in sets(self.domain) for one in instances_in(part))


def instances_in(part: isl.Set) -> Iterator[Instance]:
    """The instances of one statement, in no particular order."""
    name = part.get_tuple_name() or ""
    for point in points(part):
        yield name, coordinates(point)


def coordinates(point: isl.Point) -> tuple[int, ...]:
    space = point.get_space()
    return tuple(
        point.get_coordinate_val(isl.dim_type.set, k).to_python()
        for k in range(space.dim(isl.dim_type.set))
    )


def draw_sample(
    scop: Scop, most: int | None = None, wanted_of: isl.Set | None = None
) -> Sample | None:
    """A sample with instances of as many statements as there are, of at most so many iterations of
    each loop, for parameters in `wanted_of`; None if there is none at all that is finite."""
    if wanted_of is not None:
        scop = replace(scop, context=scop.context.intersect(wanted_of))
    depth = max((len(one.iterators) for one in scop.statements), default=0)
    wanted = EXTENTS[min(depth, SHOWN_DEPTH)] if most is None else most
    for extent in range(wanted, 0, -1):
        values = _values(scop, extent)
        if values is None:
            continue
        sample = _sample(scop, values, extent)
        if sample is not None:
            return sample
    return None


def _values(scop: Scop, wanted: int) -> isl.Set | None:
    """One point of what is known of the parameters, each of them as near to `wanted` as it may be
    where all can be the same, for which most statements have instances."""
    best, most = None, 0
    near = sorted(range(1, 4 * wanted + 8), key=lambda value: (abs(value - wanted), value))
    for value in near:
        candidate = scop.known
        for k in range(candidate.dim(isl.dim_type.param)):
            candidate = candidate.fix_val(isl.dim_type.param, k, val(value))
        count = _populated(scop, candidate)
        if count > most:
            best, most = candidate, count
        if count == len(scop.statements):
            return best
    if best is not None:
        return best
    anywhere = scop.known.intersect(scop.domain.params())
    return _point_of(_near(_of_all(scop, anywhere), wanted))


def _of_all(scop: Scop, values: isl.Set) -> isl.Set:
    """Those for which all statements have instances, and loops a second iteration, as far as there
    are some: the last statements come first."""
    for statement in reversed(scop.statements):
        for domain in (_followed(statement.domain), statement.domain):
            fewer = values.intersect(domain.params())
            if not fewer.is_empty():
                values = fewer
                break
    return values


def _followed(domain: isl.Set) -> isl.Set:
    """The instances that have another one behind them in the innermost loop."""
    depth = domain.dim(isl.dim_type.set)
    if not depth:
        return domain
    space = domain.get_space()
    last = isl.Aff.var_on_domain(isl.LocalSpace.from_space(space), isl.dim_type.set, depth - 1)
    onward = isl.Map.identity(space.map_from_set()).as_pw_multi_aff()
    onward = onward.set_pw_aff(depth - 1, isl.PwAff.from_aff(last.add_constant_val(val(1))))
    return domain.intersect(domain.preimage_pw_multi_aff(onward))


def _near(values: isl.Set, wanted: int) -> isl.Set:
    """Those of small parameters, if there are some, with loops that are as long as is wanted."""
    for most in (2 * wanted, 4 * wanted):
        fewer = values
        for k in range(values.dim(isl.dim_type.param)):
            fewer = fewer.lower_bound_val(isl.dim_type.param, k, val(0))
            fewer = fewer.upper_bound_val(isl.dim_type.param, k, val(most))
        if not fewer.is_empty():
            return fewer
    return values


def _point_of(values: isl.Set) -> isl.Set | None:
    return None if values.is_empty() else isl.Set.from_point(values.sample_point())


def _populated(scop: Scop, values: isl.Set) -> int:
    """How many statements have instances there."""
    if values.is_empty():
        return 0
    parts = (one.domain.intersect_params(values) for one in scop.statements)
    return sum(not part.is_empty() for part in parts)


def _sample(scop: Scop, values: isl.Set, extent: int) -> Sample | None:
    """None if it is too large, or has no end."""
    chosen = isl.UnionSet.empty(scop.context.get_space())
    cropped = list[str]()
    total = 0
    for statement in scop.statements:
        whole = statement.domain.intersect_params(values)
        if whole.is_empty():
            continue
        part = _window(whole, extent)
        if part is None:
            return None
        total += part.count_val().to_python()
        if total > LIMIT:
            return None
        if not whole.is_subset(part):
            cropped.append(statement.name)
        chosen = chosen.union(isl.UnionSet.from_set(part))
    return None if chosen.is_empty() else Sample(_numbers(values), extent, chosen, tuple(cropped))


def _window(part: isl.Set, extent: int) -> isl.Set | None:
    """The instances in the first `extent` iterations of each loop."""
    depth = part.dim(isl.dim_type.set)
    for k in range(depth):
        if not part.dim_has_lower_bound(isl.dim_type.set, k):
            return None
        length = extent if k >= depth - SHOWN_DEPTH else 1
        first = part.dim_min_val(k)
        if not first.is_int():
            return None
        last = first.add(val(length - 1))
        part = part.upper_bound_val(isl.dim_type.set, k, last)
    return part


def _numbers(values: isl.Set) -> tuple[tuple[str, int], ...]:
    point = values.sample_point()
    kind = isl.dim_type.param
    return tuple(
        (values.get_dim_name(kind, k) or "", point.get_coordinate_val(kind, k).to_python())
        for k in range(values.dim(kind))
    )
