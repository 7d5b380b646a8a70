"""Is there more to do in a SCoP than to tell everybody what came of it?

What it leaves has to reach all processes at the end, so a SCoP that makes each value once is done
sooner by everybody alone; so is one whose results are on one processor. It is worth while where
instances are more than results by a dimension, and the grid cuts the results:
`C[i, j] += A[i, k] B[k, j]`, or sweeps over `A[i]` in a loop over time.
"""

from __future__ import annotations

import islpy as isl

from polyopt.poly.placement.ownership import placing_write
from polyopt.poly.scop import Scop


def is_worth_while(scop: Scop, cut: int) -> bool:
    """Whether some statement has more free dimensions than there are in its results, and these
    differ in one of the first `cut` subscripts."""
    for statement in scop.statements:
        relation = placing_write(statement).relation.intersect_domain(statement.domain)
        results = _extents(relation.range())
        if sum(_extents(relation.domain())) > sum(results) and any(results[:cut]):
            return True
    return False


def _extents(points: isl.Set) -> list[bool]:
    """Whether the points differ in a dimension, for each."""
    return [
        not points.dim_min(k).is_equal(points.dim_max(k))
        for k in range(points.dim(isl.dim_type.set))
    ]
