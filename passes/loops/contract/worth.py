"""From which sizes on a contraction is worth packing.

Tiles of registers read a panel of columns as well where it lies, if its elements along a row follow
each other and L2 holds it: packing it is one more pass over it, and pays by fewer lines and pages
later (Goto and van de Geijn, Anatomy of High-Performance Matrix Multiplication, TOMS 2008, §4).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from xdsl.ir import SSAValue

from polyopt.ir.affine.constraints import Constraints, NotRepresentable
from polyopt.ir.affine.linear import Linear
from polyopt.support.core_model import CORE
from polyopt.support.target import Target


def worth_packing(
    domain: Constraints, tile: Sequence[SSAValue], iterators: Sequence[SSAValue], smallest: int
) -> tuple[Linear, ...] | None:
    """What is not negative where it is: the extents of rows, columns and depth (`tile`) are not
    below `smallest`, and twice that on average (measured: 16 x 16 x 16 is where packing begins to
    pay). None where it is known not to be, or where extents are no linear forms."""
    extents = _extents(domain, tile, iterators)
    if extents is None:
        return None
    least = [extent - smallest for choices in extents for extent in choices]
    total = sum((choices[0] for choices in extents), Linear())
    return _unknown([*least, total - 6 * smallest])


def worth_packing_for_columns(
    domain: Constraints, tile: Sequence[SSAValue], iterators: Sequence[SSAValue], smallest: int
) -> tuple[Linear, ...] | None:
    """The same where vectors along the sums are what there is without panels, which few elements
    do not fill: it depends on rows and columns alone (measured, distances of points in 1 to 6
    dimensions: 16 x 16 takes 0.39 to 0.59 in panels, 64 x 64 0.28 to 0.40, 8 x 8 0.71 to 1.24;
    distances in twelve: 0.75, 0.99 and 1.99)."""
    extents = _extents(domain, tile, iterators)
    if extents is None:
        return None
    rows, columns, depth = extents
    least = [extent - smallest for extent in (*rows, *columns)]
    return _unknown([*least, *(one - 1 for one in depth), rows[0] + columns[0] - 4 * smallest])


def worth_packing_for_l2(
    domain: Constraints,
    tile: Sequence[SSAValue],
    iterators: Sequence[SSAValue],
    element_bytes: int,
    target: Target,
) -> tuple[Linear, ...] | None:
    """The same where tiles of registers can do without: L2 does not hold columns by depth, and
    there are rows that share them."""
    extents = _extents(domain, tile, iterators)
    if extents is None:
        return None
    square = isqrt(int(target.l2_bytes * CORE.blocks.unpacked_l2_share) // element_bytes)
    least = square // CORE.blocks.unpacked_skew
    _, columns, depth = (choices[0] for choices in extents)
    forms = [extent - least for choices in extents for extent in choices]
    return _unknown([*forms, columns + depth - 2 * square])


def _extents(
    domain: Constraints, tile: Sequence[SSAValue], iterators: Sequence[SSAValue]
) -> list[list[Linear]] | None:
    try:
        extents = [domain.extents(iv, iterators) for iv in tile]
    except NotRepresentable:
        return None
    return extents if all(extents) else None  # no loop without iterations


def _unknown(forms: Sequence[Linear]) -> tuple[Linear, ...] | None:
    """Those that are not known to hold; None where one is known not to."""
    if any(not form.terms and form.constant < 0 for form in forms):
        return None
    return tuple(form for form in forms if form.terms)
