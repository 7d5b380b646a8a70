"""When is a tile full? The constant part of a loop's range, and what must hold for it to be all.

A loop of a tile has several bounds, of which one pair belongs to the tile and the rest to the
domain that the tile may stick out of:

    for i = max(it, 1) to min(it + 4, n)

The pair whose difference is constant (here 4) gives the trip count of a full tile; the tile is
full where no other bound cuts in:  it - 1 >= 0  and  n - it - 4 >= 0. In a nest of such loops
the conditions of the inner ones are taken at the worst iteration of the outer ones, so that all
of them speak of values outside the nest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.dialects import affine
from xdsl.ir import SSAValue

from polyopt.dialects.loop_facts import facts_of
from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.linear import Linear
from polyopt.support.record import record

UNROLL = "unroll"


@record
class FullRange:
    """`iv` in first, first + step, …: `count` iterations."""

    first: Linear
    count: int
    step: int

    def at(self, iteration: int) -> Linear:
        return self.first + iteration * self.step


@record
class FullTile:
    """The ranges of a marked loop and of the marked loops directly in it, and the forms that
    must not be negative for these ranges to be exact."""

    ranges: Mapping[affine.ForOp, FullRange]
    conditions: tuple[Linear, ...]

    @property
    def copies(self) -> int:
        """An upper limit of how often one operation is copied."""
        product = 1
        for one in self.ranges.values():
            product *= one.count
        return product


def is_marked(op: object, mark: str = UNROLL) -> bool:
    return isinstance(op, affine.ForOp) and mark in facts_of(op).marks


def find_full_tile(head: affine.ForOp) -> FullTile | None:
    """The full tile of the nest of marked loops at `head`; None where a loop has no constant
    range, or where a condition can never hold."""
    ranges: dict[affine.ForOp, FullRange] = {}
    forms: list[Linear] = []
    for loop in _marked_below(head):
        found = _full_range(AffineLoop(loop))
        if found is None:
            return None
        ranges[loop] = found[0]
        forms += found[1]
    outermost_last = list(reversed(ranges.items()))
    conditions: dict[Linear, None] = {}
    for form in forms:
        worst = _worst(form, outermost_last)
        if worst.terms:
            conditions[worst] = None
        elif worst.constant < 0:
            return None
    return FullTile(ranges, tuple(conditions))


def _marked_below(loop: affine.ForOp) -> Iterator[affine.ForOp]:
    """`loop` and the marked loops directly in its body, and so on; outer before inner."""
    yield loop
    for op in loop.body.block.ops:
        if isinstance(op, affine.ForOp) and is_marked(op):
            yield from _marked_below(op)


def _full_range(loop: AffineLoop) -> tuple[FullRange, list[Linear]] | None:
    """The least constant range between a lower and an upper bound, and what makes it exact."""
    lowers, uppers = loop.lowers, loop.uppers
    if lowers is None or uppers is None:
        return None
    best: tuple[int, Linear, Linear] | None = None
    for lower in lowers:
        for upper in uppers:
            extent = upper - lower
            if not extent.terms and (best is None or extent.constant < best[0]):
                best = extent.constant, lower, upper
    if best is None or best[0] <= 0:
        return None
    extent, first, end = best
    conditions = [first - lower for lower in lowers if lower != first]
    conditions += [upper - end for upper in uppers if upper != end]
    return FullRange(first, -(-extent // loop.step), loop.step), conditions


def _worst(form: Linear, ranges: list[tuple[affine.ForOp, FullRange]]) -> Linear:
    """The least value of `form` over the full ranges, innermost loops first."""
    for loop, full in ranges:
        iterator: SSAValue = loop.body.block.args[0]
        coefficient = form.coefficient(iterator)
        if coefficient:
            extreme = full.at(0 if coefficient > 0 else full.count - 1)
            form = form.substitute({iterator: extreme})
    return form
