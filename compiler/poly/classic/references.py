"""Array references as integer vectors: subscripts over the loops around them, and their bounds.

The bounds are a box around the iterations: safe, and exact where `is_box` says so. A subscript
that is not affine in loops and parameters is None: it may be anything.
"""

from __future__ import annotations

import islpy as isl

from polyopt.poly.isl.lists import pieces
from polyopt.poly.isl.numbers import val
from polyopt.poly.linear.dependence_vectors import Interval
from polyopt.poly.scop import Access, Scop, Statement
from polyopt.support.record import record

_In, _Param, _Set = isl.dim_type.in_, isl.dim_type.param, isl.dim_type.set


@record
class Subscript:
    """constant + factors . iterators + the sum of the symbols, each times its factor."""

    constant: int
    factors: tuple[int, ...]
    symbols: tuple[tuple[str, int], ...] = ()

    @property
    def varying(self) -> frozenset[int]:
        """The loops in which it varies."""
        return frozenset(k for k, factor in enumerate(self.factors) if factor)


@record
class Reference:
    """`bounds` has one interval for each loop, outermost first; `is_box`: every point of the
    bounds is an iteration."""

    array: str
    subscripts: tuple[Subscript | None, ...]
    bounds: tuple[Interval, ...]
    is_box: bool = False


def classify(source: Subscript, sink: Subscript) -> str:
    """ "ziv", "siv" or "miv": in none, one or several loops does the pair vary?"""
    return ("ziv", "siv", "miv")[min(2, len(source.varying | sink.varying))]


def reference_of(scop: Scop, statement: Statement, access: Access) -> Reference:
    """The access as the classic tests see it."""
    domain = statement.domain.intersect_params(scop.known)
    is_box = domain.dim(_Param) == 0 or not domain.involves_dims(_Param, 0, domain.dim(_Param))
    domain = domain.project_out(_Param, 0, domain.dim(_Param))
    bounds = tuple(
        Interval(_finite(domain.dim_min_val(k)), _finite(domain.dim_max_val(k)))
        for k in range(domain.dim(_Set))
    )
    is_box = is_box and domain.is_equal(_box(domain, bounds))
    return Reference(access.array, _subscripts(access, len(bounds)), bounds, is_box)


def _subscripts(access: Access, depth: int) -> tuple[Subscript | None, ...]:
    rank = access.relation.dim(isl.dim_type.out)
    if not access.relation.is_single_valued():
        return (None,) * rank
    function = isl.MultiPwAff.from_pw_multi_aff(isl.PwMultiAff.from_map(access.relation))
    return tuple(_subscript(function.get_at(k), depth) for k in range(rank))


def _subscript(function: isl.PwAff, depth: int) -> Subscript | None:
    parts = pieces(function)
    if len(parts) != 1 or parts[0][1].dim(isl.dim_type.div):
        return None
    aff = parts[0][1]
    names = [aff.get_dim_name(_Param, k) or "" for k in range(aff.dim(_Param))]
    symbols = [aff.get_coefficient_val(_Param, k) for k in range(len(names))]
    factors = [aff.get_coefficient_val(_In, k) for k in range(depth)]
    constant = aff.get_constant_val()
    if not all(value.is_int() for value in (constant, *symbols, *factors)):
        return None
    return Subscript(
        constant.to_python(),
        tuple(value.to_python() for value in factors),
        tuple(
            (name, value.to_python())
            for name, value in zip(names, symbols, strict=True)
            if not value.is_zero()
        ),
    )


def _box(domain: isl.Set, bounds: tuple[Interval, ...]) -> isl.Set:
    box = isl.Set.universe(domain.get_space())
    for k, bound in enumerate(bounds):
        if bound.low is not None:
            box = box.lower_bound_val(_Set, k, val(bound.low))
        if bound.high is not None:
            box = box.upper_bound_val(_Set, k, val(bound.high))
    return box


def _finite(value: isl.Val) -> int | None:
    return value.to_python() if value.is_int() else None
