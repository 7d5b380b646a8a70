"""When one block is all there is."""

from __future__ import annotations

from collections.abc import Sequence

from polyopt.ir.affine.linear import Linear
from polyopt.passes.loops.affine_builder import AffineBuilder


def at_most(builder: AffineBuilder, extents: Sequence[Linear], most: int) -> list[Linear]:
    """Not negative where the least of the extents is no more than that; none where that is
    known."""
    form = Linear((), most) - builder.minimum(extents)
    return [form] if form.terms or form.constant < 0 else []
