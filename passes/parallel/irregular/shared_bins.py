"""Arrays that all iterations of a loop update at places that data choose: histograms, sums.

    for (i = 0; i < n; i++) bins[key[i]] += weight[i];

Iterations may meet in an element, and nobody knows where; but nothing is done to the array other
than to combine its elements with something, by one operator. With a copy for each part of the range
the parts are independent; the copies are put together element by element. A copy holds what lies
between the bounds of the subscripts (`index_bounds`), which may be more than the array has: where
the copies have nothing to add, the array is not touched.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, SSAValue

from polyopt.ir.effects import is_wide
from polyopt.ir.expressions.integer_expr import ONE, ZERO, Expr
from polyopt.ir.expressions.integer_forms import extremum
from polyopt.ir.references.loop_view import LoopView
from polyopt.ir.references.memory_references import Reference
from polyopt.passes.parallel.irregular.index_bounds import ends_of, place_bounds
from polyopt.passes.parallel.irregular.shared_updates import SharedUpdate, updates_among
from polyopt.support.record import record


@record(eq=False)
class SharedBins:
    """Elements `first` to `first + count - 1` from the base on are between the bounds of all
    subscripts; `first` is no more than 0."""

    base: SSAValue
    updates: tuple[SharedUpdate, ...]
    first: Expr
    count: Expr

    @property
    def element(self) -> Attribute:
        return self.updates[0].result.type


def shared_bins(view: LoopView, references: Sequence[Reference]) -> SharedBins | None:
    """What the loop does to an array, if that is to update it; `references` are all to it."""
    base = references[0].base
    types = {one.type.element_type for one in references}
    (element, *others) = types
    if others or is_wide(element) or view.is_inside(base):
        return None
    updates = updates_among({one.op for one in references})
    places = [place_bounds(one, view) for one in references]
    if updates is None or None in places:
        return None
    least, most = ends_of([one for one in places if one is not None])
    first = extremum(False, (ZERO, least))
    return SharedBins(base, updates, first, most - first + ONE)
