"""A nest in threads by one of its inner loops: each thread runs its share of that loop's range."""

from __future__ import annotations

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


def write_row(code: Code, nest: affine.ForOp, row: Row, threads: SSAValue) -> None:
    """`nest` with `row.loop` between the bounds of a thread's part, at the end of `code`.

    for t { for r = t to n }   ->   for t { for r = max(t, first) to min(n, last) }"""
    lower = _only(code, row.lowers)
    upper = _only(code, row.uppers)
    parts = Parts(lower, upper, 1, threads)
    region = open_region(code, threads)
    inside, number = share_out(region, threads)
    loop = row.loop.op
    place, following = loop.parent, loop.next_op
    assert place is not None
    assert following is not None
    place.insert_op_before(within(loop, parts.share(inside, number)), following)
    nest.detach()
    inside.block.add_op(nest)
    close_loop(inside)
    close_region(region)


def _only(code: Code, forms: tuple[Linear, ...]) -> Index:
    (form,) = forms
    if not form.terms:
        return form.constant
    map, operands = map_of([form])
    (result,) = code.results(map.data, list(operands))
    return result
