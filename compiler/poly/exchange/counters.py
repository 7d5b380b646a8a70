"""Instances numbered as Polly numbers them: by how often each loop around them has been run.

C's `for (j = n - 1; j > i; j -= 2)` has instances j = n - 1, n - 3, ...; counted they are
0, 1, ... . For a statement with dimensions i_0, ..., i_n

    counters(D) = { S[i] -> S[c] : c_k = (i_k - min) / stride, or (max - i_k) / stride
                                   where the schedule lets i_k decrease }

min, max and stride are those of i_k among the instances with the same i_0, ..., i_(k-1). It is
one to one, so two tools' instances of one statement correspond where they have the same counters.
"""

from __future__ import annotations

import islpy as isl

from polyopt.poly.isl.lists import pieces

_Dim = isl.dim_type


class Uncountable(Exception):
    """A loop has no first iteration, or an instance more than one date."""


def counters(domain: isl.Set, dates: isl.Map | None) -> isl.Map:
    """`dates` tell which way the loops of the statement go; upward if there are none. Raises
    Uncountable."""
    name = domain.get_tuple_name() or ""
    if dates is not None and not dates.intersect_domain(domain).is_single_valued():
        raise Uncountable(f"some instance of {name} has two dates")
    result = isl.Map.from_domain(domain)
    for k in range(domain.dim(_Dim.set)):
        try:
            downward = dates is not None and _is_downward(domain, dates, k)
            counter = _counter(domain, k, downward)
        except isl.Error:
            raise Uncountable(f"a loop around {name} has no first iteration") from None
        result = result.flat_range_product(isl.Map.from_pw_aff(counter))
    return result.intersect_domain(domain).set_tuple_name(_Dim.out, name)


def _counter(domain: isl.Set, k: int, downward: bool) -> isl.PwAff:
    count = domain.dim(_Dim.set)
    outer = domain.project_out(_Dim.set, k + 1, count - k - 1)
    of_outer = isl.Map.from_range(outer.reset_tuple_id()).move_dims(_Dim.in_, 0, _Dim.out, 0, k)
    end = of_outer.lexmax_pw_multi_aff() if downward else of_outer.lexmin_pw_multi_aff()
    bound = end.get_pw_aff(0).pullback_multi_aff(_first(domain, k))
    space = isl.LocalSpace.from_space(domain.get_space())
    here = isl.PwAff.from_aff(isl.Aff.var_on_domain(space, _Dim.set, k))
    distance = bound.sub(here) if downward else here.sub(bound)
    stride = outer.get_stride(k)
    return distance.scale_down_val(stride).gist(domain)


def _first(domain: isl.Set, count: int) -> isl.MultiAff:
    """{ S[i_0, ..., i_n] -> [i_0, ..., i_(count - 1)] }"""
    names = [f"i{k}" for k in range(domain.dim(_Dim.set))]
    name = domain.get_tuple_name() or ""
    text = f"{{ {name}[{', '.join(names)}] -> [{', '.join(names[:count])}] }}"
    return isl.MultiAff(text).align_params(domain.get_space())


def _is_downward(domain: isl.Set, dates: isl.Map, k: int) -> bool:
    """Whether the first date that i_k decides falls as it grows."""
    function = isl.PwMultiAff.from_map(dates.intersect_domain(domain))
    for position in range(dates.dim(_Dim.out)):
        for _, date in pieces(function.get_pw_aff(position)):
            if date.involves_dims(_Dim.in_, k, 1):
                return date.get_coefficient_val(_Dim.in_, k).is_neg()
    return False
