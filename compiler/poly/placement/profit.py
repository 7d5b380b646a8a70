"""Is there more to do in a SCoP than to tell everybody what came of it?

What it leaves has to reach all processes at the end, so a SCoP that makes each value once is done
sooner by everybody alone. It is worth while where instances are more than results by a dimension:
`C[i, j] += A[i, k] B[k, j]`, or sweeps over `A[i]` in a loop over time.
"""

from __future__ import annotations

import islpy as isl

from polyopt.poly.scop import Scop


def is_worth_while(scop: Scop) -> bool:
    """Whether some statement has more free dimensions than there are in its results."""
    return any(
        _dimensions(access.relation.intersect_domain(statement.domain).domain())
        > _dimensions(access.relation.intersect_domain(statement.domain).range())
        for statement in scop.statements
        for access in statement.accesses
        if access.is_write
    )


def _dimensions(points: isl.Set) -> int:
    """How many dimensions the points extend in."""
    return sum(
        not points.dim_min(k).is_equal(points.dim_max(k))
        for k in range(points.dim(isl.dim_type.set))
    )
