"""From which sizes on a contraction is worth packing."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from polyopt.ir.constraints import Constraints, NotRepresentable
from polyopt.ir.linear import Linear


def worth_packing(
    domain: Constraints, tile: Sequence[SSAValue], iterators: Sequence[SSAValue], smallest: int
) -> tuple[Linear, ...] | None:
    """What is not negative where it is: the extents of rows, columns and depth (`tile`) are not
    below `smallest`, and twice that on average (measured: 16 x 16 x 16 is where packing begins to
    pay). None where it is known not to be, or where extents are no linear forms."""
    try:
        extents = [domain.extents(iv, iterators) for iv in tile]
    except NotRepresentable:
        return None
    if not all(extents):
        return None  # a loop without iterations
    least = [extent - smallest for choices in extents for extent in choices]
    total = sum((choices[0] for choices in extents), Linear())
    forms = [*least, total - 6 * smallest]
    if any(not form.terms and form.constant < 0 for form in forms):
        return None
    return tuple(form for form in forms if form.terms)
