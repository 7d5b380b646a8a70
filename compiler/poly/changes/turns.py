"""How often the loops of a statement turn: the parameters for which it is often enough."""

from __future__ import annotations

import islpy as isl

from polyopt.poly.isl.numbers import val

_SET = isl.dim_type.set


def parameters_with_turns(domain: isl.Set, k: int, least: int) -> isl.Set:
    """Those for which iterator `k` takes values of `domain` that are `least` - 1 apart."""
    rank = domain.dim(_SET)
    turns = domain.project_out(_SET, k + 1, rank - k - 1).project_out(_SET, 0, k)
    apart = isl.Map.from_domain_and_range(turns, turns).deltas()
    return apart.lower_bound_val(_SET, 0, val(least - 1)).params()
