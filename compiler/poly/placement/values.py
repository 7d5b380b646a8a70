"""What a processor computes before it starts: bounds as expressions of the parameters."""

from __future__ import annotations

from functools import reduce

import islpy as isl

from polyopt.poly.isl.lists import pieces
from polyopt.poly.isl.names import apart
from polyopt.poly.loops.loop_tree import Expr, Select
from polyopt.poly.loops.subscripts import condition_of, expression_of


def value_of(bound: isl.PwAff) -> Expr:
    """The value of `bound` where it has one; anything elsewhere."""
    found = [(where, expression_of(value)) for where, value in pieces(bound.coalesce())]
    *first, (_, last) = found
    return reduce(
        lambda orelse, piece: Select(condition_of(piece[0]), piece[1], orelse),
        reversed(first),
        last,
    )


def bounded(name: str, first: isl.PwAff, last: isl.PwAff) -> isl.Set | None:
    """{ : first <= name <= last }; None where the bounds have values for some parameters only, by
    more than one function: what `value_of` gives is in the interval just where they have one."""
    result = isl.Set.universe(isl.Space.params_alloc(isl.DEFAULT_CONTEXT, 0))
    (v,) = apart("v", 1, [name])
    for bound, relation in ((first, "<="), (last, ">=")):
        found = pieces(bound.coalesce())
        if len(found) != 1:
            return None
        everywhere = isl.PwAff.from_aff(found[0][1])
        allowed = isl.Set(f"[{name}] -> {{ [{v}] : {v} {relation} {name} }}")
        result = result.intersect(allowed.intersect(isl.Set.from_pw_aff(everywhere)).params())
    return result
