"""How much longer isl's operations take on some sets than on most.

A budget counts operations. One takes 0.2 microseconds where numbers stay small, also with dozens
of quotients as tiles have them. They do not stay small where a constraint ties several columns by
large factors: a bound of `136t - 45e <= 1088f` on e and f, which no quotient says, lets isl's
integer programs pivot with numbers of many words, and an operation takes 2 to 30 microseconds.
"""

from __future__ import annotations

from collections.abc import Iterable

import islpy as isl

LIGHT = 16
"""Factors up to which numbers stay small: of skewed tiles, hexagons, elements a few apart."""
MOST = 64
"""What an operation counts for at most."""

_HIDDEN = isl.dim_type.div
_COLUMNS = (isl.dim_type.in_, isl.dim_type.out, _HIDDEN)


def weight(pieces: Iterable[isl.BasicSet | isl.BasicMap]) -> int:
    """For how many operations each counts on these: the second largest factor of columns in one
    constraint, where that is not light and the piece hides some column."""
    heaviest = max((_second(one) for piece in pieces for one in _constraints(piece)), default=1)
    return 1 if heaviest <= LIGHT else min(heaviest, MOST)


def _constraints(piece: isl.BasicSet | isl.BasicMap) -> list[isl.Constraint]:
    return piece.get_constraints() if piece.dim(_HIDDEN) else []


def _second(constraint: isl.Constraint) -> int:
    """The second largest factor of its columns, parameters aside; 0 if there is one column."""
    factors = [
        abs(constraint.get_coefficient_val(kind, k).to_python())
        for kind in _COLUMNS
        for k in range(constraint.dim(kind))
    ]
    return sorted(factors)[-2] if len(factors) > 1 else 0
