"""A nest in threads by loops in it: each thread runs all that is around them, and its share of
their range."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import affine
from xdsl.ir import SSAValue

from polyopt.ir.affine.linear import Linear, map_of
from polyopt.passes.parallel.code import Code, Index
from polyopt.passes.parallel.parts import Parts
from polyopt.passes.parallel.region import (
    close_loop,
    close_region,
    open_region,
    share_out,
    within,
)
from polyopt.passes.parallel.shape import LoopRow
from polyopt.support.core_model import CORE


def write_row(code: Code, nest: affine.ForOp, row: LoopRow, threads: SSAValue, grain: int) -> None:
    """`nest` in a region of its own at the end of `code`, `row.loops` shared out."""
    parts = parts_of_row(code, row, threads, grain)
    region = open_region(code, threads)
    nest.detach()
    share_row(region, nest, row, parts)
    close_region(region)


def parts_of_row(code: Code, row: LoopRow, threads: SSAValue, grain: int) -> Parts:
    """Parts of what `row.loops` go through, which start at multiples of `grain`. Where some are
    more to do than others, there are several for each thread, to be taken in turns."""
    lower = _extreme(code, [_extreme(code, one, code.greatest) for one in row.lowers], code.least)
    upper = _extreme(code, [_extreme(code, one, code.least) for one in row.uppers], code.greatest)
    count = threads
    if not row.is_even:
        count = code.index(code.multiply(threads, CORE.threads.parts_each))
    return Parts(lower, upper, 1, count, grain)


def share_row(
    region: Code, nest: affine.ForOp, row: LoopRow, parts: Parts, *, nowait: bool = False
) -> None:
    """`nest`, which stands nowhere, with `row.loops` between the bounds of a thread's part, at the
    end of the region.

    for t { for r = t to n }   ->   for t { for r = max(t, first) to min(n, last) }"""
    in_turns = not row.is_even
    inside, number = share_out(region, parts.count, in_turns=in_turns, nowait=nowait)
    share = parts.share(inside, number)
    for loop in [one.op for one in row.loops]:
        place, following = loop.parent, loop.next_op
        assert place is not None
        assert following is not None
        shared = within(loop, share, is_part=row.has_one_range)
        place.insert_op_before(shared, following)
    inside.block.add_op(nest)
    close_loop(inside)


def _extreme(
    code: Code, values: Sequence[Linear | Index], choose: Callable[[Index, Index], Index]
) -> Index:
    """The one that is chosen."""
    first, *others = (_value(code, one) for one in dict.fromkeys(values))
    for other in others:
        first = choose(first, other)
    return first


def _value(code: Code, form: Linear | Index) -> Index:
    if not isinstance(form, Linear):
        return form
    if not form.terms:
        return form.constant
    map, operands = map_of([form])
    (result,) = code.results(map.data, list(operands))
    return result
