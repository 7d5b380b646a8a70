"""A strip: the vectors of lanes that run together."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from polyopt.ir.affine.linear import Form, Linear, Quotient
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.lanes.lane_loop import LaneLoop
from polyopt.support.record import record

Mask = SSAValue | None


@record
class Strip:
    """`vectors` of `lanes` each."""

    builder: AffineBuilder
    source: LaneLoop
    lanes: int
    vectors: int

    @property
    def width(self) -> int:
        return self.lanes * self.vectors

    def mask(self, vector: int, begins: Sequence[Form], ends: Sequence[Form]) -> Mask:
        """The lanes from the greatest of `begins` on, before the least of `ends`; these count
        from the strip's first lane."""
        if not begins and not ends:
            return None
        b, offset = self.builder, vector * self.lanes
        begin = -b.minimum([_negated(form) for form in begins]) - offset if begins else Linear()
        end = b.minimum(ends) - offset if ends else Linear((), self.lanes)
        return b.lanes_between(begin, end, self.lanes)


def _negated(form: Form) -> Form:
    if isinstance(form, Linear):
        return -form
    return Quotient(-form.form, form.divisor, is_ceiling=not form.is_ceiling)
