"""For which parameters every access stays within the arrays as they are declared."""

from __future__ import annotations

import islpy as isl

from polyopt.poly.isl.numbers import val
from polyopt.poly.scop import Scop

MOST_PIECES = 8
"""Half-spaces multiply: what would make more pieces is not taken into account."""


def within_declared(scop: Scop, parameters: isl.Set) -> isl.Set:
    """Those of the parameters for which no access that is certain leaves an array whose extents
    are numbers; where that is not simple, some more of them."""
    allowed = parameters
    for statement in scop.statements:
        for access in statement.accesses:
            extents = scop.array(access.array).extents
            sizes = [int(size) if size and size.isdigit() else None for size in extents]
            if not access.is_must or not any(sizes):
                continue
            touched = statement.domain.intersect_params(allowed).apply(access.relation)
            for dim, size in enumerate(sizes):
                if size is not None:
                    outside = touched.lower_bound_val(isl.dim_type.set, dim, val(size)).params()
                    left = allowed.subtract(outside).coalesce()
                    if left.n_basic_set() <= MOST_PIECES:
                        allowed = left
    return allowed
