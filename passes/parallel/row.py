"""A nest in threads by loops in it: each thread runs all that is around them, and its share of
their range."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import affine
from xdsl.ir import SSAValue

from polyopt.ir.linear import Linear, map_of
from polyopt.passes.parallel.code import Code, Index
from polyopt.passes.parallel.parts import Parts
from polyopt.passes.parallel.region import (
    close_loop,
    close_region,
    open_region,
    share_out,
    within,
)
from polyopt.passes.parallel.shape import Row
from polyopt.support.core_model import CORE


def write_row(code: Code, nest: affine.ForOp, row: Row, threads: SSAValue, grain: int) -> None:
    """`nest` with `row.loops` between the bounds of a thread's part, at the end of `code`; parts
    start at multiples of `grain`. Where some are more to do than others, a thread takes several,
    from all over the range.

    for t { for r = t to n }   ->   for t { for r = max(t, first) to min(n, last) }"""
    lower = _extreme(code, [_extreme(code, one, code.greatest) for one in row.lowers], code.least)
    upper = _extreme(code, [_extreme(code, one, code.least) for one in row.uppers], code.greatest)
    count = threads
    if not row.is_even:
        count = code.index(code.multiply(threads, CORE.threads.parts_each))
    parts = Parts(lower, upper, 1, count, grain)
    region = open_region(code, threads)
    inside, number = share_out(region, count, in_turns=not row.is_even)
    share = parts.share(inside, number)
    for loop in [one.op for one in row.loops]:
        place, following = loop.parent, loop.next_op
        assert place is not None
        assert following is not None
        shared = within(loop, share, is_part=row.has_one_range)
        place.insert_op_before(shared, following)
    nest.detach()
    inside.block.add_op(nest)
    close_loop(inside)
    close_region(region)


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
