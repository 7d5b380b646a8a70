"""How large a static control part is at most: the box around its deepest statement.

for i < n { for j <= i { S } }      n, n
"""

from __future__ import annotations

import islpy as isl

from polyopt.poly.isl.lists import pieces
from polyopt.poly.isl.numbers import val
from polyopt.poly.scop import Scop


def box_extents(scop: Scop) -> tuple[isl.Aff, ...] | None:
    """Those of the box around the statement with the most loops; None where they are not
    affine."""
    deepest = max(scop.statements, key=lambda one: one.domain.dim(isl.dim_type.set))
    domain = deepest.domain.intersect_params(scop.known)
    extents: list[isl.Aff] = []
    for dim in range(domain.dim(isl.dim_type.set)):
        ends = [pieces(end.coalesce()) for end in (domain.dim_min(dim), domain.dim_max(dim))]
        if any(len(end) != 1 or end[0][1].dim(isl.dim_type.div) for end in ends):
            return None
        (_, first), (_, last) = (end[0] for end in ends)
        extents.append(last.sub(first).add_constant_val(val(1)))
    return tuple(extents)
