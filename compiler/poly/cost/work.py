"""How much there is to do, roughly: for the choice of what to look at first, never for legality.

    work(S) = |box of { S[i_0, ..., i_n] }| * accesses of S

The box has the extent of the domain in each dimension, with every parameter at the largest value
that is known of it, at `CORE.assumed` where none is or where it is no size of an array that anybody
has.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

import islpy as isl

from polyopt.poly.isl.names import parameters_of
from polyopt.poly.isl.numbers import val
from polyopt.poly.scop import Scop
from polyopt.support.core_model import CORE


def estimated_work(scop: Scop) -> dict[str, float]:
    """By statement; at least 1, also where nothing runs."""
    at = _parameters(scop.known.params())
    return {
        one.name: max(1.0, _box(one.domain.intersect_params(at))) * max(1, len(one.accesses))
        for one in scop.statements
    }


def likely_parameters(
    scop: Scop, rank: int = 0, said: Mapping[str, int] | None = None
) -> dict[str, int]:
    """The parameters as they are assumed to be, by name; `said` are those of which numbers were
    seen, as far as these are allowed. `rank`: 1 where the first of those that nothing is known
    about are to be the greatest, -1 the least."""
    dimensions = max((len(one.extents) for one in scop.arrays), default=0)
    usual = CORE.assumed.of_rank(dimensions)
    possible = scop.known.params().intersect(_in_bounds(scop))
    allowed = _where_all_runs(scop, _as_said(possible, said or {}))
    at = _where_all_run_long(scop, allowed, _parameters(allowed, rank, usual))
    names = parameters_of(at.get_space())
    return {name: _likely(at, k, usual) for k, name in enumerate(names)}


def _as_said(allowed: isl.Set, said: Mapping[str, int]) -> isl.Set:
    for k, name in enumerate(parameters_of(allowed.get_space())):
        if name in said:
            fixed = allowed.fix_val(isl.dim_type.param, k, val(said[name]))
            allowed = allowed if fixed.is_empty() else fixed
    return allowed


def _where_all_runs(scop: Scop, at: isl.Set) -> isl.Set:
    """The parameters for which every statement has instances, as far as that can be at once: who
    gives an array its size does not mean the loops that never run."""
    at = scop.known.params().intersect(at)
    for statement in scop.statements:
        running = at.intersect(statement.domain.params())
        at = at if running.is_empty() else running
    return at


def _where_all_run_long(scop: Scop, allowed: isl.Set, at: isl.Set) -> isl.Set:
    """`at`, or a point with a parameter in the middle of its values instead of at their end, or
    further on where they have none, if some loops run only once there: what one loop counts to and
    another one from, and loops from one unknown place to another."""
    boxes = _boxes(scop, at)
    if not any(extent <= 1 for one in boxes for extent in one):
        return at
    stretch = CORE.assumed.row if _looks_up(scop) else CORE.assumed.extent
    for k in range(at.dim(isl.dim_type.param)):
        line = allowed.intersect(at.eliminate(isl.dim_type.param, k, 1))
        values = isl.Set.from_params(line).move_dims(isl.dim_type.set, 0, isl.dim_type.param, k, 1)
        largest, smallest = _number(values.dim_max_val(0)), _number(values.dim_min_val(0))
        if smallest is None and largest is None:
            continue
        chosen = _within(smallest, largest, stretch)
        other = line.fix_val(isl.dim_type.param, k, val(chosen))
        if not other.is_empty():
            found = _boxes(scop, other)
            if prod(map(prod, found)) > prod(map(prod, boxes)):
                at, boxes = other, found
    return at


def _within(smallest: int | None, largest: int | None, stretch: int) -> int:
    """In the middle, or some way from the only end."""
    if smallest is not None and largest is not None:
        return (smallest + largest) // 2
    return smallest + stretch - 1 if smallest is not None else (largest or 0) - stretch + 1


def _looks_up(scop: Scop) -> bool:
    """Are there elements at places that the program computes?"""
    return any(access.moves is not None for one in scop.statements for access in one.accesses)


def _boxes(scop: Scop, at: isl.Set) -> list[list[float]]:
    """The extents of each statement with loops around."""
    domains = (one.domain for one in scop.statements if one.domain.dim(isl.dim_type.set))
    return [_extents(domain.intersect_params(at)) for domain in domains]


def _in_bounds(scop: Scop) -> isl.Set:
    """The parameters for which no access is beyond the end of an array whose size is a number: as
    much as shows of one access to each."""
    space = scop.context.get_space()
    allowed = isl.Set.universe(space.params())
    seen = set[str]()
    for statement in scop.statements:
        for access in statement.accesses:
            extents = scop.array(access.array).extents
            sizes = [int(size) if size and size.isdigit() else None for size in extents]
            if access.array in seen or not any(sizes):
                continue
            seen.add(access.array)
            touched = statement.domain.apply(access.relation)
            for dim, size in enumerate(sizes):
                if size is not None:
                    beyond = touched.lower_bound_val(isl.dim_type.set, dim, val(size))
                    allowed = allowed.subtract(beyond.params())
    return allowed if not allowed.is_empty() else isl.Set.universe(space.params())


def _parameters(known: isl.Set, rank: int = 0, usual: int = CORE.assumed.extent) -> isl.Set:
    """A parameter set of one point: the parameters as they are assumed to be."""
    at = known
    count = at.dim(isl.dim_type.param)
    for k in range(count):
        place = {0: 0, 1: k, -1: count - 1 - k}[rank]
        fixed = at.fix_val(isl.dim_type.param, k, val(_likely(at, k, usual) >> 2 * place))
        at = at if fixed.is_empty() else fixed
    return at


def _likely(at: isl.Set, k: int, usual: int) -> int:
    """Of parameter k: its largest value if that is a size, else what is usual or its smallest."""
    one = isl.Set.from_params(at).move_dims(isl.dim_type.set, 0, isl.dim_type.param, k, 1)
    largest, smallest = _number(one.dim_max_val(0)), _number(one.dim_min_val(0))
    if largest is not None and largest <= CORE.assumed.largest:
        return largest
    return max(usual, smallest or 0)


def _box(domain: isl.Set) -> float:
    return prod(_extents(domain))


def _extents(domain: isl.Set) -> list[float]:
    count = domain.dim(isl.dim_type.set)
    if domain.is_empty():
        return [0.0]
    return [float(_extent(domain, k)) for k in range(count)]


def _extent(domain: isl.Set, k: int) -> int:
    largest, smallest = _number(domain.dim_max_val(k)), _number(domain.dim_min_val(k))
    return CORE.assumed.extent if largest is None or smallest is None else largest - smallest + 1


def _number(value: isl.Val) -> int | None:
    """None where it is infinite, or there is none."""
    return value.to_python() if value.is_int() else None
