"""How much there is to do, roughly: for the choice of what to look at first, never for legality.

    work(S) = |box of { S[i_0, ..., i_n] }| * accesses of S

The box has the extent of the domain in each dimension, with every parameter at the largest value
that is known of it, at `ASSUMED` where none is or where it is no size of an array that anybody has.
"""

from __future__ import annotations

from math import prod

import islpy as isl

from polyopt.poly.scop import Scop

ASSUMED = 1000
LARGEST = 1_000_000


def estimated_work(scop: Scop) -> dict[str, float]:
    """By statement; at least 1, also where nothing runs."""
    at = _parameters(scop)
    return {
        one.name: max(1.0, _box(one.domain.intersect_params(at))) * max(1, len(one.accesses))
        for one in scop.statements
    }


def _parameters(scop: Scop) -> isl.Set:
    """A parameter set of one point: the parameters as they are assumed to be."""
    at = scop.known.params()
    for k in range(at.dim(isl.dim_type.param)):
        fixed = at.fix_val(isl.dim_type.param, k, isl.Val(_likely(at, k)))
        at = at if fixed.is_empty() else fixed
    return at


def _likely(at: isl.Set, k: int) -> int:
    """Of parameter k: its largest value if that is a size, else `ASSUMED` or its smallest."""
    one = isl.Set.from_params(at).move_dims(isl.dim_type.set, 0, isl.dim_type.param, k, 1)
    largest, smallest = _number(one.dim_max_val(0)), _number(one.dim_min_val(0))
    if largest is not None and largest <= LARGEST:
        return largest
    return max(ASSUMED, smallest or 0)


def _box(domain: isl.Set) -> float:
    if domain.is_empty():
        return 0.0
    return prod(map(float, (_extent(domain, k) for k in range(domain.dim(isl.dim_type.set)))))


def _extent(domain: isl.Set, k: int) -> int:
    largest, smallest = _number(domain.dim_max_val(k)), _number(domain.dim_min_val(k))
    return ASSUMED if largest is None or smallest is None else largest - smallest + 1


def _number(value: isl.Val) -> int | None:
    """None where it is infinite, or there is none."""
    return value.to_python() if value.is_int() else None
